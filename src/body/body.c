// body.c - inertia data of a flexible beam, summed over its material points. Theory: docs/theory/body.md.
#include "body/body.h"

#include "body/sums.h"
#include "math/gauss.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Coordinates on which an element's twelve depend, and how: u_e = P eta_c.
typedef struct {
  int count;
  int *index; // (count)
  double *P;  // (12 x count by rows)
} element_map;

// Everything while it is summed.
typedef struct {
  lim_body *body;
  const lim_mesh *mesh;
  const lim_basis_matrix *shapes;
  lim_arena scratch;
  element_map map;
  lim_body_sums sums;
} summation;

// --- maps ---

static void map_element(summation *s, int element) {
  const lim_basis_matrix *h = s->shapes;
  element_map *m = &s->map;
  int first = 6 * element;
  m->count = 0;
  if (!h->index) { // reduced: all coordinates
    m->count = h->n;
    for (int j = 0; j < h->n; j++) {
      m->index[j] = j;
      for (int i = 0; i < 12; i++)
        m->P[i * h->n + j] = h->Phi[(size_t)j * (size_t)h->ndof + (size_t)(first + i)];
    }
    return;
  }
  int nodal[12];
  for (int j = 0; j < h->n; j++) // full: those of the two nodes
    if (h->index[j] >= first && h->index[j] < first + 12) {
      nodal[m->count] = h->index[j] - first;
      m->index[m->count++] = j;
    }
  memset(m->P, 0, 12 * (size_t)m->count * sizeof *m->P);
  for (int j = 0; j < m->count; j++) m->P[nodal[j] * m->count + j] = 1;
}

// out (6 x count) = N (6 x 12) P
static void map_rows(double *out, const double N[72], const element_map *m) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < m->count; j++) {
      double sum = 0;
      for (int k = 0; k < 12; k++) sum += N[12 * i + k] * m->P[k * m->count + j];
      out[i * m->count + j] = sum;
    }
}

// --- sums ---

// What is at s of an element: mass and inertia m per length times a length.
static void sum_place(summation *s, const lim_element *x, double at, const double m[6], double length,
                      double *A) {
  double N[72];
  lim_element_interpolation(N, x, at);
  map_rows(A, N, &s->map);
  lim_body_add_point(&s->sums, length * m[0], (double[3]){x->x + at * x->L, 0, 0}, A, s->map.index,
                     s->map.count);
  lim_body_add_rotary(&s->sums, (double[6]){length * m[3], length * m[4], length * m[5]}, A, s->map.index,
                      s->map.count);
}

static void sum_element(summation *s, int e, double *A) {
  const lim_element *x = &s->mesh->element[e];
  lim_gauss rule = lim_gauss_rule(5);
  double m[6];
  map_element(s, e);
  if (x->lumped) {
    lim_element_mean_inertia(m, x);
    for (int end = 0; end < 2; end++) sum_place(s, x, end, m, x->L / 2, A);
    return;
  }
  for (int g = 0; g < rule.n; g++) {
    lim_element_inertia(m, x, rule.s[g]);
    sum_place(s, x, rule.s[g], m, rule.w[g] * x->L, A);
  }
}

// A concentrated mass with a rigid offset r: it moves by u + theta x r.
static void sum_mass(summation *s, const lim_mass *mass, double fraction, double *A) {
  double N[72], X[3] = {fraction * s->mesh->length, 0, 0};
  const double *r = mass->xyz;
  int e = lim_mesh_interpolation(N, s->mesh, fraction) / 6;
  map_element(s, e);
  map_rows(A, N, &s->map);
  int c = s->map.count;
  for (int j = 0; j < c; j++) {
    double t[3] = {A[3 * c + j], A[4 * c + j], A[5 * c + j]}, turn[3];
    lim_cross(turn, t, r);
    for (int i = 0; i < 3; i++) A[i * c + j] += turn[i];
  }
  for (int i = 0; i < 3; i++) X[i] += r[i];
  lim_body_add_point(&s->sums, mass->mass, X, A, s->map.index, c);
  lim_body_add_rotary(&s->sums, mass->inertia, A, s->map.index, c);
}

// P'B P of an element's matrix B, entry (i, j)
static double mapped(const element_map *m, const double B[144], int i, int j) {
  double sum = 0;
  for (int k = 0; k < 12; k++)
    for (int l = 0; l < 12 && m->P[k * m->count + i] != 0; l++)
      sum += m->P[k * m->count + i] * B[12 * k + l] * m->P[l * m->count + j];
  return sum;
}

