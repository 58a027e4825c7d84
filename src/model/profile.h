// profile.h - kinds of motion profiles. A kind is a file of motion/profile/ and a row of its kinds.def: word,
// keys, checks, and how it runs in time.
#ifndef LIM_MODEL_PROFILE_H
#define LIM_MODEL_PROFILE_H

#include "model/schema.h"

struct lim_builder;

// Where a joint is when its first profile begins, and the key that says so.
typedef struct {
  double value;  // that its configuration must have; NaN: any
  double stands; // where it stands without a configuration; NaN: at 0
  const char *key;
  const char *says; // "from is"
} lim_beginning;

typedef struct {
  lim_kind_row row;
  bool stroke;     // from one value to another in its duration
  const char *end; // key that says where a stroke ends in place of `to`; NULL: none
  bool repeats;    // its duration only ends it
  lim_beginning (*begins)(const lim_profile *p);              // NULL: with `from`
  void (*build)(struct lim_builder *b, const lim_profile *p); // lays down its arcs: motion/profile/build.h
} lim_profile_kind;

const lim_profile_kind *lim_profile_kind_of(const lim_profile *p); // motion/profile/sequence.c

static inline lim_beginning lim_profile_begins(const lim_profile *p) {
  const lim_profile_kind *kind = lim_profile_kind_of(p);
  return kind->begins ? kind->begins(p) : (lim_beginning){p->from, p->from, "from", "from is"};
}

#endif
