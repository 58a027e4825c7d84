// read.c - nodes, freedoms and matrices of a finite-element model together, in SI.
#include "fe/read/read.h"

#include "fe/read/deck.h"
#include "fe/read/dofs.h"
#include "fe/read/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 300, DENSE = 8000 };

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static lim_code read_nodes(lim_fe_mesh *m, const lim_fe_files *f, lim_error *err) {
  lim_fe_deck deck = {.arena = &m->arena, .err = err};
  lim_code code = lim_fe_deck_read(&deck, f->nodes, &f->hooks);
  if (code == LIM_OK) code = lim_fe_deck_build(m, &deck, f->length, f->mass_unit);
  lim_fe_deck_free(&deck);
  return code;
}

// --- freedoms ---

// Inner freedoms of elements are nodes without a place, behind the others.
static lim_code add_inner(lim_fe_mesh *m, const lim_fe_dofs *dofs, lim_error *err) {
  const size_t n = (size_t)m->nnode, more = (size_t)dofs->ninner;
  if (more == 0) return LIM_OK;
  int *id = lim_arena_array(&m->arena, n + more, sizeof *id);
  double *X = lim_arena_array(&m->arena, 3 * (n + more), sizeof *X);
  if (!id || !X) return lim_no_memory(err);
  memcpy(id, m->id, n * sizeof *id);
  memcpy(id + n, dofs->inner, more * sizeof *id);
  memcpy(X, m->X, 3 * n * sizeof *X);
  m->id = id;
  m->X = X;
  m->nnode += dofs->ninner;
  m->ninner = dofs->ninner;
  return LIM_OK;
}

static lim_code read_dofs(lim_fe_mesh *m, const lim_fe_files *f, lim_error *err) {
  lim_fe_dofs dofs;
  lim_code code = lim_fe_dofs_read(&dofs, &m->arena, f->dofs, m, true, &f->hooks, err);
  if (code == LIM_OK) code = add_inner(m, &dofs, err);
  m->ndof = dofs.count;
  m->dof_node = dofs.node;
  m->dof_direction = dofs.direction;
  return code;
}

static lim_code make_dofs(lim_fe_mesh *m, int n, lim_error *err) {
  m->ndof = n;
  m->dof_node = lim_arena_array(&m->arena, (size_t)n, sizeof *m->dof_node);
  m->dof_direction = lim_arena_array(&m->arena, (size_t)n, sizeof *m->dof_direction);
  return m->dof_node && m->dof_direction ? LIM_OK : lim_no_memory(err);
}

// All directions of all nodes, of which there are 3 or 6 each.
static lim_code assume_dofs(lim_fe_mesh *m, int n, const char *path, lim_error *err) {
  const int each = n / m->nnode;
  if (n % m->nnode || (each != 3 && each != 6))
    return lim_error_add(err, LIM_BAD_INPUT, path, 0, 0,
                         "the matrix has %d rows, neither 3 nor 6 per node (nodes: %d); say by `dofs` which "
                         "freedom each row is",
                         n, m->nnode);
  const lim_code code = make_dofs(m, n, err);
  for (int i = 0; i < n && code == LIM_OK; i++) {
    m->dof_node[i] = i / each;
    m->dof_direction[i] = i % each;
  }
  return code;
}

// The freedoms that entries name, by node and direction.
static lim_code named_dofs(lim_fe_mesh *m, const lim_fe_entries *e, lim_error *err) {
  int n = 0;
  char *used = calloc(6 * (size_t)m->nnode, 1);
  if (!used) return lim_no_memory(err);
  for (size_t i = 0; i < e->count; i++) used[e->entry[i].row] = used[e->entry[i].column] = 1;
  for (int i = 0; i < 6 * m->nnode; i++) n += used[i];
  const lim_code code = make_dofs(m, n, err);
  for (int i = 0, k = 0; i < 6 * m->nnode && code == LIM_OK; i++) {
    if (!used[i]) continue;
    m->dof_node[k] = i / 6;
    m->dof_direction[k++] = i % 6;
  }
  free(used);
  return code;
}

// The row of each freedom 6 node + direction, -1 where it has none. The caller frees it.
static int *rows_of(const lim_fe_mesh *m) {
  int *row = malloc((6 * (size_t)m->nnode + 1) * sizeof *row);
  for (int i = 0; i < 6 * m->nnode && row; i++) row[i] = -1;
  for (int i = 0; i < m->ndof && row; i++) row[6 * m->dof_node[i] + m->dof_direction[i]] = i;
  return row;
}

// Entries that name freedoms get their rows.
static lim_code number(lim_fe_entries *e, const lim_fe_mesh *m, lim_error *err) {
  if (!e->named) return LIM_OK;
  int *row = rows_of(m);
  const lim_code code = row ? lim_fe_entries_rename(e, row, m->ndof, m, err) : lim_no_memory(err);
  free(row);
  return code;
}

