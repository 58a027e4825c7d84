// report.c - results as JSON and packed numbers, put into the page. Layout: viewer/README.md.
#include "report/report.h"

#include "base/json.h"
#include "report/describe.h"
#include "report/packing.h"
#include "report/page.h"
#include "report/surface.h"
#include "report/thinning.h"
#include "store/archive.h"
#include "store/reading.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_json j;
  lim_pack pack;
  lim_arena scratch; // of the result at hand
  lim_reading *r;
  lim_error *err;
  long frames, kept; // in the result, in the report
  long nodes, links;
  const char *deflection, *bend, *lagging; // lists of its shapes
} writer;

static lim_code damaged(const writer *w) { return LIM_FAIL(w->err, LIM_IO, "%s is damaged", w->r->path); }

// --- JSON ---

static void null(lim_json *j) { lim_json_number(j, NAN); }

static void text_or_null(lim_json *j, const char *key, const char *text) {
  lim_json_key(j, key);
  if (text)
    lim_json_text(j, text);
  else
    null(j);
}

static void texts(writer *w, const char *key, const char *name) {
  const char *const *list;
  int count = lim_reading_texts(&list, w->r, name);
  lim_json_key(&w->j, key);
  lim_json_list(&w->j);
  for (int i = 0; i < count; i++) lim_json_text(&w->j, list[i]);
  lim_json_end(&w->j, ']');
}

// JSON that the result holds, as it is.
static lim_code raw(writer *w, const char *name, const char *fallback) {
  const char *json = lim_reading_text(w->r, name);
  if (json && !lim_json_valid(json)) return damaged(w);
  lim_json_key(&w->j, name);
  lim_json_raw(&w->j, json ? json : fallback);
  return LIM_OK;
}

static void floats(writer *w, const float *x, const long *shape, int rank) {
  size_t count = 1;
  for (int i = 0; i < rank; i++) count *= (size_t)shape[i];
  lim_pack_reference(&w->j, lim_pack_floats(&w->pack, x, count), "f32", shape, rank);
}

// --- shapes ---

// Results of older versions know only the rigid arm at the reference.
static void choose_lists(writer *w) {
  long shape[3];
  bool lags = lim_reading_floats(w->r, "shapes/lagging", shape) != NULL;
  w->deflection = lags ? "shapes/deflection" : "shapes/displacement";
  w->bend = lags ? "shapes/bend" : "shapes/turn";
  w->lagging = lags ? "shapes/lagging" : "shapes/rigid";
}

// Number of frames that all lists have, and of nodes and links.
static lim_code measure(writer *w) {
  choose_lists(w);
  const char *const lists[] = {"shapes/time", w->deflection,   w->bend,
                               w->lagging,    "shapes/stress", "shapes/strain"};
  const long width[] = {1, 3, 3, 6, 1, 1};
  long shape[3];
  if (!lim_reading_floats(w->r, "shapes/place", shape) || shape[1] != 3) return damaged(w);
  w->nodes = shape[0];
  w->frames = w->r->frames;
  for (int i = 0; i < 6; i++) {
    if (!lim_reading_floats(w->r, lists[i], shape)) return damaged(w);
    if (i == 3) w->links = shape[1];
    long wide = i == 0 ? 1 : i == 3 ? w->links * 6 : w->nodes * width[i];
    if (shape[1] * shape[2] != wide || (i == 3 && shape[2] != 6)) return damaged(w);
    if (shape[0] < w->frames) w->frames = shape[0];
  }
  w->kept = lim_thin_rows(w->frames, LIM_REPORT_FRAMES);
  return LIM_OK;
}

