// warnings.c - when the numbers of an analysis are not to be trusted.
#include "analysis/warnings.h"

#include "analysis/statics/segments.h"
#include "arm/body/kind.h"
#include "base/error.h"
#include "integrate/state.h"
#include "math/rotation.h"

#include <stdlib.h>
#include <string.h>

static const double GOOD_BALANCE = 0.1;     // [%]
static const double SMALL = 0.1, SLACK = 1; // deflection over length, or turn [rad]; N l^2/EI

// Without stiffening one floating frame holds for axial forces that do not stiffen it.
static void of_pull(lim_error *err, const lim_run *run, const lim_model *m) {
  if (m->solver.stiffening || run->pull_link < 0 || !(run->pull > SLACK)) return;
  const lim_link *link = &m->links.item[run->pull_link];
  lim_warn(
      err, NAN, link->head.name,
      "axial forces stiffen or soften link '%.80s' (N l^2/EI = %.3g), which 'stiffening: off' leaves out: try "
      "without it, or %d segments (beam.segments, now %d)",
      link->head.name, run->pull, (int)ceil(link->beam.segments * sqrt(2 * run->pull)), link->beam.segments);
}

static void of_stiffening(lim_error *err, double time, const char *link, double change) {
  if (change > 0.01)
    lim_warn(err, time, link,
             "geometric stiffening or softening, which link '%.80s' does not know here, would change its "
             "lowest frequency "
             "by about %.2g %%: give fe.prestressed matrices, with 'stiffening: on'",
             link, 50 * change);
}

lim_code lim_warn_of_stiffening(lim_error *err, const lim_rest *a) {
  const lim_arm *s = a->s;
  double *r = calloc(2 * (size_t)s->n + 1, sizeof *r);
  lim_world_motion *body = calloc((size_t)s->nbody + 1, sizeof *body);
  if (r && body) {
    lim_equations_rest(r, a->e, 0, a->q, a->v, r + s->n);
    lim_kinematics(body, s, a->q, a->v, NULL);
  }
  for (int i = 0; r && body && i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    double F[3], N[3];
    if (!b->kind->unstiffened || b->body->n == 0) continue;
    lim_rec_reaction(F, N, a->e->w, i);
    const double w = sqrt(lim_dot(body[i].w, body[i].w));
    of_stiffening(err, NAN, s->model->links.item[b->link].head.name, b->kind->unstiffened(s, i, w, F));
  }
  const bool good = r && body;
  free(r);
  free(body);
  return good ? LIM_OK : lim_no_memory(err);
}

static void of_unstiffened(lim_error *err, const lim_run *run, const lim_model *m) {
  if (run->unstiffened_link < 0) return;
  of_stiffening(err, run->unstiffened_at, m->links.item[run->unstiffened_link].head.name, run->unstiffened);
}

// ... and for small deflections.
static void of_bending(lim_error *err, const lim_run *run, const lim_model *m) {
  if (run->bend_link < 0 || run->bend < SMALL) return;
  const lim_link *link = &m->links.item[run->bend_link];
  if (link->fe.head.node) {
    lim_warn(err, NAN, link->head.name,
             "link '%.80s' bends by %.0f %% of its length; small deflections are assumed of it",
             link->head.name, 100 * run->bend);
    return;
  }
  lim_warn(err, NAN, link->head.name,
           "link '%.80s' bends by %.0f %% of %s; small deflections are assumed there: try more segments "
           "(beam.segments, now %d)",
           link->head.name, 100 * run->bend, link->beam.segments > 1 ? "a segment's length" : "its length",
           link->beam.segments);
}

// Twist by bending moves what hangs on a segment by a third of their product, and a quarter of that is left
// with twice the segments: told where it is 1 % of the deflections.
static void of_twist(lim_error *err, const lim_run *run, const lim_model *m) {
  static const double THIRD = 1.0 / 3, SHARE = 0.01, NOISE = 1e-6;
  if (run->twist_link >= 0 && m->links.item[run->twist_link].fe.head.node) return; // it has no segments
  if (run->twist_link < 0 || !(THIRD * run->twist > fmax(SHARE * run->bend, NOISE))) return;
  const lim_link *link = &m->links.item[run->twist_link];
  lim_warn(
      err, NAN, link->head.name,
      "link '%.80s' bends and twists at once, which %s leaves out: about %.2g mm per metre: try more segments "
      "(beam.segments, now %d)",
      link->head.name, link->beam.segments > 1 ? "a segment" : "one segment", 1000 * THIRD * run->twist,
      link->beam.segments);
}

