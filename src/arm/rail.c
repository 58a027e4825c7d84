// rail.c - places on rails, on doubles. Theory: docs/theory/rails.md.
#include "arm/rail.h"

#include "arm/loop.h"
#include "arm/pose.h"
#include "arm/rail_basis.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- sections ---

// Row i of A times x.
static double row_by(const lim_sparse *A, int i, const double *x) {
  double sum = 0;
  for (int k = A->start[i]; k < A->start[i + 1]; k++) sum += A->value[k] * x[A->column[k]];
  return sum;
}

// Hermite's sums of field f: f(x) = sum of w[k] P(f, k) x.
static double field(const lim_rail_span *r, int f, const double w[LIM_HERMITE], const double *x) {
  double sum = 0;
  for (int k = 0; k < LIM_HERMITE; k++) sum += w[k] * row_by(&r->P, LIM_HERMITE * f + k, x + r->first);
  return sum;
}

// sum of w[k] x'G(k) y
static double bend(const lim_rail_span *r, const double w[LIM_HERMITE], const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; r->shortens && k < LIM_HERMITE; k++)
    for (int i = 0; i < r->count; i++) sum += w[k] * x[r->first + i] * row_by(&r->G[k], i, y + r->first);
  return sum;
}

// (4): value and rates of field f
static void field_rates(double out[3], const lim_rail_span *r, const lim_hermite *h, int f,
                        const double place[3], const double *q, const double *v, const double *a) {
  const double d = place[1], slope = field(r, f, h->D, q);
  out[0] = field(r, f, h->H, q);
  out[1] = d * slope + (v ? field(r, f, h->H, v) : 0);
  out[2] = place[2] * slope + d * d * field(r, f, h->DD, q) + (v ? 2 * d * field(r, f, h->D, v) : 0) +
           (a ? field(r, f, h->H, a) : 0);
}

// (4a): what bending shortens, and its rates
static void bend_rates(double out[3], const lim_rail_span *r, const lim_hermite *h, const double place[3],
                       const double *q, const double *v, const double *a) {
  const double d = place[1], slope = bend(r, h->D, q, q) / 2;
  out[0] = bend(r, h->H, q, q) / 2;
  out[1] = d * slope + (v ? bend(r, h->H, q, v) : 0);
  out[2] = place[2] * slope + d * d * bend(r, h->DD, q, q) / 2 +
           (v ? 2 * d * bend(r, h->D, q, v) + bend(r, h->H, v, v) : 0) + (a ? bend(r, h->H, q, a) : 0);
}

void lim_rail_shift(lim_section_shift *x, const lim_rail_span *r, const double place[3], const double *q,
                    const double *v, const double *a) {
  const lim_hermite h = lim_rail_hermite(r, place[0]);
  double less[3], f[3];
  for (int i = 0; i < 6; i++) {
    const int k = i % 3;
    field_rates(f, r, &h, i, place, q, v, a);
    (i < 3 ? x->u : x->t)[k] = f[0];
    (i < 3 ? x->du : x->dt)[k] = f[1];
    (i < 3 ? x->ddu : x->ddt)[k] = f[2];
  }
  bend_rates(less, r, &h, place, q, v, a);
  x->u[0] += place[0] - r->origin - less[0];
  x->du[0] += place[1] - less[1];
  x->ddu[0] += place[2] - less[2];
}

void lim_rail_direction(double along[3], double turn[3], const lim_rail_span *r, double s, const double *q) {
  const lim_hermite h = lim_rail_hermite(r, s);
  for (int i = 0; i < 3; i++) {
    along[i] = field(r, i, h.D, q);
    if (turn) turn[i] = field(r, 3 + i, h.D, q);
  }
  along[0] += 1 - bend(r, h.D, q, q) / 2;
}

void lim_on_rail_shift(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                       const double *a) {
  const double place[3] = {q[s->ahead], v ? v[s->ahead] : 0, a ? a[s->ahead] : 0};
  lim_rail_shift(x, s->rail, place, q, v, a);
}

// Without the distance along the rail, which is none of the deformation.
void lim_on_rail_displacement(double u[3], const lim_section_motion *s, const double *q) {
  const lim_hermite h = lim_rail_hermite(s->rail, q[s->ahead]);
  for (int i = 0; i < 3; i++) u[i] = field(s->rail, i, h.H, q);
  u[0] -= bend(s->rail, h.H, q, q) / 2;
}

// --- rails and what hangs on them ---

const lim_site *lim_arm_on(const lim_arm_body *b, double position) {
  if (!b->nspan) return &b->on;
  int low = 0, high = b->nspan - 1; // the last that begins at or before the place
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (b->spans[middle].section.rail->start <= position)
      low = middle;
    else
      high = middle - 1;
  }
  return &b->spans[low];
}

static bool bends(const lim_arm *s, int link) {
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++)
    if (s->bodies[i].body->n) return true;
  return false;
}