// A list of frames, thinned, with the frame as last index; less another list, or NULL. All NaN: null where that
// is allowed.
static lim_code frames(writer *w, const char *key, const char *name, const char *less, long first,
                       long second) {
  long shape[3], other[3], width = first * (second ? second : 1), known = 0;
  const float *x = lim_reading_floats(w->r, name, shape),
              *y = less ? lim_reading_floats(w->r, less, other) : NULL;
  if (!x || shape[0] < w->frames || shape[1] * shape[2] != width ||
      (less && (!y || other[0] < w->frames || other[1] * other[2] != width)))
    return damaged(w);
  float *out = lim_arena_array(&w->scratch, (size_t)(width * w->kept) + 1, sizeof *out);
  if (!out) return lim_no_memory(w->err);
  for (long i = 0; i < w->kept; i++) {
    long frame = lim_thin_pick(i, w->kept, w->frames) * width;
    for (long k = 0; k < width; k++) {
      out[k * w->kept + i] = x[frame + k] - (y ? y[frame + k] : 0);
      known += !isnan(x[frame + k]);
    }
  }
  lim_json_key(&w->j, key);
  if (known || second)
    floats(w, out, (const long[]){first, second ? second : w->kept, w->kept}, second ? 3 : 2);
  else
    null(&w->j);
  return LIM_OK;
}

static lim_code shape_time(writer *w) {
  long shape[3];
  const float *x = lim_reading_floats(w->r, "shapes/time", shape);
  float *out = lim_arena_array(&w->scratch, (size_t)w->kept + 1, sizeof *out);
  if (!x || !out) return lim_no_memory(w->err);
  for (long i = 0; i < w->kept; i++) out[i] = x[lim_thin_pick(i, w->kept, w->frames)];
  lim_json_key(&w->j, "time");
  floats(w, out, &w->kept, 1);
  return LIM_OK;
}

// Where the arm lags, its ghost is the rigid arm at the reference.
static lim_code ghost(writer *w, bool moves) {
  long shape[3], other[3], count = w->frames * w->links * 6;
  const float *told = lim_reading_floats(w->r, "shapes/rigid", shape),
              *lagging = lim_reading_floats(w->r, w->lagging, other);
  if (!told || shape[0] < w->frames || shape[1] * shape[2] != 6 * w->links) return damaged(w);
  long same = 0;
  while (same < count && told[same] == lagging[same]) same++;
  lim_json_key(&w->j, "ghost");
  if (same == count) {
    null(&w->j);
    return LIM_OK;
  }
  lim_json_object(&w->j);
  lim_code code = frames(w, "rigid", "shapes/rigid", NULL, w->links, 6);
  if (code == LIM_OK && moves) code = frames(w, "reference", "shapes/reference", NULL, w->nodes, 3);
  lim_json_end(&w->j, '}');
  return code;
}

static lim_surfaces_of surfaces_of(writer *w) {
  return (lim_surfaces_of){w->r, &w->scratch, w->links, w->frames, w->kept};
}

static lim_code shapes(writer *w) {
  long shape[3];
  lim_code code = measure(w);
  if (code != LIM_OK) return code;
  lim_json_key(&w->j, "place");
  const float *place = lim_reading_floats(w->r, "shapes/place", shape);
  floats(w, place, (const long[]){w->nodes, 3}, 2);
  bool moves = false; // nodes of beams that slide: their places on the rigid arm are needed
  for (long i = 0; i < 3 * w->nodes; i++) moves = moves || isnan(place[i]);
  code = shape_time(w);
  if (code == LIM_OK && moves) code = frames(w, "reference", "shapes/position", w->deflection, w->nodes, 3);
  if (code == LIM_OK) code = frames(w, "rigid", w->lagging, NULL, w->links, 6);
  if (code == LIM_OK) code = ghost(w, moves);
  if (code == LIM_OK) code = frames(w, "displacement", w->deflection, NULL, w->nodes, 3);
  if (code == LIM_OK) code = frames(w, "turn", w->bend, NULL, w->nodes, 3);
  if (code == LIM_OK) code = frames(w, "stress", "shapes/stress", NULL, w->nodes, 0);
  if (code == LIM_OK) code = frames(w, "strain", "shapes/strain", NULL, w->nodes, 0);
  return code == LIM_OK ? lim_report_surfaces(&w->j, &w->pack, surfaces_of(w), w->err) : code;
}

