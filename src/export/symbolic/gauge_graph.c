// gauge_graph.c - strains under gauges as expressions. A strain is linear in the twelve coordinates of its
// element and in gravity minus acceleration at its two nodes (channel/section_force.c), so that its factors are
// found one by one.
#include "channel/section_force.h"
#include "export/graph/nan_box.h"
#include "export/symbolic/clean.h"
#include "export/symbolic/symbolic.h"

#include <math.h>

static const lim_link *link_of(const lim_symbolic *x, int link) { return &x->session->model->links.item[link]; }

// Direction of states in time.
static lim_expr in_time(const void *user, int array, int index) {
  const lim_symbolic *x = user;
  return array == LIM_IN_Q ? x->v[index] : array == LIM_IN_V ? x->a[index] : lim_graph_constant(0);
}

static double factor_of(const lim_section_cut *c, lim_face face, int entry) {
  double x[24] = {0};
  x[entry] = 1;
  return lim_section_cut_strain_by(c, x, x + 12, face);
}

// u (12) of the element: U eta, and what bending adds to its stretch.
static void displacements(lim_expr *u, const lim_section_cut *c, const lim_expr *eta) {
  lim_expr more = lim_graph_constant(0);
  for (int i = 0; i < 12; i++) {
    u[i] = lim_graph_constant(0);
    for (int j = 0; j < c->n; j++) u[i] = lim_graph_add(u[i], lim_graph_scale(c->U[i * c->n + j], eta[j]));
  }
  for (int i = 0; c->G && i < 144; i++)
    if (c->G[i] != 0)
      more = lim_graph_add(more, lim_graph_scale(c->G[i] / 2, lim_graph_mul(u[i / 12], u[i % 12])));
  u[6] = lim_graph_add(u[6], more);
}

// Gravity minus acceleration at the nodes, axes of the body (12).
static bool body_force(lim_expr *field, const lim_symbolic *x, const lim_section_cut *c, lim_arena *arena) {
  const lim_site frame = {.body = c->body, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  lim_expr at[18], body[18], rate[6];
  lim_graph_site(body, x->w, &frame, x->q, x->v);
  for (int k = 0; k < 2; k++) {
    const lim_site node = lim_clean_site(arena, c->node[k]);
    lim_graph_site(at, x->w, &node, x->q, x->v);
    const lim_expr speed[6] = {at[3], at[4], at[5], at[15], at[16], at[17]};
    if (!lim_graph_derivative(rate, speed, 6, in_time, x)) return false;
    for (int i = 0; i < 3; i++) rate[i] = lim_graph_sub(rate[i], lim_nan_unbox(x->s->gravity[i]));
    for (int i = 0; i < 6; i++) {
      lim_expr sum = lim_graph_constant(0);
      for (int j = 0; j < 3; j++)
        sum = lim_graph_add(sum, lim_graph_mul(body[6 + 3 * j + i % 3], rate[i / 3 * 3 + j]));
      field[6 * k + i] = c->moves[i] ? lim_graph_scale(-1, sum) : lim_graph_constant(0);
    }
  }
  return true;
}

static bool strain(lim_expr *out, const lim_symbolic *x, const lim_section_cut *c, lim_face face,
                   lim_arena *arena) {
  lim_expr part[24];
  *out = lim_graph_constant(0);
  if (c->n == 0) return true;
  const lim_expr *eta = x->q + x->s->bodies[c->body].e;
  for (int j = 0; c->gauge && j < c->n; j++) *out = lim_graph_add(*out, lim_graph_scale(c->gauge[j], eta[j]));
  if (c->gauge) return true;
  displacements(part, c, eta);
  if (!body_force(part + 12, x, c, arena)) return false;
  for (int i = 0; i < 24; i++) *out = lim_graph_add(*out, lim_graph_scale(factor_of(c, face, i), part[i]));
  return true;
}

// Gauges whose face is known.
lim_code lim_symbolic_gauges(lim_symbolic *x, lim_error *err) {
  int max = 0;
  for (int i = 0; i < x->session->model->links.count; i++) max += link_of(x, i)->gauges.count;
  x->gauge = lim_arena_array(&x->arena, (size_t)max + 1, sizeof *x->gauge);
  x->out[LIM_OF_GAUGES] = lim_arena_array(&x->arena, (size_t)max + 1, sizeof(lim_expr));
  if (!x->gauge || !x->out[LIM_OF_GAUGES]) return lim_no_memory(err);
  for (int i = 0; i < x->session->model->links.count; i++)
    for (int k = 0; k < link_of(x, i)->gauges.count; k++) {
      const lim_gauge *g = &link_of(x, i)->gauges.item[k];
      lim_section_cut c;
      lim_code code = lim_section_cut_start_gauge(&c, &x->arena, x->session->s, i, g, err);
      if (code != LIM_OK) return code;
      if (!c.gauge && isnan(factor_of(&c, (lim_face)g->face, 0))) continue;
      const int n = x->count[LIM_OF_GAUGES]++;
      x->gauge[n] = (lim_symbolic_gauge){i, g, lim_section_cut_modulus(&c)};
      if (!strain(&x->out[LIM_OF_GAUGES][n], x, &c, (lim_face)g->face, &x->arena)) return lim_no_memory(err);
    }
  return LIM_OK;
}