static lim_code make_rail(lim_rail *x, lim_arm *s, int link, lim_error *err) {
  *x = (lim_rail){.link = link, .length = s->model->links.item[link].beam.length};
  size_t count = 0;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) count += (size_t)s->bodies[i].mesh->nelement;
  x->span = lim_arena_array(&s->arena, count, sizeof *x->span);
  if (!x->span) return lim_no_memory(err);
  lim_code code = LIM_OK;
  for (int i = s->first_body[link]; i <= s->last_body[link] && code == LIM_OK; i++) {
    const lim_arm_body *b = &s->bodies[i];
    code = lim_rail_spans(x->span + x->count, &s->arena, b->mesh, b->shapes, i, b->start,
                          s->model->solver.stiffening, err);
    x->count += b->mesh->nelement;
  }
  return code;
}

lim_code lim_rail_of(const lim_rail **out, lim_arm *s, int link, lim_error *err) {
  *out = NULL;
  if (!bends(s, link)) return LIM_OK;
  for (int i = 0; i < s->nrail; i++)
    if (s->rail[i]->link == link) *out = s->rail[i];
  if (*out) return LIM_OK;
  lim_rail *x = lim_arena_allocate(&s->arena, sizeof *x);
  s->rail = lim_arena_grow(&s->arena, s->rail, (size_t)s->nrail, sizeof *s->rail);
  if (!x || !s->rail) return lim_no_memory(err);
  lim_code code = make_rail(x, s, link, err);
  *out = s->rail[s->nrail++] = x;
  return code == LIM_OK ? lim_rail_doubt(s, link, err) : code;
}

// What is left to the coordinate: the beam, and a little more where a stop gives way at its ends.
static void leave_range(lim_arm_body *m, const lim_link *link, double length) {
  const double more = link->joint.limits.stop.head.node ? 0.05 * length : 0;
  m->range[0] = -more;
  m->range[1] = length + more;
}

lim_code lim_rail_hang(lim_arm *s, lim_arm_body *m, lim_error *err) {
  const lim_link *link = &s->model->links.item[m->link];
  const lim_rail *x;
  leave_range(m, link, s->model->links.item[link->parent.index].beam.length);
  lim_code code = lim_rail_of(&x, s, link->parent.index, err);
  if (code != LIM_OK || !x) return code;
  lim_site *on = lim_arena_array(&s->arena, (size_t)x->count, sizeof *on);
  if (!on) return lim_no_memory(err);
  for (int i = 0; i < x->count; i++) {
    const lim_rail_span *r = &x->span[i];
    on[i] = m->on; // offset and axes
    on[i].body = r->body;
    on[i].section = (lim_section_motion){.formulation = LIM_ON_RAIL,
                                         .first = r->first,
                                         .count = r->count,
                                         .rail = r,
                                         .ahead = m->q - s->bodies[r->body].e};
  }
  m->moves = (lim_screw){.slides = false}; // its frame goes with the section
  m->spans = on;
  m->nspan = x->count;
  m->on = on[x->count - 1]; // all segments are before it
  s->parent[m - s->bodies] = m->on.body;
  return LIM_OK;
}

// --- places that follow a frame ---

static void local_place(double out[3], const lim_world_motion *body, const double p[3]) {
  const double d[3] = {p[0] - body->p[0], p[1] - body->p[1], p[2] - body->p[2]};
  lim_rotate_back(out, body->R, d);
}

// Spans first .. last are those of one body, and a part of the rail.
typedef struct {
  int first, last;
  double low, high; // places that belong to it: beyond the ends of the rail it goes on
} part;

static part part_from(const lim_rail *x, int first) {
  part p = {.first = first, .last = first, .low = -INFINITY, .high = INFINITY};
  while (p.last + 1 < x->count && x->span[p.last + 1].body == x->span[first].body) p.last++;
  if (first > 0) p.low = x->span[first].start;
  if (p.last + 1 < x->count) p.high = x->span[p.last + 1].start;
  return p;
}

// The point of a part that is nearest to p, body axes: (p - c(s)).c'(s) = 0, or its end.   (9) Its distance,
// squared, into *apart.
static double nearest_on(const lim_rail_span **span, double *apart, const lim_rail *x, const part *of,
                         const double p[3], const double *q) {
  enum { ROUNDS = 50 };
  double s = fmin(fmax(x->span[of->first].origin + p[0], of->low), of->high);
  for (int k = 0; k < ROUNDS; k++) {
    int i = of->first;
    while (i < of->last && x->span[i + 1].start <= s) i++;
    *span = &x->span[i];
    const double place[3] = {s, 0, 0};
    lim_section_shift at;
    double along[3], d[3];
    lim_rail_shift(&at, *span, place, q, NULL, NULL);
    lim_rail_direction(along, NULL, *span, s, q);
    for (int c = 0; c < 3; c++) d[c] = p[c] - at.u[c];
    *apart = lim_dot(d, d);
    const double next = fmin(fmax(s + lim_dot(d, along) / lim_dot(along, along), of->low), of->high);
    if (fabs(next - s) <= 4e-16 * x->length) break;
    s = next;
  }
  return s;
}