// --- matrices ---

// Entries between displacements are in mass/s^2 or mass; each rotation in place of a displacement makes a
// length of it.
static lim_code to_si(lim_symmetric *A, const lim_fe_mesh *m, double length, double mass_unit, const char *path,
                      lim_error *err) {
  const double factor[3] = {mass_unit, mass_unit * length, mass_unit * length * length};
  bool finite = true;
  for (int i = 0; i < A->n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      A->value[k] *= factor[(m->dof_direction[i] > 2) + (m->dof_direction[A->column[k]] > 2)];
      finite = finite && isfinite(A->value[k]);
    }
  if (finite) return LIM_OK;
  return lim_error_add(err, LIM_BAD_INPUT, path, 0, 0, "entries are too large for numbers in SI");
}

static lim_code assemble(lim_symmetric *out, lim_arena *arena, lim_fe_entries *e, const lim_fe_mesh *m,
                         double length, double mass_unit, lim_error *err) {
  const char *path = e->path;
  const lim_code code = lim_fe_entries_symmetric(out, arena, e, m->ndof, m, err);
  return code == LIM_OK ? to_si(out, m, length, mass_unit, path, err) : code;
}

// How many rows a matrix may have, and why.
static void limit_rows(lim_fe_matrix_file *from, char why[WHY], const lim_fe_mesh *m, const char *dofs) {
  from->most = m->ndof ? m->ndof : 6 * m->nnode;
  from->why = why;
  if (dofs)
    snprintf(why, WHY, "'%.200s' has %d freedoms", name_of(dofs), m->ndof);
  else if (m->ndof)
    snprintf(why, WHY, "the stiffness matrix has %d rows", m->ndof);
  else
    snprintf(why, WHY, "there are at most %d freedoms (nodes: %d); dofs may say which", 6 * m->nnode, m->nnode);
}

static lim_code check_size(const lim_fe_entries *e, const lim_fe_mesh *m, const char *why, lim_error *err) {
  if (e->n == m->ndof) return LIM_OK;
  return lim_error_add(err, LIM_BAD_INPUT, e->path, 0, 0, "the matrix has %d rows, but %s", e->n, why);
}

static lim_code read_stiffness(lim_fe_mesh *m, const lim_fe_files *f, bool *named, lim_error *err) {
  char why[WHY];
  lim_fe_entries e;
  lim_fe_matrix_file from = {
      .path = f->stiffness, .what = "reading the stiffness matrix", .mesh = m, .hooks = &f->hooks};
  limit_rows(&from, why, m, f->dofs);
  lim_code code = lim_fe_entries_read(&e, &from, err);
  *named = e.named;
  if (code == LIM_OK && !f->dofs)
    code = e.named ? named_dofs(m, &e, err) : assume_dofs(m, e.n, f->stiffness, err);
  if (code == LIM_OK) code = number(&e, m, err);
  if (code == LIM_OK) code = check_size(&e, m, why, err);
  if (code == LIM_OK) code = assemble(&m->K, &m->arena, &e, m, f->length, f->mass_unit, err);
  lim_fe_entries_free(&e);
  return code;
}

// Rows at the end of a mass matrix may be without mass where the freedoms are given.
static lim_code check_mass(const lim_fe_entries *e, const lim_fe_mesh *m, const lim_fe_files *f, bool named,
                           lim_error *err) {
  if (named && !e->named && !f->dofs)
    return lim_error_add(err, LIM_BAD_INPUT, e->path, 0, 0,
                         "the stiffness matrix names its freedoms and this one does not; say by `dofs` which "
                         "freedom each row is");
  if (e->named || e->n == m->ndof || (f->dofs && !e->told)) return LIM_OK;
  return lim_error_add(err, LIM_BAD_INPUT, e->path, 0, 0,
                       "the matrix has %d rows, but the stiffness matrix has %d%s", e->n, m->ndof,
                       e->told ? "" : " (rows without entries count where `dofs` is given)");
}

static lim_code read_mass(lim_fe_mesh *m, const lim_fe_files *f, bool named, lim_error *err) {
  char why[WHY];
  lim_fe_entries e;
  lim_fe_matrix_file from = {.path = f->mass, .what = "reading the mass matrix", .mesh = m, .hooks = &f->hooks};
  limit_rows(&from, why, m, f->dofs);
  lim_code code = lim_fe_entries_read(&e, &from, err);
  if (code == LIM_OK) code = check_mass(&e, m, f, named, err);
  if (code == LIM_OK) code = number(&e, m, err);
  if (code == LIM_OK) code = assemble(&m->M, &m->arena, &e, m, f->length, f->mass_unit, err);
  lim_fe_entries_free(&e);
  return code;
}

