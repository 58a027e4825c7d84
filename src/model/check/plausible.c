// plausible.c - values that are hardly meant: a table of what quantities of arms are like, and in which unit a
// number beyond that may have been thought. The tree is gone through by the schema, so that new keys are judged
// by their units.
#include "model/check/plausible.h"

#include "base/units/units.h"
#include "model/joint.h"
#include "model/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS     (4 * 3.14159265358979323846) // two turns [rad]
#define UNLIMITED INFINITY

// What is plausible of a value's size; 0 always is.
typedef struct {
  const char *table, *key;   // of the schema; key NULL: all keys, table NULL: those that no other row is about
  const char *unit;          // in which the value counts
  bool plain;                // only where no unit was written
  double low, high;          // no doubt within
  const char *below, *above; // what it is beyond that
  const char *meant;         // units in which it may have been thought, the likeliest first
  double min, max;           // what it then would be
} row;

// clang-format off
static const row rows[] = {
  {"material", "E",     "Pa", true,  1e6, 2e12, "softer than rubber", "stiffer than diamond", "GPa|MPa", 1e7, 1.3e12},
  {"material", "E",     "Pa", false, 1e3, 2e12, "softer than any gel", "stiffer than diamond", "GPa|MPa|Pa", 1e7, 1.3e12},
  {"material", "G",     "Pa", true,  1e5, 1e12, "softer than rubber", "stiffer than diamond", "GPa|MPa", 1e6, 6e11},
  {"material", "G",     "Pa", false, 1e2, 1e12, "softer than any gel", "stiffer than diamond", "GPa|MPa|Pa", 1e6, 6e11},
  {"material", "yield", "Pa", true,  1e5, 5e10, "weaker than foam", "stronger than any fibre", "MPa|GPa", 1e6, 1e10},
  {"material", "yield", "Pa", false, 1e3, 5e10, "weaker than foam", "stronger than any fibre", "MPa|GPa", 1e6, 1e10},
  {"material", "rho", "kg/m^3", true,  25, 3e4, "lighter than foam", "heavier than any metal", "g/cm^3|kg/mm^3|t/mm^3|g/m^3", 400, 2.3e4},
  {"material", "rho", "kg/m^3", false, 1,  3e4, "lighter than air", "heavier than any metal", "g/cm^3|kg/m^3", 400, 2.3e4},
  {"section", NULL, "m",   true, 0, 3,  NULL, "wide for the section of a link", "mm|cm", 1e-4, 1},
  {"section", NULL, "m",   false, 0, 30, NULL, "wide for the section of a link", "mm|cm", 1e-4, 1},
  {"section", NULL, "m^2", true, 0, 7,  NULL, "much for the section of a link", "mm^2|cm^2", 1e-8, 1},
  {"section", NULL, "m^4", true, 0, 4,  NULL, "much for the section of a link", "mm^4|cm^4", 1e-16, 1},
  {"model", "gravity", "m/s^2", true,  0, 30,  NULL, "more than on any planet", "mm/s^2|cm/s^2|in/s^2|ft/s^2", 9.7, 9.9},
  {"model", "gravity", "m/s^2", false, 0, 300, NULL, "more than on the sun", "m/s^2", 9, 11},
  {"beam",  "length", "m", true,  0, 100, NULL, "long for a link", "mm|cm", 1e-3, 100},
  {"beam",  "length", "m", false, 0, 1e4, NULL, "long for a link", "mm|cm", 1e-3, 100},
  {"origin", NULL, "m", true, 0, 100, NULL, "far for an arm", "mm|cm", 0, 100},
  {"dh",     NULL, "m", true, 0, 100, NULL, "far for an arm", "mm|cm", 0, 100},
  {"body",   NULL, "m", true, 0, 100, NULL, "far for an arm", "mm|cm", 0, 100},
  {"mass",   NULL, "m", true, 0, 100, NULL, "far for an arm", "mm|cm", 0, 100},
  {"frame",  NULL, "m", true, 0, 100, NULL, "far for an arm", "mm|cm", 0, 100},
  {"motor", "rotor_inertia",  "kg m^2", true, 0, 10,  NULL, "much for a rotor", "g cm^2|kg cm^2", 1e-9, 1},
  {"motor", "stator_inertia", "kg m^2", true, 0, 100, NULL, "much for a motor", "g cm^2|kg cm^2", 1e-9, 10},
  {"motor", "inductance", "H",           true, 0, 2,  NULL, "much for a winding", "mH|uH", 1e-7, 0.5},
  {"motor", "torque_constant", "N m/A",  true, 0, 30, NULL, "much for a motor", "mN m/A", 1e-4, 30},
  {"motor", "no_load_speed", "rad/s", true, 0, 2500, NULL, "fast for a motor", "rpm|deg/s", 1, 2500},
  {"gear",  "backlash", "rad", true, 0, 0.2, NULL, "much play for a gear", "arcmin|deg", 1e-5, 0.1},
  {"limits", "velocity", "rad/s", true, 0, 60, NULL, "fast for a joint", "deg/s|rpm", 1e-3, 60},
  {"control", "bandwidth", "rad/s", true, 0, 1e5, NULL, "faster than any drive", NULL, 0, 0},
  {"control", "rate",  "Hz", true, 2, UNLIMITED, "slow for a controller", NULL, "kHz", 50, 1e6},
  {"gauge",   "rate",  "Hz", true, 2, UNLIMITED, "slow for a converter", NULL, "kHz", 50, 1e6},
  {"control", "delay", "s", true, 0, 0.9, NULL, "long for a controller", "ms|us", 1e-6, 0.1},
  {"link-damping", "ratio", "", true, 0, 0.35, NULL, "much damping for a structure", "%", 1e-5, 0.1},
  {"damping",      "ratio", "", true, 0, 0.35, NULL, "much damping for a structure", "%", 1e-5, 0.1},
  {"solver", "step", "s", true, 0, 0.9, NULL, "a long time step", "ms|us", 1e-7, 0.1},
  {NULL, NULL, "rad", true, 0, TURNS, NULL, "more than two turns", "deg", 0, 1000},
  {NULL, NULL, "rad/s", true, 0, 1000, NULL, "very fast", "rpm|deg/s", 0, 1000},
  {NULL, NULL, "m",   true, 0, 500, NULL, "far for an arm", "mm|cm", 0, 100},
  {NULL, NULL, "kg",  true, 0, 1e6, NULL, "more than arms carry", "g", 0, 1e6},
  {NULL, NULL, "s",   true, 0, 1e6, NULL, "which is days", "ms", 0, 1e5},
};
// clang-format on

