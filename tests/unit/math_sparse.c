// math_sparse.c - large symmetric matrices: products, factors with their inertia, modes.
#include "sparse_fixture.h"

#include "math/eigen/eigen.h"
#include "math/lapack.h"
#include "math/null_space.h"

#include <dlfcn.h>

enum { MAX = 200 };

// Symmetric, with a fifth of its entries; `heavy` on the diagonal makes it positive.
static void random_matrix(double *D, int n, double heavy, unsigned *seed) {
  memset(D, 0, (size_t)n * (size_t)n * sizeof *D);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      if (i == j || noise(seed) > 0.6) D[j * n + i] = D[i * n + j] = noise(seed);
  for (int i = 0; i < n; i++) D[i * n + i] += heavy;
}

// --- products ---

static void products_of_many_vectors_have_the_bits_of_each_alone(void **state) {
  (void)state;
  enum { N = 40, COUNT = 7 };
  static double D[N * N], X[COUNT * N], Y[COUNT * N], y[N];
  unsigned seed = 3;
  random_matrix(D, N, 0, &seed);
  fill(X, COUNT * N, 1, &seed);
  lim_symmetric A = sparse_of(D, N);
  lim_symmetric_times(Y, &A, X, COUNT);
  for (int c = 0; c < COUNT; c++) {
    lim_symmetric_times(y, &A, X + (size_t)c * N, 1);
    assert_memory_equal(y, Y + (size_t)c * N, sizeof y);
  }
  symmetric_free(&A);
}

static void products_are_those_of_the_dense_matrix(void **state) {
  (void)state;
  enum { N = 40 };
  static double D[N * N], X[2 * N], Y[2 * N];
  unsigned seed = 1;
  random_matrix(D, N, 0, &seed);
  for (int i = 0; i < N; i++) D[7 * N + i] = D[i * N + 7] = 0; // a row without entries
  fill(X, 2 * N, 1, &seed);
  lim_symmetric A = sparse_of(D, N);
  lim_symmetric_times(Y, &A, X, 2);
  double form = 0;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int j = 0; j < N; j++) sum += D[j * N + i] * X[c * N + j];
      expect_near(Y[c * N + i], sum, 1e-14 * N);
      if (c == 1) form += X[i] * sum;
    }
  expect_near(lim_symmetric_form(&A, X, X + N), form, 1e-14 * N);
  symmetric_free(&A);
}

// --- factors ---

static double residual(const lim_symmetric *A, const double *x, const double *b, int count) {
  static double Ax[MAX];
  double most = 0;
  for (int c = 0; c < count; c++) {
    lim_symmetric_times(Ax, A, x + c * A->n, 1);
    for (int i = 0; i < A->n; i++) most = fmax(most, fabs(Ax[i] - b[c * A->n + i]));
  }
  return most;
}

static int negative_eigenvalues(const double *D, int n) {
  static double copy[MAX * MAX], lambda[MAX];
  int count = 0;
  memcpy(copy, D, (size_t)n * (size_t)n * sizeof *D);
  assert_int_equal(lim_dsyev(n, copy, n, lambda), 0);
  while (count < n && lambda[count] < 0) count++;
  return count;
}

static void expect_solved(const double *D, int n, int negative) {
  enum { COUNT = 35 }; // more than one block
  static double x[COUNT * MAX], b[COUNT * MAX];
  unsigned seed = 5;
  lim_symmetric A = sparse_of(D, n);
  lim_factor *f = factored(&A);
  fill(b, COUNT * n, 1, &seed);
  memcpy(x, b, sizeof x);
  assert_int_equal(lim_factor_solve(f, x, COUNT, NULL), LIM_OK);
  double most = 1;
  for (int i = 0; i < COUNT * n; i++) most = fmax(most, fabs(x[i]));
  if (!(residual(&A, x, b, COUNT) < 1e-12 * most)) fail_msg("residual %g", residual(&A, x, b, COUNT));
  assert_int_equal(lim_factor_negative(f), negative);
  assert_int_equal(lim_factor_null(f), 0);
  lim_factor_free(f);
  symmetric_free(&A);
}

static void positive_and_indefinite_matrices_are_solved_and_their_inertia_is_counted(void **state) {
  (void)state;
  static double D[MAX * MAX];
  for (int n = 1; n < MAX; n += 33)
    for (unsigned seed = 1; seed < 4; seed++) {
      unsigned s = seed;
      random_matrix(D, n, 2 + n / 3.0, &s);
      expect_solved(D, n, 0);
      random_matrix(D, n, 0, &s);
      expect_solved(D, n, negative_eigenvalues(D, n));
    }
}