// K of the bare mesh in the body's coordinates.
static void sum_stiffness(summation *s) {
  lim_body *b = s->body;
  const element_map *m = &s->map;
  for (int e = 0; e < s->mesh->nelement; e++) {
    map_element(s, e);
    for (int i = 0; i < m->count; i++)
      for (int j = 0; j < m->count; j++)
        lim_body_add_band(b->K, b->width, m->index[i], m->index[j],
                          mapped(m, s->mesh->Ke + 144 * (size_t)e, i, j));
  }
}

// Modes are orthogonal: off the diagonal of a reduced basis (a full lower band) is what rounding left, unless
// it is more.
static void drop_rounding(double *B, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double *x = &B[i * n + j - i + n - 1];
      if (fabs(*x) < 1e-12 * sqrt(fabs(B[i * n + n - 1] * B[j * n + n - 1]))) *x = 0;
    }
}

// --- set-up ---

// Largest distance between coordinates of one element, and of so many nodes before and behind it.
static int bandwidth(const lim_basis_matrix *h, int nelement, int neighbours) {
  if (!h->index) return h->n > 0 ? h->n - 1 : 0;
  int width = 0, low = 0;
  for (int e = 0; e < nelement; e++) {
    while (low < h->n && h->index[low] < 6 * (e - neighbours)) low++;
    int high = low;
    while (high + 1 < h->n && h->index[high + 1] < 6 * (e + 2 + neighbours)) high++;
    if (high - low > width) width = high - low;
  }
  return width;
}

static bool take_summation(summation *s) {
  size_t n = (size_t)s->body->n, c = n > 12 ? n : 12;
  s->map.index = lim_arena_array(&s->scratch, c, sizeof *s->map.index);
  s->map.P = lim_arena_array(&s->scratch, 12 * c, sizeof *s->map.P);
  return s->map.index && s->map.P && lim_body_sums_start(&s->sums, &s->scratch, s->body);
}

static lim_code sum_all(summation *s, const lim_link *link, double start, double total, lim_error *err) {
  double *A = lim_arena_array(&s->scratch, 6 * (size_t)(s->body->n > 12 ? s->body->n : 12), sizeof *A);
  if (!A) return lim_no_memory(err);
  for (int e = 0; e < s->mesh->nelement; e++) sum_element(s, e, A);
  for (int i = 0; i < link->masses.count; i++) {
    double fraction = lim_mesh_fraction(s->mesh, start, link->masses.item[i].at.value * total);
    if (fraction >= 0) sum_mass(s, &link->masses.item[i], fraction, A);
  }
  sum_stiffness(s);
  if (!s->shapes->index) {
    drop_rounding(s->body->M, s->body->n);
    drop_rounding(s->body->K, s->body->n);
  }
  return lim_body_sums_end(&s->sums) ? LIM_OK : lim_no_memory(err);
}

// --- stiffening ---

// Shortening of the axis up to a place, in a reduced basis: eta'G eta/2. NULL: out of memory.
static double *shortening(lim_arena *arena, summation *s, lim_point p) {
  size_t n = (size_t)s->shapes->n;
  double B[144], *G = lim_arena_array(arena, n * n, sizeof *G);
  const element_map *m = &s->map;
  for (int e = 0; e <= p.element && G; e++) {
    lim_element_shortening(B, &s->mesh->element[e], e < p.element ? 1 : p.s);
    map_element(s, e);
    for (int i = 0; i < m->count; i++)
      for (int j = 0; j < m->count; j++) G[i * m->count + j] += mapped(m, B, i, j);
  }
  return G;
}

