// quantity.c - how each kind of quantity follows from a snapshot. Reference: docs/reference/channels.md.
#include "channel/quantity.h"

#include "arm/ball.h"
#include "arm/body/kind.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

#include <stddef.h>

// What was found of the owner, which is then known at this time.
static void found(double out[3], const lim_owner_quantity *p) {
  p->owner->known = true;
  memcpy(out, (const char *)p->owner + p->kind->offset, (size_t)p->kind->components * sizeof *out);
}

// --- frames ---

static lim_world_motion frame_of(const lim_owner_quantity *p, const lim_snapshot *m) {
  return lim_snapshot_frame(m, p->owner->index);
}

// Position, velocity, acceleration: a field of the frame's motion.
static void frame_vector(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_world_motion x = frame_of(p, m);
  memcpy(out, (const char *)&x + p->kind->offset, 3 * sizeof *out);
}

static void frame_rotation(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_world_motion x = frame_of(p, m);
  lim_rotation_vector(out, x.R);
}

static void frame_error(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_world_motion x = frame_of(p, m), rigid = lim_snapshot_frame_reference(m, p->owner->index);
  for (int i = 0; i < 3; i++) out[i] = x.p[i] - rigid.p[i];
}

// --- joints ---

// Position, velocity, acceleration, effort: the joint's entry of an array of the snapshot.
static void joint_scalar(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_arm *s = m->system;
  const double *const *array = (const double *const *)(const void *)((const char *)m + p->kind->offset);
  out[0] = (*array)[s->bodies[s->first_body[p->owner->index]].q];
}

static void joint_effort(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  out[0] = lim_snapshot_effort(m, p->owner->index);
}

// Of its end stops, on the joint.
static void joint_stop(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_arm *s = m->system;
  const int body = s->first_body[p->owner->index], q = s->bodies[body].q;
  const lim_end_stops *stops = &m->equations->inputs->drive[body].stop;
  out[0] = 0;
  for (int k = 0; k < LIM_STOPS && stops->stiffness > 0; k++)
    out[0] += lim_stop_evaluate(stops, k, m->equations->press[body][k], m->q[q], m->v[q]).force;
}

static void joint_reference(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  out[0] = m->rq[m->rigid->bodies[m->rigid->first_body[p->owner->index]].q];
}

// Angle of the rotor against its carrier.
static void motor_position(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_arm *s = m->system;
  const lim_arm_body *b = &s->bodies[s->first_body[p->owner->index]];
  out[0] = s->rotor[b->rotor].ratio * m->q[b->m >= 0 ? b->m : b->q];
}

static void motor_torque(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  out[0] = lim_equations_torque(m->equations, m->system->first_body[p->owner->index], m->v);
}

// Force or moment of the parent on the link.
static void joint_reaction(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) lim_snapshot_reaction(x->force, x->moment, m, x->index);
  found(out, p);
}

// --- free and spherical joints ---

static const lim_ball *ball_of(const lim_arm *s, int link) {
  int i = 0;
  while (s->ball[i].link != link) i++;
  return &s->ball[i];
}

static void ball_rotation(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  double R[9];
  lim_ball_orientation(R, ball_of(m->system, p->owner->index), m->q);
  lim_rotation_vector(out, R);
}

static void ball_velocity(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_ball_velocity(out, ball_of(m->system, p->owner->index), m->q, m->v);
}

// Along the axes of the joint's frame.
static void slides(double out[3], const lim_ball *b, const double *x) {
  for (int i = 0; i < 3; i++) out[i] = b->shift[i] < 0 ? 0 : x[b->shift[i]];
}

static void free_translation(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  slides(out, ball_of(m->system, p->owner->index), m->q);
}

// Of the link's origin against the joint's frame, in world axes: the bodies that slide have the frame's axes.
static void free_velocity(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_ball *b = ball_of(m->system, p->owner->index);
  double local[3];
  slides(local, b, m->v);
  lim_rotate(out, m->body[b->body - 1].R, local);
}

// --- links ---

// Force or moment in a section.
static void section_force(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) x->section = lim_section_cut_force(&x->cut, m);
  found(out, p);
}

// Named sites begin with tip, then base and tip of every link.
static int tip_site(int link) { return 2 + 2 * link; }

static const lim_site *tip_of(const lim_arm *s, int link) { return &s->site[tip_site(link)].site; }

// Displacement and rotation (first order) of a section against its body.
static void section_motion(double d[6], const lim_section_motion *s, const double *eta) {
  for (int i = 0; i < 6; i++) {
    d[i] = 0;
    for (int j = 0; j < s->count; j++) d[i] += s->N[i * s->count + j] * eta[s->first + j];
  }
}

