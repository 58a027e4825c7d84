// scene_surface.c - surfaces of links from finite elements: stresses and strains, fewer vertices.
#include "channel_fixture.h"
#include "fe_tube.h"

#include "fe/link.h"
#include "scene/scene.h"
#include "scene/skeleton.h"

static void stress_is_that_of_the_link(void **state) {
  (void)state;
  arm x;
  lim_skeleton *k;
  unsigned seed = 5;
  arm_start(&x, FE_TUBE);
  assert_int_equal(lim_skeleton_new(&k, x.s, x.rigid, NULL), LIM_OK);
  assert_int_equal(k->surfaces, 1);
  const lim_fe_link *link = x.model->links.item[0].fe.link;
  const lim_surface *s = &k->surface[0];
  assert_true(s->n == link->n && s->skin.nvertex == link->skin.nvertex && s->whole == s->skin.nvertex);
  double *eta = x.q + x.s->bodies[0].e;
  for (int i = 0; i < 3; i++) {
    fill(eta, s->n, 1e-3, &seed);
    NEAR(lim_surface_strength(s, eta).stress, lim_fe_link_stress(link, eta, NULL), 1e-4);
  }
  lim_skeleton_free(k);
  arm_end(&x);
}

static void frame_has_coordinates_and_the_largest_stress(void **state) {
  (void)state;
  arm x;
  lim_skeleton *k;
  float room[11][16] = {{0}}, eta[64], *at[1] = {eta};
  unsigned seed = 6;
  arm_start(&x, FE_TUBE);
  assert_int_equal(lim_skeleton_new(&k, x.s, x.rigid, NULL), LIM_OK);
  assert_int_equal(k->count, 2);
  double *q = x.q + x.s->bodies[0].e;
  fill(q, k->surface[0].n, 1e-3, &seed);
  lim_frame_data f = {room[0], room[1], room[2], room[3], room[4],  room[5],
                      room[6], room[7], room[8], room[9], room[10], at};
  lim_skeleton_pose(&f, k, arm_snapshot(&x, 0), NULL);
  for (int j = 0; j < k->surface[0].n; j++) NEAR((double)eta[j], q[j], 1e-6);
  for (int i = 0; i < 2; i++) NEAR((double)f.stress[i], lim_surface_strength(&k->surface[0], q).stress, 1e-6);
  x.m.equations = NULL; // as of vibrations
  lim_skeleton_pose(&f, k, &x.m, NULL);
  assert_true(isnan(f.stress[0]) && isnan(f.strain[1]));
  lim_skeleton_free(k);
  arm_end(&x);
}

static void rigid_link_has_its_surface(void **state) {
  (void)state;
  arm x;
  lim_skeleton *k;
  arm_start(&x, FE_TUBE "solver: {mode: rigid}\n");
  assert_int_equal(lim_skeleton_new(&k, x.s, x.rigid, NULL), LIM_OK);
  assert_int_equal(k->surfaces, 1);
  assert_int_equal(k->surface[0].n, 0);
  assert_true(isnan(lim_surface_strength(&k->surface[0], x.q).stress));
  lim_skeleton_free(k);
  arm_end(&x);
}

#define THREE_FRAMES                                                                                           \
  "limber: 1\nname: gantry\nlinks:\n  - name: gantry\n    fe: {stiffness: models/fe/gantry.sti, mass: "        \
  "models/fe/gantry.mas, dofs: models/fe/gantry.dof, nodes: models/fe/gantry.inp, units: {length: mm, mass: "  \
  "t}, frames: {base: {nodes: LOWER}, tip: {nodes: UPPER, coupling: mean}, mid: {nodes: RING2, coupling: "     \
  "mean}}}\n    basis: {type: craig-bampton, count: 2}\n    masses: [{mass: 5, at: mid, xyz: [0, 0.2, 0]}]\n"

static void mass_is_at_the_frame_that_it_names(void **state) {
  (void)state;
  arm x;
  lim_skeleton *k;
  lim_text json = {0};
  double at[3];
  arm_start(&x, THREE_FRAMES);
  assert_int_equal(lim_skeleton_new(&k, x.s, x.rigid, NULL), LIM_OK);
  assert_int_equal(lim_scene_json(&json, x.model, k, x.s, x.rigid, NULL), LIM_OK);
  const char *offset = strstr(strstr(json.text, "\"masses\""), "\"offset\"");
  assert_int_equal(sscanf(offset, "\"offset\": [%lf, %lf, %lf]", &at[0], &at[1], &at[2]), 3);
  NEAR(at[0], 0.8, 1e-6); // of 2 m
  NEAR(at[1], 0.2, 1e-6);
  lim_text_free(&json);
  lim_skeleton_free(k);
  arm_end(&x);
}

// One vertex with one coordinate.
static lim_strength of_strain(const float strain[6], float shear) {
  float copy[6];
  memcpy(copy, strain, sizeof copy);
  const lim_surface s = {.n = 1, .skin = {.nvertex = 1, .strain = copy}, .shear = &shear};
  return lim_surface_strength(&s, (const double[]){1});
}