// --- modes ---

static lim_code modes(writer *w) {
  long count[3], damped[3], shape[3], turned[3], nodes[2] = {w->nodes, 3};
  const double *frequency = lim_reading_doubles(w->r, "modes/frequency", count),
               *damping = lim_reading_doubles(w->r, "modes/damping", damped);
  const float *displacement = lim_reading_floats(w->r, "modes/displacement", shape),
              *turn = lim_reading_floats(w->r, "modes/turn", turned);
  const char *const *kind;
  int kinds = lim_reading_texts(&kind, w->r, "modes/kind");
  lim_json_key(&w->j, "modes");
  lim_json_list(&w->j);
  long n = frequency ? count[0] : 0;
  if (n && (!damping || !displacement || !turn || kinds != n || damped[0] != n || shape[0] != n ||
            turned[0] != n || shape[1] * shape[2] != 3 * w->nodes || turned[1] * turned[2] != 3 * w->nodes))
    return damaged(w);
  lim_code code = LIM_OK;
  for (long i = 0; i < n && code == LIM_OK; i++) {
    lim_json_object(&w->j);
    lim_json_key(&w->j, "frequency");
    lim_json_number(&w->j, frequency[i]);
    lim_json_key(&w->j, "damping");
    lim_json_number(&w->j, damping[i]);
    text_or_null(&w->j, "kind", kind[i]);
    lim_json_key(&w->j, "displacement");
    floats(w, displacement + 3 * i * w->nodes, nodes, 2);
    lim_json_key(&w->j, "turn");
    floats(w, turn + 3 * i * w->nodes, nodes, 2);
    code = lim_report_mode_of_surfaces(&w->j, &w->pack, surfaces_of(w), i, n, w->err);
    lim_json_end(&w->j, '}');
  }
  lim_json_end(&w->j, ']');
  return code;
}

// --- channels ---

// Single precision where its rounding is less than a millionth of the range.
static bool single_will_do(const double *x, long rows) {
  double min = INFINITY, max = -INFINITY;
  for (long i = 0; i < rows; i++) {
    if (x[i] < min) min = x[i];
    if (x[i] > max) max = x[i];
  }
  double size = fmax(fabs(min), fabs(max));
  return !(min <= max) || (max - min > 0.1 * size && size < 1e37 && size > 1e-30) || size == 0;
}

static lim_code channel(writer *w, const lim_reading_channel *c, double *value, float *single, long kept) {
  lim_thin_values(value, c->value, w->r->rows, kept);
  bool small = single_will_do(value, kept);
  for (long i = 0; i < kept && small; i++) single[i] = (float)value[i];
  size_t at =
      small ? lim_pack_floats(&w->pack, single, (size_t)kept) : lim_pack_doubles(&w->pack, value, (size_t)kept);
  lim_json_object(&w->j);
  text_or_null(&w->j, "name", c->name);
  text_or_null(&w->j, "unit", c->unit);
  text_or_null(&w->j, "group", lim_channel_group(c->name));
  lim_json_key(&w->j, "values");
  lim_pack_reference(&w->j, at, small ? "f32" : "f64", &kept, 1);
  lim_json_end(&w->j, '}');
  return LIM_OK;
}

