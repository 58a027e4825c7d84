// fe_surface.c - tests of the surface of finite-element meshes: closed, outward, each edge once, in little
// time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fe_fixture.h"
#include "math/rotation.h"
#include "memory_fixture.h"

#include <math.h>
#include <time.h>

static void surface_of(lim_fe_surface *s, lim_arena *arena, const fe_block *b) {
  *arena = (lim_arena){0};
  assert_int_equal(lim_fe_surface_of(s, arena, &b->mesh, NULL), LIM_OK);
}

static void place(double x[3], const lim_fe_surface *s, const fe_block *b, int vertex) {
  for (int i = 0; i < 3; i++) x[i] = b->mesh.X[3 * s->vertex[vertex].node + i] + s->vertex[vertex].offset[i];
}

// By the divergence theorem.
static double volume_of(const lim_fe_surface *s, const fe_block *b) {
  double sum = 0;
  for (int t = 0; t < s->ntriangle; t++) {
    double x[3][3], n[3];
    for (int k = 0; k < 3; k++) place(x[k], s, b, s->triangle[3 * t + k]);
    lim_cross(n, x[0], x[1]);
    sum += lim_dot(n, x[2]) / 6;
  }
  return sum;
}

// Every edge of a triangle is one of another triangle, the other way around.
static bool is_closed(const lim_fe_surface *s) {
  const int n = s->nvertex;
  int *ways = calloc((size_t)n * (size_t)n, sizeof *ways);
  bool closed = true;
  for (int t = 0; t < s->ntriangle; t++)
    for (int k = 0; k < 3; k++) ways[n * s->triangle[3 * t + k] + s->triangle[3 * t + (k + 1) % 3]]++;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) closed = closed && ways[n * i + j] == ways[n * j + i] && ways[n * i + j] <= 1;
  free(ways);
  return closed;
}

static bool edges_are_different(const lim_fe_surface *s) {
  for (int i = 0; i < s->nedge; i++)
    for (int j = 0; j < i; j++)
      if (!memcmp(s->edge + 2 * i, s->edge + 2 * j, 2 * sizeof(int))) return false;
  return true;
}

// Edges of a cube of 2 x 2 x 2 cells, quadratic ones twice: 48 of cells, 24 diagonals of faces (tetrahedra), 8
// (wedges).
static const struct {
  lim_fe_shape shape;
  int vertices, triangles, edges;
} CUBE[] = {
    {LIM_FE_TET4, 26, 48, 72},           {LIM_FE_TET10, 26 + 72, 192, 144}, {LIM_FE_WEDGE6, 26, 48, 56},
    {LIM_FE_WEDGE15, 26 + 56, 160, 112}, {LIM_FE_HEX8, 26, 48, 48},         {LIM_FE_HEX20, 26 + 48, 144, 96},
};

static void cube_of_every_shape_has_a_closed_surface_with_its_volume(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof CUBE / sizeof *CUBE; k++) {
    fe_block b;
    lim_fe_surface s;
    lim_arena arena;
    block_new(&b, CUBE[k].shape, 2);
    surface_of(&s, &arena, &b);
    assert_int_equal(s.nvertex, CUBE[k].vertices);
    assert_int_equal(s.ntriangle, CUBE[k].triangles);
    assert_int_equal(s.nedge, CUBE[k].edges);
    assert_true(is_closed(&s));
    assert_true(edges_are_different(&s));
    assert_true(fabs(volume_of(&s, &b) - 1) < 1e-14);
    lim_arena_free(&arena);
    block_free(&b);
  }
}

