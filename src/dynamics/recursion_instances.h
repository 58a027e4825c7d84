// recursion_instances.h - the recursion on doubles as it is compiled, in space and in the plane: the functions
// of recursion.h, which chooses between them. Inside src/dynamics and its tests only.
#ifndef LIM_DYNAMICS_RECURSION_INSTANCES_H
#define LIM_DYNAMICS_RECURSION_INSTANCES_H

#include "dynamics/recursion.h"

// Reactions: TWIST numbers, force and moment.
#define LIM_INSTANCE(name)                                                                                     \
  typedef struct lim_##name##_work lim_##name##_work;                                                          \
  lim_##name##_work *lim_##name##_work_new(const lim_arm *s);                                                  \
  void lim_##name##_work_free(lim_##name##_work *w);                                                           \
  void lim_##name##_lock(lim_##name##_work *w, int coordinate, bool locked);                                   \
  void lim_##name##_apply(lim_##name##_work *w, const lim_wrench *wrench, int count);                          \
  bool lim_##name##_bind(lim_##name##_work *w, const lim_spring_element *spring, const double *length,         \
                         int count);                                                                           \
  void lim_##name##_close(lim_##name##_work *w, const double *lambda);                                         \
  void lim_##name##_loop_rows(double *G, lim_##name##_work *w, const double *q);                               \
  void lim_##name##_loop_states(lim_row_state *row, lim_##name##_work *w, const double *q, const double *v,    \
                                const double *a);                                                              \
  double lim_##name##_axial_force(const lim_##name##_work *w, int body);                                       \
  void lim_##name##_damp(lim_##name##_work *w, const double *q, const double *v);                              \
  double lim_##name##_damping_power(const lim_##name##_work *w);                                               \
  void lim_##name##_residual(double *r, lim_##name##_work *w, const double *q, const double *v,                \
                             const double *a);                                                                 \
  int lim_##name##_factor(lim_##name##_work *w, const double *q, lim_step_matrix c);                           \
  void lim_##name##_solve(double *x, lim_##name##_work *w);

LIM_INSTANCE(space)
LIM_INSTANCE(plane)

bool lim_plane_energies(lim_energies *e, lim_plane_work *w, const double *q, const double *v);
bool lim_space_touch(lim_space_work *w, const lim_contact_element *contact, const lim_contact_state *state,
                     int count);
void lim_space_reaction(double F[3], double N[3], const lim_space_work *w, int body);

#endif
