// texts.h - numbers with units in lists of options, and lengths in messages. Inside src/api only.
#ifndef LIM_API_TEXTS_H
#define LIM_API_TEXTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

// The part of a list up to the next comma, without blanks around it; moves on. False: the list is at its end.
bool lim_texts_next(char *part, size_t size, const char **list);

// A number with or without a unit; `option` is named where it is none.
lim_code lim_texts_number(double *x, const char *text, const char *unit, const char *option, lim_error *err);

// As many numbers as there are, at most three. Returns how many through count.
lim_code lim_texts_numbers(double x[3], int *count, const char *list, const char *unit, const char *option,
                           lim_error *err);

// 1.55 mm
const char *lim_texts_length(char buffer[32], double x);

#endif
