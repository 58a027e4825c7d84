// channels.c - from names to channels: selection, defaults, messages. Reference: docs/reference/channels.md.
#include "result/channels.h"

#include "base/text.h"
#include "model/schema.h"
#include "result/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_channels *c;
  const lim_system *s;
  lim_error *err;
  lim_code code; // the worst so far
} builder;

// What is looked for, and what was found of it.
typedef struct {
  const char *name;
  bool exact;        // only the channel of that very name
  const char *place; // of a section; NULL: none
  int found;         // channels that were selected
  lim_nearest near;  // for "did you mean"
  char best[LIM_CHANNEL_FULL];
} request;

static void fail_memory(builder *b) { b->code = LIM_FAIL(b->err, LIM_NO_MEMORY, "out of memory"); }

// --- adding a channel ---

// One more item in a list that doubles its room; NULL: out of memory.
static void *grow(builder *b, void *list, int count, size_t size) {
  if (count & (count - 1)) return list; // room for the next power of two
  void *more = realloc(list, (count ? 2 * (size_t)count : 1) * size);
  if (!more) fail_memory(b);
  return more;
}

static bool same_probe(const lim_probe *p, const lim_probe_kind *kind, const lim_subject_item *x,
                       const lim_gauge *gauge, double fraction) {
  return p->kind == kind && p->index == x->index && p->gauge == gauge && p->fraction == fraction;
}

// The quantity's number; it is made where it is not there yet. -1: out of memory.
static int probe_of(builder *b, const lim_probe_kind *kind, const lim_subject_item *x) {
  lim_channels *c = b->c;
  const lim_gauge *gauge = NULL;
  if (kind->of == LIM_OF_GAUGE) gauge = &b->s->model->links.item[x->index].gauges.item[x->gauge];
  for (int i = 0; i < c->nprobe; i++)
    if (same_probe(&c->probe[i], kind, x, gauge, x->fraction)) return i;
  lim_probe *list = grow(b, c->probe, c->nprobe, sizeof *list);
  if (!list) return -1;
  c->probe = list;
  lim_probe *p = &list[c->nprobe];
  *p = (lim_probe){.kind = kind, .index = x->index, .gauge = gauge, .fraction = x->fraction};
  lim_code code = LIM_OK;
  if (kind->of == LIM_OF_SECTION || gauge)
    code = lim_cut_start(&p->cut, &c->arena, b->s, x->index, x->fraction, b->err);
  if (code != LIM_OK) b->code = code;
  return code == LIM_OK ? c->nprobe++ : -1;
}

static bool is_there(const lim_channels *c, const char *name) {
  for (int i = 0; i < c->count; i++)
    if (!strcmp(c->channel[i].name, name)) return true;
  return false;
}

// The rotational or the linear half of "rad|m".
static const char *unit_of(lim_channels *c, const char *unit, bool linear) {
  const char *bar = strchr(unit, '|');
  return linear && bar ? bar + 1 : lim_arena_text(&c->arena, unit, strcspn(unit, "|"));
}

static void add_channel(builder *b, const lim_probe_kind *kind, const lim_subject_item *x, int component,
                        const char *name) {
  lim_channels *c = b->c;
  if (is_there(c, name)) return;
  int probe = probe_of(b, kind, x);
  lim_channel *list = probe < 0 ? NULL : grow(b, c->channel, c->count, sizeof *list);
  if (!list) return;
  c->channel = list;
  lim_channel *one = &list[c->count];
  *one = (lim_channel){.unit = unit_of(c, kind->unit, x->linear), .probe = probe, .component = component};
  one->name = lim_arena_text(&c->arena, name, strlen(name));
  if (!one->name || !one->unit) {
    fail_memory(b);
    return;
  }
  if (kind->of == LIM_OF_ARM && !strcmp(kind->name, "balance")) c->balance = c->count;
  c->count++;
}

// --- selection ---

