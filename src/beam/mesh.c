// mesh.c - divides a beam into elements and assembles them. Theory: docs/theory/beam.md (13)-(25).
#include "beam/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = LIM_ELEMENT_DOF - 1 };

static const double SAME = 1e-12; // locations nearer than this share of a length are one

lim_stretch lim_mesh_segment(const lim_beam *beam, int k) {
  int n = beam->segments;
  long first = (long)beam->elements * k / n, next = (long)beam->elements * (k + 1) / n;
  return (lim_stretch){beam->length * k / n, beam->length * (k + 1) / n,
                       first < next ? (int)(next - first) : 1};
}

// The part of a piece inside the stretch, and how many elements it gets.
typedef struct {
  const lim_piece *piece;
  double start;    // of the whole piece [m]
  double from, to; // [m]
  int elements;
} part;

// Cut the pieces to the stretch; what is shorter than rounding is dropped. Returns the number of parts.
static int cut(part *parts, const lim_beam *beam, lim_stretch stretch) {
  int n = 0;
  double start = 0;
  for (int i = 0; i < beam->pieces.count; i++) {
    const lim_piece *p = &beam->pieces.item[i];
    bool last = i == beam->pieces.count - 1; // ends at the beam's length, whatever the sum rounds to
    double end = last ? beam->length : start + p->length;
    part a = {p, start, fmax(start, stretch.from), fmin(end, stretch.to), 1};
    if (a.to - a.from > 1e-12 * beam->length) parts[n++] = a;
    start = end;
  }
  return n;
}

// Hand out elements one by one to the part whose elements are longest. Returns how many there are then.
static int share(part *parts, int n, int elements) {
  int total = n;
  for (; total < elements; total++) {
    part *longest = parts;
    for (part *p = parts; p < parts + n; p++)
      if ((p->to - p->from) * longest->elements > (longest->to - longest->from) * p->elements) longest = p;
    longest->elements++;
  }
  return total;
}

static lim_element element_of(const lim_model *m, const lim_beam *beam, const part *p, int k) {
  const lim_material *a = &m->materials.item[beam->material.index];
  double L = (p->to - p->from) / p->elements, x = p->from + k * L;
  lim_element e = {
      .type = beam->element,
      .L = L,
      .E = a->E,
      .G = a->G,
      .nu = a->nu,
      .rho = a->rho,
      .lumped = beam->lumped,
      .without_rotary = beam->no_rotary,
      .from = &m->sections.item[p->piece->from.index],
      .to = &m->sections.item[p->piece->to.index],
      .f0 = (x - p->start) / p->piece->length,
      .f1 = (x + L - p->start) / p->piece->length,
  };
  lim_element_prepare(&e);
  return e;
}

static bool allocate(lim_mesh *mesh) {
  size_t n = (size_t)mesh->nelement;
  mesh->x = lim_arena_array(&mesh->arena, n + 1, sizeof *mesh->x);
  mesh->element = lim_arena_array(&mesh->arena, n, sizeof *mesh->element);
  mesh->Ke = lim_arena_array(&mesh->arena, 144 * n, sizeof *mesh->Ke);
  mesh->Me = lim_arena_array(&mesh->arena, 144 * n, sizeof *mesh->Me);
  mesh->K = lim_band_new(&mesh->arena, mesh->ndof, WIDTH);
  mesh->M = lim_band_new(&mesh->arena, mesh->ndof, WIDTH);
  return mesh->x && mesh->element && mesh->Ke && mesh->Me && mesh->K.a && mesh->M.a;
}

static void place_elements(lim_mesh *mesh, const lim_model *m, const lim_beam *beam, const part *parts, int n) {
  int i = 0;
  for (const part *p = parts; p < parts + n; p++)
    for (int k = 0; k < p->elements; k++, i++) {
      mesh->element[i] = element_of(m, beam, p, k);
      mesh->element[i].x = mesh->x[i];
      mesh->x[i + 1] = mesh->x[i] + mesh->element[i].L;
    }
}

static void assemble(lim_mesh *mesh) {
  for (int i = 0; i < mesh->nelement; i++) {
    double *Ke = mesh->Ke + 144 * i, *Me = mesh->Me + 144 * i;
    lim_element_stiffness(Ke, &mesh->element[i]);
    lim_element_mass(Me, &mesh->element[i]);
    lim_band_add_block(mesh->K, 6 * i, Ke, 12);
    lim_band_add_block(mesh->M, 6 * i, Me, 12);
  }
}

static lim_code fill(lim_mesh *mesh, const lim_model *m, const lim_link *link, lim_stretch stretch,
                     lim_error *err) {
  const lim_beam *beam = &link->beam;
  part *parts = lim_arena_array(&mesh->arena, (size_t)beam->pieces.count, sizeof *parts);
  if (!parts) return lim_no_memory(err);
  int n = cut(parts, beam, stretch);
  if (n == 0 || stretch.elements < 1)
    return LIM_FAIL(err, LIM_BAD_INPUT, "link '%s': no elements from %g m to %g m", link->head.name,
                    stretch.from, stretch.to);
  mesh->length = stretch.to - stretch.from;
  mesh->nelement = share(parts, n, stretch.elements);
  mesh->nnode = mesh->nelement + 1;
  mesh->ndof = 6 * mesh->nnode;
  if (!allocate(mesh)) return lim_no_memory(err);
  place_elements(mesh, m, beam, parts, n);
  assemble(mesh);
  return LIM_OK;
}

