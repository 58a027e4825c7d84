// resolve.h - shared by the files that check a model as a whole and turn its names into indices.
#ifndef LIM_MODEL_CHECK_RESOLVE_H
#define LIM_MODEL_CHECK_RESOLVE_H

#include "base/suggest.h"
#include "model/schema.h"

struct lim_resolver {
  lim_model *m;
  lim_error *err;
  lim_code code;
  int errors; // messages so far
};

// A message at the value of `key` in a record, or at the record where the key is not written; the entry stands
// before it.
void lim_resolve_error(lim_resolver *v, const lim_head *head, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// --- names ---

// A message at the name: "material 'alu' is not defined; did you mean 'aluminium'?"
void lim_resolve_unknown(lim_resolver *v, const lim_head *head, const lim_ref *ref, const char *what,
                         lim_choice *choice);

// Index of a name in a list of records, which begin with a lim_head; -1: none.
int lim_find_name(const void *item, int count, size_t size, const char *name);
#define LIM_FIND_NAME(list, name) lim_find_name((list).item, (list).count, sizeof *(list).item, (name))

// Fill the index of a name in a list of records; a message if there is none. `key` holds the list at top level.
bool lim_resolve_name(lim_resolver *v, const lim_head *head, lim_ref *ref, const char *what, const char *key,
                      const void *item, int count, size_t size);
#define LIM_RESOLVE_NAME(v, head, ref, what, key, list)                                                        \
  lim_resolve_name((v), (head), (ref), (what), (key), (list).item, (list).count, sizeof *(list).item)

// A message if an earlier record of the list has the name of record i.
void lim_resolve_unique(lim_resolver *v, const void *item, size_t size, int i);
#define LIM_RESOLVE_UNIQUE(v, list, i) lim_resolve_unique((v), (list).item, sizeof *(list).item, (i))

// Fill the index of a link ("base": -1), of a joint (its link's index), of a place in the arm. A message and
// false, or -1, if there is none. A free or spherical joint has the index of its link, and no freedom that
// could be driven.
bool lim_resolve_link(lim_resolver *v, const lim_head *head, lim_ref *ref, const char *what);
int lim_resolve_joint(lim_resolver *v, const lim_head *head); // by head->name
bool lim_resolve_location(lim_resolver *v, const lim_head *head, lim_location *spot);

// Whether the name was written but refers to nothing, which has its message.
bool lim_ref_lost(const lim_ref *ref);

// Turn a distance into a fraction and a frame's name into its index, on a link (-1: the world). of_model: any
// of the model's frames may be named; else those of a link from finite elements alone, by their places.
void lim_resolve_link_location(lim_resolver *v, lim_link_location *place, int link, const lim_head *head,
                               bool of_model);

// Make an axis a unit vector, or complain.
void lim_resolve_axis(lim_resolver *v, double axis[3], const lim_head *head, const char *key);

// --- units ---

// Which half of "m|rad" holds for the numbers of an entry, and what it is that decides so.
typedef struct {
  const lim_head *head;
  bool linear;
  const char *what; // "a prismatic joint"
} lim_unit_side;

lim_unit_side lim_unit_side_of(const lim_head *head, const lim_link *link);

// A message if the number's unit, which fits one half of "m|rad", does not fit the other.
void lim_resolve_unit(lim_resolver *v, lim_unit_side side, const char *key, const lim_node *node,
                      const char *unit);

// The same for all numbers below a record. `outer` is the unit of the signal around it, or NULL.
void lim_resolve_units(lim_resolver *v, lim_unit_side side, const lim_table *table, const lim_node *node,
                       const char *outer);

// Check the profiles of a value in time; `line`: it moves a frame along lines.
void lim_resolve_signal(lim_resolver *v, const lim_head *head, const lim_signal *s, bool line);

// The block that a value in time or a controller names, if it does.
void lim_resolve_block(lim_resolver *v, const lim_head *head, lim_ref *block);

bool lim_resolve_freedoms(lim_resolver *v); // freedoms.c: first, it changes the list of links; false: no memory
bool lim_resolve_fe_places(lim_resolver *v); // resolve_fe.c: then, it adds frames; false: no memory
void lim_resolve_fe_link(lim_resolver *v, lim_link *a);
void lim_resolve_blocks(lim_resolver *v); // resolve_blocks.c
void lim_resolve_links(lim_resolver *v);
void lim_resolve_reversed(lim_model *m);   // last: into the axes of beams that run along -x  // resolve_links.c
void lim_resolve_drives(lim_resolver *v);  // resolve_drives.c
void lim_resolve_forces(lim_resolver *v);  // resolve_forces.c
void lim_resolve_release(lim_resolver *v); // resolve_release.c
void lim_resolve_couplings(lim_resolver *v); // resolve_couplings.c

#endif