// [K C'; C 0] has as many negative eigenvalues as C has rows, where K is positive on what C leaves.
static void bordered_matrices_have_a_negative_pivot_per_constraint(void **state) {
  (void)state;
  enum { N = 150, ROWS = 9 };
  static double D[(N + ROWS) * (N + ROWS)];
  for (int free_ends = 0; free_ends < 2; free_ends++) {
    unsigned seed = 3;
    int m = N + ROWS;
    memset(D, 0, sizeof D);
    for (int i = 0; i < N; i++) D[i * m + i] = i == 0 || i == N - 1 ? 2 - free_ends : 2;
    for (int i = 0; i + 1 < N; i++) D[i * m + i + 1] = D[(i + 1) * m + i] = -1;
    for (int r = N; r < m; r++)
      for (int k = 0; k < 5; k++) {
        int i = (r * 37 + k * 11) % N;
        D[i * m + r] = D[r * m + i] = noise(&seed);
      }
    expect_solved(D, m, ROWS);
    assert_int_equal(negative_eigenvalues(D, m), ROWS);
  }
}

static void rows_without_pivot_are_found_and_left_alone(void **state) {
  (void)state;
  double D[25] = {2, -1, 0, 0, 0, -1, 2, 0, -1, 0, 0, 0, 0, 0, 0, 0, -1, 0, 2, -1, 0, 0, 0, -1, 2};
  double x[5] = {1, 0, 0, 0, 1}; // row 2 has no entries
  lim_symmetric A = sparse_of(D, 5);
  lim_factor *f = factored(&A);
  assert_int_equal(lim_factor_null(f), 1);
  assert_int_equal(lim_factor_null_row(f, 0), 2);
  assert_int_equal(lim_factor_negative(f), 0);
  assert_int_equal(lim_factor_solve(f, x, 1, NULL), LIM_OK);
  for (int i = 0; i < 5; i++) expect_near(x[i], i == 2 ? 0 : 1, 1e-14);
  lim_factor_free(f);
  symmetric_free(&A);
}

static void chain_that_nothing_holds_has_one_pivot_of_zero(void **state) {
  (void)state;
  lim_symmetric A = membrane(MAX, 1);
  A.value[A.start[0]] = A.value[A.start[MAX - 1]] = 1;
  lim_factor *f = factored(&A);
  assert_int_equal(lim_factor_null(f), 1);
  assert_int_equal(lim_factor_negative(f), 0);
  double x[MAX] = {0}, b[MAX] = {0};
  x[0] = b[0] = 1;
  x[MAX - 1] = b[MAX - 1] = -1; // in balance
  assert_int_equal(lim_factor_solve(f, x, 1, NULL), LIM_OK);
  assert_true(residual(&A, x, b, 1) < 1e-12);
  lim_factor_free(f);
  symmetric_free(&A);
}

static void smallest_matrices(void **state) {
  (void)state;
  double value[] = {4, -4, 0}, x[] = {8};
  lim_symmetric none = symmetric_new(0, 0);
  lim_factor *f = factored(&none);
  assert_int_equal(lim_factor_solve(f, x, 1, NULL), LIM_OK);
  assert_int_equal(lim_factor_negative(f) + lim_factor_null(f), 0);
  lim_factor_free(f);
  symmetric_free(&none);
  for (int i = 0; i < 3; i++) {
    lim_symmetric A = sparse_of(&value[i], 1);
    f = factored(&A);
    assert_int_equal(lim_factor_negative(f), i == 1);
    assert_int_equal(lim_factor_null(f), i == 2);
    x[0] = 8;
    assert_int_equal(lim_factor_solve(f, x, 1, NULL), LIM_OK);
    if (i < 2) expect_near(x[0], 8 / value[i], 0);
    lim_factor_free(f);
    symmetric_free(&A);
  }
}

static void matrix_with_entries_that_are_no_numbers_is_refused(void **state) {
  (void)state;
  lim_symmetric A = membrane(5, 1);
  lim_factor *f = NULL;
  lim_error err = {0};
  A.value[A.start[3]] = NAN;
  assert_int_equal(lim_factor_new(&f, &A, &err), LIM_FAILED);
  assert_null(f);
  assert_string_equal(err.note[0].text,
                      "a matrix of 5 rows cannot be factored: row 3 has an entry that is nan");
  lim_error_clear(&err);
  lim_factor_free(NULL);
  symmetric_free(&A);
}

// --- modes ---

