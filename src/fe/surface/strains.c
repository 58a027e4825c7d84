// strains.c - strains of a finite-element mesh from displacements: in an element at the points where they are
// best, carried to its nodes and averaged. A shell is the surface at a distance z from its middle, whose nodes
// move by u + theta x z n. Theory: docs/theory/finite-elements.md.
#include "fe/surface/shape_functions.h"
#include "fe/surface/surface.h"
#include "math/rotation.h"

#include <limits.h>
#include <stdlib.h>

enum { NODES = LIM_FE_NODES, POINTS = LIM_FE_POINTS, SHELL_NODES = LIM_FE_FACE_NODES };

// What is the same in all elements of a shape.
typedef struct {
  const lim_fe_shape_row *row;
  double dN[POINTS][NODES][3];                 // at the points where strains are best
  double carry[NODES + 1][POINTS];             // weights of their values at the nodes and, last, in the centre
  double node_dN[SHELL_NODES][SHELL_NODES][3]; // of shells, at the nodes
} rule;

// An element's nodes, or those of one side of a shell, and how they move.
typedef struct {
  double x[NODES][3], u[NODES][3];
  double nu; // of a shell
} shape;

static void rule_make(rule *out, lim_fe_shape kind) {
  double N[NODES], r[3];
  const lim_fe_shape_row *row = out->row = lim_fe_shape_row_of(kind);
  if (row->dimension == 1) return;
  for (int p = 0; p < row->points; p++) {
    lim_fe_shape_point(r, row, p);
    row->functions(N, out->dN[p], row, r);
  }
  for (int n = 0; n < row->nodes; n++) {
    lim_fe_shape_carry(out->carry[n], row, row->place[n]);
    if (row->dimension == 2) row->functions(N, out->node_dN[n], row, row->place[n]);
  }
  lim_fe_shape_carry(out->carry[NODES], row, row->centre);
}

// --- strain at a point -----------------------------------------------------------------------------------

// g = derivatives of x by r s t, one vector each
static void derive(double g[3][3], const double (*x)[3], const double (*dN)[3], int nodes) {
  memset(g, 0, 9 * sizeof(double));
  for (int n = 0; n < nodes; n++)
    for (int k = 0; k < 3; k++) lim_add(g[k], dN[n][k], x[n]);
}

// Vectors with h_i . g_j = delta_ij. False: g has no volume.
static bool reciprocal(double h[3][3], double g[3][3]) {
  for (int k = 0; k < 3; k++) lim_cross(h[k], g[(k + 1) % 3], g[(k + 2) % 3]);
  const double volume = lim_dot(g[0], h[0]);
  if (!(fabs(volume) > 0)) return false;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) h[k][i] /= volume;
  return true;
}

// e -= what it has across the plane with normal n; plus the strain across by which no stress acts across:
// -nu/(1 - nu) of the trace in the plane
static void flatten(double e[3][3], const double n[3], double nu) {
  double en[3], across, trace;
  for (int i = 0; i < 3; i++) en[i] = lim_dot(e[i], n);
  across = lim_dot(en, n);
  trace = e[0][0] + e[1][1] + e[2][2] - across;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      e[i][j] += (across - nu / (1 - nu) * trace) * n[i] * n[j] - en[i] * n[j] - n[i] * en[j];
}

// The normal of a shell, third of its vectors.
static void stand(double g[3][3]) {
  lim_cross(g[2], g[0], g[1]);
  const double length = sqrt(lim_dot(g[2], g[2]));
  for (int i = 0; i < 3 && length > 0; i++) g[2][i] /= length;
}

// epsilon = (grad u + grad u')/2 with grad u = sum du/dr_k h_k'
static bool point_strain(double out[6], const shape *s, const lim_fe_shape_row *row, const double (*dN)[3]) {
  double g[3][3], h[3][3], du[3][3], e[3][3] = {{0}};
  derive(g, s->x, dN, row->nodes);
  derive(du, s->u, dN, row->nodes);
  if (row->dimension == 2) stand(g);
  if (!reciprocal(h, g)) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) e[i][j] += (du[k][i] * h[k][j] + du[k][j] * h[k][i]) / 2;
  if (row->dimension == 2) flatten(e, g[2], s->nu);
  for (int i = 0; i < 3; i++) out[i] = e[i][i];
  out[3] = 2 * e[0][1];
  out[4] = 2 * e[0][2];
  out[5] = 2 * e[1][2];
  return true;
}

// --- elements --------------------------------------------------------------------------------------------

