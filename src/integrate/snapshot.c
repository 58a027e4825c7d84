// snapshot.c - frames, momentum and reactions at a recorded time. Theory: docs/theory/simulation.md.
#include "integrate/snapshot.h"
#include "math/rotation.h"

// x0 + (x+ - x-)/(2 epsilon): the first-order part of a difference, exact to its square.
static void expand(double *x, const double *minus, const double *plus, double epsilon, int n) {
  for (int i = 0; i < n; i++) x[i] = (plus[i] + minus[i]) / 2 + (plus[i] - minus[i]) / (2 * epsilon);
}

// R0 exp(w~) where w~ is the first-order change of the axes.
static void expand_axes(double R[9], const double minus[9], const double plus[9], double epsilon) {
  double D[9], w[3], n[3], turn[9];
  for (int i = 0; i < 3; i++) // D = R-' R+, a rotation by 2 epsilon w
    for (int j = 0; j < 3; j++)
      D[3 * i + j] = minus[i] * plus[j] + minus[3 + i] * plus[3 + j] + minus[6 + i] * plus[6 + j];
  w[0] = (D[7] - D[5]) / 2;
  w[1] = (D[2] - D[6]) / 2;
  w[2] = (D[3] - D[1]) / 2;
  double sine = sqrt(lim_dot(w, w));
  for (int i = 0; i < 3; i++) n[i] = sine > 0 ? w[i] / sine : i == 0;
  double angle = asin(fmin(sine, 1)); // 2 epsilon |w|
  lim_rotation_axis(turn, n, angle / 2 + angle / (2 * epsilon));
  lim_mat3_product(R, minus, turn);
}

lim_world_motion lim_snapshot_site(const lim_snapshot *m, const lim_site *site) {
  if (!m->linear) return lim_kinematics_at(m->system, site, m->body, m->q, m->v, m->a);
  lim_world_motion side[2], x = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < 2; i++)
    side[i] = lim_kinematics_at(m->system, site, m->at_side[i], m->perturbed[i][0], m->perturbed[i][1],
                                m->perturbed[i][2]);
  expand(x.p, side[0].p, side[1].p, m->epsilon, 3);
  expand(x.v, side[0].v, side[1].v, m->epsilon, 3);
  expand(x.w, side[0].w, side[1].w, m->epsilon, 3);
  expand(x.a, side[0].a, side[1].a, m->epsilon, 3);
  expand(x.alpha, side[0].alpha, side[1].alpha, m->epsilon, 3);
  expand_axes(x.R, side[0].R, side[1].R, m->epsilon);
  return x;
}

lim_world_motion lim_snapshot_reference(const lim_snapshot *m, const lim_site *site) {
  return lim_kinematics_at(m->rigid, site, m->reference, m->rq, m->rv, m->ra);
}

lim_momentum lim_snapshot_momentum(const lim_snapshot *m) {
  if (!m->linear) return lim_momentum_of(m->system, m->body, m->q, m->v);
  lim_momentum side[2], x;
  for (int i = 0; i < 2; i++)
    side[i] = lim_momentum_of(m->system, m->at_side[i], m->perturbed[i][0], m->perturbed[i][1]);
  expand(x.linear, side[0].linear, side[1].linear, m->epsilon, 3);
  expand(x.angular, side[0].angular, side[1].angular, m->epsilon, 3);
  return x;
}

static bool keep_sites(lim_site_motions *x, lim_arena *arena, int count) {
  x->count = count;
  x->motion = lim_arena_array(arena, (size_t)count, sizeof *x->motion);
  x->known = lim_arena_array(arena, (size_t)count, sizeof *x->known);
  return x->motion && x->known;
}

lim_code lim_snapshot_keep(lim_snapshot *m, lim_arena *arena, lim_error *err) {
  const lim_arm *s = m->system;
  lim_snapshot_cache *c = lim_arena_array(arena, 1, sizeof *c);
  int *first = lim_arena_array(arena, (size_t)s->nbody, sizeof *first), nodes = 0;
  if (!c || !first) return lim_no_memory(err);
  for (int i = 0; i < s->nbody; i++) {
    first[i] = nodes;
    nodes += s->bodies[i].line->nnode;
  }
  c->first_node = first;
  if (!keep_sites(&c->frame, arena, s->nsite) || !keep_sites(&c->reference, arena, m->rigid->nsite) ||
      !keep_sites(&c->node, arena, nodes))
    return lim_no_memory(err);
  m->cache = c;
  return LIM_OK;
}

