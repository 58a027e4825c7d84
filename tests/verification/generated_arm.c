// generated_arm.c - code of the two-link arm of FLEXROB, two modes per link, without motors, gravity and
// stiffening: operations of its six accelerations, their values against the library's recursion, and the
// instructions of one evaluation.
#include "generated_fixture.h"

#define LINK(name, joint)                                                                                      \
  "  - {name: " name ", joint: {name: " joint ", axis: [0, 0, 1]},\n"                                          \
  "     beam: {length: 0.4 m, section: strip, material: aluminium, elements: 10, element: euler-bernoulli},\n" \
  "     basis: {type: modes, count: 2}}\n"
#define ARM(section, E)                                                                                        \
  "limber: 1\n"                                                                                                \
  "name: two-link arm\n"                                                                                       \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: " E ", nu: 0.33, rho: 2700}}\n"                                                  \
  "sections: {strip: " section "}\n"                                                                           \
  "links:\n" LINK("upper", "shoulder")                                                                         \
      LINK("fore", "elbow") "drives: {shoulder: {type: effort}, elbow: {type: effort}}\n"                      \
                            "solver: {method: rk4, duration: 1 s, step: 0.1 ms, stiffening: off}\n"

// The strip of the prototype. In print its links have no rotary inertia: the same EI with a second moment of
// area that leaves none.
static const char WITH_ROTARY[] = ARM("{shape: rectangle, y: 5 mm, z: 40 mm}", "71 GPa");
static const char AS_PRINTED[] =
    ARM("{shape: general, A: 200 mm^2, Iy: 2.6667e-17, Iz: 4.1667e-19, J: 1e-18, kappa: 0.8333}", "7.1e19");

enum { N = 6 };