static void gather(shape *s, const lim_fe_mesh *mesh, int element, int nodes, const double *u) {
  const lim_fe_element *e = &mesh->element[element];
  const double nu = e->material < 0 ? NAN : mesh->material[e->material].nu;
  for (int n = 0; n < nodes; n++) {
    const int node = mesh->element_node[e->first + n];
    memcpy(s->x[n], mesh->X + 3 * node, sizeof s->x[n]);
    memcpy(s->u[n], u + 6 * node, sizeof s->u[n]);
  }
  s->nu = isnan(nu) ? 0.3 : nu;
}

// Normals of a shell at its nodes, by its own order of nodes.
static void shell_normals(double (*normal)[3], const shape *s, const rule *r) {
  double g[3][3];
  for (int n = 0; n < r->row->nodes; n++) {
    derive(g, s->x, r->node_dN[n], r->row->nodes);
    stand(g);
    memcpy(normal[n], g[2], sizeof g[2]);
  }
}

// The side of a shell at z: x += z n, u += theta x z n
static void move_to_side(shape *s, const lim_fe_mesh *mesh, int element, double (*normal)[3], int nodes,
                         double z, const double *u) {
  for (int n = 0; n < nodes; n++) {
    const double *theta = u + 6 * mesh->element_node[mesh->element[element].first + n] + 3;
    double zn[3] = {z * normal[n][0], z * normal[n][1], z * normal[n][2]};
    lim_add(s->x[n], 1, zn);
    lim_add_cross(s->u[n], theta, zn);
  }
}

// Strains at all points (points). False: the element has no volume there.
static bool point_strains(double (*out)[6], const shape *s, const rule *r) {
  for (int p = 0; p < r->row->points; p++)
    if (!point_strain(out[p], s, r->row, r->dN[p])) return false;
  return true;
}

static void add_carried(double out[6], double (*strain)[6], const double *weight, int points) {
  for (int p = 0; p < points; p++)
    for (int i = 0; i < 6; i++) out[i] += weight[p] * strain[p][i];
}

bool lim_fe_element_strain(double out[6], const lim_fe_mesh *mesh, int element, int side, const double *u) {
  rule r;
  shape s;
  double strain[POINTS][6], normal[SHELL_NODES][3];
  const lim_fe_element *e = &mesh->element[element];
  rule_make(&r, e->shape);
  const bool shell = r.row->dimension == 2;
  if (r.row->dimension == 1 || (shell && side != 0 && !(e->thickness > 0))) return false;
  gather(&s, mesh, element, r.row->nodes, u);
  if (shell && side != 0) {
    shell_normals(normal, &s, &r);
    move_to_side(&s, mesh, element, normal, r.row->nodes, side * e->thickness / 2, u);
  }
  if (!point_strains(strain, &s, &r)) return false;
  memset(out, 0, 6 * sizeof *out);
  add_carried(out, strain, r.carry[NODES], r.row->points);
  return true;
}

// --- averages at vertices --------------------------------------------------------------------------------

typedef struct {
  const lim_fe_surface *surface;
  const lim_fe_mesh *mesh;
  const double *u;
  rule rule[LIM_FE_SHAPES];
  int *first;    // vertex of each node; -1: none                    (nnode)
  int *material; // whose strains are averaged, the lowest there     (nvertex)
  int *count;    // how many there are                               (nvertex)
  double *sum;   // (6 nvertex)
} averages;

static bool has_offset(const lim_fe_vertex *v) { return lim_dot(v->offset, v->offset) > 0; }

// Does an element of a kind have a say at a vertex of its node?
static bool speaks(const lim_fe_vertex *v, bool thick) { return has_offset(v) == thick; }

static bool is_thick(const lim_fe_mesh *mesh, int element) {
  return lim_fe_shape_row_of(mesh->element[element].shape)->dimension == 2 &&
         mesh->element[element].thickness > 0;
}

// The vertices of a node: from the first to where the node is another.
static int end_of(const lim_fe_surface *s, int first) {
  int v = first;
  while (first >= 0 && v < s->nvertex && s->vertex[v].node == s->vertex[first].node) v++;
  return v;
}

static void choose_materials(averages *a) {
  for (int i = 0; i < a->mesh->nnode; i++) a->first[i] = -1;
  for (int v = a->surface->nvertex; v-- > 0;) {
    a->first[a->surface->vertex[v].node] = v;
    a->material[v] = INT_MAX;
  }
  for (int e = 0; e < a->mesh->nelement; e++) {
    const lim_fe_element *element = &a->mesh->element[e];
    const lim_fe_shape_row *row = lim_fe_shape_row_of(element->shape);
    for (int n = 0; n < row->nodes && row->dimension > 1; n++) {
      const int first = a->first[a->mesh->element_node[element->first + n]], end = end_of(a->surface, first);
      for (int v = first; v < end; v++)
        if (speaks(&a->surface->vertex[v], is_thick(a->mesh, e)) && element->material < a->material[v])
          a->material[v] = element->material;
    }
  }
}

