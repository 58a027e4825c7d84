// fd_link.h - the link of a model as finite differences see it.
#ifndef LIM_ANALYSIS_STUDY_FD_LINK_H
#define LIM_ANALYSIS_STUDY_FD_LINK_H

#include "analysis/study/fd_scheme.h"
#include "arm/tree.h"

// An error at the place in the file where the model is more than the method can treat.
lim_code lim_fd_link_of(lim_fd_link *out, const lim_arm *s, lim_error *err);

#endif