double lim_rail_nearest(const lim_rail_span **span, const lim_arm *s, const lim_rail *x,
                        const lim_world_motion *body, const double *q, const double p[3]) {
  double best = INFINITY, at = 0;
  *span = x->span;
  for (int first = 0; first < x->count;) {
    const part of = part_from(x, first);
    const int b = x->span[first].body;
    const lim_rail_span *here;
    double local[3], apart;
    local_place(local, &body[b], p);
    const double place = nearest_on(&here, &apart, x, &of, local, q + s->bodies[b].e);
    if (apart < best) {
      best = apart;
      at = place;
      *span = here;
    }
    first = of.last + 1;
  }
  return at;
}

double lim_rail_place(const lim_arm *s, const lim_closure *c, const lim_world_motion *body, const double *q) {
  const lim_world_motion frame = lim_kinematics_at(s, &c->site[0], body, q, NULL, NULL);
  const lim_rail_span *span;
  double local[3];
  if (c->rail) return lim_rail_nearest(&span, s, c->rail, body, q, frame.p);
  local_place(local, &body[c->site[1].body], frame.p);
  return local[0];
}

// A joint that begins beyond the ends of its rail.
static lim_code begins_off(const lim_arm *s, const lim_arm_body *b, double at, lim_error *err) {
  const lim_link *link = &s->model->links.item[b->link];
  const lim_joint_state *state = lim_pose_state(s->model, b->link);
  const lim_node *node = state && state->head.node ? state->head.node : link->joint.head.node;
  return lim_tree_error(err, node, "joint '%s' begins at %.9g m, off its rail, which goes from 0 to %.9g m",
                        link->joint.head.name, at, s->model->links.item[link->parent.index].beam.length);
}

static lim_code loops_begin(const lim_arm *s, const lim_world_motion *body, const double *q, lim_error *err) {
  for (int i = 0; i < s->nloop; i++) {
    const lim_closure *c = &s->loop[i];
    if (c->from->type != LIM_LOOP_RAIL) continue;
    const double length = s->model->links.item[c->from->between[1].link].beam.length,
                 at = lim_rail_place(s, c, body, q);
    if (at < -1e-9 * length || at > (1 + 1e-9) * length)
      return lim_tree_error(
          err, c->from->head.node,
          "loop '%s': its frame begins at %.9g m of '%s', off that rail, which goes from 0 to %.9g m", c->name,
          at, c->from->between[1].ref.text, length);
  }
  return LIM_OK;
}

lim_code lim_rails_start(const lim_arm *s, lim_error *err) {
  const size_t n = (size_t)s->n;
  double *q = calloc(2 * n + 1, sizeof *q);
  lim_world_motion *body = calloc((size_t)s->nbody + 1, sizeof *body);
  lim_code code = q && body ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) lim_arm_start(q, q + n, s);
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (b->q < 0 || !s->model->links.item[b->link].joint.rail) continue;
    const double at = q[b->q], slack = 1e-9 * (b->range[1] - b->range[0]);
    if (at < b->range[0] - slack || at > b->range[1] + slack) code = begins_off(s, b, at, err);
  }
  if (code == LIM_OK) lim_kinematics(body, s, q, NULL, NULL);
  if (code == LIM_OK) code = loops_begin(s, body, q, err);
  free(q);
  free(body);
  return code;
}

// Axes by rows: x along a direction, y as near to y of a body with axes R as can be.
static void axes_along(double out[9], const double along[3], const double R[9]) {
  const double size = sqrt(lim_dot(along, along)), middle[3] = {R[1], R[4], R[7]};
  double x[3], y[3], z[3];
  for (int i = 0; i < 3; i++) x[i] = along[i] / size;
  lim_cross(z, x, middle);
  const double across = sqrt(lim_dot(z, z));
  for (int i = 0; i < 3; i++) z[i] /= across;
  lim_cross(y, z, x);
  for (int i = 0; i < 3; i++) {
    out[3 * i] = x[i];
    out[3 * i + 1] = y[i];
    out[3 * i + 2] = z[i];
  }
}

lim_rail_point lim_rail_beside(const lim_arm *s, const lim_rail *x, const lim_world_motion *body,
                               const lim_world_motion *frame, const double *q, const double *v,
                               const double *a) {
  const lim_rail_span *span;
  lim_rail_point out = {.s = lim_rail_nearest(&span, s, x, body, q, frame->p)};
  const lim_world_motion *m = &body[out.body = span->body];
  double local[3], along[3], place[3] = {out.s, 0, 0};
  lim_rail_direction(local, NULL, span, out.s, q + s->bodies[span->body].e);
  lim_rotate(along, m->R, local);
  out.at = lim_kinematics_on_rail(s, span, place, m, q, v, a);
  if (v) { // along with the frame
    for (int i = 0; i < 3; i++) place[1] += along[i] * (frame->v[i] - out.at.v[i]);
    out.rate = place[1] /= lim_dot(along, along);
    out.at = lim_kinematics_on_rail(s, span, place, m, q, v, a);
  }
  axes_along(out.at.R, along, m->R);
  return out;
}
