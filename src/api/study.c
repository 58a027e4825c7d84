// study.c - a model ready for analyses: lim_study_* of limber.h.
#include "analysis/gain_design.h"
#include "analysis/prepare.h"
#include "api/api.h"

#include <stdlib.h>

// Once for all analyses. Of an arm that cannot be put together, the analysis that needs it says why.
static lim_code design_gains(lim_model *m, lim_error *err) {
  return lim_gain_design_model(m, m->origin.folder, NULL) == LIM_NO_MEMORY ? lim_no_memory(err) : LIM_OK;
}

lim_code lim_study_new(lim_study **out, const lim_model *model, lim_error *err) {
  if (out) *out = NULL;
  if (!out || !model) return LIM_FAIL(err, LIM_BAD_INPUT, "out and model must not be NULL");
  lim_study *s = calloc(1, sizeof *s);
  if (!s) return lim_no_memory(err);
  s->given = model;
  lim_warn_merge(&s->said, &model->said);
  lim_code code = lim_prepare_copy(&s->model, model, model->origin.folder, &s->said);
  if (code == LIM_OK) code = design_gains(&s->model, &s->said);
  lim_error_merge(err, &s->said);
  if (code == LIM_OK)
    *out = s;
  else
    lim_study_free(s);
  return code;
}

void lim_study_free(lim_study *s) {
  if (!s) return;
  lim_prepare_end(&s->model);
  lim_error_clear(&s->said);
  free(s);
}
