// owner.c - the first parts of channel names. Reference: docs/reference/channels.md.
#include "channel/owner.h"

#include "arm/body/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 100 }; // frequencies that have a name, as in outputs.frequencies of the schema

typedef bool get_fn(lim_owner_item *x, const lim_arm *s, int i, const char *location);

static const lim_link *link_of(const lim_arm *s, int i) { return &s->model->links.item[i]; }

// The site that a named frame became.
static int site_of_frame(const lim_arm *s, int frame) {
  for (int i = 0; i < s->nsite; i++)
    if (s->site[i].name == s->model->frames.item[frame].head.name) return i;
  return -1;
}

// First all sites by their names, then named frames as link.name.
static bool get_frame(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i < s->nsite ? i : site_of_frame(s, i - s->nsite);
  if (i < s->nsite) {
    snprintf(x->name, sizeof x->name, "%s", s->site[i].name);
    return !s->site[i].hidden;
  }
  const lim_frame *f = &s->model->frames.item[i - s->nsite];
  if (f->on.index < 0 || x->index < 0 || strchr(f->head.name, '.'))
    return false; // one of finite elements has both
  snprintf(x->name, sizeof x->name, "%s.%s", link_of(s, f->on.index)->head.name, f->head.name);
  return true;
}

static bool get_joint(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  x->linear = lim_joint_is_linear(&link_of(s, i)->joint);
  snprintf(x->name, sizeof x->name, "%s", link_of(s, i)->joint.head.name);
  return !lim_joint_in_ball(&link_of(s, i)->joint);
}

static bool get_whole_joint(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", link_of(s, i)->joint.whole);
  return !lim_link_is_inserted(link_of(s, i));
}

static bool get_ball(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  return get_whole_joint(x, s, i, location) && lim_joint_in_ball(&link_of(s, i)->joint);
}

static bool get_free_joint(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  return get_ball(x, s, i, location) && link_of(s, i)->joint.parts == LIM_MOST_FREEDOMS;
}

static bool get_link(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", link_of(s, i)->head.name);
  return link_of(s, i)->beam.head.node || link_of(s, i)->fe.head.node;
}

static bool get_stressed(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  return get_link(x, s, i, location) && lim_body_kind_of(link_of(s, i))->stress;
}

static bool get_section(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  x->index = i;
  if (!location || !link_of(s, i)->beam.head.node) return false;
  x->fraction = strtod(location, NULL);
  snprintf(x->name, sizeof x->name, "%s.section.%s", link_of(s, i)->head.name, location);
  return true;
}

static bool get_gauge(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  while (i >= link_of(s, x->index)->gauges.count) i -= link_of(s, x->index++)->gauges.count;
  const lim_gauge *g = &link_of(s, x->index)->gauges.item[i];
  x->gauge = i;
  x->fraction = g->at.value;
  snprintf(x->name, sizeof x->name, "%s.%s", link_of(s, x->index)->head.name, g->head.name);
  return true;
}

static bool get_arm(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)s, (void)i, (void)location;
  snprintf(x->name, sizeof x->name, "energy");
  return true;
}

static bool get_momentum(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)s, (void)i, (void)location;
  snprintf(x->name, sizeof x->name, "momentum");
  return true;
}

static bool get_mode(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)s, (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "frequency.%d", i + 1);
  return true;
}

static bool get_spring(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->springs.item[i].head.name);
  return true;
}

static bool get_bushing(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->bushings.item[i].head.name);
  return true;
}

static bool get_loop(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->loops.item[i].head.name);
  return true;
}

static bool get_coupling(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  const lim_coupling *c = &s->model->couplings.item[i];
  x->index = i;
  x->linear = lim_joint_is_linear(&link_of(s, c->joints.item[c->joints.count - 1].index)->joint);
  snprintf(x->name, sizeof x->name, "%s", c->head.name);
  return true;
}

static bool get_contact(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->contacts.item[i].head.name);
  return true;
}

static bool get_block(lim_owner_item *x, const lim_arm *s, int i, const char *location) {
  (void)location;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->blocks.item[i].head.name);
  return true;
}

static get_fn *const GET[] = {
    [LIM_OF_FRAME] = get_frame,       [LIM_OF_JOINT] = get_joint,
    [LIM_OF_LINK] = get_link,         [LIM_OF_SECTION] = get_section,
    [LIM_OF_GAUGE] = get_gauge,       [LIM_OF_ARM] = get_arm,
    [LIM_OF_SPRING] = get_spring,     [LIM_OF_BUSHING] = get_bushing,
    [LIM_OF_MODE] = get_mode,         [LIM_OF_LOOP] = get_loop,
    [LIM_OF_BLOCK] = get_block,       [LIM_OF_WHOLE_JOINT] = get_whole_joint,
    [LIM_OF_BALL] = get_ball,         [LIM_OF_FREE_JOINT] = get_free_joint,
    [LIM_OF_MOMENTUM] = get_momentum, [LIM_OF_COUPLING] = get_coupling,
    [LIM_OF_CONTACT] = get_contact,   [LIM_OF_STRESSED] = get_stressed,
};

int lim_owner_count(const lim_arm *s, lim_owner of) {
  int gauges = 0;
  for (int i = 0; i < s->model->links.count; i++) gauges += link_of(s, i)->gauges.count;
  if (of == LIM_OF_FRAME) return s->nsite + s->model->frames.count;
  if (of == LIM_OF_GAUGE) return gauges;
  if (of == LIM_OF_MODE) return MODES;
  if (of == LIM_OF_SPRING) return s->model->springs.count;
  if (of == LIM_OF_BUSHING) return s->model->bushings.count;
  if (of == LIM_OF_BLOCK) return s->model->blocks.count;
  if (of == LIM_OF_LOOP) return s->model->loops.count;
  if (of == LIM_OF_COUPLING) return s->model->couplings.count;
  if (of == LIM_OF_CONTACT) return s->model->contacts.count;
  return of == LIM_OF_ARM || of == LIM_OF_MOMENTUM ? 1 : s->model->links.count;
}

static bool loses(const lim_model *m) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].gear.head.node || m->drives.item[i].friction.head.node) return true;
  return false;
}

bool lim_owner_get(lim_owner_item *out, const lim_arm *s, const lim_quantity_kind *kind, int i,
                   const char *location) {
  *out = (lim_owner_item){.index = 0};
  if (!GET[kind->of](out, s, i, location)) return false;
  if (kind->loses && !loses(s->model)) return false;
  if (kind->stops && !link_of(s, out->index)->joint.limits.stop.head.node) return false;
  const lim_arm_body *b = kind->moving || kind->motor ? &s->bodies[s->first_body[out->index]] : NULL;
  return (!kind->moving || b->q >= 0) && (!kind->motor || b->rotor >= 0);
}

const char *lim_owner_location(char buffer[LIM_CHANNEL_NAME], const char *name) {
  const char *location = strstr(name, ".section.");
  if (!location) return NULL;
  location += strlen(".section.");
  char *end;
  strtod(location, &end);
  if (end > location && end[-1] == '.') end--; // the dot before the next part
  if (end == location || end - location >= LIM_CHANNEL_NAME) return NULL;
  snprintf(buffer, LIM_CHANNEL_NAME, "%.*s", (int)(end - location), location);
  return buffer;
}
