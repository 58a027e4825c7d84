// probe.c - how each kind of quantity follows from a moment. Reference: docs/reference/channels.md.
#include "result/probe.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <stddef.h>

// --- frames ---

static lim_motion_in_world frame_of(const lim_probe *p, const lim_moment *m) {
  return lim_moment_site(m, &m->system->site[p->index].site);
}

// Position, velocity, acceleration: a field of the frame's motion.
static void frame_vector(double out[3], lim_probe *p, const lim_moment *m) {
  lim_motion_in_world x = frame_of(p, m);
  memcpy(out, (const char *)&x + p->kind->offset, 3 * sizeof *out);
}

static void frame_rotation(double out[3], lim_probe *p, const lim_moment *m) {
  lim_motion_in_world x = frame_of(p, m);
  lim_rotation_vector(out, x.R);
}

static void frame_error(double out[3], lim_probe *p, const lim_moment *m) {
  lim_motion_in_world x = frame_of(p, m), rigid = lim_moment_reference(m, &m->rigid->site[p->index].site);
  for (int i = 0; i < 3; i++) out[i] = x.p[i] - rigid.p[i];
}

// --- joints ---

// Position, velocity, acceleration, effort: the joint's entry of an array of the moment.
static void joint_scalar(double out[3], lim_probe *p, const lim_moment *m) {
  const lim_system *s = m->system;
  const double *const *array = (const double *const *)(const void *)((const char *)m + p->kind->offset);
  out[0] = (*array)[s->member[s->first_body[p->index]].q];
}

static void joint_effort(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = lim_moment_effort(m, p->index);
}

static void joint_reference(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = m->rq[m->rigid->member[m->rigid->first_body[p->index]].q];
}

// Angle of the rotor against its carrier.
static void motor_position(double out[3], lim_probe *p, const lim_moment *m) {
  const lim_system *s = m->system;
  const lim_member *b = &s->member[s->first_body[p->index]];
  out[0] = s->rotor[b->rotor].ratio * m->q[b->m >= 0 ? b->m : b->q];
}

static void motor_torque(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = lim_equations_torque(m->equations, m->system->first_body[p->index], m->v);
}

static void joint_force(double out[3], lim_probe *p, const lim_moment *m) {
  double moment[3];
  lim_moment_reaction(out, moment, m, p->index);
}

static void joint_moment(double out[3], lim_probe *p, const lim_moment *m) {
  double force[3];
  lim_moment_reaction(force, out, m, p->index);
}

// --- links ---

static void section_force(double out[3], lim_probe *p, const lim_moment *m) {
  lim_section_force f = lim_cut_force(&p->cut, m);
  memcpy(out, (double[3]){f.N, f.Vy, f.Vz}, 3 * sizeof *out);
}

static void section_moment(double out[3], lim_probe *p, const lim_moment *m) {
  lim_section_force f = lim_cut_force(&p->cut, m);
  memcpy(out, (double[3]){f.T, f.My, f.Mz}, 3 * sizeof *out);
}

static const lim_site *tip_of(const lim_system *s, int link) { return &s->site[2 + 2 * link].site; }

// Displacement and rotation (first order) of a section against its body.
static void section_motion(double d[6], const lim_section_motion *s, const double *eta) {
  for (int i = 0; i < 6; i++) {
    d[i] = 0;
    for (int j = 0; j < s->count; j++) d[i] += s->N[i * s->count + j] * eta[s->first + j];
  }
}

// To first order over the segments: d = sum of u_k + theta x l_k, theta = sum of the turns before.
static void deflection_linear(double out[3], int link, const lim_moment *m) {
  const lim_system *s = m->system;
  double turn[3] = {0};
  memset(out, 0, 3 * sizeof *out);
  for (int b = s->first_body[link]; b <= s->last_body[link]; b++) {
    const lim_site *end = b < s->last_body[link] ? &s->member[b + 1].on : tip_of(s, link);
    double d[6], swing[3];
    section_motion(d, &end->section, m->q + s->member[b].e);
    lim_cross(swing, turn, end->section.X);
    for (int i = 0; i < 3; i++) {
      out[i] += d[i] + swing[i];
      turn[i] += d[3 + i];
    }
  }
}

// Where the tip is in the frame of the link (that of its first segment) less where it is without deformation.
static void link_deflection(double out[3], lim_probe *p, const lim_moment *m) {
  const lim_system *s = m->system;
  int first = s->first_body[p->index];
  if (m->linear || first == s->last_body[p->index]) { // a single segment: exact as it is
    deflection_linear(out, p->index, m);
    return;
  }
  lim_motion_in_world tip = lim_moment_site(m, tip_of(s, p->index));
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = tip.p[i] - m->body[first].p[i];
  lim_rotate_back(out, m->body[first].R, r);
  out[0] -= s->model->links.item[p->index].beam.length;
}

// --- springs and bushings ---

static lim_bond_state bond_state(int bond, const lim_moment *m) {
  const lim_bond *b = &m->equations->act->bonds.bond[bond];
  lim_motion_in_world at[2] = {lim_moment_site(m, &b->site[0]), lim_moment_site(m, &b->site[1])};
  return lim_bond_look(b, &at[0], &at[1], m->equations->length + 2 * (size_t)bond);
}

static void spring_length(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = bond_state(p->index, m).length;
}

// Tension is positive.
static void spring_force(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = bond_state(p->index, m).force;
}

