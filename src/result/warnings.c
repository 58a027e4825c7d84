// warnings.c - when the numbers of a run are not to be trusted.
#include "result/warnings.h"

#include <math.h>
#include <stdio.h>

static const double GOOD_BALANCE = 0.1;     // [%]
static const double SMALL = 0.1, SLACK = 1; // deflection over length, or turn [rad]; N l^2/EI

// Without stiffening one floating frame holds for axial forces that do not stiffen it.
static bool of_pull(char *text, const lim_run *run, const lim_model *m) {
  if (m->solver.stiffening || run->pull_link < 0 || !(run->pull > SLACK)) return false;
  const lim_link *link = &m->links.item[run->pull_link];
  snprintf(
      text, LIM_WARNING_LENGTH,
      "axial forces stiffen or soften link '%.80s' (N l^2/EI = %.3g), which 'stiffening: off' leaves out: try "
      "without it, or %d segments (beam.segments, now %d)",
      link->head.name, run->pull, (int)ceil(link->beam.segments * sqrt(2 * run->pull)), link->beam.segments);
  return true;
}

// ... and for small deflections.
static bool of_bending(char *text, const lim_run *run, const lim_model *m) {
  if (run->bend_link < 0 || run->bend < SMALL) return false;
  const lim_link *link = &m->links.item[run->bend_link];
  snprintf(text, LIM_WARNING_LENGTH,
           "link '%.80s' bends by %.0f %% of %s; small deflections are assumed there: try more segments "
           "(beam.segments, now %d)",
           link->head.name, 100 * run->bend, link->beam.segments > 1 ? "a segment's length" : "its length",
           link->beam.segments);
  return true;
}

static bool of_books(char *text, const lim_run *run) {
  if (!(run->balance_percent_rms > GOOD_BALANCE)) return false;
  snprintf(text, LIM_WARNING_LENGTH, "the energy balance is off by %.2g %%: try a smaller step",
           run->balance_percent_rms);
  return true;
}

static bool of_loops(char *text, const lim_run *run) {
  if (!run->redundant) return false;
  snprintf(
      text, LIM_WARNING_LENGTH,
      "%d of %d constraints of the loops follow from the others: the motion is right, but the reactions of the "
      "loops are not unique",
      run->redundant, run->constraints);
  return true;
}

int lim_run_warnings(char text[LIM_WARNINGS][LIM_WARNING_LENGTH], const lim_run *run, const lim_model *m) {
  int n = 0;
  if (run->status == LIM_RUN_FAILED) return 0;
  n += of_pull(text[n], run, m);
  n += of_bending(text[n], run, m);
  n += of_books(text[n], run);
  n += of_loops(text[n], run);
  return n;
}

bool lim_static_warning(char text[LIM_WARNING_LENGTH], const lim_static_link *link) {
  if (!(link->turn > SMALL)) return false; // 0.1 rad leaves errors of about 1 %
  snprintf(text, LIM_WARNING_LENGTH,
           "%.80s bends by %.2g rad within one segment: give its beam more 'segments'", link->name, link->turn);
  return true;
}