// The point of a concentrated mass, or of the axis (mass NULL).
static bool add_body_point(summation *s, double w, double fraction, const lim_mass *mass) {
  static const double none[3];
  lim_body *b = s->body;
  const double *r = mass ? mass->xyz : none;
  bool reduced = !s->shapes->index, offset = lim_dot(r, r) > 0;
  if (!reduced && !offset) return true; // nothing moves it but its own coordinates
  double N[72], *A = lim_arena_array(&s->scratch, 6 * (size_t)(b->n > 12 ? b->n : 12), sizeof *A);
  if (!A) return false;
  lim_point at = lim_mesh_point(s->mesh, fraction);
  lim_body_point *p = &b->point[b->npoint++];
  *p = (lim_body_point){.w = w, .X = {fraction * s->mesh->length + r[0], r[1], r[2]}};
  if (reduced && !(p->H[0] = shortening(&b->arena, s, at))) return false;
  map_element(s, lim_mesh_interpolation(N, s->mesh, fraction) / 6);
  map_rows(A, N, &s->map);
  int c = p->count = s->map.count;
  p->first = c ? s->map.index[0] : 0;
  p->N = lim_arena_array(&b->arena, 3 * (size_t)c, sizeof *p->N);
  if (!p->N) return false;
  for (int k = 0; reduced && k < c * c; k++) p->H[0][k] = -p->H[0][k];
  for (int j = 0; j < c; j++) {
    double t[3] = {A[3 * c + j], A[4 * c + j], A[5 * c + j]}, turn[3];
    lim_cross(turn, t, r);
    for (int i = 0; i < 3; i++) p->N[i * c + j] = A[i * c + j] + turn[i];
  }
  return !offset || lim_body_turn_offset(p, &b->arena, A + 3 * (size_t)c, r);
}

// Whether an element goes on with the section of the one before it.
static bool goes_on(const lim_mesh *mesh, int e) {
  return mesh->element[e].from == mesh->element[e - 1].from && mesh->element[e].to == mesh->element[e - 1].to &&
         mesh->element[e].rho == mesh->element[e - 1].rho;
}

// Lumped masses are where the nodes are.
static bool add_nodes(summation *s) {
  const lim_mesh *mesh = s->mesh;
  for (int k = 0; k < mesh->nnode; k++) {
    double w = 0, m[6];
    for (int e = k > 0 ? k - 1 : 0; e <= k && e < mesh->nelement; e++) {
      lim_element_mean_inertia(m, &mesh->element[e]);
      w += m[0] * mesh->element[e].L / 2;
    }
    if (!add_body_point(s, w, mesh->x[k] / mesh->length, NULL)) return false;
  }
  return true;
}

// Points of the axis of a reduced basis: five for as many elements as still show the highest of its waves.
static bool add_axis_points(summation *s) {
  const lim_mesh *mesh = s->mesh;
  if (mesh->element[0].lumped) return add_nodes(s);
  lim_gauss rule = lim_gauss_rule(5);
  int groups = (s->body->n + 4) / 4, size = (mesh->nelement + groups - 1) / groups;
  for (int e = 0, end; e < mesh->nelement; e = end) {
    for (end = e + 1; end < mesh->nelement && end < e + size && goes_on(mesh, end); end++)
      ;
    double from = mesh->x[e], length = mesh->x[end] - from;
    for (int g = 0; g < rule.n; g++) {
      double at = (from + rule.s[g] * length) / mesh->length;
      double w = rule.w[g] * length * mesh->element[e].rho * lim_mesh_section(mesh, at).A;
      if (!add_body_point(s, w, at, NULL)) return false;
    }
  }
  return true;
}

// Within an element of a full basis the axis lags behind the straight line between its nodes: its middle moves
// by u'B u/2 along x.
static void lag(double B[144], const lim_element *x) {
  double half[144];
  lim_element_shortening(B, x, 1);
  lim_element_shortening(half, x, 0.5);
  for (int k = 0; k < 144; k++) B[k] = B[k] / 2 - half[k];
}

// A point in its middle shows it, and with it the tension that changes along the element; 2/3 of the mass there
// weigh as much as the whole where squares of slopes change linearly.
static bool add_element_point(summation *s, int e) {
  lim_body *b = s->body;
  const lim_element *x = &s->mesh->element[e];
  double B[144], N[72], A[72];
  map_element(s, e);
  int c = s->map.count;
  lim_body_point *p = &b->point[b->npoint++];
  *p = (lim_body_point){.w = x->lumped ? 0 : 2.0 / 3 * x->L * x->rho * lim_element_section(x, 0.5).A,
                        .X = {x->x + x->L / 2},
                        .first = c ? s->map.index[0] : 0,
                        .count = c};
  p->N = lim_arena_array(&b->arena, 3 * (size_t)c, sizeof *p->N);
  p->H[0] = lim_arena_array(&b->arena, (size_t)c * (size_t)c, sizeof(double));
  if (!p->N || !p->H[0]) return false;
  lim_element_interpolation(N, x, 0.5);
  map_rows(A, N, &s->map);
  memcpy(p->N, A, 3 * (size_t)c * sizeof *p->N);
  lag(B, x);
  for (int k = 0; k < c * c; k++) p->H[0][k] = mapped(&s->map, B, k / c, k % c);
  return true;
}

