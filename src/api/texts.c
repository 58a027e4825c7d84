// texts.c - numbers with units in lists of options, and lengths in messages.
#include "api/texts.h"

#include "base/units/units.h"
#include "model/check/plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool lim_texts_next(char *part, size_t size, const char **list) {
  if (!*list) return false;
  const char *at = *list + strspn(*list, " \t");
  size_t length = strcspn(at, ","), used = length;
  while (used > 0 && strchr(" \t", at[used - 1])) used--;
  snprintf(part, size, "%.*s", (int)(used < size ? used : size - 1), at);
  *list = at[length] ? at + length + 1 : NULL;
  return true;
}

lim_code lim_texts_number(double *x, const char *text, const char *unit, const char *option, lim_error *err) {
  char bad[40] = "", hint[LIM_UNIT_HINT];
  lim_number_status status = lim_number_parse(x, text, unit, bad, sizeof bad);
  char what[40];
  snprintf(what, sizeof what, "--%s", option);
  if (status == LIM_NUMBER_OK) lim_plausible_number(err, what, text, unit, *x);
  if (status == LIM_NUMBER_OK) return LIM_OK;
  if (status == LIM_NUMBER_UNIT)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: unknown unit '%s' in '%.60s'%s", option, bad, text,
                    lim_unit_hint(hint, bad, text, unit));
  if (status == LIM_NUMBER_DIMENSION)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not in %s", option, text, unit);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not a number", option, text);
}

lim_code lim_texts_numbers(double x[3], int *count, const char *list, const char *unit, const char *option,
                           lim_error *err) {
  char part[80];
  *count = 0;
  while (lim_texts_next(part, sizeof part, &list)) {
    if (*count == 3) return LIM_FAIL(err, LIM_BAD_INPUT, "--%s has more than three numbers", option);
    lim_code code = lim_texts_number(&x[(*count)++], part, unit, option, err);
    if (code != LIM_OK) return code;
  }
  return LIM_OK;
}

const char *lim_texts_length(char buffer[32], double x) {
  static const struct {
    double factor;
    const char *unit;
  } units[] = {{1e3, "km"}, {1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}};
  int i = 0;
  while (i < 4 && fabs(x) < units[i].factor * 0.99995) i++;
  if (isnan(x)) return "unknown";
  if (!(fabs(x) >= 1e-12 && isfinite(x))) i = 1; // nothing, or rounding
  snprintf(buffer, 32, "%.5g %s", fabs(x) < 1e-12 ? 0 : x / units[i].factor, units[i].unit);
  return buffer;
}