static lim_code channels(writer *w) {
  long kept = lim_thin_rows(w->r->rows, LIM_REPORT_ROWS);
  double *value = lim_arena_array(&w->scratch, (size_t)kept + 1, sizeof *value);
  float *single = lim_arena_array(&w->scratch, (size_t)kept + 1, sizeof *single);
  if (!value || !single) return lim_no_memory(w->err);
  lim_json_key(&w->j, "channels");
  lim_json_object(&w->j);
  lim_json_key(&w->j, "thinned");
  lim_json_bool(&w->j, kept < w->r->rows);
  lim_json_key(&w->j, "rows");
  lim_json_int(&w->j, w->r->rows);
  lim_thin_times(value, w->r->time, w->r->rows, kept);
  lim_json_key(&w->j, "time");
  lim_pack_reference(&w->j, lim_pack_doubles(&w->pack, value, (size_t)kept), "f64", &kept, 1);
  lim_json_key(&w->j, "list");
  lim_json_list(&w->j);
  lim_code code = LIM_OK;
  for (int i = 0; i < w->r->count && code == LIM_OK; i++)
    code = channel(w, &w->r->channel[i], value, single, kept);
  lim_json_end(&w->j, ']');
  lim_json_end(&w->j, '}');
  return code;
}

// --- one result ---

static lim_code result(writer *w, const lim_report_run *run) {
  lim_json_object(&w->j);
  text_or_null(&w->j, "label", run->label);
  text_or_null(&w->j, "kind", run->kind);
  text_or_null(&w->j, "name", run->name);
  text_or_null(&w->j, "status", run->status);
  text_or_null(&w->j, "message", lim_reading_text(w->r, "message"));
  texts(w, "warnings", "warnings");
  lim_json_key(&w->j, "about");
  lim_result_about(&w->j, w->r);
  text_or_null(&w->j, "model", lim_reading_text(w->r, "model"));
  texts(w, "overrides", "overrides");
  lim_code code = raw(w, "tables", "[]");
  if (code == LIM_OK) code = raw(w, "scene", "null");
  if (code == LIM_OK) code = shapes(w);
  if (code == LIM_OK) code = modes(w);
  if (code == LIM_OK) code = channels(w);
  lim_json_end(&w->j, '}');
  return code;
}

// --- all of them ---

static const char *title_of(lim_report *r) {
  lim_text title = {0};
  for (int i = 0; i < r->count; i++) {
    bool known = false;
    for (int k = 0; k < i; k++) known = known || !strcmp(r->run[k].name, r->run[i].name);
    if (!known) lim_text_add(&title, "%s%s", title.length ? ", " : "", r->run[i].name);
  }
  const char *copy =
      title.failed ? NULL : lim_arena_text(&r->arena, title.text ? title.text : "", title.length);
  lim_text_free(&title);
  return copy;
}

// Put data and numbers into the two empty blocks of the page.
static lim_code fill(lim_report *r, const lim_text *json, const lim_pack *pack, lim_error *err) {
  static const char data[] = "<script type=\"application/json\" id=\"report\">",
                    blob[] = "<script type=\"application/octet-stream\" id=\"blob\">";
  const char *first = strstr(lim_page, data), *second = first ? strstr(first, blob) : NULL;
  if (!second) return LIM_FAIL(err, LIM_FAILED, "the page of this program has no place for data");
  first += sizeof data - 1;
  second += sizeof blob - 1;
  lim_text_add(&r->html, "%.*s%s%.*s", (int)(first - lim_page), lim_page, json->text, (int)(second - first),
               first);
  lim_pack_text(&r->html, pack);
  lim_text_add(&r->html, "%s", second);
  return r->html.failed ? lim_no_memory(err) : LIM_OK;
}

static lim_code write_all(lim_report *r, lim_reading **reading, lim_error *err) {
  lim_text json = {0};
  writer w = {.j = lim_json_start(&json), .err = err};
  w.j.html = true;
  const char *title = title_of(r);
  if (!title) return lim_no_memory(err);
  lim_json_object(&w.j);
  lim_json_key(&w.j, "format");
  lim_json_int(&w.j, 1);
  text_or_null(&w.j, "limber", LIM_VERSION);
  text_or_null(&w.j, "title", title);
  lim_json_key(&w.j, "runs");
  lim_json_list(&w.j);
  lim_code code = LIM_OK;
  for (int i = 0; i < r->count && code == LIM_OK; i++) {
    w.r = reading[i];
    code = result(&w, &r->run[i]);
    lim_arena_free(&w.scratch);
  }
  lim_json_end(&w.j, ']');
  lim_json_end(&w.j, '}');
  if (code == LIM_OK && json.failed) code = lim_no_memory(err);
  if (code == LIM_OK) code = fill(r, &json, &w.pack, err);
  lim_pack_free(&w.pack);
  lim_text_free(&json);
  return code;
}

