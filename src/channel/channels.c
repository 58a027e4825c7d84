// channels.c - from names to channels: selection, defaults, messages. Reference: docs/reference/channels.md.
#include "channel/channels.h"

#include "arm/body/kind.h"
#include "base/grow.h"
#include "base/suggest.h"
#include "channel/possible.h"
#include "integrate/state.h"
#include "model/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096 };

typedef struct {
  lim_channels *c;
  const lim_arm *s;
  lim_possible_list all;
  lim_possible **chosen;        // of one name (all.count)
  int slot[SLOTS];              // by a hash of what it is about: the last quantity made; -1: none
  int *before;                  // and the one made before it, of each quantity (nquantity)
  lim_owner_state *made[SLOTS]; // by a hash of its index: the last owner made; NULL: none
  size_t quantity_capacity, before_capacity, channel_capacity;
  lim_error *err;
  lim_code code; // the worst so far
} builder;

// --- adding a channel ---

static int *slot_of(builder *b, const lim_quantity_kind *kind, const lim_owner_item *x) {
  size_t hash = (size_t)x->index * 31 + (size_t)(kind - lim_quantity_kinds);
  return &b->slot[hash % SLOTS];
}

// The owner, which is made where it is not there yet. NULL: it failed.
static lim_owner_state *owner_of(builder *b, lim_owner of, const lim_owner_item *x) {
  const lim_gauge *gauge = NULL;
  if (of == LIM_OF_GAUGE) gauge = &b->s->model->links.item[x->index].gauges.item[x->gauge];
  lim_owner_state **last = &b->made[(size_t)x->index % SLOTS];
  for (lim_owner_state *o = *last; o; o = o->same_slot)
    if (o->of == of && o->index == x->index && o->gauge == gauge && o->fraction == x->fraction) return o;
  lim_owner_state *made = lim_arena_array(&b->c->arena, 1, sizeof *made);
  lim_code code = LIM_OK;
  if (!made) {
    b->code = lim_no_memory(b->err);
    return NULL;
  }
  *made = (lim_owner_state){.of = of, .index = x->index, .gauge = gauge, .fraction = x->fraction};
  if (gauge)
    code = lim_section_cut_start_gauge(&made->cut, &b->c->arena, b->s, x->index, gauge, b->err);
  else if (of == LIM_OF_SECTION)
    code = lim_section_cut_start(&made->cut, &b->c->arena, b->s, x->index, x->fraction, b->err);
  if (code != LIM_OK) b->code = code;
  if (code != LIM_OK) return NULL;
  made->same_slot = *last;
  *last = made;
  made->next = b->c->owner;
  b->c->owner = made;
  return made;
}

// The quantity's number; it is made where it is not there yet. -1: out of memory.
static int quantity_of(builder *b, const lim_quantity_kind *kind, const lim_owner_item *x) {
  lim_channels *c = b->c;
  lim_owner_state *owner = owner_of(b, kind->of, x);
  int *slot = slot_of(b, kind, x);
  for (int i = *slot; owner && i >= 0; i = b->before[i])
    if (c->quantity[i].kind == kind && c->quantity[i].owner == owner) return i;
  if (!owner) return -1;
  if (!LIM_GROW(c->quantity, b->quantity_capacity, c->nquantity) ||
      !LIM_GROW(b->before, b->before_capacity, c->nquantity)) {
    b->code = lim_no_memory(b->err);
    return -1;
  }
  c->quantity[c->nquantity] = (lim_owner_quantity){.kind = kind, .owner = owner};
  b->before[c->nquantity] = *slot;
  *slot = c->nquantity;
  return c->nquantity++;
}

// The rotational or the linear half of "rad|m".
static const char *unit_of(lim_channels *c, const char *unit, bool linear) {
  const char *bar = strchr(unit, '|');
  return linear && bar ? bar + 1 : lim_arena_text(&c->arena, unit, strcspn(unit, "|"));
}

static void add_channel(builder *b, const lim_quantity_kind *kind, const lim_owner_item *x, int component,
                        const char *name) {
  lim_channels *c = b->c;
  int quantity = quantity_of(b, kind, x);
  if (quantity < 0) return;
  if (!LIM_GROW(c->channel, b->channel_capacity, c->count)) {
    b->code = lim_no_memory(b->err);
    return;
  }
  lim_channel *one = &c->channel[c->count];
  *one = (lim_channel){.unit = unit_of(c, kind->unit, x->linear), .quantity = quantity, .component = component};
  one->name = lim_arena_text(&c->arena, name, strlen(name));
  if (!one->name || !one->unit) {
    b->code = lim_no_memory(b->err);
    return;
  }
  if (kind->of == LIM_OF_ARM && !strcmp(kind->name, "balance")) c->balance = c->count;
  c->count++;
}

