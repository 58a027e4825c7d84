// kind_numbers.h - numbers of kinds by their names, out of their lists: LIM_SECTION_tube, LIM_PROFILE_via.
#ifndef KIND_NUMBERS_H
#define KIND_NUMBERS_H

#define ROW(kind) LIM_SECTION_##kind,
enum {
#include "beam/sections.def"
};
#undef ROW

#define ROW(kind) LIM_ELEMENT_##kind,
enum {
#include "beam/elements.def"
};
#undef ROW

#define ROW(kind) LIM_PROFILE_##kind,
enum {
#include "motion/profile/kinds.def"
};
#undef ROW

#define ROW(kind) LIM_CONTROL_##kind,
enum {
#include "control/laws.def"
};
#undef ROW

#define ROW(kind) LIM_METHOD_##kind,
enum {
#include "integrate/integrators.def"
};
#undef ROW

#endif
