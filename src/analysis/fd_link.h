// fd_link.h - the link of a model as finite differences see it.
#ifndef LIM_ANALYSIS_FD_LINK_H
#define LIM_ANALYSIS_FD_LINK_H

#include "analysis/fd_scheme.h"
#include "system/system.h"

// An error at the place in the file where the model is more than the method can treat.
lim_code lim_fd_link_of(lim_fd_link *out, const lim_system *s, lim_error *err);

#endif
