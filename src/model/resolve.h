// resolve.h - shared by the files that check a model as a whole and turn its names into indices.
#ifndef LIM_MODEL_RESOLVE_H
#define LIM_MODEL_RESOLVE_H

#include "base/text.h"
#include "model/schema.h"

typedef struct {
  lim_model *m;
  lim_error *err;
  lim_code code;
} lim_resolver;

// A message at the value of `key` in a record, or at the record where the key is not written.
void lim_resolve_error(lim_resolver *v, const lim_head *head, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// A message at the name that was not found: "material 'alu' is not defined; did you mean 'aluminium'?"
void lim_resolve_unknown(lim_resolver *v, const lim_ref *ref, const char *what, lim_nearest near);

// Fill the index of a name: of a link ("base": -1), of a joint (its link's index). False after a message.
bool lim_resolve_link(lim_resolver *v, lim_ref *ref);
int lim_resolve_joint(lim_resolver *v, const lim_head *head); // by head->name; -1 after a message
bool lim_resolve_spot(lim_resolver *v, lim_spot *spot);

// Turn a distance into a fraction and a frame's name into its index, on a link (-1: the world).
void lim_resolve_place(lim_resolver *v, lim_place *place, int link, const lim_head *head);

// Make an axis a unit vector, or complain.
void lim_resolve_axis(lim_resolver *v, double axis[3], const lim_head *head, const char *key);

// A message if the number's unit, which fits one half of "m|rad", does not fit the other.
void lim_resolve_unit(lim_resolver *v, const char *key, const lim_node *node, const char *unit);

// Units of "m|rad" keys below a record, now that the joint is known.
void lim_resolve_units(lim_resolver *v, const lim_table *table, const lim_node *node, bool linear,
                       const char *outer);

void lim_resolve_links(lim_resolver *v);  // resolve_links.c
void lim_resolve_drives(lim_resolver *v); // resolve_drives.c

#endif
