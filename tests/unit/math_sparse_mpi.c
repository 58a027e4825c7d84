// math_sparse_mpi.c - MUMPS in a process that has functions of MPI: it calls its own.
#include "sparse_fixture.h"

static int called;

// As a library of MPI has it, which would not answer before it is initialised.
void mpi_comm_rank_(const int *comm, int *rank, int *error);
void mpi_comm_rank_(const int *comm, int *rank, int *error) {
  (void)comm;
  called++;
  *rank = 7;
  *error = 1;
}

static void mumps_does_not_call_the_mpi_of_the_process(void **state) {
  (void)state;
  double x[9] = {1, [8] = 1};
  lim_symmetric A = membrane(9, 1);
  lim_factor *f = factored(&A);
  assert_int_equal(lim_factor_solve(f, x, 1, NULL), LIM_OK);
  for (int i = 0; i < 9; i++) expect_near(x[i], 1, 1e-14);
  lim_factor_free(f);
  symmetric_free(&A);
  assert_int_equal(called, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(mumps_does_not_call_the_mpi_of_the_process)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