// --- selection ---

static int by_order(const void *a, const void *b) {
  return (*(lim_possible *const *)a)->order - (*(lim_possible *const *)b)->order;
}

// Those of a name, in the order in which channels are listed; returns how many it selects.
static int select_possible(builder *b, const char *name) {
  int found, n = 0;
  lim_possible *first = lim_possible_find(&found, &b->all, name);
  for (int i = 0; i < found; i++)
    if (!first[i].taken) b->chosen[n++] = &first[i];
  if (n) qsort(b->chosen, (size_t)n, sizeof *b->chosen, by_order);
  for (int i = 0; i < n && b->code != LIM_NO_MEMORY; i++) {
    lim_possible *p = b->chosen[i];
    const lim_owner_item x = {
        .index = p->index, .gauge = p->gauge, .fraction = p->fraction, .linear = p->linear};
    p->taken = true;
    add_channel(b, p->kind, &x, p->component, p->name);
  }
  return found;
}

static bool is_there(const lim_channels *c, const char *name) {
  for (int i = 0; i < c->count; i++)
    if (!strcmp(c->channel[i].name, name)) return true;
  return false;
}

static bool continues(const char *channel, const char *name, bool exact) {
  size_t n = strlen(name);
  return exact ? !strcmp(name, channel) : !strncmp(name, channel, n) && channel[n] == '.';
}

// Those of sections at a location, which are made where one asks for them.
static int select_sections(builder *b, const char *name, const char *location, bool exact) {
  char full[LIM_CHANNEL_FULL];
  lim_owner_item x;
  int found = 0;
  for (const lim_quantity_kind *kind = lim_quantity_kinds; kind->name; kind++) {
    int count = kind->of == LIM_OF_SECTION ? lim_owner_count(b->s, kind->of) : 0;
    for (int i = 0; i < count; i++) {
      if (!lim_owner_get(&x, b->s, kind, i, location)) continue;
      for (int k = 0; k < kind->components && b->code != LIM_NO_MEMORY; k++) {
        lim_possible_name(full, kind, &x, k);
        if (!continues(full, name, exact)) continue;
        found++;
        if (!is_there(b->c, full)) add_channel(b, kind, &x, k, full);
      }
    }
  }
  return found;
}

// --- messages ---

static void refuse(builder *b, const lim_node *at, const char *name, const char *why) {
  lim_code code = at ? lim_tree_error(b->err, at, "channel '%s' %s", name, why)
                     : LIM_FAIL(b->err, LIM_BAD_INPUT, "channel '%s' %s", name, why);
  if (b->code == LIM_OK) b->code = code;
}

// What may have been meant: a channel, or the beginning of its name. Only beginnings are listed.
static void try_all(lim_choice *choice, const builder *b, const char *location) {
  char full[LIM_CHANNEL_FULL];
  lim_owner_item x;
  for (const lim_quantity_kind *kind = lim_quantity_kinds; kind->name; kind++) {
    int count = kind->evaluate ? lim_owner_count(b->s, kind->of) : 0;
    for (int i = 0; i < count; i++) {
      if (!lim_owner_get(&x, b->s, kind, i, location)) continue;
      for (int k = -1; k < kind->components; k++) { // the group first
        lim_possible_name(full, kind, &x, k);
        if (k < 0)
          lim_choice_try(choice, full);
        else
          lim_choice_also(choice, full);
      }
    }
  }
  lim_choice_also(choice, "energy");
  lim_choice_also(choice, "momentum");
}

