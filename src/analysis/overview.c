// overview.c - counts, masses and lowest link frequencies of a model.
#include "analysis/overview.h"
#include "path/assembly.h"

#include "arm/body/kind.h"
#include "arm/pose.h"
#include "control/network.h"
#include "dynamics/recursion.h"
#include "fe/link.h"
#include "math/eigen/eigen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Freedoms of ball joints that lead out of the model's plane are not there.
static int joint_dof(const lim_model *m, const lim_joint *j, const double R[9]) {
  const lim_screw screw = lim_joint_screw(j);
  bool keep[6];
  lim_pose_keep(keep, R, m->planar);
  return lim_joint_in_ball(j) && !lim_screw_stays(&screw, keep) ? 0 : lim_joint_kind_of(j)->freedoms;
}

// Lowest modes of the bare link clamped at its joint, with all coordinates of its mesh.
static lim_code frequencies(lim_link_overview *o, const lim_mesh *mesh, const bool keep[6], lim_error *err) {
  int n = 0, *index = calloc((size_t)mesh->ndof, sizeof *index);
  for (int i = 6; index && i < mesh->ndof; i++)
    if (keep[i % 6]) index[n++] = i;
  double *K = calloc(2 * (size_t)n * (size_t)n + 1, sizeof *K), *M = K ? K + (size_t)n * (size_t)n : NULL;
  lim_code code = index && K ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    double lambda[LIM_OVERVIEW_FREQUENCIES];
    lim_eigen_count count = {0};
    lim_band_gather(K, mesh->K, index, n);
    lim_band_gather(M, mesh->M, index, n);
    int wanted = n < LIM_OVERVIEW_FREQUENCIES ? n : LIM_OVERVIEW_FREQUENCIES;
    code = lim_eigen_lowest(lambda, NULL, &count, K, M, n, wanted, err);
    for (int i = 0; code == LIM_OK && i < count.found; i++)
      o->frequency[o->nfrequency++] = sqrt(fmax(lambda[i], 0)) / (2 * M_PI);
  }
  free(index);
  free(K);
  return code;
}

void lim_warn_of_frequency(lim_error *err, const char *place, const char *what, double f) {
  static const double SLOW = 0.01, FAST = 1e5; // [Hz]
  if (!(f > 0) || (f >= SLOW && f <= FAST)) return;
  lim_warn(err, NAN, place,
           "%s is %.3g Hz, too %s to be that of an arm: are its lengths, sections, moduli and masses in their "
           "units?",
           what, f, f < SLOW ? "slow" : "fast");
}

static void doubt_frequency(const lim_link_overview *o, const lim_link *a, lim_error *err) {
  char what[128];
  snprintf(what, sizeof what, "link '%.80s': its lowest frequency, clamped,", a->head.name);
  if (o->nfrequency) lim_warn_of_frequency(err, a->head.name, what, o->frequency[0]);
}

static lim_code flexible(lim_link_overview *o, const lim_model *m, int i, const double R[9], lim_error *err) {
  const lim_link *link = &m->links.item[i];
  const lim_beam *beam = &link->beam;
  lim_mesh *mesh;
  bool keep[6];
  lim_code code = lim_mesh_new(&mesh, m, i, (lim_stretch){0, beam->length, beam->elements}, err);
  if (code != LIM_OK) return code;
  o->mass += lim_mesh_mass(mesh);
  if (!lim_pose_keep(keep, R, m->planar))
    code = lim_tree_error(err, link->head.node,
                          "link '%s': the plane of the model is not the link's own x-y or x-z plane",
                          link->head.name);
  if (code == LIM_OK && link->basis.type != LIM_BASIS_RIGID)
    code = lim_body_kind_of(link)->count(&o->elastic_dof, m, i, keep, err);
  if (code == LIM_OK && m->materials.item[beam->material.index].rho > 0) code = frequencies(o, mesh, keep, err);
  lim_mesh_free(mesh);
  return code;
}

static void finite_elements(lim_link_overview *o, const lim_link *a) {
  const lim_fe_facts *f = &a->fe.link->facts;
  o->mass += f->mass;
  o->elastic_dof = a->basis.type == LIM_BASIS_RIGID ? 0 : a->fe.link->n;
  for (int i = 0; i < f->nclamped && i < LIM_OVERVIEW_FREQUENCIES; i++)
    o->frequency[o->nfrequency++] = f->clamped_hz[i];
}

// How many rows (n each) are independent: each less what it has in common with those before it.
static int independent(double *G, int rows, int n) {
  int count = 0;
  for (int i = 0; i < rows; i++) {
    double *row = G + (size_t)i * (size_t)n, size = 0, left = 0;
    for (int k = 0; k < n; k++) size += row[k] * row[k];
    for (int pass = 0; pass < 2; pass++) // twice is enough
      for (int j = 0; j < count; j++) {
        const double *other = G + (size_t)j * (size_t)n;
        double common = 0;
        for (int k = 0; k < n; k++) common += row[k] * other[k];
        for (int k = 0; k < n; k++) row[k] -= common * other[k];
      }
    for (int k = 0; k < n; k++) left += row[k] * row[k];
    if (!(left > 1e-16 * size)) continue;
    for (int k = 0; k < n; k++) G[(size_t)count * (size_t)n + (size_t)k] = row[k] / sqrt(left);
    count++;
  }
  return count;
}

