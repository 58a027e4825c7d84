// plausible_parts.c - values that hardly go together: beams and their sections, inertias, gears, times.
#include "model/check/plausible.h"

#include "model/joint.h"
#include "model/kinds.h"
#include "model/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SLENDER = 3000;      // length of a beam over its section's size
static const double WIDE = 1.5;          // section's size over the length of a beam
static const double TRIANGLE = 0.02;     // by which moments of inertia may miss, of their sum: rounded numbers
static const double NOTHING = 1e-3;      // a moment of inertia, of the largest
static const double SLOW_ROTOR = 0.1;    // turns of a rotor for one of its joint
static const double FEW = 2, MANY = 1e9; // steps of a simulation
static const double BEYOND = 20;         // durations of the simulation

static const lim_node *node_of(const lim_head *head, const char *key) {
  const lim_node *value = lim_tree_get(head->node, key);
  return value ? value : head->node;
}

// Whether a value at this node has its doubt already.
static bool doubted(const lim_error *err, const lim_node *node) {
  char place[320];
  int n = snprintf(place, sizeof place, "%.200s:%d:%d: ", node->source, node->line, node->column);
  for (int i = 0; err && i < err->warnings; i++)
    if (!strncmp(err->warning[i].text, place, (size_t)n)) return true;
  return false;
}

bool lim_plausible_any_doubted(const lim_error *err, const lim_node *mapping) {
  for (int i = 0; mapping && i < mapping->count; i++)
    if (doubted(err, mapping->item[i])) return true;
  return false;
}

// --- beams ---

// Outer size of a section; 0: not known, as that of bare numbers, which often stand for no shape.
static double size_of(const lim_section *s) {
  double size[2];
  lim_section_size(size, s);
  return fmax(size[0], size[1]);
}

static void of_beam(const lim_model *m, const lim_link *a, lim_error *err) {
  const lim_node *at = node_of(&a->beam.head, "length");
  double max = 0, length = a->beam.length;
  bool enough = doubted(err, at);
  for (int i = 0; i < a->beam.pieces.count; i++) {
    const lim_section *s = &m->sections.item[a->beam.pieces.item[i].from.index];
    max = fmax(max, size_of(s));
    enough = enough || lim_plausible_any_doubted(err, s->head.node);
  }
  if (enough) return;
  if (max > WIDE * length)
    lim_plausible_warn(
        err, at, a->head.name,
        "link '%.80s': its beam is %g m long and its section %g m wide: is one of them in another unit?",
        a->head.name, length, max);
  if (max > 0 && length > SLENDER * max)
    lim_plausible_warn(
        err, at, a->head.name,
        "link '%.80s': its beam is %g m long, %.0f times the width of its section, %g m: is one of them "
        "in another unit?",
        a->head.name, length, length / max, max);
}

// --- inertias ---

// No moment of a body exceeds the sum of the other two: half the trace less the tensor is the integral of x x^T
// over its mass, and has no negative eigenvalue.
static bool breaks_triangle(const double I[6]) {
  double trace = I[0] + I[1] + I[2], slack = (0.5 + TRIANGLE) * trace;
  double a = slack - I[0], b = slack - I[1], c = slack - I[2];
  double ab = a * b - I[3] * I[3], ac = a * c - I[4] * I[4], bc = b * c - I[5] * I[5];
  double det = a * bc - c * I[3] * I[3] - b * I[4] * I[4] - 2 * I[3] * I[4] * I[5];
  return a < 0 || b < 0 || c < 0 || ab < 0 || ac < 0 || bc < 0 || det < 0;
}

// An equivalent inertia about one axis, often all that is known, beside others that stand for nothing.
static bool is_equivalent(const double I[6]) {
  double max = fmax(I[0], fmax(I[1], I[2]));
  int beside = 0;
  for (int i = 0; i < 6; i++) beside += fabs(I[i]) < NOTHING * max;
  return beside == 5;
}

// How far the arm reaches, stretched out.
static double reach_of(const lim_model *m) {
  double reach = 0;
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *a = &m->links.item[i];
    const double *tip = a->body.tip, *com = a->body.com, *xyz = a->joint.origin.xyz;
    if (a->beam.head.node) reach += a->beam.length;
    if (a->body.head.node)
      reach += fmax(hypot(hypot(tip[0], tip[1]), tip[2]), hypot(hypot(com[0], com[1]), com[2]));
    reach += hypot(hypot(xyz[0], xyz[1]), xyz[2]);
    if (a->joint.dh.head.node) reach += fabs(a->joint.dh.a) + fabs(a->joint.dh.d);
  }
  return reach;
}

