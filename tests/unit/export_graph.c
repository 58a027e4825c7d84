// export_graph.c - tests of the expression graph and of plans: folding, sharing, identities, random
// expressions.
#include "fixture.h"

#include "export/code/code.h"
#include "export/graph/optimize.h"

typedef struct {
  lim_graph *g;
  lim_expr x[6];
  double at[6];
} bench;

static bench start(void) {
  bench b = {.g = lim_graph_new(), .at = {0.3, -0.7, 1.1, 0.4, -1.3, 0.9}};
  assert_non_null(b.g);
  for (int i = 0; i < 6; i++) b.x[i] = lim_graph_input(b.g, 0, i, b.at[i]);
  return b;
}

static void same(lim_expr a, lim_expr b) {
  assert_ptr_equal(a.n, b.n);
  assert_true(fabs(a.k - b.k) <= 1e-15 * fabs(b.k));
}

static void near(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance * fmax(1, fabs(b)))) fail_msg("%.17g, expected %.17g", a, b);
}

static lim_expr add(lim_expr a, lim_expr b) { return lim_graph_add(a, b); }
static lim_expr sub(lim_expr a, lim_expr b) { return lim_graph_sub(a, b); }
static lim_expr mul(lim_expr a, lim_expr b) { return lim_graph_mul(a, b); }
static lim_expr quotient(lim_expr a, lim_expr b) { return lim_graph_div(a, b); }

static void constants_fold_and_units_vanish(void **state) {
  (void)state;
  bench b = start();
  lim_expr zero = lim_graph_constant(0), one = lim_graph_constant(1), x = b.x[0];
  same(add(x, zero), x);
  same(mul(x, one), x);
  assert_true(lim_graph_is(mul(x, zero), 0));
  assert_true(lim_graph_is(sub(x, x), 0));
  assert_true(lim_graph_is(quotient(x, x), 1));
  assert_true(lim_graph_is(lim_graph_sin(zero), 0));
  assert_true(lim_graph_is(mul(lim_graph_constant(3), lim_graph_constant(4)), 12));
  lim_graph_free(b.g);
}

static void equal_expressions_are_one_node(void **state) {
  (void)state;
  bench b = start();
  lim_expr x = b.x[0], y = b.x[1], z = b.x[2];
  same(mul(mul(x, y), z), mul(x, mul(z, y)));
  same(add(x, y), add(y, x));
  same(sub(x, y), lim_graph_scale(-1, sub(y, x)));
  same(add(lim_graph_scale(2, x), lim_graph_scale(4, y)), lim_graph_scale(2, add(x, lim_graph_scale(2, y))));
  int before = lim_graph_size(b.g);
  (void)mul(mul(y, z), x);
  assert_int_equal(lim_graph_size(b.g), before);
  lim_graph_free(b.g);
}

// What eliminating a joint leaves of its own inertia.
static void what_cancels_is_gone(void **state) {
  (void)state;
  bench b = start();
  lim_expr J = add(mul(b.x[0], b.x[0]), lim_graph_constant(2)), inverse = quotient(lim_graph_constant(1), J);
  assert_true(lim_graph_is(sub(J, mul(J, mul(J, inverse))), 0));
  same(mul(inverse, add(mul(J, b.x[1]), b.x[2])), add(b.x[1], mul(inverse, b.x[2])));
  same(sub(add(b.x[1], J), J), b.x[1]);
  lim_graph_free(b.g);
}

static void angles_add(void **state) {
  (void)state;
  bench b = start();
  lim_expr x = b.x[0], y = b.x[1], sx = lim_graph_sin(x), cx = lim_graph_cos(x), sy = lim_graph_sin(y),
           cy = lim_graph_cos(y);
  same(add(mul(sx, cy), mul(cx, sy)), lim_graph_sin(add(x, y)));
  same(sub(mul(sx, cy), mul(cx, sy)), lim_graph_sin(sub(x, y)));
  same(sub(mul(cx, cy), mul(sx, sy)), lim_graph_cos(add(x, y)));
  same(add(mul(cx, cy), mul(sx, sy)), lim_graph_cos(sub(x, y)));
  assert_true(lim_graph_is(add(mul(cx, cx), mul(sx, sx)), 1));
  same(sub(lim_graph_constant(1), sub(lim_graph_constant(1), cx)), cx);
  lim_graph_free(b.g);
}

// A random expression of a few levels, with its value beside it.
typedef struct {
  lim_expr e;
  double value;
} pair;