enum { ROWS = sizeof rows / sizeof *rows, PATH = 96 };

// Where the walk stands.
typedef struct {
  const lim_model *m;
  lim_error *err;
  const char *entry;                            // name of the entry; NULL: none
  char where[PATH];                             // "link 'upper'"; "" at top level
  char path[PATH];                              // the key within it, as "beam.length"
  enum { NO_JOINT, SLIDES, TURNS_ABOUT } joint; // which half of "m|rad" holds
} walk;

void lim_plausible_warn(lim_error *err, const lim_node *at, const char *place, const char *format, ...) {
  char text[640], spot[32] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (at->line) snprintf(spot, sizeof spot, ":%d:%d", at->line, at->column);
  lim_warn(err, NAN, place, "%.200s%s: %s", at->source ? at->source : "", spot, text);
}

// --- one value ---

// The number at the start of what is written; false: an expression, or no number.
typedef struct {
  double value;
  int length; // of the number [bytes]
  bool plain; // no unit follows
} written;

static bool as_written(written *x, const char *text) {
  char *end;
  x->value = strtod(text, &end);
  x->length = (int)(end - text);
  x->plain = end > text && !end[strspn(end, " \t")];
  return end > text;
}

// The unit in which the number would be plausible, into room; false: none.
static bool likely_unit(const row *r, double number, char buffer[32]) {
  char text[64];
  for (const char *unit = r->meant; unit && *unit;) {
    size_t n = strcspn(unit, "|");
    double size = NAN;
    snprintf(buffer, 32, "%.*s", (int)n, unit);
    snprintf(text, sizeof text, "%.17g %s", fabs(number), buffer);
    lim_number_parse(&size, text, r->unit, NULL, 0);
    if (size >= r->min && size <= r->max) return true;
    unit += n + (unit[n] == '|');
  }
  return false;
}

// "(write '45 rad' if not)": how to say that a plain number is right.
static void add_way_out(char *text, size_t size, const row *r, const char *as_is, const written *x,
                        bool asked) {
  const char *before = asked ? " (" : "; ", *after = asked ? " if not)" : " if it is right";
  if (r->unit[0])
    snprintf(text, size, "%swrite '%.*s %s'%s", before, x->length, as_is, r->unit, after);
  else
    snprintf(text, size, "%swrite '%g %%'%s", before, 100 * x->value, after);
}

