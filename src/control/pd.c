// pd.c - in proportion to the error of the position, against the speed. Theory: docs/theory/control.md (5).
#include "control/laws.h"

const lim_control_kind lim_control_pd = {.name = "pd", .holds = true, .torque = lim_control_feedback};
