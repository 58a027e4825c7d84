// possible.h - every channel that an arm can have, found by name. Sections are left out: they are where one
// asks for them.
#ifndef LIM_CHANNEL_POSSIBLE_H
#define LIM_CHANNEL_POSSIBLE_H

#include "base/arena.h"
#include "channel/owner.h"

typedef struct {
  const char *name; // "tip.position.x"
  const lim_quantity_kind *kind;
  int index, gauge; // as lim_owner_item
  double fraction;
  bool linear;
  int component;
  int order; // in which channels are listed
  bool taken;
} lim_possible;

typedef struct {
  lim_arena arena;
  lim_possible *item; // by name
  int count;
} lim_possible_list;

// "tip.position.x"; component -1: without it.
void lim_possible_name(char name[LIM_CHANNEL_FULL], const lim_quantity_kind *kind, const lim_owner_item *x,
                       int component);

// False: out of memory. End with lim_possible_end, also then.
bool lim_possible_start(lim_possible_list *l, const lim_arm *s);
void lim_possible_end(lim_possible_list *l);

// Those that a name selects: the one of that very name, else all that continue it after a dot. Returns the
// first of them, and their number in *count; NULL: there are none.
lim_possible *lim_possible_find(int *count, lim_possible_list *l, const char *name);

#endif