lim_code lim_mesh_new(lim_mesh **out, const lim_model *model, int link, lim_stretch stretch, lim_error *err) {
  *out = NULL;
  lim_mesh *mesh = calloc(1, sizeof *mesh);
  if (!mesh) return lim_no_memory(err);
  lim_code code = fill(mesh, model, &model->links.item[link], stretch, err);
  if (code == LIM_OK)
    *out = mesh;
  else
    lim_mesh_free(mesh);
  return code;
}

void lim_mesh_free(lim_mesh *mesh) {
  if (!mesh) return;
  lim_arena_free(&mesh->arena);
  free(mesh);
}

lim_point lim_mesh_point(const lim_mesh *mesh, double fraction) {
  double x = fraction * mesh->length, rounding = SAME * mesh->length; // a location meant to be a node is one
  int low = 0, high = mesh->nelement - 1;
  while (low < high) { // first element whose end is not before x
    int middle = (low + high) / 2;
    if (mesh->x[middle + 1] + rounding < x)
      low = middle + 1;
    else
      high = middle;
  }
  if (x + rounding >= mesh->x[low + 1]) return (lim_point){low, 1};
  return (lim_point){low, fmax((x - mesh->x[low]) / mesh->element[low].L, 0)};
}

double lim_mesh_fraction(const lim_mesh *mesh, double start, double at) {
  bool after_start = start == 0 || at > start * (1 + SAME),
       before_end = at <= (start + mesh->length) * (1 + SAME);
  return after_start && before_end ? fmin(fmax((at - start) / mesh->length, 0), 1) : -1;
}

lim_section_data lim_mesh_section(const lim_mesh *mesh, double fraction) {
  lim_point p = lim_mesh_point(mesh, fraction);
  return lim_element_section(&mesh->element[p.element], p.s);
}

double lim_mesh_mass(const lim_mesh *mesh) {
  double sum = 0;
  for (int i = 0; i < mesh->nelement; i++) { // a unit of axial acceleration
    const double *Me = mesh->Me + 144 * i;
    sum += Me[0] + Me[6] + Me[12 * 6] + Me[12 * 6 + 6];
  }
  return sum;
}

int lim_mesh_interpolation(double N[72], const lim_mesh *mesh, double fraction) {
  lim_point p = lim_mesh_point(mesh, fraction);
  lim_element_interpolation(N, &mesh->element[p.element], p.s);
  return 6 * p.element;
}

void lim_mesh_displacement(double d[6], const lim_mesh *mesh, const double *u, double fraction) {
  double N[72];
  const double *ue = u + lim_mesh_interpolation(N, mesh, fraction);
  for (int r = 0; r < 6; r++) {
    d[r] = 0;
    for (int i = 0; i < 12; i++) d[r] += N[12 * r + i] * ue[i];
  }
}

void lim_mesh_rigid_field(double *field, const lim_mesh *mesh, const double v[3], const double w[3]) {
  for (int k = 0; k < mesh->nnode; k++) { // v + w x (x, 0, 0), w   (23)
    double *f = field + 6 * k, x = mesh->x[k];
    f[0] = v[0];
    f[1] = v[1] + w[2] * x;
    f[2] = v[2] - w[1] * x;
    memcpy(f + 3, w, 3 * sizeof *w);
  }
}

// Mass matrix of a rigid body at a point from which its centre is offset by r, on (velocity, rate).   (25)
static void rigid_mass(double R[6][6], double m, const double r[3], const double i[6]) {
  const double c[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}}; // r x
  const double I[3][3] = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      R[a][b] = a == b ? m : 0;
      R[3 + a][b] = m * c[a][b];
      R[a][3 + b] = -m * c[a][b];
      R[3 + a][3 + b] = I[a][b];
      for (int k = 0; k < 3; k++) R[3 + a][3 + b] += m * c[a][k] * c[b][k];
    }
}

void lim_mesh_add_mass(lim_band M, const lim_mesh *mesh, double fraction, double mass, const double offset[3],
                       const double inertia[6]) {
  double N[72], R[6][6], RN[72] = {0}, block[144] = {0};
  int first = lim_mesh_interpolation(N, mesh, fraction);
  rigid_mass(R, mass, offset, inertia);
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      for (int j = 0; j < 12; j++) RN[12 * a + j] += R[a][b] * N[12 * b + j];
  for (int i = 0; i < 12; i++)
    for (int a = 0; a < 6; a++)
      for (int j = 0; j < 12; j++) block[12 * i + j] += N[12 * a + i] * RN[12 * a + j];
  lim_band_add_block(M, first, block, 12);
}

void lim_mesh_add_geometric(lim_band K, const lim_mesh *mesh, const double *N) {
  for (int i = 0; i < mesh->nelement; i++) {
    double block[144];
    lim_element_geometric(block, &mesh->element[i], N + 3 * i);
    lim_band_add_block(K, 6 * i, block, 12);
  }
}