// x'M x = 1 and x'M y = 0, lambda ascends, the largest entry is positive.
static void expect_orthonormal(const double *lambda, const double *x, const lim_symmetric *M, int count) {
  int n = M->n;
  for (int a = 0; a < count; a++) {
    for (int b = 0; b <= a; b++) {
      double form = lim_symmetric_form(M, x + a * n, x + b * n);
      if (!(fabs(form - (a == b)) < 1e-10)) fail_msg("modes %d and %d: %g", a, b, form);
    }
    double low = 0, high = 0;
    for (int i = 0; i < n; i++) {
      low = fmin(low, x[a * n + i]);
      high = fmax(high, x[a * n + i]);
    }
    assert_true(high >= -low * (1 - 2e-6));
    assert_true(a == 0 || lambda[a] >= lambda[a - 1]);
  }
}

static void expect_modes(double *lambda, double *x, const lim_symmetric *A, double sigma,
                         const lim_symmetric *M, int count) {
  lim_factor *f = factored(A);
  lim_error err = {0};
  lim_code code = lim_sparse_modes(lambda, x, f, sigma, M, count, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  expect_orthonormal(lambda, x, M, count);
  lim_factor_free(f);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The eigenvalues of a membrane, ascending.
static void closed_form(double *lambda, int width, int height) {
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      lambda[j * width + i] = 2 - 2 * cos(M_PI * (i + 1) / (width + 1)) +
                              (height > 1 ? 2 - 2 * cos(M_PI * (j + 1) / (height + 1)) : 0);
  qsort(lambda, (size_t)(width * height), sizeof *lambda, by_size);
}

static void chains_and_membranes_match_the_closed_form(void **state) {
  (void)state;
  enum { POINTS = 1200, COUNT = 30 };
  static const int size[][3] = {{300, 1, 12},    {POINTS, 1, 5}, {40, 30, COUNT},
                                {30, 30, COUNT}, {3, 1, 1},      {30, 1, 9}};
  static double lambda[COUNT], x[COUNT * POINTS], expected[POINTS];
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    lim_symmetric K = membrane(size[k][0], size[k][1]), M = diagonal(K.n, 1);
    expect_modes(lambda, x, &K, 0, &M, size[k][2]);
    closed_form(expected, size[k][0], size[k][1]);
    for (int i = 0; i < size[k][2]; i++) expect_near(lambda[i] / expected[i], 1, 1e-10);
    symmetric_free(&K);
    symmetric_free(&M);
  }
}

// Six chains that do not touch: every eigenvalue six times, as the rigid motions of a free part have.
static void modes_of_equal_frequencies_are_all_found(void **state) {
  (void)state;
  enum { POINTS = 150, CHAINS = 6, COUNT = 33 };
  static double lambda[COUNT], x[COUNT * CHAINS * POINTS];
  lim_symmetric K = membrane(CHAINS * POINTS, 1), M = diagonal(CHAINS * POINTS, 1);
  for (int c = 1; c < CHAINS; c++) K.value[K.start[c * POINTS] - 1] = 0;
  expect_modes(lambda, x, &K, 0, &M, COUNT);
  for (int i = 0; i < COUNT; i++)
    expect_near(lambda[i] / (2 - 2 * cos(M_PI * (i / CHAINS + 1) / (POINTS + 1))), 1, 1e-10);
  symmetric_free(&K);
  symmetric_free(&M);
}

// With A = K + shift M; a rigid mode, then 2 - 2 cos(i pi/n).
static void chain_that_nothing_holds_has_a_mode_at_zero(void **state) {
  (void)state;
  enum { COUNT = 8 };
  static const double shift = 1e-4;
  static double lambda[COUNT], x[COUNT * MAX];
  lim_symmetric K = membrane(MAX, 1), M = diagonal(MAX, 1);
  K.value[K.start[0]] = K.value[K.start[MAX - 1]] = 1;
  for (int i = 0; i < MAX; i++) K.value[K.start[i]] += shift;
  expect_modes(lambda, x, &K, -shift, &M, COUNT);
  expect_near(lambda[0], 0, 1e-14);
  for (int i = 1; i < COUNT; i++) expect_near(lambda[i] / (2 - 2 * cos(M_PI * i / MAX)), 1, 1e-10);
  for (int i = 0; i < MAX; i++) expect_near(x[i], 1 / sqrt(MAX), 1e-10);
  symmetric_free(&K);
  symmetric_free(&M);
}

static void expect_dense(const lim_symmetric *K, const lim_symmetric *M, int count) {
  static double lambda[MAX], other[MAX], x[MAX * MAX], y[MAX * MAX], Kd[MAX * MAX], Md[MAX * MAX];
  lim_eigen_count found;
  expect_modes(lambda, x, K, 0, M, count);
  dense_of(Kd, K);
  dense_of(Md, M);
  assert_int_equal(lim_eigen_lowest(other, y, &found, Kd, Md, K->n, count, NULL), LIM_OK);
  assert_int_equal(found.found, count);
  for (int k = 0; k < count; k++) {
    expect_near(lambda[k] / other[k], 1, 1e-10);
    double same = fabs(lim_symmetric_form(M, x + k * K->n, y + k * K->n));
    expect_near(same, 1, 1e-9);    // the modes of these chains are single
    for (int i = 0; i < K->n; i++) // also where there is no mass
      expect_near(fabs(x[k * K->n + i]), fabs(y[k * K->n + i]), 1e-8 * (1 + fabs(y[k * K->n + i])));
  }
}

// Of a chain of 150: every second freedom; three freedoms, all modes; none but those of m m' and r r', which is
// dense.
static void freedoms_without_mass_are_no_modes(void **state) {
  (void)state;
  enum { N = 150 };
  static double D[N * N];
  lim_symmetric K = membrane(N, 1), M = diagonal(N, 1);
  for (int i = 0; i < N; i += 2) M.value[i] = 0;
  expect_dense(&K, &M, 20);
  for (int i = 0; i < N; i++) M.value[i] = i == 20 || i == 70 || i == 71 ? 1 + i : 0;
  for (int count = 1; count <= 3; count++) expect_dense(&K, &M, count);
  symmetric_free(&M);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) D[j * N + i] = 0.5 + (i - 60.0) * (j - 60.0) / N;
  M = sparse_of(D, N);
  for (int count = 1; count <= 2; count++) expect_dense(&K, &M, count);
  symmetric_free(&K);
  symmetric_free(&M);
}