// "is 45 rad, more than two turns; did you mean 45 deg? (write '45 rad' if not)"
static void describe(char text[256], const row *r, const char *as_is, double x, const char *reason,
                     bool way_out) {
  char unit[32], meant[96] = "", insist[96] = "";
  written is;
  bool asked = as_written(&is, as_is) && likely_unit(r, is.value, unit);
  if (asked) snprintf(meant, sizeof meant, "; did you mean %.*s %s?", is.length, as_is, unit);
  if (is.plain && way_out) add_way_out(insist, sizeof insist, r, as_is, &is, asked);
  snprintf(text, 256, "is %g%s%s, %s%s%s", x, r->unit[0] ? " " : "", r->unit, reason, meant, insist);
}

static bool concerns(const row *r, const lim_table *table, const lim_key *key, const char *unit) {
  return (!r->table || !strcmp(r->table, table->name)) && (!r->key || !strcmp(r->key, key->name)) &&
         !strcmp(r->unit, unit);
}

// What is wrong with a value by the first row that minds it; NULL: nothing. `plain`: rows about numbers without
// a unit count too.
static const char *minded(const row **by, const lim_table *table, const lim_key *key, double x,
                          const char *unit, bool plain) {
  bool special = false;
  for (const row *r = rows; r < rows + ROWS; r++) {
    if (!concerns(r, table, key, unit) || (!r->table && special)) continue;
    special = special || r->table;
    *by = r;
    if (r->plain && !plain) continue;
    if (fabs(x) < r->low) return r->below;
    if (fabs(x) > r->high) return r->above;
  }
  return NULL;
}

// What there is to be doubted about a number, into text; false: nothing.
static bool doubt(char text[256], const lim_table *table, const lim_key *key, const char *as_is, double x,
                  const char *unit) {
  written is;
  const row *by, *again;
  as_written(&is, as_is);
  const char *reason = x != 0 ? minded(&by, table, key, x, unit, is.plain) : NULL;
  if (reason) describe(text, by, as_is, x, reason, !minded(&again, table, key, x, unit, false));
  return reason != NULL;
}

void lim_plausible_number(lim_error *err, const char *what, const char *as_is, const char *unit, double x) {
  static const lim_table no_table = {.name = ""};
  static const lim_key no_key = {.name = ""};
  char text[256];
  if (doubt(text, &no_table, &no_key, as_is, x, unit)) lim_warn(err, NAN, NULL, "%s %s", what, text);
}

// True if there was a doubt: one is enough for a list.
static bool judge_number(const walk *w, const lim_table *table, const lim_key *key, const lim_node *node,
                         const char *unit) {
  double x;
  char text[256];
  if (node->kind != LIM_SCALAR || lim_number_parse(&x, node->text, unit, NULL, 0) != LIM_NUMBER_OK)
    return false;
  if (!doubt(text, table, key, node->text, x, unit)) return false;
  lim_plausible_warn(w->err, node, w->entry, "%s%s%s %s", w->where, w->where[0] ? ": " : "", w->path, text);
  return true;
}

// A number, a list of them, or a list of [t, value].
static void judge(const walk *w, const lim_table *table, const lim_key *key, const lim_node *node,
                  const char *outer) {
  char buffer[64], half[64];
  const char *unit = lim_key_unit(key, outer, buffer, sizeof buffer);
  if (strchr(unit, '|') && w->joint == NO_JOINT) return;
  unit = lim_unit_for(unit, w->joint == SLIDES, half, sizeof half);
  if (node->kind == LIM_SCALAR) judge_number(w, table, key, node, unit);
  for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++) {
    const lim_node *item = node->item[i];
    bool point = item->kind == LIM_SEQUENCE && item->count == 2;
    if (judge_number(w, table, key, point ? item->item[1] : item, unit)) return;
  }
}

// --- the tree ---

static void visit_value(walk w, const lim_table *table, const lim_key *key, const lim_node *node,
                        const char *outer);

static bool is_number_kind(const lim_kind *kind) {
  static const lim_kind *const numbers[] = {&lim_number, &lim_number_or_word, &lim_vector, &lim_spread,
                                            &lim_points, &lim_numbers,        &lim_series};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (kind == numbers[i]) return true;
  return false;
}

