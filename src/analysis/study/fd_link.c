// fd_link.c - the one link that finite differences can treat, taken from a model; or what stands in the way.
#include "analysis/study/fd_link.h"

#include "arm/pose.h"
#include "math/rotation.h"

#include <math.h>

// A message about a part of the model.
static lim_code refuse(lim_error *err, const lim_model *m, const lim_node *at, const char *what) {
  return lim_tree_error(err, at ? at : m->head.node, "method: finite-difference %s", what);
}

// --- what is not there ---

// Everything but one link and its drive.
static lim_code check_scene(const lim_model *m, lim_error *err) {
  const lim_node *at = NULL;
  const char *what = NULL;
  if (m->links.count != 1)
    at = m->links.item[1].head.node, what = "treats one link";
  else if (m->loads.count)
    at = m->loads.item[0].head.node, what = "knows no loads but the torque at the hub";
  else if (m->springs.count)
    at = m->springs.item[0].head.node, what = "knows no springs";
  else if (m->bushings.count)
    at = m->bushings.item[0].head.node, what = "knows no bushings";
  else if (m->loops.count)
    at = m->loops.item[0].head.node, what = "knows no loops";
  return what ? refuse(err, m, at, what) : LIM_OK;
}

static lim_code check_beam(const lim_model *m, const lim_link *link, lim_error *err) {
  const lim_beam *b = &link->beam;
  const char *what = NULL;
  if (!b->head.node) return refuse(err, m, link->head.node, "needs a link with a beam");
  if (link->basis.type != LIM_BASIS_FULL)
    return refuse(err, m, link->basis.head.node, "needs the full basis: its own grid is the mesh");
  if (b->pieces.count != 1 || b->pieces.item[0].from.index != b->pieces.item[0].to.index)
    what = "needs a beam of one uniform section";
  else if (b->segments != 1)
    what = "needs a beam of one segment";
  else if (b->elements < LIM_FD_LEAST)
    what = "needs at least 3 elements";
  return what ? refuse(err, m, b->head.node, what) : LIM_OK;
}

// What a beam says about finite elements has no effect on the grid, which is that of a slender beam.
static void warn_of_beam(const lim_link *link, lim_error *err) {
  const lim_beam *b = &link->beam;
  const char *const key[] = {"element", "mass", "rotary"};
  const bool same[] = {!lim_element_sheared(b->element), false, b->no_rotary};
  for (int i = 0; i < 3; i++)
    if (lim_tree_get(b->head.node, key[i]) && !same[i])
      lim_warn(err, NAN, link->head.name,
               "link '%.80s': %s has no effect: finite-difference has a grid of its own, of a slender beam "
               "without rotary inertia",
               link->head.name, key[i]);
}

static lim_code check_joint(const lim_model *m, const lim_link *link, lim_error *err) {
  const lim_joint *j = &link->joint;
  if (!lim_joint_is_single(j) || lim_joint_is_linear(j))
    return refuse(err, m, j->head.node, "needs a revolute joint at the base");
  if (fmax(fabs(j->axis[1]), fabs(j->axis[2])) < 1 - 1e-9)
    return refuse(err, m, j->head.node, "needs a joint axis along y or z of the link, across its beam");
  return LIM_OK;
}

static lim_code check_drive(const lim_model *m, lim_error *err) {
  const lim_drive *d = lim_model_drive(m, 0);
  const lim_motion *motion = lim_model_motion(m, 0);
  if (!d && motion)
    return refuse(err, m, motion->head.node, "needs a drive of type effort, not a prescribed motion");
  if (!d) return LIM_OK;
  if (d->type != LIM_DRIVE_EFFORT && d->type != LIM_DRIVE_FREE)
    return refuse(err, m, d->head.node, "needs a drive of type effort");
  if (d->friction.head.node) return refuse(err, m, d->friction.head.node, "knows no friction");
  return LIM_OK;
}

static lim_code check_damping(const lim_model *m, const lim_damping *d, lim_error *err) {
  if (lim_damping_given(d)) return refuse(err, m, d->head.node, "knows damping by strain_rate only");
  return LIM_OK;
}

static lim_code check_gravity(const lim_model *m, const lim_link *link, lim_error *err) {
  lim_world_pose pose;
  double axis[3], cross[3];
  lim_pose_links(&pose, m);
  lim_rotate(axis, pose.R, link->joint.axis);
  lim_cross(cross, axis, m->gravity);
  if (lim_dot(cross, cross) <= 1e-18 * lim_dot(m->gravity, m->gravity)) return LIM_OK;
  const lim_node *at = lim_tree_get(m->head.node, "gravity");
  return refuse(err, m, at, "knows no gravity in the plane of the motion; set gravity: [0, 0, 0]");
}

// --- what is there ---

// The part of a symmetric tensor (xx yy zz xy xz yz) about an axis.
static double about(const double I[6], const double a[3]) {
  return I[0] * a[0] * a[0] + I[1] * a[1] * a[1] + I[2] * a[2] * a[2] +
         2 * (I[3] * a[0] * a[1] + I[4] * a[0] * a[2] + I[5] * a[1] * a[2]);
}

static lim_code add_mass(lim_fd_link *out, const lim_model *m, const lim_mass *mass, const double axis[3],
                         lim_error *err) {
  double arm[3], inertia = about(mass->inertia, axis);
  lim_cross(arm, axis, mass->xyz);
  inertia += mass->mass * lim_dot(arm, arm);
  if (mass->at.value == 0) {
    out->hub += inertia;
    return LIM_OK;
  }
  if (mass->at.value != 1) return refuse(err, m, mass->head.node, "knows masses at base and tip only");
  if (inertia > 0)
    return refuse(err, m, mass->head.node, "knows a payload as a mass in the tip, without inertia or offset");
  out->tip += mass->mass;
  return LIM_OK;
}

lim_code lim_fd_link_of(lim_fd_link *out, const lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  const lim_link *link = &m->links.item[0];
  lim_code code = check_scene(m, err);
  if (code == LIM_OK) code = check_beam(m, link, err);
  if (code == LIM_OK) code = check_joint(m, link, err);
  if (code == LIM_OK) code = check_drive(m, err);
  if (code == LIM_OK) code = check_damping(m, &link->damping, err);
  if (code == LIM_OK) code = check_damping(m, &m->damping, err);
  if (code == LIM_OK) code = check_gravity(m, link, err);
  if (code != LIM_OK) return code;
  warn_of_beam(link, err);
  const lim_mesh *mesh = s->bodies[0].mesh;
  lim_section_data a = lim_mesh_section(mesh, 0.5);
  double rate =
      link->damping.head.node ? link->damping.strain_rate : m->damping.strain_rate; // as the engine does
  *out = (lim_fd_link){.n = mesh->nelement,
                       .length = mesh->length,
                       .mass = mesh->element[0].rho * a.A,
                       .stiffness = mesh->element[0].E * (fabs(link->joint.axis[2]) > 0.5 ? a.Iz : a.Iy),
                       .damping = rate > 0 ? rate : 0,
                       .printed = m->solver.hub == 1};
  for (int i = 0; i < link->masses.count && code == LIM_OK; i++)
    code = add_mass(out, m, &link->masses.item[i], link->joint.axis, err);
  if (code == LIM_OK && !(out->mass > 0)) code = refuse(err, m, link->beam.head.node, "needs a beam with mass");
  return code;
}
