// recursion.c - the recursion in the plane where the arm never leaves it, else in space. What it gives is the
// same but for rounding. Theory: docs/theory/dynamics.md, "In the plane".
#include "dynamics/recursion.h"

#include "arm/plane.h"
#include "dynamics/recursion_instances.h"

#include <stdlib.h>
#include <string.h>

// In the plane reactions are left to the recursion in space, at the state of the last residual: what is across
// the plane has a part in them.
struct lim_rec_work {
  const lim_arm *s;
  lim_space_work *space;
  lim_plane_work *plane; // NULL: the arm is not in one
  double *state;         // q, v, a of the last residual, and room for one in space   (4 n)
  bool evaluated;        // there was one
  bool behind;           // the recursion in space has not seen that state
};

void lim_rec_work_free(lim_rec_work *w) {
  if (!w) return;
  lim_space_work_free(w->space);
  lim_plane_work_free(w->plane);
  free(w->state);
  free(w);
}

lim_rec_work *lim_rec_work_new(const lim_arm *s) {
  lim_rec_work *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  bool plane = lim_arm_in_plane(s);
  w->s = s;
  w->space = lim_space_work_new(s);
  if (plane) w->plane = lim_plane_work_new(s);
  w->state = calloc(4 * (size_t)s->n + 1, sizeof *w->state);
  if (w->space && w->state && (!plane || w->plane)) return w;
  lim_rec_work_free(w);
  return NULL;
}

static void leave_plane(lim_rec_work *w) {
  lim_plane_work_free(w->plane);
  w->plane = NULL;
}

void lim_rec_lock(lim_rec_work *w, int coordinate, bool locked) {
  lim_space_lock(w->space, coordinate, locked);
  if (w->plane) lim_plane_lock(w->plane, coordinate, locked);
}

void lim_rec_apply(lim_rec_work *w, const lim_wrench *wrench, int count) {
  lim_space_apply(w->space, wrench, count);
  if (w->plane) lim_plane_apply(w->plane, wrench, count);
}

bool lim_rec_bind(lim_rec_work *w, const lim_spring_element *spring, const double *length, int count) {
  for (int i = 0; i < count && w->plane; i++)
    if (!lim_spring_in_plane(w->s, &spring[i])) leave_plane(w);
  return lim_space_bind(w->space, spring, length, count) &&
         (!w->plane || lim_plane_bind(w->plane, spring, length, count));
}

bool lim_rec_touch(lim_rec_work *w, const lim_contact_element *contact, const lim_contact_state *state,
                   int count) {
  if (count) leave_plane(w); // the recursion in the plane has no contacts
  return lim_space_touch(w->space, contact, state, count);
}

void lim_rec_close(lim_rec_work *w, const double *lambda) {
  lim_space_close(w->space, lambda);
  if (w->plane) lim_plane_close(w->plane, lambda);
}

void lim_rec_loop_rows(double *G, lim_rec_work *w, const double *q) {
  if (w->plane)
    lim_plane_loop_rows(G, w->plane, q);
  else
    lim_space_loop_rows(G, w->space, q);
}

bool lim_rec_loop_states(lim_row_state *row, lim_rec_work *w, const double *q, const double *v,
                         const double *a) {
  size_t n = (size_t)w->s->n, size = n * sizeof *q;
  if (!w->evaluated || memcmp(w->state, q, size) != 0 || memcmp(w->state + n, v, size) != 0 ||
      memcmp(w->state + 2 * n, a, size) != 0)
    return false;
  if (w->plane)
    lim_plane_loop_states(row, w->plane, q, v, a);
  else
    lim_space_loop_states(row, w->space, q, v, a);
  return true;
}

void lim_rec_reaction(double F[3], double N[3], lim_rec_work *w, int body) {
  int n = w->s->n;
  if (w->plane && w->behind)
    lim_space_residual(w->state + 3 * n, w->space, w->state, w->state + n, w->state + 2 * n);
  w->behind = false;
  lim_space_reaction(F, N, w->space, body);
}

double lim_rec_axial_force(const lim_rec_work *w, int body) {
  return w->plane ? lim_plane_axial_force(w->plane, body) : lim_space_axial_force(w->space, body);
}

void lim_rec_damp(lim_rec_work *w, const double *q, const double *v) {
  if (w->plane)
    lim_plane_damp(w->plane, q, v);
  else
    lim_space_damp(w->space, q, v);
}

double lim_rec_damping_power(const lim_rec_work *w) {
  return w->plane ? lim_plane_damping_power(w->plane) : lim_space_damping_power(w->space);
}

bool lim_rec_energies(lim_energies *e, lim_rec_work *w, const double *q, const double *v) {
  if (!w->plane || !lim_plane_energies(e, w->plane, q, v)) return false;
  w->evaluated = false; // places are now of this state
  return true;
}

void lim_rec_residual(double *r, lim_rec_work *w, const double *q, const double *v, const double *a) {
  size_t n = (size_t)w->s->n, size = n * sizeof *r;
  memcpy(w->state, q, size);
  memcpy(w->state + n, v, size);
  memcpy(w->state + 2 * n, a, size);
  w->evaluated = true;
  w->behind = w->plane != NULL;
  if (w->plane)
    lim_plane_residual(r, w->plane, q, v, a);
  else
    lim_space_residual(r, w->space, q, v, a);
}

int lim_rec_factor(lim_rec_work *w, const double *q, lim_step_matrix c) {
  return w->plane ? lim_plane_factor(w->plane, q, c) : lim_space_factor(w->space, q, c);
}

void lim_rec_solve(double *x, lim_rec_work *w) {
  if (w->plane)
    lim_plane_solve(x, w->plane);
  else
    lim_space_solve(x, w->space);
}
