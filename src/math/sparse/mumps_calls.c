// mumps_calls.c - the table of MUMPS' functions.
#include "math/sparse/mumps_calls.h"

lim_mumps_calls lim_mumps;

static const char *const names[] = {LIM_MUMPS_CALLS(LIM_LIBRARY_NAME)};

// Under a true MPI it must find the functions that it brings: the others would want to be initialised.
static lim_library library = {"MUMPS", LIM_MUMPS_FILE, names, sizeof names / sizeof *names,
                              0,       &lim_mumps,     false, "mpi_comm_rank_"};

lim_code lim_mumps_load(lim_error *err) { return lim_library_load(&library, err); }
