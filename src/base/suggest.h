// suggest.h - a name that is not there: which one was meant, and which there are.
//
//   lim_choice c = lim_choice_start("tpi");
//   for (...) lim_choice_try(&c, name[i]);
//   LIM_FAIL(err, code, "unknown frame '%s'%s", "tpi", lim_choice_say(&c, "there are", NULL));
//   -> unknown frame 'tpi'; did you mean 'tip'? there are tip, arm.base, arm.tip
#ifndef LIM_BASE_SUGGEST_H
#define LIM_BASE_SUGGEST_H

#include "base/text.h"

enum { LIM_CHOICE_LISTED = 12, LIM_CHOICE_NAME = 288 };

typedef struct {
  lim_nearest near;
  int count, listed, tried; // names that there are, those in the list, those compared
  char best[LIM_CHOICE_NAME];
  char all[440];
  char text[900]; // what lim_choice_say returns
} lim_choice;

lim_choice lim_choice_start(const char *word);

// A name that there is. Copied; the first few thousand are compared.
void lim_choice_try(lim_choice *c, const char *name);

// One that may be meant too, but is not listed: the beginning of others.
void lim_choice_also(lim_choice *c, const char *name);

// What lists all names of a model that can be read.
#define LIM_CHOICE_ALL "'limber check --names' lists all"

// What follows the complaint: "; did you mean 'tip'? defined: tip, arm.tip and 30 more; 'limber check --names'
// lists all". `defined`: the words before the list, which is left out where it would be the one name that is
// meant; `lists`: what lists all, or NULL. No names at all: "; there is none". Lives in c.
const char *lim_choice_say(lim_choice *c, const char *defined, const char *lists);

#endif
