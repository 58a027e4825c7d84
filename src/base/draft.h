// draft.h - files that appear whole or not at all.
#ifndef LIM_BASE_DRAFT_H
#define LIM_BASE_DRAFT_H

#include "base/error.h"

#include <stdbool.h>

// A file that has another name while it is written.
typedef struct {
  char *name; // DIR/file; NULL: not started
  char *part; // DIR/file.part
} lim_draft;

// Make a directory and those above it; one that is there is fine.
lim_code lim_directory_make(const char *path, lim_error *err);

// Keep other runs out of a directory while files in it are written; they fail with LIM_IO.
lim_code lim_directory_lock(int *lock, const char *path, lim_error *err);
void lim_directory_unlock(int lock);

// Put the names together; nothing is opened.
lim_code lim_draft_start(lim_draft *d, const char *directory, const char *file, lim_error *err);

// Give the file its name, in place of one that has it.
lim_code lim_draft_keep(const lim_draft *d, lim_error *err);

// Remove the part, if it is still there.
void lim_draft_drop(const lim_draft *d);
void lim_draft_free(lim_draft *d);

// "cannot be written: ..." with what errno says.
lim_code lim_write_error(const char *path, lim_error *err);

// A whole file of text under its final name, by way of its part.
lim_code lim_draft_write(const lim_draft *d, const char *text, lim_error *err);

#endif