// To first order over the segments: d = sum of u_k + theta x l_k, theta = sum of the turns before.
static void deflection_linear(double out[3], int link, const lim_snapshot *m) {
  const lim_arm *s = m->system;
  double turn[3] = {0};
  memset(out, 0, 3 * sizeof *out);
  for (int b = s->first_body[link]; b <= s->last_body[link]; b++) {
    const lim_site *end = b < s->last_body[link] ? &s->bodies[b + 1].on : tip_of(s, link);
    double d[6], swing[3];
    section_motion(d, &end->section, m->q + s->bodies[b].e);
    lim_cross(swing, turn, end->section.X);
    for (int i = 0; i < 3; i++) {
      out[i] += d[i] + swing[i];
      turn[i] += d[3 + i];
    }
  }
}

// Where the tip is in the frame of the link (that of its first segment) less where it is without deformation.
static void beam_deflection(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_arm *s = m->system;
  int first = s->first_body[p->owner->index];
  if (m->linear) {
    deflection_linear(out, p->owner->index, m);
    return;
  }
  if (first == s->last_body[p->owner->index]) { // free of the rounding of positions in the world
    lim_kinematics_displacement(out, &tip_of(s, p->owner->index)->section, m->q + s->bodies[first].e);
    return;
  }
  lim_world_motion tip = lim_snapshot_frame(m, tip_site(p->owner->index));
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = tip.p[i] - m->body[first].p[i];
  lim_rotate_back(out, m->body[first].R, r);
  out[0] -= s->model->links.item[p->owner->index].beam.length;
}

static void link_deflection(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  beam_deflection(out, p, m);
  bool turned = lim_link_reversed(&m->system->model->links.item[p->owner->index]);
  for (int i = 0; turned && i < 2; i++) out[i] = -out[i];
}

// The largest of the whole link.
static void link_stress(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const int body = m->system->first_body[p->owner->index];
  out[0] = m->system->bodies[body].kind->stress(m->system, body, m->q);
}

// --- springs and bushings ---

// Length and tension of a spring; force or moment of a bushing on its first frame, world axes. Bushings come
// after springs.
static void spring_state(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) {
    int i = x->index + (x->of == LIM_OF_BUSHING ? m->system->model->springs.count : 0);
    const lim_spring_element *b = &m->equations->inputs->spring_elements.spring[i];
    lim_world_motion first = lim_snapshot_site(m, &b->site[0]), second = lim_snapshot_site(m, &b->site[1]);
    x->spring = lim_spring_evaluate(b, &first, &second, m->equations->length + 2 * (size_t)i);
  }
  found(out, p);
}

// --- loops ---

// Force or moment of a loop on its first frame.
static void loop_wrench(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) {
    const lim_closure *c = &m->system->loop[x->index];
    const lim_world_motion *body = m->linear ? m->at_side[0] : m->body;
    lim_world_motion at[2] = {lim_snapshot_site(m, &c->site[0]), lim_snapshot_site(m, &c->site[1])};
    if (c->rail) lim_loop_ends(at, m->system, c, body, m->linear ? m->perturbed[0][0] : m->q, NULL, NULL);
    lim_loop_wrench(x->force, x->moment, m->system, x->index, m->lambda, &at[0], &at[1]);
  }
  found(out, p);
}

// Effort of a coupling on its last joint, for a factor of 1.
static void coupling_effort(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  out[0] = m->lambda[m->system->coupling[p->owner->index].row];
}

// --- contacts ---

// Force on the sphere, or depth.
static void contact_moment(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) {
    const lim_contact_element *c = &m->equations->inputs->contacts.item[x->index];
    const lim_world_motion first = lim_snapshot_site(m, &c->site[0]),
                           second = lim_snapshot_site(m, &c->site[1]);
    x->contact = lim_contact_evaluate(c, &m->equations->contact[x->index], &first, &second,
                                      c->row < 0 ? NULL : m->lambda + c->row);
  }
  found(out, p);
}

// --- the arm ---

static void arm_energy(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  out[0] = NAN;
  if (m->has_energy_balance) memcpy(out, (const char *)&m->energy_balance + p->kind->offset, sizeof *out);
}

static void arm_momentum(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  lim_owner_state *x = p->owner;
  if (!x->known) x->momentum = lim_snapshot_momentum(m);
  found(out, p);
}

static void block_output(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  const lim_equations *e = m->equations;
  out[0] = m->linear ? NAN : e->control.signal[lim_network_signal(e->inputs->network, p->owner->index)];
}

static void mode_frequency(double out[3], const lim_owner_quantity *p, const lim_snapshot *m) {
  (void)m;
  out[0] = p->owner->track->frequency[p->owner->index];
}

#define MOTION(field)   offsetof(lim_world_motion, field)
#define SNAPSHOT(field) offsetof(lim_snapshot, field)
#define BALANCE(field)  offsetof(lim_energy_balance, field)
#define OWNER(field)    offsetof(lim_owner_state, field)

