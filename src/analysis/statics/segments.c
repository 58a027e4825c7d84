// segments.c - what segments leave out: within a segment rotations add up as vectors, so that the product of
// twist and bending is missing, and bending shortens to second order. An answer with twice the segments has a
// quarter of that error. Theory: docs/theory/dynamics.md, "When segments are still needed".
#include "analysis/statics/segments.h"

#include "arm/body/kind.h"
#include "base/error.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static const double DISPLACEMENT = 0.02, FREQUENCY = 0.01,
                    MATTERS = 3e-4;  // the last: of the largest displacement
static const double WHOLE = 4.0 / 3; // error over difference, where it falls to a quarter
enum { SEGMENTS = 200 };             // at most, as in the schema

static bool bends(const lim_link *a) {
  return lim_body_kind_of(a)->split && a->basis.type != LIM_BASIS_RIGID && 2 * a->beam.segments <= SEGMENTS;
}

lim_code lim_segments_twice(lim_model *out, bool *any, const lim_model *m, lim_arena *arena, lim_error *err) {
  *out = *m;
  *any = false;
  for (int i = 0; i < m->contacts.count; i++) // where friction rests it is not the same twice
    if (m->contacts.item[i].friction > 0) return LIM_OK;
  out->links.item = lim_arena_array(arena, (size_t)m->links.count, sizeof *out->links.item);
  if (!out->links.item) return lim_no_memory(err);
  for (int i = 0; i < m->links.count; i++) {
    lim_link *a = &out->links.item[i];
    *a = m->links.item[i];
    if (!bends(a) || a->is_rail) continue; // a seam under a carriage would be another difference
    *any = true;
    a->beam.segments *= 2;
    if (a->beam.elements % a->beam.segments) a->beam.elements *= 2; // the same mesh where it can be cut
  }
  return LIM_OK;
}

double lim_segments_turn(const lim_arm_body *b, const double *q, double *u) {
  double largest = 0;
  lim_basis_matrix_expand(u, b->shapes, q + b->e);
  for (int k = 0; k < b->mesh->nnode; k++) largest = fmax(largest, sqrt(lim_dot(u + 6 * k + 3, u + 6 * k + 3)));
  return largest;
}

// --- static ---

static double largest_displacement(const lim_static *s) {
  double largest = 0;
  for (int i = 0; i < s->frames.count; i++)
    for (int k = 0; k < 3; k++) largest = fmax(largest, fabs(s->frames.item[i].displacement[k]));
  return largest;
}

void lim_segments_compare_static(lim_error *err, const lim_static *once, const lim_static *twice) {
  const lim_static_frame *worst = NULL;
  double max = DISPLACEMENT, size = largest_displacement(once), better = 0;
  int axis = 0;
  for (int i = 0; i < once->frames.count && i < twice->frames.count; i++)
    for (int k = 0; k < 3; k++) {
      const lim_static_frame *f = &once->frames.item[i];
      double was = f->displacement[k], is = twice->frames.item[i].displacement[k], off = WHOLE * (is - was);
      if (fabs(off) < MATTERS * size || fabs(off) <= max * fabs(was + off)) continue;
      max = fabs(off / (was + off));
      worst = f;
      axis = k;
      better = is;
    }
  if (!worst) return;
  lim_warn(err, NAN, worst->name,
           "frame '%.80s' moves by %.4g mm in %c, with twice the segments by %.4g mm (about %.0f %% off): give "
           "the beams more 'segments'",
           worst->name, 1000 * worst->displacement[axis], "xyz"[axis], 1000 * better, 100 * fmin(max, 9.99));
}

// --- modes ---

void lim_segments_compare_modes(lim_error *err, const lim_modes *once, const lim_modes *twice) {
  double max = FREQUENCY;
  int worst = -1;
  for (int i = 0; i < once->modes.count && i < twice->modes.count; i++) {
    double was = once->modes.item[i].frequency, is = twice->modes.item[i].frequency;
    double off = WHOLE * (is - was);
    if (!(fabs(off) > max * (was + off))) continue;
    max = fabs(off) / (was + off);
    worst = i;
  }
  if (once->unstable != twice->unstable)
    lim_warn(err, NAN, NULL, "%d modes grow, with twice the segments %d: give the beams more 'segments'",
             once->unstable, twice->unstable);
  else if (worst >= 0)
    lim_warn(
        err, NAN, NULL,
        "frequency %d is %.5g Hz, with twice the segments %.5g Hz (about %.1f %% off): give the beams more "
        "'segments'",
        worst + 1, once->modes.item[worst].frequency, twice->modes.item[worst].frequency, 100 * max);
}
