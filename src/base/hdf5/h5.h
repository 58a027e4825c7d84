// h5.h - the few things limber does with HDF5: attributes, texts, lists that grow; and reading them back.
//
// Nothing here prints. Files, groups and datasets are HDF5's numbers, negative: none.
#ifndef LIM_BASE_HDF5_H5_H
#define LIM_BASE_HDF5_H5_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef int64_t lim_h5; // hid_t

// A list of rows that grows. A row is one number, or width[0] of them, or width[0] x width[1].
typedef struct {
  lim_h5 set;
  bool single;  // float32; else float64
  int width[2]; // 0: no such dimension
  long rows;
  bool whole; // int32 instead
} lim_h5_list;

// Before all others, which cannot be called where it fails (LIM_IO: there is no HDF5 on this machine); lists
// and files that are none may be ended.
lim_code lim_h5_load(lim_error *err);

lim_h5 lim_h5_create(const char *path); // a new file
bool lim_h5_flush(lim_h5 file);
bool lim_h5_close(lim_h5 file);

// From now on rows are added to the lists that are there, and nothing else is made: what has been flushed can
// be read at any time by other processes, also after this one was killed (single-writer mode). Ends with
// lim_h5_close; then the file may be opened once more to be completed.
bool lim_h5_rows_only(lim_h5 file);
lim_h5 lim_h5_reopen(const char *path);

// After a write that failed: the file stays as it is. HDF5 would go on writing what fits until it is closed,
// and leave it damaged.
void lim_h5_abandon(lim_h5 file);

lim_h5 lim_h5_group(lim_h5 parent, const char *name); // a new one, that remembers the order of its members
void lim_h5_group_close(lim_h5 group);

// Attributes of a file, group or dataset; a dataset of one text, of numbers.
bool lim_h5_set_text(lim_h5 on, const char *name, const char *text);
bool lim_h5_set_number(lim_h5 on, const char *name, double x);
bool lim_h5_text(lim_h5 parent, const char *name, const char *text);
bool lim_h5_texts(lim_h5 parent, const char *name, const char *const *text, int count);
bool lim_h5_ints(lim_h5 parent, const char *name, const int *x, int count);
bool lim_h5_doubles(lim_h5 parent, const char *name, const double *x, int count);

// Compressed, rows of `wide` numbers, at least one: whole ones; single ones of `count` pages with `rows` each,
// a page at a time.
bool lim_h5_int_rows(lim_h5 parent, const char *name, const int *x, int rows, int wide);
bool lim_h5_pages(lim_h5 parent, const char *name, const char *unit, const float *x, int count, int rows,
                  int wide);

bool lim_h5_overwrite(lim_h5 parent, const char *name, const double *x); // numbers that are there

// A compressed list that starts empty, in chunks of `chunk` rows; unit: its attribute.
bool lim_h5_list_start(lim_h5_list *l, lim_h5 parent, const char *name, const char *unit, long chunk);
bool lim_h5_list_add(lim_h5_list *l, const void *rows, long count); // float, double or int, as the list is
bool lim_h5_list_replace(lim_h5_list *l, const double *rows);       // all rows
bool lim_h5_list_end(lim_h5_list *l);

// --- reading (h5_read.c): memory from the arena; NULL, NaN, negative: it is not there, or cannot be read ---

lim_h5 lim_h5_open(const char *path);
bool lim_h5_has(lim_h5 parent, const char *name); // a member of that name, readable or not
lim_h5 lim_h5_open_group(lim_h5 parent, const char *name);

// The members of a group in the order in which they were made.
int lim_h5_names(const char ***out, lim_h5 group, lim_arena *arena);

// An attribute, or else a dataset, of one text; an attribute of one number; a dataset's attribute `unit`.
const char *lim_h5_get_text(lim_h5 on, const char *name, lim_arena *arena);
double lim_h5_get_number(lim_h5 on, const char *name);
const char *lim_h5_get_unit(lim_h5 parent, const char *name, lim_arena *arena);

// Datasets of texts and of numbers, which are converted. shape: 1 where there are fewer than three dimensions.
int lim_h5_get_texts(const char ***out, lim_h5 parent, const char *name, lim_arena *arena);
double *lim_h5_get_doubles(lim_h5 parent, const char *name, long shape[3], lim_arena *arena);
float *lim_h5_get_floats(lim_h5 parent, const char *name, long shape[3], lim_arena *arena);
int *lim_h5_get_ints(lim_h5 parent, const char *name, long shape[3], lim_arena *arena);

#endif
