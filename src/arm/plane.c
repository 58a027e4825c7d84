// plane.c - whether an arm stays in the x-y plane, so that the recursion may leave out what is across it.
#include "arm/plane.h"

#include <math.h>

static const double ROUNDING = 1e-12; // of lengths of unit vectors, and of places [m]

static bool is_none(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return false;
  return true;
}

static bool is_empty(const lim_sparse *S) { return S->n == 0 || S->start[S->n] == 0; }

// Axes whose z is that of the frame they stand in.
static bool keeps_z(const double R[9]) {
  return fabs(R[2]) < ROUNDING && fabs(R[5]) < ROUNDING && fabs(R[6]) < ROUNDING && fabs(R[7]) < ROUNDING &&
         R[8] > 0;
}

static bool joint_stays(const lim_screw *s) {
  if (s->turns && !(fabs(s->about[0]) < ROUNDING && fabs(s->about[1]) < ROUNDING)) return false;
  return !s->slides || fabs(s->along[2]) < ROUNDING;
}

// Its rows uz, tx, ty are 0.
static bool section_stays(const lim_section_motion *s) {
  return s->formulation == LIM_FLOATING_FRAME && !s->back && is_none(s->N + 2 * s->count, 3 * s->count);
}

static bool point_stays(const lim_body_point *p) { return !p->moves[2]; }

static bool deformation_stays(const lim_body *b) {
  if (b->n == 0) return true;
  bool stays = is_empty(&b->S[2]) && is_empty(&b->S[4]) && is_empty(&b->S[5]) && is_empty(&b->B[0]) &&
               is_empty(&b->B[1]) && b->foreshortening.columns[2] == 0;
  for (int i = 0; i < b->npoint; i++) stays = stays && point_stays(&b->point[i]);
  for (int i = 0; i < b->nstretch; i++)
    stays = stays && b->axial_stretch[i].planes == 1 && b->axial_stretch[i].direction[0] == 1;
  return stays;
}

static bool site_stays(const lim_site *x) {
  return keeps_z(x->Rc) && (x->section.count == 0 || section_stays(&x->section));
}

static bool body_stays(const lim_arm_body *b) {
  return b->formulation == LIM_FLOATING_FRAME && !b->inner && !b->nspan && site_stays(&b->on) &&
         joint_stays(&b->moves) && deformation_stays(b->body);
}

static bool loops_stay(const lim_arm *s) {
  for (int i = 0; i < s->nloop; i++)
    if (s->loop[i].rail || !site_stays(&s->loop[i].site[0]) || !site_stays(&s->loop[i].site[1])) return false;
  for (int k = 0; k < s->nrow; k++)
    if (fabs(s->row[k].a[2]) > ROUNDING || fabs(s->row[k].b[2]) > ROUNDING) return false;
  return true;
}

bool lim_arm_in_plane(const lim_arm *s) {
  if (!s->model || s->model->planar != LIM_PLANE_XY) return false;
  for (int i = 0; i < s->nbody; i++)
    if (!body_stays(&s->bodies[i])) return false;
  for (int i = 0; i < s->nair; i++)
    if (!site_stays(&s->air[i].site)) return false;
  return loops_stay(s);
}

// Along z, from the plane of the world's origin.
static double height(const lim_arm *s, const lim_site *x) {
  double z = x->section.X[2] + x->c[2];
  for (int i = x->body; i >= 0; i = s->bodies[i].on.body)
    z += s->bodies[i].on.section.X[2] + s->bodies[i].on.c[2];
  return z;
}

bool lim_spring_in_plane(const lim_arm *s, const lim_spring_element *b) {
  if (!site_stays(&b->site[0]) || !site_stays(&b->site[1])) return false;
  return b->bushing || fabs(height(s, &b->site[0]) - height(s, &b->site[1])) < ROUNDING;
}