static void of_inertia(const lim_model *m, const lim_link *a, const lim_head *head, double mass,
                       const double I[6], lim_error *err) {
  double max = fmax(I[0], fmax(I[1], I[2])), reach = reach_of(m), radius = mass > 0 ? sqrt(max / mass) : 0;
  const lim_node *at = node_of(head, "inertia");
  if (!lim_tree_get(head->node, "inertia")) return;
  if (m->planar == LIM_SPATIAL && breaks_triangle(I) && !is_equivalent(I))
    lim_plausible_warn(err, at, a->head.name,
                       "%s: inertia has the moments %g, %g and %g kg m^2, but no body has a principal moment "
                       "above the sum of the other two",
                       head->where, I[0], I[1], I[2]);
  if (reach > 0 && radius > fmax(10 * reach, 5))
    lim_plausible_warn(
        err, at, a->head.name,
        "%s: inertia of %g kg m^2 with a mass of %g kg sits %.3g m from its centre, but the arm reaches "
        "%.3g m: is one of them in another unit, as 'kg mm^2' or 'g cm^2'?",
        head->where, max, mass, radius, reach);
}

static void of_link(const lim_model *m, const lim_link *a, lim_error *err) {
  if (a->beam.head.node) of_beam(m, a, err);
  if (a->body.head.node) of_inertia(m, a, &a->body.head, a->body.mass, a->body.inertia, err);
  for (int i = 0; i < a->masses.count; i++) {
    const lim_mass *x = &a->masses.item[i];
    of_inertia(m, a, &x->head, x->mass, x->inertia, err);
  }
}

// --- drives ---

static void of_drive(const lim_model *m, const lim_drive *d, lim_error *err) {
  double ratio = fabs(d->motor.ratio);
  bool turns = !lim_joint_is_linear(&m->links.item[d->joint].joint);
  if (d->type != LIM_DRIVE_MOTOR || !turns || !(ratio < SLOW_ROTOR)) return;
  lim_plausible_warn(err, node_of(&d->motor.head, "ratio"), d->head.name,
                     "%s: motor.ratio is %g, turns of the rotor for one of the joint; did you mean %.4g?",
                     d->head.where, d->motor.ratio, 1 / d->motor.ratio);
}

// --- times ---

static void of_solver(const lim_solver *s, const lim_outputs *o, lim_error *err) {
  double steps = s->duration / s->step;
  if (!s->adaptive && steps < FEW && !lim_plausible_any_doubted(err, s->head.node))
    lim_plausible_warn(err, node_of(&s->head, "step"), NULL,
                       "solver: a simulation of %g s takes a single step of %g s", s->duration, s->step);
  if (steps > MANY && !lim_plausible_any_doubted(err, s->head.node))
    lim_plausible_warn(err, node_of(&s->head, "step"), NULL,
                       "solver: a simulation of %g s takes %.2g steps of %g s: is one of them in another unit?",
                       s->duration, steps, s->step);
  if (o->every > s->duration)
    lim_plausible_warn(
        err, node_of(&o->head, "every"), NULL,
        "outputs: every is %g s, longer than the simulation of %g s, of which only the start is recorded",
        o->every, s->duration);
}

// A motion that is hardly begun when the simulation ends.
static void of_motion(const lim_model *m, const lim_motion *x, lim_error *err) {
  for (int i = 0; i < x->profile.list.count; i++) {
    const lim_profile *p = &x->profile.list.item[i];
    if (!(p->duration > BEYOND * m->solver.duration) || lim_profile_kind_of(p)->repeats) continue;
    lim_plausible_warn(err, node_of(&p->head, "duration"), x->head.name,
                       "%s: duration is %g s, but the simulation ends at %g s: is one of them in another unit?",
                       p->head.where, p->duration, m->solver.duration);
  }
}

void lim_plausible_parts(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) of_link(m, &m->links.item[i], err);
  for (int i = 0; i < m->drives.count; i++) of_drive(m, &m->drives.item[i], err);
  for (int i = 0; i < m->motion.count; i++) of_motion(m, &m->motion.item[i], err);
  if (m->solver.head.node) of_solver(&m->solver, &m->outputs, err);
}
