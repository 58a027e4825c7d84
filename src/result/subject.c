// subject.c - the first parts of channel names. Reference: docs/reference/channels.md.
#include "result/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 100 }; // frequencies that have a name, as in outputs.frequencies of the schema

typedef bool subject_fn(lim_subject_item *x, const lim_system *s, int i, const char *place);

static const lim_link *link_of(const lim_system *s, int i) { return &s->model->links.item[i]; }

// The site that a named frame became.
static int site_of_frame(const lim_system *s, int frame) {
  for (int i = 0; i < s->nsite; i++)
    if (s->site[i].name == s->model->frames.item[frame].head.name) return i;
  return -1;
}

// First all sites by their names, then named frames as link.name.
static bool get_frame(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i < s->nsite ? i : site_of_frame(s, i - s->nsite);
  if (i < s->nsite) {
    snprintf(x->name, sizeof x->name, "%s", s->site[i].name);
    return true;
  }
  const lim_frame *f = &s->model->frames.item[i - s->nsite];
  if (f->on.index < 0 || x->index < 0) return false;
  snprintf(x->name, sizeof x->name, "%s.%s", link_of(s, f->on.index)->head.name, f->head.name);
  return true;
}

static bool get_joint(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  x->linear = link_of(s, i)->joint.type == LIM_PRISMATIC;
  snprintf(x->name, sizeof x->name, "%s", link_of(s, i)->joint.head.name);
  return true;
}

static bool get_link(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", link_of(s, i)->head.name);
  return link_of(s, i)->beam.head.node != NULL;
}

static bool get_section(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  x->index = i;
  if (!place || !link_of(s, i)->beam.head.node) return false;
  x->fraction = strtod(place, NULL);
  snprintf(x->name, sizeof x->name, "%s.section.%s", link_of(s, i)->head.name, place);
  return true;
}

static bool get_gauge(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  while (i >= link_of(s, x->index)->gauges.count) i -= link_of(s, x->index++)->gauges.count;
  const lim_gauge *g = &link_of(s, x->index)->gauges.item[i];
  x->gauge = i;
  x->fraction = g->at.value;
  snprintf(x->name, sizeof x->name, "%s.%s", link_of(s, x->index)->head.name, g->head.name);
  return true;
}

static bool get_arm(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)s, (void)i, (void)place;
  snprintf(x->name, sizeof x->name, "energy");
  return true;
}

static bool get_mode(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)s, (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "frequency.%d", i + 1);
  return true;
}

static bool get_spring(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->springs.item[i].head.name);
  return true;
}

static bool get_bushing(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->bushings.item[i].head.name);
  return true;
}

static bool get_loop(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->loops.item[i].head.name);
  return true;
}

static bool get_block(lim_subject_item *x, const lim_system *s, int i, const char *place) {
  (void)place;
  x->index = i;
  snprintf(x->name, sizeof x->name, "%s", s->model->blocks.item[i].head.name);
  return true;
}

static subject_fn *const GET[] = {
    [LIM_OF_FRAME] = get_frame,     [LIM_OF_JOINT] = get_joint,     [LIM_OF_LINK] = get_link,
    [LIM_OF_SECTION] = get_section, [LIM_OF_GAUGE] = get_gauge,     [LIM_OF_ARM] = get_arm,
    [LIM_OF_SPRING] = get_spring,   [LIM_OF_BUSHING] = get_bushing, [LIM_OF_MODE] = get_mode,
    [LIM_OF_LOOP] = get_loop,       [LIM_OF_BLOCK] = get_block,
};

int lim_subject_count(const lim_system *s, lim_subject of) {
  int gauges = 0;
  for (int i = 0; i < s->model->links.count; i++) gauges += link_of(s, i)->gauges.count;
  if (of == LIM_OF_FRAME) return s->nsite + s->model->frames.count;
  if (of == LIM_OF_GAUGE) return gauges;
  if (of == LIM_OF_MODE) return MODES;
  if (of == LIM_OF_SPRING) return s->model->springs.count;
  if (of == LIM_OF_BUSHING) return s->model->bushings.count;
  if (of == LIM_OF_BLOCK) return s->model->blocks.count;
  if (of == LIM_OF_LOOP) return s->model->loops.count;
  return of == LIM_OF_ARM ? 1 : s->model->links.count;
}

static bool loses(const lim_model *m) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].gear.head.node || m->drives.item[i].friction.head.node) return true;
  return false;
}

bool lim_subject_get(lim_subject_item *out, const lim_system *s, const lim_probe_kind *kind, int i,
                     const char *place) {
  *out = (lim_subject_item){.index = 0};
  if (!GET[kind->of](out, s, i, place)) return false;
  if (kind->loses && !loses(s->model)) return false;
  const lim_member *b = kind->moving || kind->motor ? &s->member[s->first_body[out->index]] : NULL;
  return (!kind->moving || b->q >= 0) && (!kind->motor || b->rotor >= 0);
}

const char *lim_subject_place(char room[LIM_CHANNEL_NAME], const char *name) {
  const char *place = strstr(name, ".section.");
  if (!place) return NULL;
  place += strlen(".section.");
  char *end;
  strtod(place, &end);
  if (end > place && end[-1] == '.') end--; // the dot before the next part
  if (end == place || end - place >= LIM_CHANNEL_NAME) return NULL;
  snprintf(room, LIM_CHANNEL_NAME, "%.*s", (int)(end - place), place);
  return room;
}