static void normals_point_outward_and_vertices_follow_nodes(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_HEX20, 2);
  surface_of(&s, &arena, &b);
  for (int v = 0; v < s.nvertex; v++) {
    double out[3], *n = s.vertex[v].normal;
    place(out, &s, &b, v);
    for (int i = 0; i < 3; i++) out[i] -= 0.5;
    assert_true(lim_dot(n, out) > 0 && fabs(lim_dot(n, n) - 1) < 1e-14);
    assert_true(lim_dot(s.vertex[v].offset, s.vertex[v].offset) == 0);
    assert_int_equal(s.vertex[v].material, 0);
    if (v > 0) assert_true(s.vertex[v - 1].node < s.vertex[v].node);
  }
  lim_arena_free(&arena);
  block_free(&b);
}

static void shape_functions_are_1_at_their_node_and_sum_to_1_with_exact_derivatives(void **state) {
  (void)state;
  const double r[3] = {0.21, 0.17, 0.33}, h = 1e-6;
  for (int shape = 0; shape < LIM_FE_BEAM2; shape++) {
    const lim_fe_shape_row *row = lim_fe_shape_row_of((lim_fe_shape)shape);
    double N[LIM_FE_NODES], dN[LIM_FE_NODES][3], P[2][LIM_FE_NODES], unused[LIM_FE_NODES][3], sum = 0;
    assert_int_equal(row->nodes, lim_fe_shape_nodes((lim_fe_shape)shape));
    for (int n = 0; n < row->nodes; n++) {
      row->functions(N, dN, row, row->place[n]);
      for (int m = 0; m < row->nodes; m++) assert_true(fabs(N[m] - (m == n)) < 1e-15);
    }
    row->functions(N, dN, row, r);
    for (int n = 0; n < row->nodes; n++) sum += N[n];
    assert_true(fabs(sum - 1) < 1e-14);
    for (int i = 0; i < row->dimension; i++) {
      for (int k = 0; k < 2; k++) {
        double x[3] = {r[0], r[1], r[2]};
        x[i] += k ? h : -h;
        row->functions(P[k], unused, row, x);
      }
      for (int n = 0; n < row->nodes; n++) assert_true(fabs((P[1][n] - P[0][n]) / (2 * h) - dN[n][i]) < 1e-9);
    }
  }
}

// They are points of Gauss: the mean of r^2 over them is the one over the element.
static void points_where_strains_are_best_integrate_squares(void **state) {
  (void)state;
  const struct {
    lim_fe_shape shape;
    double first, last; // means of the squares of the first and the last coordinate
  } row[] = {{LIM_FE_TET10, 1. / 10, 1. / 10}, {LIM_FE_WEDGE6, 1. / 6, 1. / 3},
             {LIM_FE_WEDGE15, 1. / 6, 1. / 3}, {LIM_FE_HEX8, 1. / 3, 1. / 3},
             {LIM_FE_HEX20, 1. / 3, 1. / 3},   {LIM_FE_TRI6, 1. / 6, 1. / 6},
             {LIM_FE_QUAD4, 1. / 3, 1. / 3},   {LIM_FE_QUAD8, 1. / 3, 1. / 3}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const lim_fe_shape_row *shape = lim_fe_shape_row_of(row[k].shape);
    double r[3], first = 0, last = 0;
    for (int p = 0; p < shape->points; p++) {
      lim_fe_shape_point(r, shape, p);
      first += r[0] * r[0] / shape->points;
      last += r[shape->dimension - 1] * r[shape->dimension - 1] / shape->points;
    }
    assert_true(fabs(first - row[k].first) < 1e-15 && fabs(last - row[k].last) < 1e-15);
  }
}

static void mirror(double out[3], const double x[3]) { out[0] = -x[0], out[1] = x[1], out[2] = x[2]; }

static void mirrored_elements_face_outward(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_WEDGE15, 1);
  block_map(&b, mirror);
  surface_of(&s, &arena, &b);
  assert_true(is_closed(&s) && fabs(volume_of(&s, &b) - 1) < 1e-14);
  lim_arena_free(&arena);
  block_free(&b);
}