static void more_modes_than_there_are_is_an_error(void **state) {
  (void)state;
  enum { N = 60 };
  static double lambda[N], x[N * N], D[N * N];
  lim_symmetric K = membrane(N, 1), M = diagonal(N, 0);
  lim_factor *f = factored(&K);
  lim_error err = {0};
  assert_int_equal(lim_sparse_modes(lambda, x, f, 0, &M, 1, &err), LIM_FAILED);
  M.value[3] = M.value[50] = 2;
  assert_int_equal(lim_sparse_modes(lambda, x, f, 0, &M, 3, &err), LIM_FAILED);
  assert_int_equal(lim_sparse_modes(lambda, x, f, 0, &M, N / 2, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sparse_modes(lambda, x, f, 0, &M, 0, &err), LIM_OK);
  for (int i = 0; i < N * N; i++) D[i] = 1; // of rank 1, and no row without mass
  lim_symmetric R = sparse_of(D, N);
  assert_int_equal(lim_sparse_modes(lambda, x, f, 0, &R, 2, &err), LIM_FAILED);
  assert_int_equal(err.kept, 4);
  assert_string_equal(err.note[1].text, "3 modes of a large matrix are wanted, and there are 2");
  assert_string_equal(err.note[2].text, "30 modes of a matrix of 60 rows: must be fewer than half");
  assert_string_equal(err.note[3].text, "2 modes of a large matrix are wanted, and there are 1");
  lim_error_clear(&err);
  lim_factor_free(f);
  symmetric_free(&K);
  symmetric_free(&M);
  symmetric_free(&R);
}

// --- modes under constraints ---

enum { FREE = 120, BOUND = 4 };

// A chain, the matrix of masses, constraints C (BOUND x FREE by rows) and [K C'; C 0].
static void constrained(double *K, double *M, double *C, double *bordered) {
  unsigned seed = 9;
  enum { ALL = FREE + BOUND };
  for (int i = 0; i < FREE; i++) {
    K[i * FREE + i] = 2 + 0.01 * i;
    M[i * FREE + i] = 2 + i % 3;
    if (i + 1 < FREE) K[i * FREE + i + 1] = K[(i + 1) * FREE + i] = -1;
    if (i + 1 < FREE) M[i * FREE + i + 1] = M[(i + 1) * FREE + i] = 0.5;
  }
  for (int r = 0; r < BOUND; r++)
    for (int k = 0; k < 6; k++) C[r * FREE + (r * 31 + k * 17) % FREE] = noise(&seed);
  for (int j = 0; j < FREE; j++) {
    for (int i = 0; i < FREE; i++) bordered[j * ALL + i] = K[j * FREE + i];
    for (int r = 0; r < BOUND; r++)
      bordered[j * ALL + FREE + r] = bordered[(FREE + r) * ALL + j] = C[r * FREE + j];
  }
}

static void modes_under_constraints_are_those_of_the_null_space(void **state) {
  (void)state;
  enum { ALL = FREE + BOUND, COUNT = 10 };
  static double K[FREE * FREE], M[FREE * FREE], C[BOUND * FREE], bordered[ALL * ALL], N[FREE * FREE],
      scratch[FREE * FREE], lambda[COUNT], expected[COUNT], x[COUNT * FREE];
  constrained(K, M, C, bordered);
  lim_symmetric A = sparse_of(bordered, ALL), Ms = sparse_of(M, FREE);
  expect_modes(lambda, x, &A, 0, &Ms, COUNT);
  for (int k = 0; k < COUNT; k++)
    for (int r = 0; r < BOUND; r++) {
      double sum = 0;
      for (int i = 0; i < FREE; i++) sum += C[r * FREE + i] * x[k * FREE + i];
      expect_near(sum, 0, 1e-12);
    }
  int left;
  lim_eigen_count found;
  assert_int_equal(lim_null_space(N, &left, C, BOUND, FREE, NULL), LIM_OK);
  assert_int_equal(left, FREE - BOUND);
  lim_project(K, K, N, FREE, left, scratch);
  lim_project(M, M, N, FREE, left, scratch);
  assert_int_equal(lim_eigen_lowest(expected, NULL, &found, K, M, left, COUNT, NULL), LIM_OK);
  for (int k = 0; k < COUNT; k++) expect_near(lambda[k] / expected[k], 1, 1e-10);
  symmetric_free(&A);
  symmetric_free(&Ms);
}

// --- repetition ---

static void second_run_has_the_same_bits(void **state) {
  (void)state;
  enum { WIDTH = 24, POINTS = WIDTH * WIDTH, COUNT = 12 };
  static double lambda[2][COUNT], x[2][COUNT * POINTS], b[2][POINTS];
  lim_symmetric K = membrane(WIDTH, WIDTH), M = diagonal(POINTS, 0.3);
  for (int run = 0; run < 2; run++) {
    unsigned seed = 2;
    lim_factor *f = factored(&K);
    fill(b[run], POINTS, 1, &seed);
    assert_int_equal(lim_factor_solve(f, b[run], 1, NULL), LIM_OK);
    assert_int_equal(lim_sparse_modes(lambda[run], x[run], f, 0, &M, COUNT, NULL), LIM_OK);
    lim_factor_free(f);
    srand(77); // whoever else draws lots
    lim_symmetric other = membrane(17, 9), mass = diagonal(17 * 9, 1);
    static double l[4], y[4 * 17 * 9];
    expect_modes(l, y, &other, 0, &mass, 4);
    symmetric_free(&other);
    symmetric_free(&mass);
  }
  assert_memory_equal(lambda[0], lambda[1], sizeof lambda[0]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  assert_memory_equal(b[0], b[1], sizeof b[0]);
  symmetric_free(&K);
  symmetric_free(&M);
}

static void functions_named_as_those_of_mpi_stay_within_mumps(void **state) {
  (void)state;
  lim_symmetric A = membrane(5, 1);
  lim_factor_free(factored(&A));
  symmetric_free(&A);
  assert_null(dlsym(RTLD_DEFAULT, "MPI_Init"));
  assert_null(dlsym(RTLD_DEFAULT, "mpi_comm_rank_"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_those_of_the_dense_matrix),
      cmocka_unit_test(products_of_many_vectors_have_the_bits_of_each_alone),
      cmocka_unit_test(positive_and_indefinite_matrices_are_solved_and_their_inertia_is_counted),
      cmocka_unit_test(bordered_matrices_have_a_negative_pivot_per_constraint),
      cmocka_unit_test(rows_without_pivot_are_found_and_left_alone),
      cmocka_unit_test(chain_that_nothing_holds_has_one_pivot_of_zero),
      cmocka_unit_test(smallest_matrices),
      cmocka_unit_test(matrix_with_entries_that_are_no_numbers_is_refused),
      cmocka_unit_test(chains_and_membranes_match_the_closed_form),
      cmocka_unit_test(modes_of_equal_frequencies_are_all_found),
      cmocka_unit_test(chain_that_nothing_holds_has_a_mode_at_zero),
      cmocka_unit_test(freedoms_without_mass_are_no_modes),
      cmocka_unit_test(more_modes_than_there_are_is_an_error),
      cmocka_unit_test(modes_under_constraints_are_those_of_the_null_space),
      cmocka_unit_test(second_run_has_the_same_bits),
      cmocka_unit_test(functions_named_as_those_of_mpi_stay_within_mumps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