// Bending of an element across y or z; at: where each of its twelve is in the map, -1: held. False: it has
// none.
static bool fill_bend(lim_body_bend *x, const summation *s, const int at[12], int direction,
                      const double G[144], const double H[144], const double *N) {
  static const int PART[3][4] = {{0}, {1, 5, 7, 11}, {2, 4, 8, 10}};
  const int *part = PART[direction], d[3] = {part[2], part[1], part[3]};
  int last = -1;
  for (int k = 3; k >= 0; k--)
    if (at[part[k]] >= 0) last = at[part[k]];
  if (last < 0) return false;
  for (int i = 0; i < 4; i++) {
    if (at[part[i]] >= 0) last = at[part[i]];
    x->index[i] = s->map.index[last];
    x->N[i] = at[part[i]] < 0 ? 0 : N[last];
  }
  x->span[0] = at[part[0]] < 0 ? 0 : -1;
  x->span[1] = at[part[2]] < 0 ? 0 : 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      bool held = (i && at[d[i]] < 0) || (j && at[d[j]] < 0);
      x->G[3 * i + j] = held ? 0 : G[12 * d[i] + d[j]];
      x->H[3 * i + j] = held ? 0 : H[12 * d[i] + d[j]];
    }
  return true;
}

// After map_element and the point of its middle.
static void fill_string(lim_body_axial_stretch *x, const summation *s, int e, const lim_body_point *middle) {
  const element_map *m = &s->map;
  int at[12];
  double G[144], H[144];
  lim_element_shortening(G, &s->mesh->element[e], 1);
  lag(H, &s->mesh->element[e]);
  for (int k = 0; k < 12; k++) at[k] = -1;
  for (int j = 0; j < m->count; j++) at[s->shapes->index[m->index[j]] - 6 * e] = j;
  *x = (lim_body_axial_stretch){.stiffness = s->mesh->Ke[144 * (size_t)e], .w = middle->w, .X = middle->X[0]};
  for (int k = 0; k < 2; k++) {
    int end = at[6 * k];
    x->end[k] = end < 0 ? -1 : m->index[end];
    x->along[k] = end < 0 ? 0 : middle->N[end];
  }
  for (int d = 1; d < 3; d++)
    if (fill_bend(&x->plane[x->planes], s, at, d, G, H, middle->N + d * middle->count))
      x->direction[x->planes++] = d;
}

// Concentrated masses beside the axis, or on it.
static bool add_masses(summation *s, const lim_link *link, double start, bool perturbed) {
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *mass = &link->masses.item[i];
    double fraction = lim_mesh_fraction(s->mesh, start, mass->at.value * link->beam.length);
    bool here = fraction >= 0 && (lim_dot(mass->xyz, mass->xyz) > 0) == perturbed;
    if (here && !add_body_point(s, mass->mass, fraction, mass)) return false;
  }
  return true;
}

static void mark_moves(lim_body_point *p) {
  for (int k = 0; k < 3 * p->count; k++)
    if (p->N[k] != 0) p->moves[k / p->count] = true;
}

static lim_code stiffen(summation *s, const lim_link *link, double start, lim_error *err) {
  lim_body *b = s->body;
  size_t elements = (size_t)s->mesh->nelement, masses = (size_t)link->masses.count;
  bool reduced = !s->shapes->index;
  b->point = lim_arena_array(&b->arena, masses + 5 * elements, sizeof *b->point);
  b->axial_stretch = lim_arena_array(&b->arena, reduced ? 0 : elements, sizeof *b->axial_stretch);
  if (!b->point || !b->axial_stretch || (reduced && !add_axis_points(s))) return lim_no_memory(err);
  for (int e = 0; !reduced && e < s->mesh->nelement; e++) {
    if (!add_element_point(s, e)) return lim_no_memory(err);
    fill_string(&b->axial_stretch[b->nstretch++], s, e, &b->point[b->npoint - 1]);
  }
  if (!add_masses(s, link, start, false)) return lim_no_memory(err);
  if (reduced && !lim_body_gather(&b->foreshortening, &b->arena, b->point, b->npoint, b->n))
    return lim_no_memory(err);
  b->gathered = b->foreshortening.count || !reduced ? b->npoint : 0;
  if (!add_masses(s, link, start, true)) return lim_no_memory(err);
  for (int i = 0; i < b->npoint; i++) mark_moves(&b->point[i]);
  return LIM_OK;
}