// --- reading ---

// A result that this program can show.
static lim_code check(lim_reading *r, lim_error *err) {
  double format = lim_reading_number(r, "format");
  const char *version = lim_reading_text(r, "version");
  if (format > LIM_ARCHIVE_FORMAT)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%s is of a newer limber (%s), this is %s", r->path,
                    version ? version : "?", LIM_VERSION);
  if (isnan(format) || !lim_reading_text(r, "scene"))
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "%s was written by limber %s, which kept no scene for a report: run it again", r->path,
                    version ? version : "?");
  return LIM_OK;
}

static const char *own(lim_report *r, const char *text, const char *fallback) {
  text = text ? text : fallback;
  return lim_arena_text(&r->arena, text, strlen(text));
}

static lim_code describe(lim_report *r, lim_reading **reading, lim_error *err) {
  const char **label = lim_arena_array(&r->arena, (size_t)r->count, sizeof *label);
  r->run = lim_arena_array(&r->arena, (size_t)r->count, sizeof *r->run);
  if (!label || !r->run || !lim_result_labels(label, reading, r->count, &r->arena)) return lim_no_memory(err);
  for (int i = 0; i < r->count; i++) {
    lim_reading *x = reading[i];
    lim_report_run run = {own(r, label[i], ""), own(r, lim_reading_text(x, "kind"), "simulate"),
                          own(r, lim_reading_text(x, "name"), ""), own(r, lim_result_status(x), ""),
                          own(r, x->path, "")};
    if (!run.label || !run.kind || !run.name || !run.status || !run.path) return lim_no_memory(err);
    r->run[i] = run;
  }
  return LIM_OK;
}

lim_code lim_report_new(lim_report **out, const char *const *path, int count, lim_error *err) {
  *out = NULL;
  lim_report *r = calloc(1, sizeof *r);
  lim_reading **reading = calloc((size_t)count + 1, sizeof *reading);
  lim_code code = r && reading ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < count && code == LIM_OK; i++) {
    code = lim_reading_open(&reading[i], path[i], err);
    if (code == LIM_OK) code = check(reading[i], err);
  }
  if (code == LIM_OK) {
    r->count = count;
    code = describe(r, reading, err);
  }
  if (code == LIM_OK) code = write_all(r, reading, err);
  for (int i = 0; i < count && reading; i++) lim_reading_close(reading[i]);
  free(reading);
  if (code == LIM_OK)
    *out = r;
  else
    lim_report_free(r);
  return code;
}

void lim_report_free(lim_report *r) {
  if (!r) return;
  lim_arena_free(&r->arena);
  lim_text_free(&r->html);
  free(r);
}

// --- files ---

lim_code lim_report_write(const lim_report *r, const char *directory, lim_error *err) {
  int lock;
  lim_draft draft = {NULL, NULL};
  lim_code code = lim_directory_lock(&lock, directory, err);
  if (code != LIM_OK) return code;
  code = lim_draft_start(&draft, directory, "report.html", err);
  if (code == LIM_OK) code = lim_draft_write(&draft, r->html.text, err);
  lim_draft_free(&draft);
  lim_directory_unlock(lock);
  return code;
}

lim_code lim_report_folder(const char *directory, lim_error *err) {
  lim_report *r;
  lim_code code = lim_report_new(&r, &directory, 1, err);
  if (code != LIM_OK) return code;
  code = lim_report_write(r, directory, err);
  lim_report_free(r);
  return code;
}