static void hexahedron_folded_into_a_wedge_has_the_surface_of_a_wedge(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_HEX8, 1);
  b.mesh.element_node[3] = b.mesh.element_node[2]; // two vertical edges in one
  b.mesh.element_node[7] = b.mesh.element_node[6];
  surface_of(&s, &arena, &b);
  assert_int_equal(s.nvertex, 6);
  assert_int_equal(s.ntriangle, 8);
  assert_int_equal(s.nedge, 9);
  assert_true(is_closed(&s) && fabs(volume_of(&s, &b) - 0.5) < 1e-14);
  lim_arena_free(&arena);
  block_free(&b);
}

// --- shells and beams ------------------------------------------------------------------------------------

static const struct {
  lim_fe_shape shape;
  int vertices, triangles, edges; // of one side of 2 x 2 cells
} PLATE[] = {
    {LIM_FE_TRI3, 9, 8, 16}, {LIM_FE_TRI6, 25, 32, 32}, {LIM_FE_QUAD4, 9, 8, 12}, {LIM_FE_QUAD8, 21, 24, 24}};

// Every second element upside down.
static void turn_some(fe_block *b, lim_fe_shape shape) {
  const lim_fe_shape_row *row = lim_fe_shape_row_of(shape);
  const int n = row->corners;
  for (int e = 0; e < b->mesh.nelement; e += 2) {
    int old[8], *node = b->mesh.element_node + b->mesh.element[e].first;
    memcpy(old, node, (size_t)row->nodes * sizeof(int));
    for (int k = 0; k < n; k++) {
      node[k] = old[(n - k) % n];
      if (row->middles) node[n + k] = old[n + n - 1 - k];
    }
  }
}

static void plate_with_thickness_has_two_sides_however_its_elements_are_turned(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof PLATE / sizeof *PLATE; k++) {
    fe_block b;
    lim_fe_surface s;
    lim_arena arena;
    block_new(&b, PLATE[k].shape, 2);
    block_thickness(&b, 0.02);
    turn_some(&b, PLATE[k].shape);
    surface_of(&s, &arena, &b);
    assert_int_equal(s.nvertex, 2 * PLATE[k].vertices);
    assert_int_equal(s.ntriangle, 2 * PLATE[k].triangles);
    assert_int_equal(s.nedge, 2 * PLATE[k].edges);
    for (int v = 0; v < s.nvertex; v++) { // the first element looks down
      const double sign = v % 2 ? 1 : -1;
      assert_true(fabs(s.vertex[v].offset[2] - sign * 0.01) < 1e-16 && s.vertex[v].normal[2] == sign);
    }
    assert_true(fabs(volume_of(&s, &b) - 0.02 / 3) < 1e-14); // two sides of six give 1/3
    lim_arena_free(&arena);
    block_free(&b);
  }
}

static void plate_without_thickness_is_one_sheet(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof PLATE / sizeof *PLATE; k++) {
    fe_block b;
    lim_fe_surface s;
    lim_arena arena;
    block_new(&b, PLATE[k].shape, 2);
    surface_of(&s, &arena, &b);
    assert_int_equal(s.nvertex, PLATE[k].vertices);
    assert_int_equal(s.ntriangle, PLATE[k].triangles);
    assert_int_equal(s.nedge, PLATE[k].edges);
    for (int v = 0; v < s.nvertex; v++) assert_true(s.vertex[v].normal[2] == 1 && s.vertex[v].offset[2] == 0);
    lim_arena_free(&arena);
    block_free(&b);
  }
}

