// fe.c - fuzz target: any bytes as files of a finite-element program, separated by lines "----": nodes,
// stiffness, mass, then perhaps freedoms.
#include "fe/read/read.h"
#include "place.h"

#include <math.h>
#include <stdbool.h>

enum { FILES = 4 };
static char path[FILES][64];

static void remove_files(void) {
  for (int i = 0; i < FILES; i++) unlink(path[i]);
}

static void name_files(void) {
  static const char *const name[FILES] = {"nodes", "K", "M", "dofs"};
  if (path[0][0]) return;
  place_of("none"); // makes the folder
  for (int i = 0; i < FILES; i++) snprintf(path[i], sizeof path[i], "%s/%s", place.folder, name[i]);
  atexit(remove_files); // before the folder goes
}

// Returns how many files there are.
static int write_files(const uint8_t *data, size_t size) {
  int n = 0;
  for (bool last = false; !last && n < FILES; n++) {
    const uint8_t *end = size >= 5 ? memmem(data, size, "----\n", 5) : NULL;
    last = !end;
    const size_t length = end ? (size_t)(end - data) : size;
    place_write(path[n], data, length);
    if (end) data = end + 5, size -= length + 5;
  }
  return n;
}

static void check_matrix(const lim_symmetric *A, int n) {
  if (A->n != n) abort();
  for (int i = 0; i < n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      if (A->column[k] < i || A->column[k] >= n || !isfinite(A->value[k])) abort();
      if (k > A->start[i] && A->column[k] <= A->column[k - 1]) abort();
    }
}

static void check_sets(const lim_fe_mesh *m) {
  for (int i = 0; i < m->nset; i++)
    for (int k = 0; k < m->set[i].count; k++) {
      if (m->set[i].node[k] < 0 || m->set[i].node[k] >= m->nnode) abort();
      if (k && m->set[i].node[k] <= m->set[i].node[k - 1]) abort();
    }
}

static void check_mesh(const lim_fe_mesh *m) {
  for (int i = 0; i < m->nnode; i++)
    if (m->id[i] < 1 || (i && m->id[i] <= m->id[i - 1]) || !isfinite(m->X[3 * i])) abort();
  for (int i = 0; i < m->nelement; i++) {
    const lim_fe_element *e = &m->element[i];
    if (e->material < -1 || e->material >= m->nmaterial) abort();
    for (int k = e->first; k < e->first + lim_fe_shape_nodes(e->shape); k++)
      if (m->element_node[k] < 0 || m->element_node[k] >= m->nnode) abort();
  }
  for (int i = 0; i < m->ndof; i++)
    if (m->dof_node[i] < 0 || m->dof_node[i] >= m->nnode || m->dof_direction[i] < 0 || m->dof_direction[i] > 5)
      abort();
  check_sets(m);
  check_matrix(&m->K, m->ndof);
  check_matrix(&m->M, m->ndof);
}

static void read_further(const lim_fe_mesh *m, const char *dofs) {
  lim_error err = {0};
  lim_arena arena = {0};
  lim_symmetric A;
  const lim_code code = lim_fe_read_further(&A, &arena, m, path[2], dofs, 1e-3, 1000, &err);
  if ((code == LIM_OK) != (err.count == 0)) abort();
  if (code == LIM_OK) check_matrix(&A, m->ndof);
  lim_arena_free(&arena);
  lim_error_clear(&err);
}

static void read_dense(void) {
  lim_error err = {0};
  lim_arena arena = {0};
  double *D;
  int n;
  const lim_code code = lim_fe_read_dense(&D, &n, &arena, path[1], &err);
  if ((code == LIM_OK) != (err.count == 0)) abort();
  if (code == LIM_OK && D[n - 1] != D[(size_t)(n - 1) * n]) abort();
  lim_arena_free(&arena);
  lim_error_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  name_files();
  const int n = write_files(data, size);
  if (n < 3) return 0;
  lim_error err = {0};
  lim_fe_mesh *m;
  const lim_fe_files files = {.nodes = path[0],
                              .stiffness = path[1],
                              .mass = path[2],
                              .dofs = n == FILES ? path[3] : NULL,
                              .length = 1e-3,
                              .mass_unit = 1000};
  const lim_code code = lim_fe_read(&m, &files, &err);
  if ((code == LIM_OK) != (err.count == 0) || (code == LIM_OK) != (m != NULL)) abort();
  if (m) check_mesh(m);
  if (m) read_further(m, files.dofs);
  read_dense();
  lim_fe_mesh_free(m);
  lim_error_clear(&err);
  return 0;
}
