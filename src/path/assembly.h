// assembly.h - an arm ready for work: its tree, with loops closed and lines at their start, and its damping.
#ifndef LIM_PATH_ASSEMBLY_H
#define LIM_PATH_ASSEMBLY_H

#include "arm/tree.h"

// Build. `rigid` leaves out every deformation, of links and of gears. The model must outlive the system.
lim_code lim_arm_new(lim_arm **out, const lim_model *model, bool rigid, lim_error *err);

// The same with free joints, which lim_arm_new refuses: each is a chain of massless bodies before the link's
// own, with one freedom per body, all 0 in the configuration. `first_body` of the link is the last of the
// chain.
lim_code lim_arm_new_floating(lim_arm **out, const lim_model *model, bool rigid, lim_error *err);

#endif