static pair grow(bench *b, int depth, unsigned *seed) {
  int kind = (int)((noise(seed) + 1) * 5) % 10;
  if (depth == 0 || kind == 0) {
    int i = (int)((noise(seed) + 1) * 3) % 6;
    return (pair){b->x[i], b->at[i]};
  }
  pair x = grow(b, depth - 1, seed), y = grow(b, depth - 1, seed), one = {lim_graph_constant(1), 1};
  double k = noise(seed);
  switch (kind) {
  case 1: return (pair){lim_graph_sin(x.e), sin(x.value)};
  case 2: return (pair){lim_graph_cos(x.e), cos(x.value)};
  case 3: return (pair){lim_graph_scale(k, x.e), k * x.value};
  case 4: return (pair){quotient(x.e, add(one.e, mul(y.e, y.e))), x.value / (1 + y.value * y.value)};
  case 5:
  case 6: return (pair){mul(x.e, y.e), x.value * y.value};
  case 7: return (pair){sub(x.e, y.e), x.value - y.value};
  case 8:
    return (pair){lim_graph_select(x.e, y.e, x.e, lim_graph_sqrt(add(one.e, mul(y.e, y.e)))),
                  x.value < y.value ? x.value : sqrt(1 + y.value * y.value)};
  default: return (pair){add(x.e, y.e), x.value + y.value};
  }
}

static void random_expressions_keep_their_values(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int k = 0; k < 300; k++) {
    bench b = start();
    lim_expr out[5];
    double expected[5], got[5];
    for (int i = 0; i < 5; i++) {
      pair x = grow(&b, 6, &seed);
      out[i] = x.e;
      expected[i] = x.value;
      near(lim_graph_value(x.e), x.value, 1e-11);
    }
    lim_tape *p = lim_tape_new(out, 5);
    assert_non_null(p);
    for (int pass = 0; pass < 2; pass++) {
      const double *input[1] = {b.at};
      double *scratch = calloc((size_t)p->count + 1, sizeof *scratch);
      assert_non_null(scratch);
      lim_tape_evaluate(got, p, input, scratch);
      free(scratch);
      for (int i = 0; i < 5; i++) near(got[i], expected[i], 1e-11);
      if (pass == 0) p = lim_tape_search(p, 50);
    }
    lim_tape_free(p);
    lim_graph_free(b.g);
  }
}

static lim_expr first_only(const void *user, int array, int index) {
  (void)user, (void)array;
  return lim_graph_constant(index == 0);
}

static void derivatives_match_differences(void **state) {
  (void)state;
  unsigned seed = 11;
  for (int k = 0; k < 100; k++) {
    bench b = start();
    unsigned again = seed;
    pair x = grow(&b, 5, &seed);
    lim_expr slope;
    assert_true(lim_graph_derivative(&slope, &x.e, 1, first_only, NULL));
    const double h = 1e-5;
    double side[2];
    for (int i = 0; i < 2; i++) {
      bench c = b;
      unsigned same_seed = again;
      c.at[0] += i ? h : -h;
      side[i] = grow(&c, 5, &same_seed).value;
    }
    double difference = (side[1] - side[0]) / (2 * h);
    if (fabs(difference) < 1e3)
      near(lim_graph_value(slope), difference, 1e-6); // no corner of a selection between
    lim_graph_free(b.g);
  }
}

// x (y + z) needs fewer operations than x y + x z, and a part that two sums have is computed once.
static void plans_draw_factors_and_share(void **state) {
  (void)state;
  bench b = start();
  lim_expr out[2] = {add(mul(b.x[0], b.x[1]), mul(b.x[0], b.x[2])), add(add(b.x[1], b.x[2]), b.x[3])};
  lim_tape *p = lim_tape_new(out, 2);
  assert_non_null(p);
  lim_operations o = lim_tape_operations(p);
  assert_int_equal(o.add, 2);
  assert_int_equal(o.mul, 1);
  lim_tape_free(p);
  lim_graph_free(b.g);
}

static void plans_drop_what_no_output_needs(void **state) {
  (void)state;
  bench b = start();
  lim_expr unused = lim_graph_sin(mul(b.x[0], b.x[1])), out = add(b.x[0], b.x[1]);
  assert_non_null(unused.n);
  lim_tape *p = lim_tape_new(&out, 1);
  assert_non_null(p);
  lim_operations o = lim_tape_operations(p);
  assert_int_equal(o.trig + o.mul, 0);
  assert_int_equal(o.add, 1);
  lim_tape_free(p);
  lim_graph_free(b.g);
}

static void numbers_read_back(void **state) {
  (void)state;
  const double x[] = {1, -2.5, 1.0 / 3, 1e300, 5e-324, 123456789.123456789};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
    lim_text t = {0};
    lim_code_number(&t, x[i]);
    assert_true(strtod(t.text, NULL) == x[i]);
    assert_non_null(strpbrk(t.text, ".e")); // a double in C
    lim_text_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_fold_and_units_vanish),
      cmocka_unit_test(equal_expressions_are_one_node),
      cmocka_unit_test(what_cancels_is_gone),
      cmocka_unit_test(angles_add),
      cmocka_unit_test(random_expressions_keep_their_values),
      cmocka_unit_test(derivatives_match_differences),
      cmocka_unit_test(plans_draw_factors_and_share),
      cmocka_unit_test(plans_drop_what_no_output_needs),
      cmocka_unit_test(numbers_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
