// posture.c - joints that options name: where they are, and which are held.
#include "api/posture.h"

#include "api/texts.h"
#include "arm/coupling.h"
#include "base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static lim_code unknown_joint(const lim_model *m, const char *name, const char *option, lim_error *err) {
  lim_choice choice = lim_choice_start(name);
  for (int i = 0; i < m->links.count; i++)
    if (!lim_joint_in_ball(&m->links.item[i].joint)) lim_choice_try(&choice, m->links.item[i].joint.head.name);
  return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: unknown joint '%.60s'%s", option, name,
                  lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
}

// The link of a joint that moves; -1 with a message.
static int link_of(const lim_model *m, const char *name, const char *option, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    const char *shown = lim_joint_shown(&m->links.item[i]);
    if (!shown || strcmp(shown, name)) continue;
    if (lim_joint_is_single(j) && !lim_joint_in_ball(j)) return i;
    LIM_FAIL(err, LIM_BAD_INPUT, "--%s: joint '%s' does not turn or slide", option, name);
    return -1;
  }
  unknown_joint(m, name, option, err);
  return -1;
}

// Whether a joint follows others by loops.
static bool follows(const lim_arm *s, int link) {
  return s->passive && s->passive[s->bodies[s->first_body[link]].q];
}

static lim_code refuse_follower(const lim_model *m, const lim_arm *s, const char *name, const char *option,
                                lim_error *err) {
  char list[200] = "";
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    size_t used = strlen(list);
    if (lim_joint_is_single(j) && !follows(s, i))
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", j->head.name);
  }
  return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: joint '%s' follows others by a loop; joints that do not: %s",
                  option, name, *list ? list : "none");
}

lim_code lim_posture_read(double *q, const lim_model *m, const lim_arm *s, const char *list, bool told,
                          lim_error *err) {
  const char *option = told ? "joints" : "near";
  char part[160];
  while (lim_texts_next(part, sizeof part, &list)) {
    char *equals = strchr(part, '=');
    if (!equals)
      return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: '%.60s' is not of the form joint=position", option, part);
    *equals = 0;
    int link = link_of(m, part, option, err);
    if (link < 0) return LIM_BAD_INPUT;
    if (told && s->nloop && follows(s, link)) return refuse_follower(m, s, part, option, err);
    bool slides = lim_joint_is_linear(&m->links.item[link].joint);
    double value;
    lim_code code = lim_texts_number(&value, equals + 1, slides ? "m" : "rad", option, err);
    if (code != LIM_OK) return code;
    q[s->bodies[s->first_body[link]].q] = value;
  }
  return LIM_OK;
}

lim_code lim_posture_held(bool *held, const lim_model *m, const lim_arm *s, const char *list, lim_error *err) {
  char part[160];
  while (lim_texts_next(part, sizeof part, &list)) {
    int link = link_of(m, part, "hold", err);
    if (link < 0) return LIM_BAD_INPUT;
    if (s->nloop && follows(s, link)) return refuse_follower(m, s, part, "hold", err);
    held[link] = true;
  }
  return LIM_OK;
}

lim_code lim_posture_couple(double *q, lim_arena *arena, const lim_model *m, const lim_arm *s, const bool *held,
                            const char *list, bool told, lim_error *err) {
  const char *option = told ? "joints" : "near";
  lim_coupling_form f;
  char part[160];
  int *prefer = lim_arena_array(arena, (size_t)s->n, sizeof *prefer);
  if (!prefer) return lim_no_memory(err);
  for (int k = 0; k < s->n; k++) prefer[k] = -1;
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].q >= 0 && !held[s->bodies[i].link]) prefer[s->bodies[i].q] = 0;
  while (lim_texts_next(part, sizeof part, &list)) {
    part[strcspn(part, "=")] = 0;
    prefer[s->bodies[s->first_body[link_of(m, part, option, err)]].q] = -1;
  }
  if (!lim_couplings_solve(&f, arena, s, prefer)) return lim_no_memory(err);
  lim_couplings_follow(q, &f, s, false);
  for (int i = 0; i < s->ncoupling; i++)
    if (fabs(lim_coupling_evaluate(&s->coupling[i], q, NULL, NULL).value) > 1e-9)
      return LIM_FAIL(err, LIM_BAD_INPUT, "--%s: coupling '%s' does not hold there", option,
                      s->coupling[i].name);
  return LIM_OK;
}
