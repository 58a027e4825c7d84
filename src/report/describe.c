// describe.c - words for a result.
#include "report/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 128 };

// --- channels ---

// What stands before a component .x .y .z, as its last part: "position" of "tip.position.x".
static bool has_last_part(const char *name, size_t length, const char *part) {
  size_t n = strlen(part);
  return length > n && !strncmp(name + length - n, part, n) && name[length - n - 1] == '.';
}

const char *lim_channel_group(const char *name) {
  static const struct {
    const char *part;
    bool vector; // with a component after it
    const char *group;
  } row[] = {
      {"error", true, "tool error"},
      {"position", true, "tool"},
      {"velocity", true, "tool"},
      {"acceleration", true, "tool"},
      {"rotation", true, "tool"},
      {"position", false, "joints"},
      {"translation", true, "joints"},
      {"angular_velocity", true, "joints"},
      {"velocity", false, "joints"},
      {"acceleration", false, "joints"},
      {"reference", false, "joints"},
      {"motor_position", false, "motors"},
      {"effort", false, "efforts"},
      {"motor_torque", false, "motors"},
      {"force", true, "reactions"},
      {"moment", true, "reactions"},
      {"deflection", true, "deflections"},
      {"strain", false, "strains"},
      {"stress", false, "strains"},
      {"depth", false, "contacts"},
      {"stop", false, "stops"},
  };
  size_t n = strlen(name);
  bool vector = n > 2 && name[n - 2] == '.' && strchr("xyz", name[n - 1]);
  if (!strncmp(name, "energy.", 7) && !strchr(name + 7, '.')) return "energy";
  if (!strncmp(name, "frequency.", 10) && !strchr(name + 10, '.')) return "frequencies";
  if (vector && strstr(name, ".section.")) return "sections";
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (row[i].vector == vector && has_last_part(name, vector ? n - 2 : n, row[i].part)) return row[i].group;
  return "other";
}

// --- settings and outcome ---

const char *lim_result_status(lim_reading *r) {
  const char *status = lim_reading_text(r, "status");
  return status && *status ? status : "unfinished";
}

static void pair(lim_json *j, const char *key, const char *value) {
  lim_json_flat(j);
  lim_json_text(j, key);
  lim_json_text(j, value);
  lim_json_end(j, ']');
}

static void text(lim_json *j, lim_reading *r, const char *key, const char *name) {
  const char *value = lim_reading_text(r, name);
  if (value && *value) pair(j, key, value);
}

static void number(lim_json *j, const char *key, double x, const char *unit) {
  char buffer[ROOM];
  snprintf(buffer, sizeof buffer, "%.6g%s%s", x, *unit ? " " : "", unit);
  if (!isnan(x)) pair(j, key, buffer);
}

static void seconds(lim_json *j, const char *key, double x) {
  double factor = x == 0 || x >= 0.1 ? 1 : x >= 1e-4 ? 1e3 : 1e6;
  number(j, key, x * factor, factor == 1 ? "s" : factor == 1e3 ? "ms" : "µs");
}

static void about_run(lim_json *j, lim_reading *r) {
  double steps = lim_reading_number(r, "steps");
  text(j, r, "mode", "mode");
  text(j, r, "method", "method");
  if (isnan(lim_reading_number(r, "step")))
    pair(j, "step", "auto");
  else
    seconds(j, "step", lim_reading_number(r, "step"));
  seconds(j, "duration", lim_reading_number(r, "duration"));
  seconds(j, "reached", r->rows ? r->time[r->rows - 1] : NAN);
  number(j, "records", (double)r->rows, "");
  number(j, "steps", steps, "");
  if (steps > 0) number(j, "iterations per step", lim_reading_number(r, "iterations") / steps, "");
  number(j, "energy balance (rms)", lim_reading_number(r, "energy_balance_percent_rms"),
         "% of the peak energy");
  seconds(j, "computing time", lim_reading_number(r, "wall_s"));
}

static void about_modes(lim_json *j, lim_reading *r) {
  text(j, r, "joints", "joints");
  number(j, "rigid-body modes", lim_reading_number(r, "rigid_modes"), "");
  double unstable = lim_reading_number(r, "unstable_modes");
  if (unstable > 0) number(j, "unstable modes", unstable, "");
}

void lim_result_about(lim_json *j, lim_reading *r) {
  const char *kind = lim_reading_text(r, "kind");
  lim_json_list(j);
  pair(j, "status", lim_result_status(r));
  if (kind && !strcmp(kind, "simulate")) about_run(j, r);
  if (kind && !strcmp(kind, "modes")) about_modes(j, r);
  text(j, r, "limber", "version");
  lim_json_end(j, ']');
}

// --- labels ---

static bool all_different(const char *const *label, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (!strcmp(label[i], label[k])) return false;
  return true;
}

// The mode of a simulation, else what kind of result it is.
static const char *mode_of(lim_reading *r) {
  const char *kind = lim_reading_text(r, "kind"), *mode = lim_reading_text(r, "mode");
  return kind && strcmp(kind, "simulate") ? kind : mode && *mode ? mode : "simulate";
}

// Name of the folder a file is in; "." is none.
static const char *folder_of(const char *path, lim_arena *arena) {
  const char *end = strrchr(path, '/'), *start;
  while (end && end > path && end[-1] == '/') end--;
  if (!end || end == path) return lim_arena_text(arena, "result", 6);
  for (start = end; start > path && start[-1] != '/'; start--) {}
  bool dots = !strncmp(start, "..", (size_t)(end - start));
  return dots ? lim_arena_text(arena, path, strlen(path)) : lim_arena_text(arena, start, (size_t)(end - start));
}

static bool use_folders(const char **label, lim_reading *const *r, int count, lim_arena *arena) {
  for (int i = 0; i < count; i++)
    if (!(label[i] = folder_of(r[i]->path, arena))) return false;
  return true;
}

bool lim_result_labels(const char **label, lim_reading *const *r, int count, lim_arena *arena) {
  for (int i = 0; i < count; i++) label[i] = mode_of(r[i]);
  if (!all_different(label, count) && !use_folders(label, r, count, arena)) return false;
  for (int i = 0; i < count; i++) { // the same name once more: with a number
    const char *name = label[i];
    for (int n = 2; !all_different(label, i + 1); n++) {
      char buffer[ROOM];
      snprintf(buffer, sizeof buffer, "%.100s (%d)", name, n);
      if (!(label[i] = lim_arena_text(arena, buffer, strlen(buffer)))) return false;
    }
  }
  return true;
}