static void refuse_unknown(builder *b, const lim_node *at, const char *name, const char *location) {
  lim_choice choice = lim_choice_start(name);
  char why[sizeof choice.text + 16];
  if (lim_error_heard(b->err)) try_all(&choice, b, location);
  snprintf(why, sizeof why, "does not exist%s", lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
  refuse(b, at, name, why);
}

// What is wrong with a name before anything is looked for; NULL: nothing.
static const char *flaw_of(const char *name, const char *location) {
  double fraction = location ? strtod(location, NULL) : 0;
  if (!strcmp(name, "frequency")) return "needs a number: 'frequency.1' is the lowest";
  if (fraction >= 0 && fraction <= 1) return NULL;
  return "is about a section beyond the link: its place is a fraction 0..1 of the length";
}

// The channels of one name; at: where it is written, or NULL.
static void select_channels(builder *b, const char *name, const lim_node *at) {
  char buffer[LIM_CHANNEL_NAME];
  const char *location = lim_owner_location(buffer, name), *flaw = flaw_of(name, location);
  int found = 0;
  if (!flaw) found = select_possible(b, name);
  for (int exact = 1; exact >= 0 && !flaw && !found && location; exact--)
    found = select_sections(b, name, location, exact);
  if (found || b->code == LIM_NO_MEMORY) return;
  if (flaw)
    refuse(b, at, name, flaw);
  else
    refuse_unknown(b, at, name, location);
}

// --- the lists ---

static void select_given(builder *b, const lim_outputs *o) {
  const lim_node *list = o->head.node ? lim_tree_get(o->head.node, "channels") : NULL;
  for (int i = 0; i < o->channels.count; i++) {
    bool item = list && list->kind == LIM_SEQUENCE && i < list->count;
    select_channels(b, o->channels.item[i], item ? list->item[i] : list);
  }
}

static void select_of(builder *b, const char *owner, const char *quantity) {
  char name[LIM_CHANNEL_FULL];
  snprintf(name, sizeof name, "%s.%s", owner, quantity);
  select_channels(b, name, NULL);
}

static void select_default(builder *b) {
  const lim_model *m = b->s->model;
  select_of(b, m->tool.ref.text, "position");
  select_of(b, m->tool.ref.text, "error");
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *joint = &m->links.item[i].joint;
    const bool ball = lim_joint_in_ball(joint), moves = b->s->bodies[b->s->first_body[i]].q >= 0;
    const char *quantity[] = {"position", "velocity", "effort"};
    for (int k = 0; k < 3 && moves && !ball; k++) select_of(b, joint->head.name, quantity[k]);
    if (!ball || lim_link_is_inserted(&m->links.item[i])) continue;
    if (joint->parts == LIM_MOST_FREEDOMS) select_of(b, joint->whole, "translation");
    select_of(b, joint->whole, "rotation");
    select_of(b, joint->whole, "angular_velocity");
  }
  for (int i = 0; i < lim_owner_count(b->s, LIM_OF_GAUGE); i++) {
    lim_owner_item x;
    const lim_quantity_kind any = {.of = LIM_OF_GAUGE};
    if (lim_owner_get(&x, b->s, &any, i, NULL)) select_of(b, x.name, "strain");
  }
  const lim_mode mode = lim_solver_mode(&m->solver);
  bool small = lim_method_is_small(m->solver.method);
  bool energy_balance = mode != LIM_MODE_QUASI_STATIC && !small;
  for (int i = 0; i < m->links.count && mode != LIM_MODE_NONLINEAR && mode != LIM_MODE_RIGID; i++)
    energy_balance = energy_balance && !lim_body_kind_of(&m->links.item[i])->varies;
  if (energy_balance) select_channels(b, "energy", NULL);
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
  for (const lim_owner_state *x = c->owner; x; x = x->next)
    if (x->of == LIM_OF_MODE && x->index >= count) count = x->index + 1;
  if (count == 0 || b->code != LIM_OK) return;
  b->code = lim_frequency_track_new(&c->track, b->s, count, b->err);
  for (lim_owner_state *x = c->owner; x; x = x->next) x->track = c->track;
}

lim_code lim_channels_new(lim_channels **out, const lim_arm *s, lim_error *err) {
  *out = NULL;
  lim_channels *c = calloc(1, sizeof *c);
  if (!c) return lim_no_memory(err);
  c->balance = -1;
  builder b = {.c = c, .s = s, .err = err};
  for (int i = 0; i < SLOTS; i++) b.slot[i] = -1;
  bool taken = lim_possible_start(&b.all, s);
  b.chosen = malloc(((size_t)b.all.count + 1) * sizeof(lim_possible *));
  if (!taken || !b.chosen)
    b.code = lim_no_memory(b.err);
  else if (s->model->outputs.channels.count)
    select_given(&b, &s->model->outputs);
  else
    select_default(&b);
  if (b.code != LIM_NO_MEMORY) select_frequencies(&b, s->model->outputs.frequencies);
  prepare_frequencies(&b);
  lim_possible_end(&b.all);
  free((void *)b.chosen);
  free(b.before);
  if (b.code == LIM_OK)
    *out = c;
  else
    lim_channels_free(c);
  return b.code;
}

void lim_channels_free(lim_channels *c) {
  if (!c) return;
  lim_frequency_track_free(c->track);
  lim_arena_free(&c->arena);
  free(c->channel);
  free(c->quantity);
  free(c);
}

void lim_channels_evaluate(double *value, lim_channels *c, const lim_snapshot *m) {
  if (c->track) lim_frequency_track_evaluate(c->track, m->equations, m->q, NULL); // NaN after a failure
  for (lim_owner_state *x = c->owner; x; x = x->next) x->known = false;
  for (int i = 0; i < c->nquantity; i++) {
    lim_owner_quantity *p = &c->quantity[i];
    p->kind->evaluate(p->value, p, m);
  }
  for (int i = 0; i < c->count; i++)
    value[i] = c->quantity[c->channel[i].quantity].value[c->channel[i].component];
}
