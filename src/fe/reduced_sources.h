// reduced_sources.h - what a reduced link was made from: files with their digests, and keys of the model.
#ifndef LIM_FE_REDUCED_SOURCES_H
#define LIM_FE_REDUCED_SOURCES_H

#include "model/model.h"

// A file as it was.
enum { LIM_FE_SOURCE_NUMBERS = 4 };
typedef struct {
  const char *name;                     // from the folder of the reduced file; else absolute
  double number[LIM_FE_SOURCE_NUMBERS]; // bytes; time of its last change [s], and [ns] of that second; CRC-32
} lim_fe_source;

typedef struct {
  int count;
  lim_fe_source *item; // (count)
  const char *keys;    // what of the model shaped the link, as YAML
} lim_fe_sources;

// All of a link that is loaded. folder: where the reduced file will be.
lim_code lim_fe_sources_find(lim_fe_sources *out, lim_arena *arena, const lim_model *m, const lim_link *link,
                             const char *folder, lim_error *err);

// Whether those that are still there, below one of the two folders, are as they were; a message at the key
// `file` of the link if not. What is not there is taken to be the same.
lim_code lim_fe_sources_check(const lim_fe_sources *s, const char *folder, const char *directory,
                              const lim_link *link, lim_error *err);

// A digest of the keys, of names and contents of all sources, and of further names.
enum { LIM_FE_DIGEST = 24 };
void lim_fe_sources_digest(char out[LIM_FE_DIGEST], const lim_fe_sources *s, const char *const *names,
                           int count);

#endif