// Methods with steps of their own do not follow solver.step.
static void of_books(lim_error *err, const lim_run *run, const lim_model *m) {
  if (!(run->balance_percent_rms > GOOD_BALANCE)) return;
  bool own = lim_method_adapts(&m->solver);
  lim_warn(err, NAN, NULL, "the energy balance is off by %.2g %%: try a smaller %s", run->balance_percent_rms,
           own ? "tolerance" : "step");
}

// A method that is stable for what is linear may still gain energy: docs/theory/simulation.md.
static void of_calming(lim_error *err, const lim_run *run) {
  if (run->calms == 0) return;
  lim_warn(err, run->calmed, NULL,
           "vibrations that the steps do not resolve gained energy from the method itself and were damped: try "
           "a smaller "
           "step, damping of the links, or a modal basis");
}

static void of_missed(lim_error *err, const lim_run *run) {
  if (run->missed == 0) return;
  lim_warn(
      err, run->missed_at, NULL,
      "step: auto: %ld steps have errors above the tolerance: no shorter ones are taken; start in equilibrium, "
      "or take a larger tolerance",
      run->missed);
}

static void of_loops(lim_error *err, const lim_run *run, const lim_model *m) {
  if (!run->redundant) return;
  const char *of = !m->couplings.count ? "loops" : m->loops.count ? "loops and couplings" : "couplings";
  lim_warn(
      err, NAN, NULL,
      "%d of %d constraints of the %s follow from the others: the motion is right, but the reactions of the "
      "%s are not unique",
      run->redundant, run->constraints, of, of);
}

void lim_warn_of_run(lim_error *err, const lim_run *run, const lim_model *m) {
  if (run->status == LIM_RUN_FAILED) return; // its error says enough
  of_pull(err, run, m);
  of_unstiffened(err, run, m);
  of_bending(err, run, m);
  of_twist(err, run, m);
  of_books(err, run, m);
  of_calming(err, run);
  of_missed(err, run);
  of_loops(err, run, m);
}

// 0.1 rad within one segment leave errors of about 1 %.
static void of_turn(lim_error *err, double time, const char *link, double turn) {
  static const char WORDS[] = "within one segment";
  for (int i = 0; err && i < err->warnings; i++) // one that bends more and more is named once
    if (err->warning[i].place && !strcmp(err->warning[i].place, link) && strstr(err->warning[i].text, WORDS))
      return;
  if (turn > SMALL)
    lim_warn(err, time, link, "link '%.80s' bends by %.2g rad %s: give its beam more 'segments'", link, turn,
             WORDS);
}

lim_code lim_warn_of_turns(lim_error *err, double time, const lim_arm *s, const double *q) {
  size_t max = 1;
  for (int i = 0; i < s->nbody; i++)
    if ((size_t)s->bodies[i].mesh->ndof > max) max = (size_t)s->bodies[i].mesh->ndof;
  double *u = malloc(max * sizeof *u);
  if (!u) return lim_no_memory(err);
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (b->body->n) of_turn(err, time, s->model->links.item[b->link].head.name, lim_segments_turn(b, q, u));
  }
  free(u);
  return LIM_OK;
}

void lim_warn_of_static(lim_error *err, const lim_static *s) {
  for (int i = 0; i < s->links.count; i++) {
    const lim_static_link *link = &s->links.item[i];
    if (link->utilisation > 1)
      lim_warn(
          err, NAN, link->name,
          "link '%.80s' is stressed to %.3g times the yield strength of its material: it stays elastic here",
          link->name, link->utilisation);
    of_stiffening(err, NAN, link->name, link->unstiffened);
    if (link->turn > SMALL && s->arm.s->model->solver.geometry)
      lim_warn(err, NAN, link->name, "link '%.80s' bends by %.2g rad, which 'geometry: linear' takes as small",
               link->name, link->turn);
    else
      of_turn(err, NAN, link->name, link->turn);
  }
}