const lim_quantity_kind lim_quantity_kinds[] = {
    {LIM_OF_FRAME, "position", 3, "m", frame_vector, MOTION(p)},
    {LIM_OF_FRAME, "velocity", 3, "m/s", frame_vector, MOTION(v)},
    {LIM_OF_FRAME, "acceleration", 3, "m/s^2", frame_vector, MOTION(a)},
    {LIM_OF_FRAME, "rotation", 3, "rad", frame_rotation},
    {LIM_OF_FRAME, "error", 3, "m", frame_error},
    {LIM_OF_JOINT, "position", 1, "rad|m", joint_scalar, SNAPSHOT(q), .moving = true},
    {LIM_OF_JOINT, "velocity", 1, "rad/s|m/s", joint_scalar, SNAPSHOT(v), .moving = true},
    {LIM_OF_JOINT, "acceleration", 1, "rad/s^2|m/s^2", joint_scalar, SNAPSHOT(a), .moving = true},
    {LIM_OF_JOINT, "effort", 1, "N m|N", joint_effort, .moving = true},
    {LIM_OF_JOINT, "stop", 1, "N m|N", joint_stop, .moving = true, .stops = true},
    {LIM_OF_JOINT, "reference", 1, "rad|m", joint_reference, .moving = true},
    {LIM_OF_JOINT, "motor_position", 1, "rad", motor_position, .moving = true, .motor = true},
    {LIM_OF_JOINT, "motor_torque", 1, "N m", motor_torque, .moving = true, .motor = true},
    {LIM_OF_WHOLE_JOINT, "force", 3, "N", joint_reaction, OWNER(force)},
    {LIM_OF_WHOLE_JOINT, "moment", 3, "N m", joint_reaction, OWNER(moment)},
    {LIM_OF_BALL, "rotation", 3, "rad", ball_rotation},
    {LIM_OF_BALL, "angular_velocity", 3, "rad/s", ball_velocity},
    {LIM_OF_FREE_JOINT, "translation", 3, "m", free_translation},
    {LIM_OF_FREE_JOINT, "velocity", 3, "m/s", free_velocity},
    {LIM_OF_LINK, "deflection", 3, "m", link_deflection},
    {LIM_OF_STRESSED, "stress", 1, "Pa", link_stress},
    {LIM_OF_SECTION, "force", 3, "N", section_force, OWNER(section.N)},
    {LIM_OF_SECTION, "moment", 3, "N m", section_force, OWNER(section.T)},
    {LIM_OF_GAUGE, "strain", 1, "-", lim_quantity_strain},
    {LIM_OF_GAUGE, "stress", 1, "Pa", lim_quantity_stress},
    {LIM_OF_ARM, "kinetic", 1, "J", arm_energy, BALANCE(kinetic)},
    {LIM_OF_ARM, "strain", 1, "J", arm_energy, BALANCE(strain)},
    {LIM_OF_ARM, "gravity", 1, "J", arm_energy, BALANCE(gravity)},
    {LIM_OF_ARM, "work", 1, "J", arm_energy, BALANCE(work)},
    {LIM_OF_ARM, "dissipated", 1, "J", arm_energy, BALANCE(dissipated)},
    {LIM_OF_ARM, "gear_loss", 1, "J", arm_energy, BALANCE(gear_loss), .loses = true},
    {LIM_OF_ARM, "friction_loss", 1, "J", arm_energy, BALANCE(friction_loss), .loses = true},
    {LIM_OF_ARM, "balance", 1, "-", arm_energy, BALANCE(balance)},
    {LIM_OF_MOMENTUM, "linear", 3, "kg m/s", arm_momentum, OWNER(momentum.linear)},
    {LIM_OF_MOMENTUM, "angular", 3, "kg m^2/s", arm_momentum, OWNER(momentum.angular)},
    {LIM_OF_SPRING, "length", 1, "m", spring_state, OWNER(spring.length)},
    {LIM_OF_SPRING, "force", 1, "N", spring_state, OWNER(spring.force)},
    {LIM_OF_BUSHING, "force", 3, "N", spring_state, OWNER(spring.F)},
    {LIM_OF_BUSHING, "moment", 3, "N m", spring_state, OWNER(spring.N)},
    {LIM_OF_LOOP, "force", 3, "N", loop_wrench, OWNER(force)},
    {LIM_OF_LOOP, "moment", 3, "N m", loop_wrench, OWNER(moment)},
    {LIM_OF_COUPLING, "effort", 1, "N m|N", coupling_effort},
    {LIM_OF_CONTACT, "force", 3, "N", contact_moment, OWNER(contact.force)},
    {LIM_OF_CONTACT, "depth", 1, "m", contact_moment, OWNER(contact.depth)},
    {LIM_OF_BLOCK, "", 1, "-", block_output},
    {LIM_OF_MODE, "", 1, "Hz", mode_frequency},
    {.name = NULL},
};
