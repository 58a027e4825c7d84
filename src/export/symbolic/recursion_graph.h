// recursion_graph.h - the recursion of dynamics/recursion.h on expressions. The same functions, of which none
// has anything of its own.
#ifndef LIM_EXPORT_SYMBOLIC_RECURSION_GRAPH_H
#define LIM_EXPORT_SYMBOLIC_RECURSION_GRAPH_H

#include "dynamics/recursion.h"
#include "export/graph/graph.h"

typedef struct lim_graph_work lim_graph_work;

lim_graph_work *lim_graph_work_new(const lim_arm *s); // NULL: out of memory
void lim_graph_work_free(lim_graph_work *w);
void lim_graph_lock(lim_graph_work *w, int coordinate, bool locked);
void lim_graph_apply(lim_graph_work *w, const lim_wrench *wrench, int count);
bool lim_graph_bind(lim_graph_work *w, const lim_spring_element *spring, const double *length, int count);
void lim_graph_loop_rows(lim_expr *G, lim_graph_work *w, const lim_expr *q);
void lim_graph_residual(lim_expr *r, lim_graph_work *w, const lim_expr *q, const lim_expr *v,
                        const lim_expr *a);
int lim_graph_factor(lim_graph_work *w, const lim_expr *q, lim_step_matrix c);
void lim_graph_solve(lim_expr *x, lim_graph_work *w);

// x (n): efforts on the coordinates, becomes their accelerations; a: those that are given. bias (6 nbody), r
// (n): scratch. Returns the coordinate whose pivot is not positive, or -1.
int lim_graph_accelerate(lim_expr *x, lim_graph_work *w, const lim_expr *q, const lim_expr *v,
                         const lim_expr *a, lim_expr *bias, lim_expr *r);

// Factors of applied forces; they stay the caller's. NULL: 1.
void lim_graph_factors(lim_graph_work *w, const lim_expr *factor);

// After a residual: bodies in the world, for the functions below.
void lim_graph_locate(lim_graph_work *w);
// 18 numbers of a site: place, velocity, axes by rows, angular velocity.
void lim_graph_site(lim_expr *out, const lim_graph_work *w, const lim_site *site, const lim_expr *q,
                    const lim_expr *v);
// Rows of loops (nrow): 0 where they are closed.
void lim_graph_loop_values(lim_expr *value, const lim_graph_work *w, const lim_expr *q, const lim_expr *v);
lim_expr lim_graph_gravity_energy(const lim_graph_work *w, const lim_expr *q);
enum { LIM_ELASTIC_MOST = 256 }; // coordinates of one body in the next
lim_expr lim_graph_strain_energy(const lim_graph_work *w, const lim_expr *q);

#endif
