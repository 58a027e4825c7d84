// entries.h - the entries of a symmetric matrix as a file gives them: triplets, Matrix Market, matrix input of
// Abaqus; and the matrix that they make.
#ifndef LIM_FE_READ_ENTRIES_H
#define LIM_FE_READ_ENTRIES_H

#include "fe/mesh.h"
#include "fe/read/lines.h"

// Rows and columns from 0.
typedef struct {
  int row, column;
  double value;
} lim_fe_entry;

// From this entry on each stands a line behind the one before.
typedef struct {
  size_t entry;
  int line;
} lim_fe_mark;

typedef struct {
  const char *path; // of the caller
  int n;            // rows: by a header, else by the largest index
  bool told;        // by a header
  bool named;       // the file names freedoms: rows are 6 node + direction until lim_fe_entries_rename
  bool by_node;     // messages name freedoms by node and direction, not by row
  size_t count, capacity, nmark, mark_capacity;
  lim_fe_entry *entry; // heap
  lim_fe_mark *mark;
} lim_fe_entries;

// What is read, and how many rows it may have at most: why tells, as "a.dof has 12 freedoms". mesh: whose nodes
// a file may name; NULL: it may not.
typedef struct {
  const char *path, *what, *why;
  int most;
  const lim_fe_mesh *mesh;
  const lim_hooks *hooks; // may be NULL
} lim_fe_matrix_file;

// End with lim_fe_entries_free, also after a failure.
lim_code lim_fe_entries_read(lim_fe_entries *out, const lim_fe_matrix_file *from, lim_error *err);
void lim_fe_entries_free(lim_fe_entries *e);

// The part that Matrix Market files have of their own: l stands at their first line.
lim_code lim_fe_entries_market(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from);
bool lim_fe_entries_triplet(lim_fe_entries *e, lim_lines *l, const lim_fe_matrix_file *from);
bool lim_fe_entries_add(lim_fe_entries *e, lim_lines *l, int row, int column, double value);

// The line of an entry.
int lim_fe_entries_line(const lim_fe_entries *e, size_t i);

// Put other rows in place of those read; table: -1 for rows that there are not, which is an error: node and
// direction are then those of mesh->id[row / 6] where the file names freedoms, else row's.
lim_code lim_fe_entries_rename(lim_fe_entries *e, const int *table, int n, const lim_fe_mesh *mesh,
                               lim_error *err);

// The matrix of n rows; entries (i, j) and (j, i) have to agree, those that are 0 are left out. Memory from the
// arena. mesh: for messages by node; NULL where they are not. The entries are used up.
lim_code lim_fe_entries_symmetric(lim_symmetric *out, lim_arena *arena, lim_fe_entries *e, int n,
                                  const lim_fe_mesh *mesh, lim_error *err);

#endif