static void try_nearest(request *q, const char *candidate) {
  int before = q->near.distance;
  lim_nearest_try(&q->near, candidate);
  if (q->near.distance < before) snprintf(q->best, sizeof q->best, "%s", candidate);
}

static bool selects(const request *q, const char *channel) {
  size_t n = strlen(q->name);
  if (q->exact) return !strcmp(q->name, channel);
  return !strncmp(q->name, channel, n) && channel[n] == '.';
}

// "tip.position.x"; component -1: without it.
static void write_name(char name[LIM_CHANNEL_FULL], const lim_probe_kind *kind, const lim_subject_item *x,
                       int component) {
  static const char *const END[] = {"", ".x", ".y", ".z"};
  const char *end = END[kind->components == 3 ? component + 1 : 0];
  snprintf(name, LIM_CHANNEL_FULL, "%s%s%s%s", x->name, kind->name[0] ? "." : "", kind->name, end);
}

static void try_component(builder *b, request *q, const lim_probe_kind *kind, const lim_subject_item *x,
                          int component) {
  char name[LIM_CHANNEL_FULL];
  write_name(name, kind, x, component);
  if (!selects(q, name)) return;
  add_channel(b, kind, x, component, name);
  q->found++;
}

// Every possible channel of the arm, one after the other.
static void each_channel(builder *b, request *q,
                         void (*try)(builder *, request *, const lim_probe_kind *, const lim_subject_item *,
                                     int)) {
  lim_subject_item x;
  for (const lim_probe_kind *kind = lim_probe_kinds; kind->name; kind++) {
    int count = lim_subject_count(b->s, kind->of);
    for (int i = 0; i < count; i++) {
      if (!lim_subject_get(&x, b->s, kind, i, q->place)) continue;
      for (int k = 0; k < kind->components && b->code != LIM_NO_MEMORY; k++) try(b, q, kind, &x, k);
    }
  }
}

static void compare(builder *b, request *q, const lim_probe_kind *kind, const lim_subject_item *x,
                    int component) {
  (void)b;
  char name[LIM_CHANNEL_FULL];
  if (!kind->evaluate) return;
  for (int k = component == 0 ? -1 : component; k <= component; k++) {
    write_name(name, kind, x, k);
    try_nearest(q, name);
  }
}

// --- messages ---

static void refuse(builder *b, const lim_node *at, const char *name, const char *why) {
  lim_code code = at ? lim_tree_error(b->err, at, "channel '%s' %s", name, why)
                     : LIM_FAIL(b->err, LIM_BAD_INPUT, "channel '%s' %s", name, why);
  if (b->code == LIM_OK) b->code = code;
}

static void refuse_unknown(builder *b, const lim_node *at, request *q) {
  char why[LIM_CHANNEL_FULL + 64] = "does not exist";
  q->near = lim_nearest_start(q->name);
  if (lim_error_heard(b->err)) {
    each_channel(b, q, compare);
    try_nearest(q, "energy");
  }
  if (q->best[0]) snprintf(why, sizeof why, "does not exist; did you mean '%s'?", q->best);
  refuse(b, at, q->name, why);
}

// What is wrong with a name before anything is looked for; NULL: nothing.
static const char *flaw_of(const char *name, const char *place) {
  double fraction = place ? strtod(place, NULL) : 0;
  if (!strcmp(name, "frequency")) return "needs a number: 'frequency.1' is the lowest";
  if (fraction >= 0 && fraction <= 1) return NULL;
  return "is about a section beyond the link: its place is a fraction 0..1 of the length";
}

// The channels of one name; at: where it is written, or NULL.
static void select_channels(builder *b, const char *name, const lim_node *at) {
  char room[LIM_CHANNEL_NAME];
  request q = {.name = name, .exact = true, .place = lim_subject_place(room, name)};
  const char *flaw = flaw_of(name, q.place);
  if (!flaw) each_channel(b, &q, try_component);
  q.exact = false;
  if (!flaw && !q.found) each_channel(b, &q, try_component);
  if (q.found || b->code == LIM_NO_MEMORY) return;
  if (flaw)
    refuse(b, at, name, flaw);
  else
    refuse_unknown(b, at, &q);
}

