// pd.c - in proportion to the error of the position, against the speed. Theory: docs/theory/control.md (5).
#include "control/laws.h"

const lim_control_kind lim_control_pd = {
    .row = {.word = "pd",
            .help = "in proportion to the error of the position, against the speed",
            .takes = LIM_TAKEN_BY_PD,
            .check = lim_control_check_gains},
    .holds = true,
    .torque = lim_control_feedback};
