// plausible.h - doubts about values that a model may have, but hardly does: units forgotten or mistaken, sizes
// that do not go together. All of them are warnings.
#ifndef LIM_MODEL_CHECK_PLAUSIBLE_H
#define LIM_MODEL_CHECK_PLAUSIBLE_H

#include "model/model.h"

// Warn of everything in a model that was read without error.
void lim_plausible(const lim_model *m, lim_error *err);

// Values of the file one by one (plausible.c), and those that must go together (plausible_parts.c).
void lim_plausible_values(const lim_model *m, lim_error *err);
void lim_plausible_parts(const lim_model *m, lim_error *err);

// The same for one number outside the file, as that of an option: `what` it is, as it is written, in `unit`.
void lim_plausible_number(lim_error *err, const char *what, const char *text, const char *unit, double x);

// A warning at a node: its place in the file, then the text. `place` is the name of the link or joint; NULL:
// none.
void lim_plausible_warn(lim_error *err, const lim_node *at, const char *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Whether a value of a mapping has its doubt already.
bool lim_plausible_any_doubted(const lim_error *err, const lim_node *mapping);

#endif