static generated write_arm(const char *text) {
  generated x = {.model = parse(text)};
  lim_error err = {0};
  lim_code code = lim_generate(&x.g, x.model, "arm", NULL, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  return x;
}

static void count(const char *what, const char *text, lim_operations max) {
  generated x = write_arm(text);
  lim_operations o = x.g->operations[LIM_OF_ACCELERATIONS];
  print_message("%s: trig %d, add %d, mul %d, div %d; at most %d, %d, %d, %d (bar 2, 80, 100, 3; FLEXROB 2, "
                "484, 648, 3)\n",
                what, o.trig, o.add, o.mul, o.div, max.trig, max.add, max.mul, max.div);
  assert_true(o.trig <= max.trig && o.add <= max.add && o.mul <= max.mul && o.div <= max.div);
  assert_int_equal(o.sqrt + o.other, 0);
  drop_generated(&x);
}

static void operations_are_few(void **state) {
  (void)state;
  count("without rotary inertia, as in print", AS_PRINTED,
        (lim_operations){.trig = 2, .add = 80, .mul = 100, .div = 3});
  count("with rotary inertia", WITH_ROTARY, (lim_operations){.trig = 2, .add = 84, .mul = 114, .div = 3});
}

// Accelerations of the library at a state under efforts on the joints.
static void library(double *a, lim_session *s, const double *q, const double *v, const double *u) {
  double zero[N] = {0}, r[N];
  lim_rec_work *w = s->equations->w;
  lim_rec_residual(r, w, q, v, zero);
  assert_int_equal(lim_rec_factor(w, q, (lim_step_matrix){.M = 1}), -1);
  r[0] -= u[0];
  r[3] -= u[1];
  lim_rec_solve(r, w);
  for (int i = 0; i < N; i++) a[i] = -r[i];
}

// Deflections of some mm, any angles, rates of some rad/s: the difference beside the largest acceleration of
// the state.
static void accelerations_equal_the_librarys(void **state) {
  (void)state;
  const char *const text[2] = {AS_PRINTED, WITH_ROTARY};
  for (int k = 0; k < 2; k++) {
    generated x = write_arm(text[k]);
    compile(&x, "-O2");
    acceleration_function *accelerate = (acceleration_function *)(uintptr_t)symbol_of(&x, "accelerations");
    double error = 0;
    unsigned seed = 1;
    for (int i = 0; i < 1000; i++) {
      double q[N], v[N], u[2], a[N], b[N], none[1] = {0};
      fill(q, N, 1e-3, &seed);
      fill(v, N, 0.1, &seed);
      fill(u, 2, 1, &seed);
      q[0] = 3 * noise(&seed), q[3] = 3 * noise(&seed);
      v[0] = 5 * noise(&seed), v[3] = 5 * noise(&seed);
      assert_int_equal(accelerate(a, q, v, none, u, none), 0);
      library(b, x.g->session, q, v, u);
      double worst = 0, largest = 0;
      for (int j = 0; j < N; j++) {
        worst = fmax(worst, fabs(a[j] - b[j]));
        largest = fmax(largest, fabs(b[j]));
      }
      error = fmax(error, worst / largest);
    }
    print_message("1000 states: accelerations differ by %.2g of the largest, less than 1e-12\n", error);
    assert_true(error < 1e-12);
    drop_generated(&x);
  }
}

// --- instructions, counted by callgrind ---

static const char DRIVER[] = "#include \"arm.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
                             "int main(int argc, char **argv) {\n"
                             "  const int n = argc > 1 ? atoi(argv[1]) : 1;\n"
                             "  double q[6] = {0.1, 1e-3, 2e-4, 0.5, 1e-3, -2e-4}, v[6] = {1, 0.1, 0.1, -1, "
                             "0.1, 0.2}, u[2] = {0.1, 0.2}, a[6], x = 0;\n"
                             "  for (int i = 0; i < n; i++) {\n"
                             "    q[0] += 1e-9;\n"
                             "    q[3] += 1e-9;\n"
                             "    arm_accelerations(a, q, v, &x, u, &x);\n"
                             "  }\n"
                             "  printf(\"%g\\n\", a[0]);\n"
                             "  return 0;\n"
                             "}\n";

static long collected(const char *folder, int times) {
  char command[256];
  long n = -1;
  snprintf(command, sizeof command,
           "valgrind --tool=callgrind --callgrind-out-file=/dev/null %s/driver %d 2>&1", folder, times);
  FILE *p = popen(command, "r");
  assert_non_null(p);
  for (char line[256]; fgets(line, sizeof line, p);) {
    const char *at = strstr(line, "Collected : ");
    if (at) n = atol(at + 12);
  }
  pclose(p);
  return n;
}

// Instructions of one evaluation, with the functions of libm and the loop that calls it; -1: cannot be counted
// here.
static long instructions(const generated *x, const char *options) {
  char command[512], path[96];
  snprintf(path, sizeof path, "%s/driver.c", x->folder);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(DRIVER, f);
  assert_int_equal(fclose(f), 0);
  snprintf(command, sizeof command, "cc -std=c99 %s %s/driver.c %s/arm.c -o %s/driver -lm", options, x->folder,
           x->folder, x->folder);
  assert_int_equal(system(command), 0);
  long few = collected(x->folder, 1000), many = collected(x->folder, 2000);
  return few < 0 || many < 0 ? -1 : (many - few) / 1000;
}

static void an_evaluation_takes_few_instructions(void **state) {
  (void)state;
  if (system("valgrind --version >/dev/null 2>&1")) skip();
  generated x = write_arm(WITH_ROTARY);
  compile(&x, "-O2");
  long plain = instructions(&x, "-O2");
  print_message("one evaluation: %ld instructions with -O2", plain);
#if defined(__x86_64__)
  long fused = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")
                   ? instructions(&x, "-O2 -mavx2 -mfma -ffp-contract=fast")
                   : -1;
  print_message(", %ld with fused products (at most 400)\n", fused);
  if (fused >= 0) assert_in_range(fused, 1, 400);
#else
  print_message("\n");
#endif
  assert_in_range(plain, 1, 520);
  drop_generated(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_are_few),
      cmocka_unit_test(accelerations_equal_the_librarys),
      cmocka_unit_test(an_evaluation_takes_few_instructions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