static void strain_is_principal_and_stress_von_mises(void **state) {
  (void)state;
  const double young = 70e9, e = 1e-4, shear = young / 2.5; // nu 0.25
  const float pulled[6] = {1e-4f, -2.5e-5f, -2.5e-5f}, pushed[6] = {2.5e-5f, -1e-4f, 2.5e-5f},
              sheared[6] = {0, 0, 0, 0, 0, 1e-4f}, swollen[6] = {1e-4f, 1e-4f, 1e-4f};
  NEAR(of_strain(pulled, (float)shear).stress, young * e, 1e-6);
  NEAR(of_strain(pulled, (float)shear).strain, e, 1e-6);
  NEAR(of_strain(pushed, (float)shear).stress, young * e, 1e-6);
  NEAR(of_strain(pushed, (float)shear).strain, -e, 1e-6);
  NEAR(of_strain(sheared, (float)shear).stress, sqrt(3) * shear * e, 1e-6);
  NEAR(fabs(of_strain(sheared, (float)shear).strain), e / 2, 1e-6);
  assert_true(of_strain(swollen, (float)shear).stress < 1e-4 * shear * e);
  NEAR(of_strain(swollen, (float)shear).strain, e, 1e-6);
}

// --- fewer vertices ---

enum { SIDE = 121, SHEET = SIDE * SIDE }; // vertices

// Both sides of a plate of 1 m, 1 mm thick; a beam stands on it.
typedef struct {
  float X[6 * SHEET + 6], shape[2 * (6 * SHEET + 6)];
  int id[2 * SHEET + 2], triangle[12 * SHEET], edge[8];
  lim_fe_skin skin;
} plate;

static void add_cell(plate *p, int side, int at) {
  const int a = side * SHEET + at, b = a + 1, c = a + SIDE, d = c + 1;
  const int cell[2][6] = {{a, b, d, a, d, c}, {a, d, b, a, c, d}};
  memcpy(p->triangle + 3 * p->skin.ntriangle, cell[side], sizeof cell[side]);
  p->skin.ntriangle += 2;
}

static plate *plate_new(void) {
  plate *p = calloc(1, sizeof *p);
  assert_non_null(p);
  const int count = 2 * SHEET + 2;
  for (int v = 0; v < count; v++) {
    float *X = p->X + 3 * v;
    X[0] = (float)(v % SHEET % SIDE) / (SIDE - 1);
    X[1] = (float)(v % SHEET / SIDE) / (SIDE - 1);
    X[2] = v < SHEET ? 1e-3f : 0;
    if (v >= 2 * SHEET) X[2] = (float)(v - 2 * SHEET); // of the beam
    p->id[v] = v + 1;
  }
  for (int i = 0; i < 3 * count; i++) p->shape[i] = 2 * p->X[i], p->shape[3 * count + i] = -p->X[i];
  p->skin = (lim_fe_skin){
      .nvertex = count, .id = p->id, .X = p->X, .triangle = p->triangle, .edge = p->edge, .shape = p->shape};
  for (int i = 0; i < SHEET - SIDE; i++)
    for (int side = 0; side < 2 && i % SIDE < SIDE - 1; side++) add_cell(p, side, i);
  p->edge[1] = 1; // of an element
  p->edge[2] = 2 * SHEET, p->edge[3] = 2 * SHEET + 1;
  p->skin.nedge = 2;
  return p;
}

static double area_up(const lim_fe_skin *s, double sign) {
  double sum = 0;
  for (int t = 0; t < s->ntriangle; t++) {
    const float *a = s->X + 3 * s->triangle[3 * t], *b = s->X + 3 * s->triangle[3 * t + 1],
                *c = s->X + 3 * s->triangle[3 * t + 2];
    const double up = (double)((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    if (up * sign > 0) sum += up * sign;
  }
  return sum;
}

static void surface_with_fewer_vertices_looks_the_same(void **state) {
  (void)state;
  enum { FEWER = 4000 };
  plate *p = plate_new();
  lim_arena arena = {0};
  lim_fe_skin s;
  assert_int_equal(lim_surface_thin(&s, &arena, &p->skin, 2, FEWER, NULL), LIM_OK);
  print_message("%d vertices become %d, %d triangles %d\n", p->skin.nvertex, s.nvertex, p->skin.ntriangle,
                s.ntriangle);
  assert_true(s.nvertex <= FEWER && s.nvertex > FEWER / 2);
  NEAR(area_up(&s, 1), 1, 0.06); // both sides, though cells are thicker; the rim is eaten up by half a cell
  NEAR(area_up(&s, -1), 1, 0.06);
  for (int i = 0; i < 3 * s.nvertex; i++) {
    NEAR((double)s.shape[i], 2 * (double)s.X[i], 0);
    NEAR((double)s.shape[3 * s.nvertex + i], -(double)s.X[i], 0);
  }
  for (int v = 0; v < s.nvertex; v++)
    assert_memory_equal(s.X + 3 * v, p->X + 3 * (s.id[v] - 1), 3 * sizeof *s.X);
  assert_int_equal(s.nedge, 1); // the beam
  assert_true(s.X[3 * s.edge[1] + 2] == 1);
  lim_arena_free(&arena);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_is_that_of_the_link),
      cmocka_unit_test(frame_has_coordinates_and_the_largest_stress),
      cmocka_unit_test(rigid_link_has_its_surface),
      cmocka_unit_test(mass_is_at_the_frame_that_it_names),
      cmocka_unit_test(strain_is_principal_and_stress_von_mises),
      cmocka_unit_test(surface_with_fewer_vertices_looks_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