// Is a vertex of a shell's node on its side? The side of a solid or a sheet is 0.
static bool on_side(const lim_fe_vertex *v, const double normal[3], int side) {
  return side == 0 || (lim_dot(v->offset, normal) > 0) == (side > 0);
}

// The strains of an element, or of a side of it, to the vertices of its nodes.
static void add_side(averages *a, int element, const shape *s, double (*normal)[3], int side) {
  const lim_fe_element *e = &a->mesh->element[element];
  const rule *r = &a->rule[e->shape];
  double strain[POINTS][6];
  if (!point_strains(strain, s, r)) return;
  for (int n = 0; n < r->row->nodes; n++) {
    const int first = a->first[a->mesh->element_node[e->first + n]], end = end_of(a->surface, first);
    for (int v = first; v < end; v++) {
      const lim_fe_vertex *vertex = &a->surface->vertex[v];
      if (a->material[v] != e->material || !speaks(vertex, side != 0) || !on_side(vertex, normal[n], side))
        continue;
      add_carried(a->sum + 6 * v, strain, r->carry[n], r->row->points);
      a->count[v]++;
    }
  }
}

static void add_element(averages *a, int element) {
  const lim_fe_element *e = &a->mesh->element[element];
  const rule *r = &a->rule[e->shape];
  const bool thick = is_thick(a->mesh, element);
  shape middle;
  double normal[NODES][3];
  gather(&middle, a->mesh, element, r->row->nodes, a->u);
  if (!thick) {
    add_side(a, element, &middle, normal, 0);
    return;
  }
  shell_normals(normal, &middle, r);
  for (int side = -1; side <= 1; side += 2) {
    shape s = middle;
    move_to_side(&s, a->mesh, element, normal, r->row->nodes, side * e->thickness / 2, a->u);
    add_side(a, element, &s, normal, side);
  }
}

// Some node of it is on the surface.
static bool is_seen(const averages *a, int element) {
  const lim_fe_element *e = &a->mesh->element[element];
  for (int n = 0; n < a->rule[e->shape].row->nodes; n++)
    if (a->first[a->mesh->element_node[e->first + n]] >= 0) return true;
  return false;
}

static void average(double *out, averages *a) {
  for (int k = 0; k < LIM_FE_SHAPES; k++) rule_make(&a->rule[k], (lim_fe_shape)k);
  choose_materials(a);
  for (int e = 0; e < a->mesh->nelement; e++)
    if (a->rule[a->mesh->element[e].shape].row->dimension > 1 && is_seen(a, e)) add_element(a, e);
  for (int v = 0; v < a->surface->nvertex; v++)
    for (int i = 0; i < 6; i++) out[6 * v + i] = a->count[v] ? a->sum[6 * v + i] / a->count[v] : NAN;
}

lim_code lim_fe_surface_strains(double *out, const lim_fe_surface *s, const lim_fe_mesh *mesh, const double *u,
                                lim_error *err) {
  averages *a = malloc(sizeof *a);
  if (!a) return lim_no_memory(err);
  const size_t n = (size_t)s->nvertex + 1;
  a->surface = s, a->mesh = mesh, a->u = u;
  a->first = malloc(((size_t)mesh->nnode + 1) * sizeof(int));
  a->material = malloc(n * sizeof(int));
  a->count = calloc(n, sizeof(int));
  a->sum = calloc(6 * n, sizeof(double));
  const bool all = a->first && a->material && a->count && a->sum;
  if (all) average(out, a);
  free(a->first);
  free(a->material);
  free(a->count);
  free(a->sum);
  free(a);
  return all ? LIM_OK : lim_no_memory(err);
}

// --- stresses --------------------------------------------------------------------------------------------

void lim_fe_stress(double out[6], const double strain[6], double E, double nu) {
  const double G = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double trace = strain[0] + strain[1] + strain[2];
  for (int i = 0; i < 3; i++) {
    out[i] = lambda * trace + 2 * G * strain[i];
    out[3 + i] = G * strain[3 + i];
  }
}

double lim_von_mises(const double s[6]) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt((a * a + b * b + c * c) / 2 + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}
