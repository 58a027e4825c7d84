// reduced_file.h - reduced links on disk: HDF5 files that know what they were made from. Layout:
// docs/reference/reduced.md.
#ifndef LIM_FE_REDUCED_FILE_H
#define LIM_FE_REDUCED_FILE_H

#include "fe/link.h"
#include "model/model.h"

enum { LIM_FE_FILE_FORMAT = 1 };

// All of a link, into a file that appears whole or not at all; its folder is there.
lim_code lim_fe_file_write(const char *path, const lim_model *m, const lim_link *link, lim_error *err);

// Read it back; memory from the arena. LIM_IO: it cannot be read; LIM_BAD_INPUT: it is none, or was made from
// other files than those that are there. directory: of the model, below which and below that of path sources
// are looked at. link: who names it, for messages.
lim_code lim_fe_file_read(lim_fe_link *out, lim_arena *arena, const char *path, const char *directory,
                          const lim_link *link, lim_error *err);

#endif
