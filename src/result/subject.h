// subject.h - what channels may be about: every frame, joint, link, section, gauge of an arm, the arm itself,
// and its modes of vibration. Inside src/result only.
#ifndef LIM_RESULT_SUBJECT_H
#define LIM_RESULT_SUBJECT_H

#include "result/probe.h"

// Room for a subject's name (two names of the model and a number), and with the quantity after it.
enum { LIM_CHANNEL_NAME = 256, LIM_CHANNEL_FULL = LIM_CHANNEL_NAME + 32 };

// One subject, as written in a channel's name.
typedef struct {
  char name[LIM_CHANNEL_NAME];
  int index; // frame: site of the system; mode: its number from 0; spring, bushing, loop: of the model; else
             // the link
  int gauge; // of that link
  double fraction;
  bool linear; // its joint slides
} lim_subject_item;

// Subject `i` (from 0) of a kind of quantity: false where it has no such quantity. The place of sections is
// taken from `place`, the text of a fraction; NULL: there are none.
bool lim_subject_get(lim_subject_item *out, const lim_system *s, const lim_probe_kind *kind, int i,
                     const char *place);
int lim_subject_count(const lim_system *s, lim_subject of);

// The fraction in "upper.section.0.25.force", as text; NULL: the name is about no section.
const char *lim_subject_place(char room[LIM_CHANNEL_NAME], const char *name);

#endif
