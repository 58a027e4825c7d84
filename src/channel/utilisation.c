// utilisation.c - stresses of a run against the yield strengths of materials. Theory: docs/theory/section.md.
#include "channel/utilisation.h"

#include "arm/body/kind.h"
#include "channel/strength.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  lim_section_cut cut;
  int link;
  const lim_element *element;
  const lim_critical_section *section;
} stress_point;

struct lim_utilisation {
  lim_arena arena;
  int links;
  const char **name; // of each link                           (links)
  double *yield;     // of its material; NaN: not known        (links)
  int count;
  stress_point *point; // (count)
  lim_strength_sections sections;
  double *max; // of each link; NaN: not known (links)
};

enum { STRETCHES = 10 }; // of a body that knows its forces by its strains

static int point_count(const lim_arm *s, int body) {
  const lim_arm_body *b = &s->bodies[body];
  if (b->body->n == 0 || isnan(lim_link_yield(s->model, b->link))) return 0;
  if (b->kind->stress) return 1;                                   // the link as a whole
  return b->kind->strains ? STRETCHES + 1 : 2 * b->line->nelement; // both ends of every element
}

static lim_code add_points(lim_utilisation *x, const lim_arm *s, int body, lim_error *err) {
  const lim_arm_body *b = &s->bodies[body];
  const bool strained = b->kind->strains;
  lim_code code = LIM_OK;
  for (int i = 0; i < point_count(s, body) && code == LIM_OK; i++) {
    stress_point *p = &x->point[x->count++];
    if (b->kind->stress) {
      *p = (stress_point){.link = b->link, .cut = {.body = body}};
      continue;
    }
    *p = (stress_point){.link = b->link, .element = &b->line->element[strained ? 0 : i / 2]};
    p->section = lim_strength_section(&x->sections, &x->arena, p->element, strained ? 0 : i % 2);
    if (!p->section) return lim_no_memory(err);
    code = strained ? lim_section_cut_start(&p->cut, &x->arena, s, b->link, (double)i / STRETCHES, err)
                    : lim_section_cut_start_in(&p->cut, &x->arena, s, body, (lim_point){i / 2, i % 2}, err);
  }
  return code;
}

lim_code lim_utilisation_new(lim_utilisation **out, const lim_arm *s, lim_error *err) {
  size_t capacity = 0;
  *out = NULL;
  for (int i = 0; i < s->nbody; i++) capacity += (size_t)point_count(s, i);
  if (capacity == 0) return LIM_OK;
  lim_utilisation *x = calloc(1, sizeof *x);
  if (!x) return lim_no_memory(err);
  const size_t links = (size_t)s->model->links.count;
  x->links = s->model->links.count;
  x->name = lim_arena_array(&x->arena, links, sizeof *x->name);
  x->yield = lim_arena_array(&x->arena, links, sizeof *x->yield);
  x->point = lim_arena_array(&x->arena, capacity, sizeof *x->point);
  x->max = lim_arena_array(&x->arena, links, sizeof *x->max);
  lim_code code = x->point && x->max && x->name && x->yield ? LIM_OK : lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < x->links; i++) { // the arm and its model may go before this does
    x->name[i] = s->model->links.item[i].head.name;
    x->yield[i] = lim_link_yield(s->model, i);
    x->max[i] = NAN;
  }
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) code = add_points(x, s, i, err);
  if (code == LIM_OK)
    *out = x;
  else
    lim_utilisation_free(x);
  return code;
}

void lim_utilisation_free(lim_utilisation *x) {
  if (!x) return;
  lim_arena_free(&x->arena);
  free(x);
}

static double stress_at(const stress_point *p, const lim_snapshot *m) {
  if (p->element) return lim_strength_of(p->element, p->section, lim_section_cut_force(&p->cut, m)).stress;
  return m->system->bodies[p->cut.body].kind->stress(m->system, p->cut.body, m->q);
}

void lim_utilisation_see(lim_utilisation *x, const lim_snapshot *m, lim_error *err) {
  for (int i = 0; x && i < x->count; i++) {
    const stress_point *p = &x->point[i];
    double stress = stress_at(p, m), yield = x->yield[p->link];
    bool first = stress > yield && !(x->max[p->link] > 1);
    x->max[p->link] = fmax(x->max[p->link], stress / yield); // NaN does not count
    const char *name = x->name[p->link];
    if (first)
      lim_warn(
          err, m->t, name,
          "link '%.80s' is stressed beyond the yield strength of its material, %.4g MPa: it stays elastic here",
          name, yield / 1e6);
  }
}

void lim_utilisation_json(lim_json *j, const lim_utilisation *x) {
  if (!x) return;
  lim_json_key(j, "utilisation");
  lim_json_object(j);
  for (int i = 0; i < x->links; i++) {
    if (isnan(x->yield[i])) continue;
    lim_json_key(j, x->name[i]);
    lim_json_number(j, x->max[i]);
  }
  lim_json_end(j, '}');
}
