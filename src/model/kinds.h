// kinds.h - the tables of kinds, as the model file knows them. The reader is told of kinds by the rooms that
// make them work: a table stands where its rows are at home, right of this room, and only its name is known
// here. Each gives row i; NULL: there is none.
#ifndef LIM_MODEL_KINDS_H
#define LIM_MODEL_KINDS_H

#include "model/schema.h"

const lim_kind_row *lim_joint_row(int i);   // model/joint.c
const lim_kind_row *lim_section_row(int i); // beam/section.c
const lim_kind_row *lim_element_row(int i); // beam/element.c
const lim_kind_row *lim_profile_row(int i); // motion/profile/sequence.c
const lim_kind_row *lim_control_row(int i); // control/law.c
const lim_kind_row *lim_method_row(int i);  // analysis/simulation/integrators.c
const lim_kind_row *lim_block_row(int i);   // control/block.c

// "newmark or generalized-alpha": the words of kinds for which something holds, with `last` (" or ") before the
// last of them.
enum { LIM_KIND_WORDS = 160 };
const char *lim_kind_words(char buffer[LIM_KIND_WORDS], const lim_kind_row *(*kinds)(int i),
                           bool (*holds)(int i), const char *last);

// Outer size of a section along y and z; 0: not known. beam/section.c
void lim_section_size(double size[2], const lim_section *s);

// Places of a link from finite elements that is loaded: how many, and of each its name and its axes against
// those of base, where R is not NULL; and whether it is a frame, or a set of nodes. fe/link.c
int lim_fe_link_places(const struct lim_fe_link *link);
const char *lim_fe_link_place(const struct lim_fe_link *link, int place, double R[9]);
bool lim_fe_link_is_frame(const struct lim_fe_link *link, int place);

// Links of files that are reduced already, before names are resolved; then all others. Memory and all that they
// hold are the model's. directory: where its files are. fe/load.c
lim_code lim_fe_load_reduced(lim_model *m, const char *directory, lim_error *err);
lim_code lim_fe_load(lim_model *m, const char *directory, const lim_hooks *hooks, lim_error *err);

// Whether an element takes shear into account. beam/element.c
bool lim_element_shears(int i);

#endif