void lim_snapshot_renew(const lim_snapshot *m) {
  if (!m->cache) return;
  lim_site_motions *const list[] = {&m->cache->frame, &m->cache->reference, &m->cache->node};
  for (int i = 0; i < 3; i++) memset(list[i]->known, 0, (size_t)list[i]->count * sizeof *list[i]->known);
}

typedef lim_world_motion evaluate_fn(const lim_snapshot *m, const lim_site *site);

// Entry i of what is kept, evaluated where it is not known yet. x NULL: nothing is kept.
static lim_world_motion once(lim_site_motions *x, int i, const lim_snapshot *m, const lim_site *site,
                             evaluate_fn *evaluate) {
  if (!x) return evaluate(m, site);
  if (!x->known[i]) x->motion[i] = evaluate(m, site);
  x->known[i] = true;
  return x->motion[i];
}

lim_world_motion lim_snapshot_frame(const lim_snapshot *m, int i) {
  return once(m->cache ? &m->cache->frame : NULL, i, m, &m->system->site[i].site, lim_snapshot_site);
}

lim_world_motion lim_snapshot_frame_reference(const lim_snapshot *m, int i) {
  return once(m->cache ? &m->cache->reference : NULL, i, m, &m->rigid->site[i].site, lim_snapshot_reference);
}

lim_world_motion lim_snapshot_node(const lim_snapshot *m, const lim_site *site, int node) {
  if (!m->cache) return lim_snapshot_site(m, site);
  return once(&m->cache->node, m->cache->first_node[site->body] + node, m, site, lim_snapshot_site);
}

static lim_world_motion posed(const lim_snapshot *m, const lim_site *site, const lim_rigid_pose *at) {
  return lim_kinematics_at(m->rigid, site, at->body, at->q, m->rv, m->ra);
}

lim_world_motion lim_snapshot_lagging(const lim_snapshot *m, const lim_site *site) {
  if (!m->lagging.body) return lim_snapshot_reference(m, site);
  if (!m->linear) return posed(m, site, &m->lagging);
  lim_world_motion minus = posed(m, site, &m->lag_side[0]), plus = posed(m, site, &m->lag_side[1]),
                   x = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  expand(x.p, minus.p, plus.p, m->epsilon, 3);
  expand_axes(x.R, minus.R, plus.R, m->epsilon);
  return x;
}

void lim_snapshot_reaction(double force[3], double moment[3], const lim_snapshot *m, int link) {
  int body = m->system->first_body[link];
  double F[3], N[3];
  if (m->dual)
    lim_dual_reaction(F, N, m->dual, body);
  else
    lim_rec_reaction(F, N, m->equations->w, body);
  const double *R = m->body[body].R;
  if (m->truncated) { // beside what the rigid motion needs, in its axes
    double F0[3], N0[3];
    lim_rec_reaction(F0, N0, m->equations->w, body);
    for (int i = 0; i < 3; i++) F[i] += F0[i], N[i] += N0[i];
    R = m->reference[m->rigid->first_body[link]].R;
  }
  lim_rotate(force, R, F);
  lim_rotate(moment, R, N);
}

double lim_snapshot_effort(const lim_snapshot *m, int link) {
  const lim_arm *s = m->system;
  int body = s->first_body[link];
  const lim_arm_body *b = &s->bodies[body];
  const lim_drive *d = lim_model_drive(s->model, link);
  if (b->m >= 0 || b->rotor < 0 || !d || !lim_gear_is_elastic(&d->gear)) return m->effort[b->q];
  double F[3], N[3];
  lim_rec_reaction(F, N, m->equations->w, body);
  return lim_screw_dot(&b->screw, F, N) - lim_couplings_effort(s, b->q, m->lambda);
}
