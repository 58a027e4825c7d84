// joint.c - the kinds of joints.
#include "model/joint.h"

#include "model/kinds.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Limits of a joint with several freedoms are those of each.
static const lim_key limits_by_freedom[] = {{"limits", &lim_named_records, offsetof(lim_joint, freedom_limits),
                                             "what each freedom can bear, by its name",
                                             .table = &lim_limits_table},
                                            {0}};

static const lim_joint_kind kinds[] = {
#include "model/joints.def"
};

int lim_joint_kind_count(void) { return (int)(sizeof kinds / sizeof *kinds); }

const lim_joint_kind *lim_joint_kind_of(const lim_joint *j) { return &kinds[j->type]; }

const lim_kind_row *lim_joint_row(int i) { return i < lim_joint_kind_count() ? &kinds[i].row : NULL; }

const char *lim_joint_word(int i) { return i < lim_joint_kind_count() ? kinds[i].row.word : NULL; }

int lim_joint_type(const char *word) {
  for (int i = 0; i < lim_joint_kind_count(); i++)
    if (!strcmp(kinds[i].row.word, word)) return i;
  return -1;
}

const lim_joint_kind *lim_joint_whole_kind(const lim_joint *j) { return &kinds[j->kind]; }

bool lim_joint_has_named_freedoms(const lim_joint *j) {
  const lim_joint_kind *kind = lim_joint_kind_of(j);
  return kind->freedoms > 1 && !kind->ball;
}

bool lim_joint_in_ball(const lim_joint *j) { return lim_joint_is_part(j) && lim_joint_whole_kind(j)->ball; }

bool lim_joint_begins_ball(const lim_joint *j) { return lim_joint_in_ball(j) && j->part == j->parts - 3; }

int lim_joint_of_freedom(const lim_model *m, const char *text) {
  const char *dot = strrchr(text, '.');
  for (int i = 0; dot && i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    const size_t n = (size_t)(dot - text);
    if (lim_joint_is_part(j) && strlen(j->whole) == n && !strncmp(j->whole, text, n)) return i;
  }
  return -1;
}

int lim_written_links(const lim_model *m) {
  int n = 0;
  for (int i = 0; i < m->links.count; i++) n += !lim_link_is_inserted(&m->links.item[i]);
  return n;
}

int lim_written_link(const lim_model *m, int number) {
  for (int i = 0; i < m->links.count; i++)
    if (!lim_link_is_inserted(&m->links.item[i]) && number-- == 0) return i;
  return -1;
}

int lim_written_number(const lim_model *m, int link) {
  int number = 0;
  for (int i = 0; i < link; i++) number += !lim_link_is_inserted(&m->links.item[i]);
  return link < 0 ? -1 : number;
}

bool lim_joint_is_single(const lim_joint *j) { return lim_joint_kind_of(j)->freedoms == 1; }

bool lim_joint_is_linear(const lim_joint *j) {
  return lim_joint_is_single(j) && lim_joint_kind_of(j)->freedom[0].slides;
}

// e less its part along the unit vector n, as a unit vector. False: they are nearly parallel.
static bool make_across(double out[3], const double e[3], const double n[3]) {
  const double along = lim_dot(e, n);
  for (int i = 0; i < 3; i++) out[i] = e[i] - along * n[i];
  const double size = sqrt(lim_dot(out, out));
  for (int i = 0; i < 3; i++) out[i] /= size;
  return size > 1e-2;
}

void lim_freedom_direction(double out[3], const lim_freedom *f, const lim_joint *j) {
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double x[3];
  switch (f->axis) {
  case LIM_OWN_AXIS: memcpy(out, j->axis, 3 * sizeof *out); break;
  case LIM_SECOND_AXIS:
    memcpy(out, j->axis2, 3 * sizeof *out);
    if (isnan(out[0]) && !make_across(out, unit[1], j->axis)) make_across(out, unit[2], j->axis);
    break;
  case LIM_ACROSS:
    if (!make_across(out, unit[0], j->axis)) make_across(out, unit[1], j->axis);
    break;
  case LIM_ACROSS_TOO:
    if (!make_across(x, unit[0], j->axis)) make_across(x, unit[1], j->axis);
    lim_cross(out, j->axis, x);
    break;
  default: memcpy(out, unit[f->axis], 3 * sizeof *out);
  }
}

lim_screw lim_joint_screw(const lim_joint *j) {
  const lim_joint_kind *kind = lim_joint_kind_of(j);
  lim_screw s = {.slides = false};
  if (kind->freedoms != 1) return s;
  s.slides = kind->freedom[0].slides;
  s.turns = !s.slides;
  memcpy(s.slides ? s.along : s.about, j->axis, sizeof j->axis);
  return s;
}

void lim_screw_move(double R[9], double p[3], const lim_screw *s, double q) {
  double turn[9], turned[9], axis[3];
  if (s->turns) {
    lim_rotation_axis(turn, s->about, q);
    lim_mat3_product(turned, R, turn);
    memcpy(R, turned, sizeof turned);
  }
  if (s->slides) {
    lim_rotate(axis, R, s->along);
    for (int i = 0; i < 3; i++) p[i] += q * axis[i];
  }
}
