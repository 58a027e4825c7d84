// file.h - files of others, opened so that nothing waits; own files, made so that no planted link is followed.
#ifndef LIM_BASE_FILE_H
#define LIM_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { LIM_FILE_WHY = 120 };

// Open to read. Pipes and devices are refused unless `pipe`, and then nobody waits for their other end. LIM_IO
// with a message where it cannot be read; what: what it should be ("a table").
lim_code lim_file_open(FILE **out, const char *path, const char *what, bool pipe, lim_error *err);

// The same without a message: NULL, and what stands in the way ("is a directory, not a table") in why.
FILE *lim_file_try(const char *path, const char *what, bool pipe, char why[LIM_FILE_WHY]);

// Make a new file in place of what has the name, which is removed: where that is a link, the link alone. NULL:
// errno says why.
FILE *lim_file_create(const char *path);

// The part of a path above its last name, "." where there is none. The caller frees it; NULL: out of memory.
char *lim_file_above(const char *path);

// The folder of a file, beside which stands what it names; of /dev/stdin and the like, the working directory.
// The caller frees it; NULL: out of memory.
char *lim_file_folder(const char *path);

// Where a path leads: absolute, links followed; parts that do not exist stay as they are written. The caller
// frees it; NULL: out of memory.
char *lim_file_real(const char *path);

// Whether one such path is another, or below it.
bool lim_file_within(const char *real, const char *folder);

#endif