// How many freedoms loops and couplings take, of the arm in its closed configuration.
static lim_code close_loops(lim_overview *out, const lim_model *m, lim_error *err) {
  lim_arm *s;
  lim_code code = lim_arm_new(&s, m, false, err);
  if (code != LIM_OK) return code;
  size_t n = (size_t)s->n, rows = (size_t)s->nrow;
  double *x = calloc(4 * n + rows * n + 1, sizeof *x), *G = x ? x + 4 * n : NULL;
  lim_rec_work *w = lim_rec_work_new(s);
  if (!x || !w) code = lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(x, x + n, s);
    lim_rec_residual(x + 3 * n, w, x, x + 2 * n, x + 2 * n);
    lim_rec_loop_rows(G, w, x);
    out->closed = independent(G, s->nrow, s->n);
  }
  out->redundant = s->nrow - out->closed;
  lim_rec_work_free(w);
  free(x);
  lim_arm_free(s);
  return code;
}

static double length_of(const lim_link *a) {
  const double *tip = a->fe.link ? lim_fe_link_at(a->fe.link, 1)->X : a->body.tip;
  return a->beam.head.node ? a->beam.length : sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
}

// From the base along the links to the tip of a link [m].
static double reach_of(const lim_model *m, int link) {
  double sum = 0;
  for (; link >= 0; link = m->links.item[link].parent.index) sum += length_of(&m->links.item[link]);
  return sum;
}

static bool ends_in_loop(const lim_model *m, int link) {
  for (int i = 0; i < 2 * m->loops.count; i++) {
    const lim_location *end = &m->loops.item[i / 2].between[i % 2];
    if (end->link == link && end->kind == LIM_AT_TIP) return true;
  }
  return false;
}

// The last link of a file may be the rod of a cylinder, which nobody means by the tip of an arm.
static void doubt_tip(const lim_model *m, lim_error *err) {
  if (lim_tree_get(m->head.node, "tool") || m->tool.kind == LIM_AT_FRAME) return;
  const int last = m->links.count - 1;
  int far = last;
  for (int i = 0; i < last; i++)
    if (!ends_in_loop(m, i) && reach_of(m, i) > (1 + 1e-9) * reach_of(m, far)) far = i;
  if (far == last || reach_of(m, last) == 0) return;
  lim_warn(err, NAN, "tip",
           "'tip' is the tip of '%s', the last link of the file, but '%s' ends a longer chain (%.3g m against "
           "%.3g m); 'tool' says which frame matters",
           m->links.item[last].head.name, m->links.item[far].head.name, reach_of(m, far), reach_of(m, last));
}

lim_code lim_overview_new(lim_overview *out, const lim_model *m, lim_error *err) {
  *out = (lim_overview){.link = calloc((size_t)m->links.count, sizeof *out->link)};
  lim_world_pose *pose = calloc((size_t)m->links.count, sizeof *pose);
  if (!out->link || !pose) {
    free(out->link);
    free(pose);
    out->link = NULL;
    return lim_no_memory(err);
  }
  lim_code code = lim_network_check(m, err);
  if (code == LIM_OK) code = lim_arm_check_links(m, err);
  lim_pose_links(pose, m);
  for (int i = 0; code == LIM_OK && i < m->links.count; i++) {
    const lim_link *link = &m->links.item[i];
    lim_link_overview *o = &out->link[i];
    o->joint_dof = joint_dof(m, &link->joint, pose[i].R);
    if (link->body.head.node) o->mass += link->body.mass;
    for (int k = 0; k < link->masses.count; k++) o->mass += link->masses.item[k].mass;
    if (link->beam.head.node) code = flexible(o, m, i, pose[i].R, err);
    if (link->fe.link) finite_elements(o, link);
    doubt_frequency(o, link, err);
    out->joint_dof += o->joint_dof;
    out->elastic_dof += o->elastic_dof;
    out->mass += o->mass;
  }
  for (int i = 0; i < m->drives.count; i++) {
    out->mass += m->drives.item[i].motor.mass;
    out->motor_dof += m->drives.item[i].type == LIM_DRIVE_MOTOR && lim_gear_is_elastic(&m->drives.item[i].gear);
  }
  bool lines = false;
  for (int i = 0; i < m->motion.count; i++) lines = lines || m->motion.item[i].joint < 0;
  if (code == LIM_OK && (m->loops.count || m->couplings.count || lines)) code = close_loops(out, m, err);
  free(pose);
  if (code == LIM_OK) doubt_tip(m, err);
  if (code == LIM_OK) return code;
  free(out->link);
  out->link = NULL;
  return code;
}
