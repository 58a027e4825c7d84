// finite_elements.c - links from finite elements: a few coordinates in a floating frame at their base. Theory:
// docs/theory/finite-elements.md.
#include "arm/body/kind.h"

#include "math/rotation.h"

#include <math.h>

static bool is(const lim_link *link) { return link->fe.head.node; }

static const lim_fe_link *fe_of(const lim_arm *s, int body) {
  return s->model->links.item[s->bodies[body].link].fe.link;
}

static lim_code check(const lim_model *m, const lim_link *link, lim_error *err) {
  (void)m;
  if (link->fe.link) return LIM_OK;
  return lim_tree_error(err, link->fe.head.node, "link '%s': its finite elements are not loaded",
                        link->head.name);
}

static lim_code count(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  (void)keep, (void)err;
  *n += m->links.item[link].fe.link->n;
  return LIM_OK;
}

// Nodes of the line are base and tip.
static lim_code build(lim_arm *s, lim_arm_body *m, int segment, const bool keep[6], bool rigid,
                      lim_error *err) {
  (void)segment, (void)keep;
  const lim_link *link = &s->model->links.item[m->link];
  lim_code code = lim_fe_body(&m->body, link, rigid, s->model->solver.stiffening, err);
  if (code == LIM_OK) code = lim_arm_body_bare(m, 2, err);
  if (code != LIM_OK) return code;
  const double *tip = lim_fe_link_at(link->fe.link, 1)->X, far = sqrt(lim_dot(tip, tip));
  m->line->x[1] = m->line->length = far > 0 ? far : link->fe.link->facts.size;
  return LIM_OK;
}

static lim_code loaded(lim_body **out, const lim_arm_body *m, const lim_link *link, bool stiffening,
                       lim_error *err) {
  return lim_fe_body(out, link, m->body->n == 0, stiffening, err);
}

static lim_code section(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, double place,
                        lim_error *err) {
  (void)arena, (void)err;
  const lim_fe_place *p = lim_fe_link_at(fe_of(s, body), place);
  const int n = s->bodies[body].body->n;
  *out = (lim_section_motion){.X = {p->X[0], p->X[1], p->X[2]}};
  if (n == 0 || p == &fe_of(s, body)->place[0]) return LIM_OK; // rigid, or held
  out->count = n;
  out->N = p->N;
  for (int i = 0; i < 3 && s->model->solver.stiffening; i++) out->G[i] = p->G[i];
  out->across = out->G[1] || out->G[2];
  return LIM_OK;
}

static lim_code node(lim_section_motion *out, lim_arena *arena, const lim_arm *s, int body, int k,
                     lim_error *err) {
  return section(out, arena, s, body, k, err);
}

// Shapes have a mass of 1: that large is their displacement in the mean of squares.
static double unit(const lim_arm_body *m) {
  return m->body->n && m->body->mass > 0 ? 1 / sqrt(m->body->mass) : 0;
}

static void node_rates(double *out, const lim_arm *s, int body, const lim_world_motion *motion, const double *q,
                       const double *rate, const double R[9], double *scratch) {
  (void)scratch;
  const lim_arm_body *m = &s->bodies[body];
  for (int k = 0; k < 2; k++) {
    const lim_fe_place *p = lim_fe_link_at(fe_of(s, body), k);
    double X[3], d[6] = {0};
    for (int i = 0; i < 3; i++) X[i] = p->X[i];
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < m->body->n; j++) {
        if (i < 3) X[i] += p->N[i * m->body->n + j] * q[m->e + j];
        d[i] += p->N[i * m->body->n + j] * rate[m->e + j];
      }
    lim_body_place_rate(out + 6 * k, &motion[body], X, d, R);
  }
}

static lim_code gauge(double *row, double *E, const lim_arm *s, int body, const lim_gauge *g, lim_error *err) {
  return lim_fe_gauge(row, E, s->model, &s->model->links.item[s->bodies[body].link], g, err);
}

static double stress(const lim_arm *s, int body, const double *q) {
  const lim_arm_body *m = &s->bodies[body];
  return m->body->n ? lim_fe_link_stress(fe_of(s, body), q + m->e, NULL) : NAN;
}

static double turn(const lim_arm *s, int body, const double *q) {
  const lim_fe_link *x = fe_of(s, body);
  const lim_arm_body *m = &s->bodies[body];
  double largest = 0;
  for (int k = 0; k < x->nplace && m->body->n; k++) {
    double t[3] = {0};
    for (int i = 0; i < 3 && x->place[k].frame; i++)
      for (int j = 0; j < x->n; j++) t[i] += x->place[k].N[(3 + i) * x->n + j] * q[m->e + j];
    largest = fmax(largest, sqrt(lim_dot(t, t)));
  }
  return largest;
}

// Whether all frames know what forces there do.
static bool knows_forces(const lim_fe_link *x) {
  for (int i = 1; i < x->nplace; i++) {
    double *const *G = x->place[i].G;
    if (x->place[i].frame && !G[0] && !G[1] && !G[2]) return false;
  }
  return true;
}

static double unstiffened(const lim_arm *s, int body, double speed, const double F[3]) {
  const lim_fe_link *x = fe_of(s, body);
  const lim_fe_place *tip = lim_fe_link_at(x, 1);
  bool spins = false, loaded = false;
  for (int k = 0; k < 6 && s->model->solver.stiffening; k++) spins = spins || x->spin[k];
  if (s->model->solver.stiffening) loaded = knows_forces(x);
  const double far = sqrt(lim_dot(tip->X, tip->X));
  const double along = far > 0 ? lim_dot(F, tip->X) / far : sqrt(lim_dot(F, F));
  const double a = speed / lim_fe_stiffening_speed(x), b = along / lim_fe_stiffening_load(x);
  return 0.01 * ((spins ? 0 : a * a) + (loaded ? 0 : fabs(b)));
}

// All of its energy: bending and torsion are words for beams.
static double part(const lim_arm_body *m, int part, const double *x, const double *q, double *scratch) {
  const lim_body *b = m->body;
  double sum = 0;
  (void)q, (void)scratch;
  for (int i = 0; i < b->n && part == LIM_WHOLE; i++)
    for (int j = 0; j <= i; j++)
      sum += (i == j ? 1 : 2) * x[i] * x[j] * b->K[i * (b->width + 1) + j - i + b->width];
  return sum;
}

static const lim_fe_skin *skin(const lim_arm *s, int body) { return &fe_of(s, body)->skin; }

const lim_body_kind lim_body_is_finite_elements = {
    .name = "finite elements",
    .formulation = LIM_FLOATING_FRAME,
    .energies = lim_floating_energies,
    .momentum = lim_floating_momentum,
    .stiffness = lim_floating_stiffness,
    .length = lim_floating_length,
    .is = is,
    .check = check,
    .count = count,
    .build = build,
    .loaded = loaded,
    .section = section,
    .node = node,
    .part = part,
    .unit = unit,
    .node_rates = node_rates,
    .gauge = gauge,
    .stress = stress,
    .turn = turn,
    .unstiffened = unstiffened,
    .skin = skin,
};
