// arm_pose.c - Denavit-Hartenberg rows as they are printed: products of their matrices, negative a, sliding
// pairs. What a planar model keeps.
#include "fixture.h"

#include "analysis/statics/static.h"
#include "arm/pose.h"
#include "limber/limber.h"

#define PI 3.14159265358979323846

typedef struct {
  double a, alpha, d, theta;
  bool slides;
} row;

// Rz(theta) Tz(d) Tx(a) Rx(alpha), 3 x 4 by rows, onto T.
static void append(double T[12], const row *r, double q) {
  double th = r->theta + (r->slides ? 0 : q), d = r->d + (r->slides ? q : 0);
  double c = cos(th), s = sin(th), ca = cos(r->alpha), sa = sin(r->alpha);
  const double A[12] = {c, -s * ca, s * sa, r->a * c, s, c * ca, -c * sa, r->a * s, 0, sa, ca, d};
  double P[12];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      P[4 * i + k] = k == 3 ? T[4 * i + 3] : 0;
      for (int j = 0; j < 3; j++) P[4 * i + k] += T[4 * i + j] * A[4 * j + k];
    }
  memcpy(T, P, sizeof P);
}

static lim_model *arm_of(const row *r, int n, bool beams) {
  char text[4000] = "limber: 1\nmaterials: {m: {E: 70 GPa, rho: 2700}}\nsections: {s: {shape: tube, outer: "
                    "0.1, inner: 0.09}}\nlinks:\n";
  for (int i = 0; i < n; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "  - {name: l%d, joint: {type: %s, dh: {a: %.17g, alpha: %.17g, d: %.17g, theta: %.17g}}%s}\n",
             i + 1, r[i].slides ? "prismatic" : "revolute", r[i].a, r[i].alpha, r[i].d, r[i].theta,
             beams && r[i].a != 0 ? ", beam: {section: s, material: m}" : "");
  }
  return parse(text);
}