// --- the lists ---

static void select_given(builder *b, const lim_outputs *o) {
  const lim_node *list = o->head.node ? lim_tree_get(o->head.node, "channels") : NULL;
  for (int i = 0; i < o->channels.count; i++) {
    bool item = list && list->kind == LIM_SEQUENCE && i < list->count;
    select_channels(b, o->channels.item[i], item ? list->item[i] : list);
  }
}

static void select_of(builder *b, const char *subject, const char *quantity) {
  char name[LIM_CHANNEL_FULL];
  snprintf(name, sizeof name, "%s.%s", subject, quantity);
  select_channels(b, name, NULL);
}

static void select_default(builder *b) {
  const lim_model *m = b->s->model;
  select_channels(b, "tip.position", NULL);
  select_channels(b, "tip.error", NULL);
  for (int i = 0; i < m->links.count; i++) {
    const char *joint = m->links.item[i].joint.head.name;
    bool moves = b->s->member[b->s->first_body[i]].q >= 0;
    const char *quantity[] = {"position", "velocity", "effort"};
    for (int k = 0; k < 3 && moves; k++) select_of(b, joint, quantity[k]);
  }
  for (int i = 0; i < lim_subject_count(b->s, LIM_OF_GAUGE); i++) {
    lim_subject_item x;
    const lim_probe_kind any = {.of = LIM_OF_GAUGE};
    if (lim_subject_get(&x, b->s, &any, i, NULL)) select_of(b, x.name, "strain");
  }
  bool books = m->solver.mode == LIM_MODE_NONLINEAR || m->solver.mode == LIM_MODE_RIGID;
  if (books) select_channels(b, "energy", NULL);
}

static void select_frequencies(builder *b, int count) {
  for (int i = 1; i <= count; i++) {
    char name[LIM_CHANNEL_FULL];
    snprintf(name, sizeof name, "frequency.%d", i);
    select_channels(b, name, NULL);
  }
}

// All frequencies come from one computation, as far as the highest that is asked for.
static void prepare_frequencies(builder *b) {
  lim_channels *c = b->c;
  int count = 0;
  for (int i = 0; i < c->nprobe; i++)
    if (c->probe[i].kind->of == LIM_OF_MODE && c->probe[i].index >= count) count = c->probe[i].index + 1;
  if (count == 0 || b->code != LIM_OK) return;
  b->code = lim_along_new(&c->along, b->s, count, b->err);
  for (int i = 0; i < c->nprobe; i++) c->probe[i].along = c->along;
}

lim_code lim_channels_new(lim_channels **out, const lim_system *s, lim_error *err) {
  *out = NULL;
  lim_channels *c = calloc(1, sizeof *c);
  if (!c) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  c->balance = -1;
  builder b = {.c = c, .s = s, .err = err};
  if (s->model->outputs.channels.count)
    select_given(&b, &s->model->outputs);
  else
    select_default(&b);
  select_frequencies(&b, s->model->outputs.frequencies);
  prepare_frequencies(&b);
  if (b.code == LIM_OK)
    *out = c;
  else
    lim_channels_free(c);
  return b.code;
}

void lim_channels_free(lim_channels *c) {
  if (!c) return;
  lim_along_free(c->along);
  lim_arena_free(&c->arena);
  free(c->channel);
  free(c->probe);
  free(c);
}

void lim_channels_evaluate(double *value, lim_channels *c, const lim_moment *m) {
  if (c->along) lim_along_evaluate(c->along, m->equations, m->q, NULL); // NaN after a failure
  for (int i = 0; i < c->nprobe; i++) c->probe[i].kind->evaluate(c->probe[i].value, &c->probe[i], m);
  for (int i = 0; i < c->count; i++) value[i] = c->probe[c->channel[i].probe].value[c->channel[i].component];
}
