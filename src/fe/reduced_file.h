// reduced_file.h - reduced links on disk: HDF5 files that know what they were made from.
#ifndef LIM_FE_REDUCED_FILE_H
#define LIM_FE_REDUCED_FILE_H

#include "fe/link.h"
#include "model/model.h"

// All of a link, into a file that appears whole or not at all. directory: where the sources are that the model
// names.
lim_code lim_fe_file_write(const char *path, const lim_link *link, const char *directory, lim_error *err);

// Read it back; memory from the arena. LIM_IO: it cannot be read; LIM_BAD_INPUT: it is none, or is older than
// what it was made from. link: who names it, for messages.
lim_code lim_fe_file_read(lim_fe_link *out, lim_arena *arena, const char *path, const lim_link *link,
                          lim_error *err);

#endif