static void visit_record(walk w, const lim_table *table, const lim_node *node, const char *outer) {
  const char *tag = lim_table_tag(table, node);
  if (table->brief && (table->whole || node->kind != LIM_MAPPING)) {
    const lim_key *brief = lim_table_key(table, table->brief, tag);
    if (!w.path[0] && !table->whole) snprintf(w.path, PATH, "%s", table->brief);
    if (brief) visit_value(w, table, brief, node, outer);
    return;
  }
  for (int i = 0; node->kind == LIM_MAPPING && i < node->count; i++) {
    const lim_key *key = lim_table_key(table, node->key[i]->text, tag);
    walk inner = w;
    snprintf(inner.path, PATH, "%.60s%s%.30s", w.path, w.path[0] ? "." : "", node->key[i]->text);
    if (key) visit_value(inner, table, key, node->item[i], outer);
  }
}

// The joint of a link, or the joint that has the entry's name.
static int joint_of(const lim_model *m, const lim_table *table, const char *name) {
  bool link = !strcmp(table->name, "link");
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *a = &m->links.item[i];
    const bool ball = lim_joint_in_ball(&a->joint) && !lim_link_is_inserted(a);
    const char *has = link ? a->head.name : ball ? a->joint.whole : a->joint.head.name;
    if (has && !strcmp(has, name))
      return !ball && lim_joint_is_single(&a->joint) && !lim_joint_is_linear(&a->joint) ? TURNS_ABOUT : SLIDES;
  }
  return NO_JOINT;
}

// The joint whose unit the numbers of an entry have: that of its name, of a coupling the last that it couples.
static const char *joint_named(const lim_node *node, const char *name) {
  const lim_node *joints = node->kind == LIM_MAPPING ? lim_tree_get(node, "joints") : NULL;
  const bool list = joints && joints->kind == LIM_SEQUENCE && joints->count > 0;
  return list ? joints->item[joints->count - 1]->text : name;
}

// An entry of a list or under a name.
static void visit_entry(walk w, const lim_table *table, const lim_node *node, const char *name, int number) {
  size_t used = strlen(w.where);
  char label[64];
  if (name)
    snprintf(label, sizeof label, "'%.40s'", name);
  else
    snprintf(label, sizeof label, "%d", number);
  snprintf(w.where + used, PATH - used, "%s%s %s", used ? ", " : "", table->name, label);
  const char *joint = joint_named(node, name);
  if (w.joint == NO_JOINT && joint) w.joint = (int)joint_of(w.m, table, joint);
  if (!w.entry) w.entry = name;
  w.path[0] = 0;
  visit_record(w, table, node, NULL);
}

static const char *name_of(const lim_node *node) {
  const lim_node *name = lim_tree_get(node, "name");
  return name && name->kind == LIM_SCALAR && name->text[0] ? name->text : NULL;
}

static void visit_entries(walk w, const lim_key *key, const lim_node *node) {
  for (int i = 0; node->kind != LIM_SCALAR && i < node->count; i++) {
    const char *name = node->kind == LIM_MAPPING ? node->key[i]->text : name_of(node->item[i]);
    const lim_key more = {.table = key->more};
    if (key->more && name && !strcmp(name, key->more->name))
      visit_entries(w, &more, node->item[i]);
    else
      visit_entry(w, key->table, node->item[i], name, i + 1);
  }
}

static void visit_value(walk w, const lim_table *table, const lim_key *key, const lim_node *node,
                        const char *outer) {
  if (key->kind == &lim_records || key->kind == &lim_named_records || key->kind == &lim_configuration) {
    visit_entries(w, key, node);
  } else if (key->table) {
    const char *signal = lim_key_in_time(key) && key->unit && key->unit[0] != '@' ? key->unit : outer;
    if (node->kind != LIM_SEQUENCE) visit_record(w, key->table, node, signal);
    for (int i = 0; node->kind == LIM_SEQUENCE && i < node->count; i++)
      visit_record(w, key->table, node->item[i], signal);
  } else if (is_number_kind(key->kind)) {
    judge(&w, table, key, node, outer);
  }
}

void lim_plausible_values(const lim_model *m, lim_error *err) {
  walk w = {.m = m, .err = err};
  if (m->head.node) visit_record(w, &lim_root_table, m->head.node, NULL);
}

void lim_plausible(const lim_model *m, lim_error *err) {
  lim_plausible_values(m, err);
  lim_plausible_parts(m, err);
}