lim_code lim_fe_read(lim_fe_mesh **out, const lim_fe_files *files, lim_error *err) {
  bool named;
  lim_fe_mesh *m = *out = calloc(1, sizeof *m);
  if (!m) return lim_no_memory(err);
  lim_code code = read_nodes(m, files, err);
  if (code == LIM_OK && files->dofs) code = read_dofs(m, files, err);
  if (code == LIM_OK) code = read_stiffness(m, files, &named, err);
  if (code == LIM_OK) code = read_mass(m, files, named, err);
  if (code == LIM_OK) return LIM_OK;
  lim_fe_mesh_free(m);
  *out = NULL;
  return code;
}

// --- further matrices ---

// The row in the mesh of each row of a map of its own. -1: a freedom that the mesh has not, which is an error.
static lim_code rows_by_map(int **out, int *n, lim_arena *arena, const lim_fe_mesh *m, const char *path,
                            lim_error *err) {
  lim_fe_dofs dofs;
  lim_code code = lim_fe_dofs_read(&dofs, arena, path, m, false, NULL, err);
  int *row = code == LIM_OK ? rows_of(m) : NULL;
  if (code == LIM_OK && !row) code = lim_no_memory(err);
  for (int i = 0; i < dofs.count && code == LIM_OK; i++) {
    const int at = row[6 * dofs.node[i] + dofs.direction[i]];
    if (at < 0)
      code = lim_error_add(err, LIM_BAD_INPUT, path, 0, 0, "direction %d of node %d is no freedom of the mesh",
                           dofs.direction[i] + 1, m->id[dofs.node[i]]);
    dofs.node[i] = at;
  }
  free(row);
  *out = dofs.node;
  *n = dofs.count;
  return code;
}

static lim_code read_further(lim_symmetric *out, lim_arena *arena, const lim_fe_mesh *mesh,
                             const char *stiffness, const char *dofs, const int *row, int n, lim_error *err) {
  char why[WHY];
  lim_fe_entries e;
  lim_fe_matrix_file from = {.path = stiffness, .what = "reading a stiffness matrix", .mesh = mesh};
  limit_rows(&from, why, mesh, NULL);
  if (dofs) {
    from.most = n;
    snprintf(why, WHY, "'%.200s' has %d freedoms", name_of(dofs), n);
  }
  lim_code code = lim_fe_entries_read(&e, &from, err);
  if (code == LIM_OK && !e.named && e.n != from.most && (e.told || !dofs))
    code = lim_error_add(err, LIM_BAD_INPUT, stiffness, 0, 0, "the matrix has %d rows, but %s", e.n, why);
  if (code == LIM_OK) code = number(&e, mesh, err);
  if (code == LIM_OK && dofs && !e.named) code = lim_fe_entries_rename(&e, row, mesh->ndof, mesh, err);
  if (code == LIM_OK) code = lim_fe_entries_symmetric(out, arena, &e, mesh->ndof, mesh, err);
  lim_fe_entries_free(&e);
  return code;
}

lim_code lim_fe_read_further(lim_symmetric *out, lim_arena *arena, const lim_fe_mesh *mesh,
                             const char *stiffness, const char *dofs, double length, double mass_unit,
                             lim_error *err) {
  int *row = NULL, n = mesh->ndof;
  lim_code code = dofs ? rows_by_map(&row, &n, arena, mesh, dofs, err) : LIM_OK;
  if (code == LIM_OK) code = read_further(out, arena, mesh, stiffness, dofs, row, n, err);
  return code == LIM_OK ? to_si(out, mesh, length, mass_unit, stiffness, err) : code;
}

// --- dense ---

static lim_code spread(double **out, lim_arena *arena, const lim_symmetric *A, lim_error *err) {
  const size_t n = (size_t)A->n;
  double *D = *out = lim_arena_array(arena, n * n, sizeof *D);
  if (!D) return lim_no_memory(err);
  for (size_t i = 0; i < n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++)
      D[i + n * (size_t)A->column[k]] = D[(size_t)A->column[k] + n * i] = A->value[k];
  return LIM_OK;
}

lim_code lim_fe_read_dense(double **out, int *n, lim_arena *arena, const char *path, lim_error *err) {
  lim_fe_entries e;
  lim_arena passing = {0};
  lim_symmetric A;
  const lim_fe_matrix_file from = {
      .path = path, .what = "reading a matrix", .most = DENSE, .why = "a dense matrix has at most 8000"};
  lim_code code = lim_fe_entries_read(&e, &from, err);
  *out = NULL;
  *n = code == LIM_OK ? e.n : 0;
  if (code == LIM_OK) code = lim_fe_entries_symmetric(&A, &passing, &e, e.n, NULL, err);
  if (code == LIM_OK) code = spread(out, arena, &A, err);
  lim_fe_entries_free(&e);
  lim_arena_free(&passing);
  return code;
}
