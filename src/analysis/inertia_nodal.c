// inertia_nodal.c - effective inertia from the nodes of the finite elements, a path of its own beside the
// recursion. Theory: docs/theory/inertia.md (6), (7).
#include "analysis/inertia.h"

#include "arm/body/kind.h"
#include "arm/pose.h"
#include "math/rotation.h"

#include <string.h>

// What a joint at speed 1 does to a body, in the body's axes: velocity of its origin, angular velocity.
typedef struct {
  double v[3], w[3];
} column;

// z x r and z of a joint that turns, z and 0 of one that slides; z and r from the world into the body's axes.
static column column_of(const lim_arm_body *joint, const lim_world_motion *at, const lim_world_motion *body) {
  column c = {.w = {0}};
  double along[3], z[3], r[3], v[3];
  lim_rotate(along, at->R, joint->screw.along);
  lim_rotate(z, at->R, joint->screw.about);
  for (int i = 0; i < 3; i++) r[i] = body->p[i] - at->p[i];
  lim_cross(v, z, r);
  for (int i = 0; i < 3; i++) v[i] += along[i];
  lim_rotate_back(c.w, body->R, z);
  lim_rotate_back(c.v, body->R, v);
  return c;
}

static void velocity(double out[3], const column *c, const double x[3]) {
  lim_cross(out, c->w, x);
  for (int i = 0; i < 3; i++) out[i] += c->v[i];
}

static double quadratic(const double I[6], const double w[3]) {
  return I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2] +
         2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
}

// A concentrated mass with its centre at x.
static double lump(double mass, const double I[6], const double x[3], const column *c) {
  double v[3];
  velocity(v, c, x);
  return mass * lim_dot(v, v) + quadratic(I, c->w);
}

// The nodes of a beam: V'M V with the velocities V of the nodes and the mass matrix of the mesh.
static double nodes(const lim_mesh *mesh, const double *u, double *V, const column *c) {
  for (int k = 0; k < mesh->nnode; k++) {
    double x[3] = {mesh->x[k] + u[6 * k], u[6 * k + 1], u[6 * k + 2]};
    velocity(V + 6 * k, c, x);
    memcpy(V + 6 * k + 3, c->w, sizeof c->w);
  }
  return lim_band_product(mesh->M, V, V);
}

// The concentrated masses on a stretch of a beam.
static double masses_on_beam(const lim_arm_body *b, const lim_link *link, const double *u, const column *c) {
  double sum = 0;
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *m = &link->masses.item[i];
    double at = m->at.value * link->beam.length, d[6], turn[3], x[3];
    double fraction = lim_mesh_fraction(b->mesh, b->start, at);
    if (fraction < 0) continue;
    lim_mesh_displacement(d, b->mesh, u, fraction);
    lim_cross(turn, d + 3, m->xyz);
    for (int k = 0; k < 3; k++) x[k] = (k == 0 ? at - b->start : 0) + m->xyz[k] + d[k] + turn[k];
    sum += lump(m->mass, m->inertia, x, c);
  }
  return sum;
}

static double rigid_link(const lim_link *link, const column *c) {
  double sum = link->body.head.node ? lump(link->body.mass, link->body.inertia, link->body.com, c) : 0;
  for (int i = 0; i < link->masses.count; i++) {
    const lim_mass *m = &link->masses.item[i];
    double x[3];
    lim_pose_along(x, link, m->at.value);
    for (int k = 0; k < 3; k++) x[k] += m->xyz[k];
    sum += lump(m->mass, m->inertia, x, c);
  }
  return sum;
}

// A body without nodes of its own: twice its kinetic energy. scratch: rates, all 0
static double whole_body(const lim_arm *s, int body, const double *q, const column *c, double *scratch) {
  lim_world_motion m = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  lim_energies e = {0};
  memcpy(m.v, c->v, sizeof m.v);
  memcpy(m.w, c->w, sizeof m.w);
  memset(scratch, 0, (size_t)s->n * sizeof *scratch);
  s->bodies[body].kind->energies(&e, s, body, &m, q, scratch);
  return 2 * e.kinetic;
}

static double member_part(const lim_arm *s, int body, const double *q, const column *c, double *scratch) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_link *link = &s->model->links.item[b->link];
  if (b->kind->skin) return whole_body(s, body, q, c, scratch);
  if (!b->mesh->nelement) // bodies before a link's own are the massless ones of a free joint
    return body < s->first_body[b->link] ? 0 : rigid_link(link, c);
  double *u = scratch, *V = scratch + b->mesh->ndof;
  lim_basis_matrix_expand(u, b->shapes, q + b->e);
  return nodes(b->mesh, u, V, c) + masses_on_beam(b, link, u, c);
}

static bool carries(const lim_arm *s, int body, int other) {
  while (other > body) other = s->parent[other];
  return other == body;
}

// A rotor turns with its carrier and, if it is the joint's own, by the gear; what the gear alone does is not
// the arm's.
static double rotor_part(const lim_arm *s, const lim_rotor *r, int body, const double *q,
                         const lim_world_motion *pose) {
  double own = r->body == body ? r->ratio : 0, turn = 0;
  if (r->complete && s->bodies[body].screw.turns && carries(s, body, r->on.body)) {
    lim_site section = r->on;
    double n[3], z[3];
    memcpy(section.Rc, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof section.Rc);
    lim_rotate(n, lim_kinematics_site(s, &section, &pose[r->on.body], q, NULL, NULL).R, r->axis);
    lim_rotate(z, pose[body].R, s->bodies[body].screw.about);
    turn = lim_dot(n, z);
  }
  return r->inertia * turn * (turn + 2 * own);
}

lim_code lim_inertia_nodal(double *arm, double *rotor, const lim_arm *s, int body, const double *q,
                           const lim_world_motion *pose, double *scratch) {
  const lim_arm_body *joint = &s->bodies[body];
  if (joint->q < 0) return LIM_BAD_INPUT;
  *rotor = joint->rotor < 0 ? 0 : s->rotor[joint->rotor].inertia;
  *arm = 0;
  for (int i = body; i < s->nbody; i++) {
    if (!carries(s, body, i)) continue;
    column c = column_of(joint, &pose[body], &pose[i]);
    *arm += member_part(s, i, q, &c, scratch);
  }
  for (int i = 0; i < s->nrotor; i++) *arm += rotor_part(s, &s->rotor[i], body, q, pose);
  return LIM_OK;
}

size_t lim_inertia_scratch(const lim_arm *s) {
  size_t max = 4 * (size_t)s->n;
  for (int i = 0; i < s->nbody; i++) {
    size_t ndof = (size_t)s->bodies[i].mesh->ndof;
    if (2 * ndof > max) max = 2 * ndof;
  }
  return max;
}