// Whether the coordinates are x, y and the slope of every node but the first.
static bool is_planar(const lim_basis_matrix *h) {
  static const int KIND[3] = {0, 1, 5};
  for (int k = 0; h->index && k < h->n; k++)
    if (h->index[k] != 6 * (k / 3 + 1) + KIND[k % 3]) return false;
  return h->index && h->n % 3 == 0;
}

lim_code lim_body_flexible(lim_body **out, const lim_link *link, const lim_mesh *mesh,
                           const lim_basis_matrix *shapes, double start, bool stiffening, lim_error *err) {
  *out = NULL;
  lim_body *b = calloc(1, sizeof *b);
  if (!b) return lim_no_memory(err);
  b->n = shapes->n;
  b->width = bandwidth(shapes, mesh->nelement, link->is_rail ? LIM_RAIL_NEIGHBOURS : 0);
  summation s = {.body = b, .mesh = mesh, .shapes = shapes};
  lim_code code = take_summation(&s) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) code = sum_all(&s, link, start, link->beam.length, err);
  if (code == LIM_OK && stiffening && b->n > 0) code = stiffen(&s, link, start, err);
  if (code == LIM_OK && !lim_planar_modes_of(&b->modes, &b->arena, b)) code = lim_no_memory(err);
  if (code == LIM_OK && is_planar(shapes) && !lim_planar_beam_of(&b->beam, &b->arena, b))
    code = lim_no_memory(err);
  lim_arena_free(&s.scratch);
  if (code == LIM_OK)
    *out = b;
  else
    lim_body_free(b);
  return code;
}

static void add_rigid(lim_body *b, double mass, const double X[3], const double J[6]) {
  b->mass += mass;
  for (int i = 0; i < 3; i++) {
    b->moment[i] += mass * X[i];
    b->inertia[i] += J[i] + mass * (lim_dot(X, X) - X[i] * X[i]);
  }
  b->inertia[3] += J[3] - mass * X[0] * X[1];
  b->inertia[4] += J[4] - mass * X[0] * X[2];
  b->inertia[5] += J[5] - mass * X[1] * X[2];
}

lim_code lim_body_rigid(lim_body **out, const lim_link *a, lim_error *err) {
  lim_body *b = *out = calloc(1, sizeof *b);
  if (!b) return lim_no_memory(err);
  if (a->body.head.node) add_rigid(b, a->body.mass, a->body.com, a->body.inertia);
  for (int i = 0; i < a->masses.count; i++) {
    const lim_mass *x = &a->masses.item[i];
    double X[3];
    for (int k = 0; k < 3; k++) X[k] = x->xyz[k] + (a->body.head.node ? x->at.value * a->body.tip[k] : 0);
    if (!a->body.head.node && a->joint.dh.head.node) X[0] += x->at.value * a->joint.dh.a;
    add_rigid(b, x->mass, X, x->inertia);
  }
  return LIM_OK;
}

void lim_body_free(lim_body *body) {
  if (!body) return;
  lim_arena_free(&body->arena);
  free(body);
}

lim_code lim_body_section(lim_section_motion *out, lim_arena *arena, const lim_mesh *mesh,
                          const lim_basis_matrix *shapes, double fraction, bool stiffening, lim_error *err) {
  double N[72];
  summation s = {.mesh = mesh, .shapes = shapes};
  size_t c = shapes->n > 12 ? (size_t)shapes->n : 12;
  s.map.index = lim_arena_array(&s.scratch, c, sizeof *s.map.index);
  s.map.P = lim_arena_array(&s.scratch, 12 * c, sizeof *s.map.P);
  *out = (lim_section_motion){.X = {fraction * mesh->length, 0, 0}};
  out->N = lim_arena_array(arena, 6 * c, sizeof *out->N);
  bool good = s.map.index && s.map.P && out->N;
  if (good && stiffening && !shapes->index && shapes->n > 0)
    good = (out->G[0] = shortening(arena, &s, lim_mesh_point(mesh, fraction))) != NULL;
  if (good) {
    map_element(&s, lim_mesh_interpolation(N, mesh, fraction) / 6);
    map_rows(out->N, N, &s.map);
    out->first = s.map.count ? s.map.index[0] : 0;
    out->count = s.map.count;
  }
  lim_arena_free(&s.scratch);
  return good ? LIM_OK : lim_no_memory(err);
}
