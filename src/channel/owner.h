// owner.h - what channels may be about: every frame, joint, link, section, gauge of an arm, the arm itself,
// and its modes of vibration.
#ifndef LIM_CHANNEL_OWNER_H
#define LIM_CHANNEL_OWNER_H

#include "channel/quantity.h"

// Room for an owner's name (two names of the model and a number), and with the quantity after it.
enum { LIM_CHANNEL_NAME = 256, LIM_CHANNEL_FULL = LIM_CHANNEL_NAME + 32 };

// One owner, as written in a channel's name.
typedef struct {
  char name[LIM_CHANNEL_NAME];
  int index; // frame: site of the system; mode: its number from 0; spring, bushing, loop, coupling: of the
             // model; else the link
  int gauge; // of that link
  double fraction;
  bool linear; // its joint slides
} lim_owner_item;

// Owner `i` (from 0) of a kind of quantity: false where it has no such quantity. The location of sections is
// taken from `location`, the text of a fraction; NULL: there are none.
bool lim_owner_get(lim_owner_item *out, const lim_arm *s, const lim_quantity_kind *kind, int i,
                   const char *location);
int lim_owner_count(const lim_arm *s, lim_owner of);

// The fraction in "upper.section.0.25.force", as text; NULL: the name is about no section.
const char *lim_owner_location(char buffer[LIM_CHANNEL_NAME], const char *name);

#endif