// On the first frame, world axes. Bushings come after springs.
static void bushing_force(double out[3], lim_probe *p, const lim_moment *m) {
  lim_bond_state x = bond_state(m->system->model->springs.count + p->index, m);
  memcpy(out, x.F, sizeof x.F);
}

static void bushing_moment(double out[3], lim_probe *p, const lim_moment *m) {
  lim_bond_state x = bond_state(m->system->model->springs.count + p->index, m);
  memcpy(out, x.N, sizeof x.N);
}

// --- loops ---

static void loop_wrench(double force[3], double moment[3], int loop, const lim_moment *m) {
  const lim_closure *c = &m->system->loop[loop];
  lim_motion_in_world first = lim_moment_site(m, &c->site[0]), second = lim_moment_site(m, &c->site[1]);
  lim_loop_wrench(force, moment, m->system, loop, m->lambda, &first, &second);
}

static void loop_force(double out[3], lim_probe *p, const lim_moment *m) {
  double moment[3];
  loop_wrench(out, moment, p->index, m);
}

static void loop_moment(double out[3], lim_probe *p, const lim_moment *m) {
  double force[3];
  loop_wrench(force, out, p->index, m);
}

// --- the arm ---

static void arm_energy(double out[3], lim_probe *p, const lim_moment *m) {
  out[0] = NAN;
  if (m->has_books) memcpy(out, (const char *)&m->books + p->kind->offset, sizeof *out);
}

static void block_output(double out[3], lim_probe *p, const lim_moment *m) {
  const lim_equations *e = m->equations;
  out[0] = m->linear ? NAN : e->control.signal[lim_network_signal(e->act->network, p->index)];
}

static void mode_frequency(double out[3], lim_probe *p, const lim_moment *m) {
  (void)m;
  out[0] = p->along->frequency[p->index];
}

#define MOTION(field) offsetof(lim_motion_in_world, field)
#define MOMENT(field) offsetof(lim_moment, field)
#define BOOKS(field)  offsetof(lim_books, field)

const lim_probe_kind lim_probe_kinds[] = {
    {LIM_OF_FRAME, "position", 3, "m", frame_vector, MOTION(p)},
    {LIM_OF_FRAME, "velocity", 3, "m/s", frame_vector, MOTION(v)},
    {LIM_OF_FRAME, "acceleration", 3, "m/s^2", frame_vector, MOTION(a)},
    {LIM_OF_FRAME, "rotation", 3, "rad", frame_rotation},
    {LIM_OF_FRAME, "error", 3, "m", frame_error},
    {LIM_OF_JOINT, "position", 1, "rad|m", joint_scalar, MOMENT(q), .moving = true},
    {LIM_OF_JOINT, "velocity", 1, "rad/s|m/s", joint_scalar, MOMENT(v), .moving = true},
    {LIM_OF_JOINT, "acceleration", 1, "rad/s^2|m/s^2", joint_scalar, MOMENT(a), .moving = true},
    {LIM_OF_JOINT, "effort", 1, "N m|N", joint_effort, .moving = true},
    {LIM_OF_JOINT, "reference", 1, "rad|m", joint_reference, .moving = true},
    {LIM_OF_JOINT, "motor_position", 1, "rad", motor_position, .moving = true, .motor = true},
    {LIM_OF_JOINT, "motor_torque", 1, "N m", motor_torque, .moving = true, .motor = true},
    {LIM_OF_JOINT, "force", 3, "N", joint_force},
    {LIM_OF_JOINT, "moment", 3, "N m", joint_moment},
    {LIM_OF_LINK, "deflection", 3, "m", link_deflection},
    {LIM_OF_SECTION, "force", 3, "N", section_force},
    {LIM_OF_SECTION, "moment", 3, "N m", section_moment},
    {LIM_OF_GAUGE, "strain", 1, "-", lim_probe_strain},
    {LIM_OF_GAUGE, "stress", 1, "Pa", lim_probe_stress},
    {LIM_OF_ARM, "kinetic", 1, "J", arm_energy, BOOKS(kinetic)},
    {LIM_OF_ARM, "strain", 1, "J", arm_energy, BOOKS(strain)},
    {LIM_OF_ARM, "gravity", 1, "J", arm_energy, BOOKS(gravity)},
    {LIM_OF_ARM, "work", 1, "J", arm_energy, BOOKS(work)},
    {LIM_OF_ARM, "dissipated", 1, "J", arm_energy, BOOKS(dissipated)},
    {LIM_OF_ARM, "gear_loss", 1, "J", arm_energy, BOOKS(gear_loss), .loses = true},
    {LIM_OF_ARM, "friction_loss", 1, "J", arm_energy, BOOKS(friction_loss), .loses = true},
    {LIM_OF_ARM, "balance", 1, "-", arm_energy, BOOKS(balance)},
    {LIM_OF_SPRING, "length", 1, "m", spring_length},
    {LIM_OF_SPRING, "force", 1, "N", spring_force},
    {LIM_OF_BUSHING, "force", 3, "N", bushing_force},
    {LIM_OF_BUSHING, "moment", 3, "N m", bushing_moment},
    {LIM_OF_LOOP, "force", 3, "N", loop_force},
    {LIM_OF_LOOP, "moment", 3, "N m", loop_moment},
    {LIM_OF_BLOCK, "", 1, "-", block_output},
    {LIM_OF_MODE, "", 1, "Hz", mode_frequency},
    {.name = NULL},
};