static void beams_are_edges_with_vertices_of_their_own_material(void **state) {
  (void)state;
  double X[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 9, 9, 9};
  int node[] = {0, 1, 2, 2, 3, 3, 2};
  lim_fe_element element[] = {
      {1, LIM_FE_BEAM3, 0, 1, NAN}, {2, LIM_FE_BEAM2, 3, 0, NAN}, {3, LIM_FE_BEAM2, 5, 0, NAN}};
  fe_block b = {.mesh = {.nnode = 5, .X = X, .nelement = 3, .element = element, .element_node = node}};
  lim_fe_surface s;
  lim_arena arena;
  surface_of(&s, &arena, &b);
  assert_int_equal(s.nvertex, 4);
  assert_int_equal(s.ntriangle, 0);
  assert_int_equal(s.nedge, 3);
  assert_memory_equal(s.edge, ((int[]){0, 1, 1, 2, 2, 3}), 6 * sizeof(int));
  const int material[] = {1, 1, -1, 0};
  for (int v = 0; v < 4; v++) {
    assert_true(lim_dot(s.vertex[v].normal, s.vertex[v].normal) == 0);
    assert_int_equal(s.vertex[v].material, material[v]);
  }
  lim_arena_free(&arena);
}

// --- the whole -------------------------------------------------------------------------------------------

static void mesh_without_elements_has_no_surface(void **state) {
  (void)state;
  fe_block b = {0};
  lim_fe_surface s;
  lim_arena arena;
  surface_of(&s, &arena, &b);
  assert_true(s.nvertex == 0 && s.ntriangle == 0 && s.nedge == 0);
  lim_arena_free(&arena);
}

static void memory_that_is_out_is_reported_and_none_is_kept(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena = {0};
  lim_code code = LIM_NO_MEMORY;
  block_new(&b, LIM_FE_QUAD4, 2);
  block_thickness(&b, 0.01);
  for (int k = 1; code; k++) {
    assert_in_range(k, 1, 40);
    fail_call(k);
    code = lim_fe_surface_of(&s, &arena, &b.mesh, NULL);
    assert_true(code == LIM_OK || code == LIM_NO_MEMORY);
    if (code) lim_arena_free(&arena);
    if (code) assert_int_equal(live, 0);
  }
  double strain[6 * 18];
  assert_int_equal(s.nvertex, 18);
  for (int k = 1; k <= 5; k++) {
    fail_call(k);
    assert_int_equal(lim_fe_surface_strains(strain, &s, &b.mesh, b.u, NULL), LIM_NO_MEMORY);
    assert_int_equal(live, 0);
  }
  fail_call(0);
  lim_arena_free(&arena);
  block_free(&b);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void hundred_thousand_hexahedra_take_less_than_a_second(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_HEX20, 46); // 97 336
  double begin = seconds();
  surface_of(&s, &arena, &b);
  const double surface = seconds() - begin;
  assert_int_equal(s.ntriangle, 6 * 6 * 46 * 46);
  double *strain = malloc(6 * (size_t)s.nvertex * sizeof *strain);
  begin = seconds();
  assert_int_equal(lim_fe_surface_strains(strain, &s, &b.mesh, b.u, NULL), LIM_OK);
  print_message("surface %.3f s, strains %.3f s\n", surface, seconds() - begin);
  assert_true(surface < 5); // about 0.1: sanitizers and busy machines take longer
  free(strain);
  lim_arena_free(&arena);
  block_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_functions_are_1_at_their_node_and_sum_to_1_with_exact_derivatives),
      cmocka_unit_test(points_where_strains_are_best_integrate_squares),
      cmocka_unit_test(cube_of_every_shape_has_a_closed_surface_with_its_volume),
      cmocka_unit_test(normals_point_outward_and_vertices_follow_nodes),
      cmocka_unit_test(mirrored_elements_face_outward),
      cmocka_unit_test(hexahedron_folded_into_a_wedge_has_the_surface_of_a_wedge),
      cmocka_unit_test(plate_with_thickness_has_two_sides_however_its_elements_are_turned),
      cmocka_unit_test(plate_without_thickness_is_one_sheet),
      cmocka_unit_test(beams_are_edges_with_vertices_of_their_own_material),
      cmocka_unit_test(mesh_without_elements_has_no_surface),
      cmocka_unit_test(memory_that_is_out_is_reported_and_none_is_kept),
      cmocka_unit_test(hundred_thousand_hexahedra_take_less_than_a_second),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