static void compare(const row *r, int n, bool beams) {
  lim_model *m = arm_of(r, n, beams);
  lim_kin *kin;
  unsigned seed = 3;
  assert_int_equal(lim_kin_new(&kin, m, "tip", NULL), LIM_OK);
  assert_int_equal(lim_kin_joints(kin), n);
  for (int trial = 0; trial < 20; trial++) {
    double q[6], T[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, p[3], R[9];
    fill(q, n, 3, &seed);
    for (int i = 0; i < n; i++) append(T, &r[i], q[i]);
    lim_kin_pose(kin, q, p, R, NULL);
    for (int i = 0; i < 3; i++) {
      assert_true(fabs(p[i] - T[4 * i + 3]) < 1e-14 * 10);
      for (int k = 0; k < 3; k++) assert_true(fabs(R[3 * i + k] - T[4 * i + k]) < 1e-14 * 10);
    }
  }
  lim_kin_free(kin);
  lim_model_free(m);
}

// The published table of the UR5.
static void ur5_reads_as_printed(void **state) {
  (void)state;
  static const row ur5[6] = {{0, PI / 2, 0.089159, 0, false}, {-0.425, 0, 0, 0, false},
                             {-0.39225, 0, 0, 0, false},      {0, PI / 2, 0.10915, 0, false},
                             {0, -PI / 2, 0.09465, 0, false}, {0, 0, 0.0823, 0, false}};
  compare(ur5, 6, false);
  compare(ur5, 6, true);
}

// The Stanford arm: its third pair slides.
static void stanford_arm_with_a_sliding_pair_reads_as_printed(void **state) {
  (void)state;
  static const row stanford[6] = {{0, -PI / 2, 0.412, 0, false}, {0, PI / 2, 0.154, 0, false},
                                  {0.1, 0, 0.2, -PI / 2, true},  {0, -PI / 2, 0, 0, false},
                                  {0, PI / 2, 0, 0, false},      {0, 0, 0.263, 0, false}};
  compare(stanford, 6, false);
  compare(stanford, 6, true);
}

#define BENT(dh, mass, frame, face, load)                                                                      \
  "limber: 1\ngravity: [0, -9.81, 0]\nmaterials: {m: {E: 70 GPa, rho: 2700}}\n"                                \
  "sections: {s: {shape: rectangle, y: 20 mm, z: 30 mm}}\nlinks:\n"                                            \
  "  - name: arm\n    joint: {dh: " dh "}\n    beam: {section: s, material: m}\n"                              \
  "    masses: [{at: 0.5, mass: 2, xyz: " mass "}]\n    gauges: [{name: g, at: 0.1, face: " face "}]\n"        \
  "frames: [{name: tool, on: arm, at: tip, xyz: " frame "}]\n"                                                 \
  "loads: [{at: tool, force: " load ", axes: link}]\ndrives: {arm: {type: prescribed}}\n"

// The same arm twice: along -x of its link, and along +x of a link that is turned by pi.
static void beam_of_negative_length_is_the_same_beam_turned(void **state) {
  (void)state;
  static const char *const text[2] = {
      BENT("{a: -0.8, alpha: 0.3, theta: 0.2}", "[0.1, 0.02, 0.03]", "[0.05, 0.1, 0.2]", "+y", "[3, 5, 7]"),
      BENT("{a: 0.8, alpha: 0.3, theta: 3.3415926535897931}", "[-0.1, -0.02, 0.03]", "[-0.05, -0.1, 0.2]", "-y",
           "[-3, -5, 7]")};
  lim_static *s[2];
  lim_model *m[2];
  for (int i = 0; i < 2; i++) {
    m[i] = parse(text[i]);
    assert_int_equal(lim_static_new(&s[i], m[i], NULL, NULL), LIM_OK);
  }
  assert_true(fabs(s[0]->gauges.item[0].strain) > 1e-6);
  assert_true(fabs(s[0]->gauges.item[0].strain - s[1]->gauges.item[0].strain) <
              1e-9 * fabs(s[1]->gauges.item[0].strain));
  assert_true(fabs(s[0]->joints.item[0].effort - s[1]->joints.item[0].effort) <
              1e-9 * fabs(s[1]->joints.item[0].effort));
  for (int f = 0; f < s[0]->frames.count; f++)
    for (int i = 0; i < 3; i++) {
      assert_true(fabs(s[0]->frames.item[f].position[i] - s[1]->frames.item[f].position[i]) < 1e-9);
      assert_true(fabs(s[0]->frames.item[f].displacement[i] - s[1]->frames.item[f].displacement[i]) < 1e-9);
    }
  for (int i = 0; i < 2; i++) {
    lim_static_free(s[i]);
    lim_model_free(m[i]);
  }
}

// A link whose axis k is normal to the plane turns about k and slides along the others; a beam, which runs
// along x, cannot lie normal to it.
static void links_of_a_plane_keep_what_is_in_it_whichever_axis_is_normal(void **unused) {
  static const int normal[] = {[LIM_PLANE_XY] = 2, [LIM_PLANE_XZ] = 1, [LIM_PLANE_YZ] = 0};
  (void)unused;
  for (int plane = LIM_PLANE_XY; plane <= LIM_PLANE_YZ; plane++)
    for (int shift = 0; shift < 3; shift++) { // axes of the link are those of the world in another order
      double R[9] = {0};
      bool keep[6];
      for (int i = 0; i < 3; i++) R[3 * ((i + shift) % 3) + i] = 1;
      const int along = (normal[plane] - shift + 3) % 3;
      assert_int_equal(lim_pose_keep(keep, R, plane), along != 0);
      for (int i = 0; i < 3; i++) {
        assert_int_equal(keep[i], i != along);
        assert_int_equal(keep[3 + i], i == along);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_of_a_plane_keep_what_is_in_it_whichever_axis_is_normal),
      cmocka_unit_test(ur5_reads_as_printed),
      cmocka_unit_test(stanford_arm_with_a_sliding_pair_reads_as_printed),
      cmocka_unit_test(beam_of_negative_length_is_the_same_beam_turned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
