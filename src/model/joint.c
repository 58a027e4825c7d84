// joint.c - the kinds of joints.
#include "model/joint.h"

#include "model/kinds.h"

#include <string.h>

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

bool lim_joint_is_single(const lim_joint *j) { return lim_joint_kind_of(j)->freedoms == 1; }

bool lim_joint_is_several(const lim_joint *j) { return lim_joint_kind_of(j)->freedoms > 1; }

bool lim_joint_is_linear(const lim_joint *j) {
  return lim_joint_is_single(j) && lim_joint_kind_of(j)->freedom[0].slides;
}

bool lim_joint_floats(const lim_joint *j) { return lim_joint_kind_of(j)->freedoms == LIM_MOST_FREEDOMS; }

lim_screw lim_freedom_screw(const lim_freedom *f, const double axis[3]) {
  lim_screw s = {.slides = f->slides, .turns = !f->slides};
  double *direction = f->slides ? s.along : s.about;
  for (int i = 0; i < 3; i++) direction[i] = f->axis == LIM_OWN_AXIS ? axis[i] : i == f->axis;
  return s;
}

lim_screw lim_joint_screw(const lim_joint *j) {
  const lim_screw none = {.slides = false};
  return lim_joint_is_single(j) ? lim_freedom_screw(&lim_joint_kind_of(j)->freedom[0], j->axis) : none;
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
