// place.h - a passing folder for files that a target reads, removed at the end of the process.
#ifndef LIM_FUZZ_PLACE_H
#define LIM_FUZZ_PLACE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { char folder[32], file[64]; } place;

static void place_leave(void) {
  unlink(place.file);
  rmdir(place.folder);
}

// The path of the one file in it, which takes another name where it had one.
static const char *place_of(const char *name) {
  unlink(place.file);
  if (!place.folder[0]) {
    strcpy(place.folder, "/tmp/limber-fuzz-XXXXXX");
    if (!mkdtemp(place.folder)) abort();
    atexit(place_leave);
  }
  snprintf(place.file, sizeof place.file, "%s/%s", place.folder, name);
  return place.file;
}

static inline void place_write(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file)) abort();
}

#endif
