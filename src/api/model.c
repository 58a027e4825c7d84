// model.c - what is in a model: lim_model_* of limber.h.
#include "api/api.h"
#include "base/units/units.h"
#include "math/blas.h"
#include "model/joint.h"
#include "model/words.h"

#include <math.h>

void lim_use_one_thread(void) { lim_blas_one_thread(); }

// --- one by one ---

// Users count the links that they wrote.
static const lim_link *link_of(const lim_model *m, int number) {
  const int i = m ? lim_written_link(m, number) : -1;
  return i >= 0 ? &m->links.item[i] : NULL;
}

const char *lim_model_name(const lim_model *m) { return m ? m->title : NULL; }
const char *lim_model_folder(const lim_model *m) { return m ? m->origin.folder : NULL; }
int lim_model_links(const lim_model *m) { return m ? lim_written_links(m) : 0; }
double lim_model_duration(const lim_model *m) { return m ? m->solver.duration : NAN; }
double lim_model_step(const lim_model *m) { return m ? m->solver.step : NAN; }

const char *lim_model_link_name(const lim_model *m, int link) {
  const lim_link *a = link_of(m, link);
  return a ? a->head.name : NULL;
}

int lim_model_link_parent(const lim_model *m, int link) {
  const int i = m ? lim_written_link(m, link) : -1;
  return i >= 0 ? lim_written_parent(m, i) : -1;
}

const char *lim_model_joint_name(const lim_model *m, int link) {
  const lim_link *a = link_of(m, link);
  return a ? a->joint.whole : NULL;
}

const char *lim_model_joint_kind(const lim_model *m, int link) {
  const lim_link *a = link_of(m, link);
  return a ? lim_joint_word(a->joint.kind) : NULL;
}

// --- all at once ---

static const char *basis_of(char word[LIM_WORD], const lim_link *a) {
  if (a->beam.head.node || a->fe.head.node) return lim_word_at(word, "links.basis.type", a->basis.type);
  return a->body.head.node ? "rigid" : "massless";
}

static void describe_links(lim_json *j, const lim_model *m) {
  char word[LIM_WORD];
  lim_json_key(j, "links");
  lim_json_object(j);
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *a = &m->links.item[i];
    if (lim_link_is_inserted(a)) continue;
    const lim_link *parent = link_of(m, lim_written_parent(m, i));
    lim_json_key(j, a->head.name);
    lim_json_object(j);
    lim_put_text(j, "parent", parent ? parent->head.name : "base");
    lim_put_text(j, "joint", a->joint.whole);
    lim_put_text(j, "type", lim_joint_word(a->joint.kind));
    lim_put_text(j, "basis", basis_of(word, a));
    if (a->beam.head.node) lim_put_number(j, "length", a->beam.length);
    lim_json_end(j, '}');
  }
  lim_json_end(j, '}');
}

static void describe_solver(lim_json *j, const lim_solver *s) {
  char word[LIM_WORD];
  lim_put_number(j, "duration", s->duration);
  lim_json_unit(j, "s");
  if (s->adaptive)
    lim_put_text(j, "step", "auto");
  else
    lim_put_number(j, "step", s->step);
  if (!s->adaptive) lim_json_unit(j, "s");
  lim_put_text(j, "mode", lim_word_at(word, "solver.mode", (int)lim_solver_mode(s)));
  lim_put_text(j, "method", lim_word_at(word, "solver.method", s->method));
  lim_put_text(j, "start", lim_word_at(word, "solver.start", s->start));
}

// Names of a list of entries that begin with a head.
#define NAMES(j, key, list)                                                                                    \
  do {                                                                                                         \
    lim_json_key(j, key);                                                                                      \
    lim_json_flat(j);                                                                                          \
    for (int i = 0; i < (list).count; i++) lim_json_text(j, (list).item[i].head.name);                         \
    lim_json_end(j, ']');                                                                                      \
  } while (0)

lim_code lim_model_describe(lim_answer **out, const lim_model *m, lim_error *err) {
  if (!m) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &m->said, err);
  if (call.code == LIM_OK) {
    char word[LIM_WORD];
    lim_json j = lim_call_json(&call);
    lim_put_text(&j, "name", m->title);
    lim_put_text(&j, "file", m->origin.path);
    lim_put_numbers(&j, "gravity", m->gravity, 3);
    lim_put_text(&j, "planar", lim_word_at(word, "planar", m->planar));
    describe_solver(&j, &m->solver);
    describe_links(&j, m);
    NAMES(&j, "frames", m->frames);
    NAMES(&j, "drives", m->drives);
    NAMES(&j, "materials", m->materials);
    NAMES(&j, "sections", m->sections);
    lim_json_key(&j, "outputs");
    lim_json_flat(&j);
    for (int i = 0; i < m->outputs.channels.count; i++) lim_json_text(&j, m->outputs.channels.item[i]);
    lim_json_end(&j, ']');
    lim_call_close(&call, &j);
  }
  return lim_call_end(&call);
}

// --- words and numbers ---

const char *lim_word_nearest(const char *word, const char *const *list, int count) {
  if (!word || !list) return NULL;
  lim_nearest near = lim_nearest_start(word);
  for (int i = 0; i < count; i++)
    if (list[i]) lim_nearest_try(&near, list[i]);
  return near.best;
}

lim_code lim_quantity(double *out, const char *text, const char *unit, lim_error *err) {
  char bad[40] = "", hint[LIM_UNIT_HINT];
  if (!out || !text || !unit) return LIM_FAIL(err, LIM_BAD_INPUT, "out, text and unit must not be NULL");
  switch (lim_number_parse(out, text, unit, bad, sizeof bad)) {
  case LIM_NUMBER_OK: return LIM_OK;
  case LIM_NUMBER_UNIT:
    return LIM_FAIL(err, LIM_BAD_INPUT, "unknown unit '%s' in '%.60s'%s", bad, text,
                    lim_unit_hint(hint, bad, text, unit));
  case LIM_NUMBER_DIMENSION: return LIM_FAIL(err, LIM_BAD_INPUT, "'%.60s' is not in %s", text, unit);
  default: return LIM_FAIL(err, LIM_BAD_INPUT, "'%.60s' is not a number", text);
  }
}
