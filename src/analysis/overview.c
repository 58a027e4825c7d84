// overview.c - counts, masses and lowest link frequencies of a model.
#include "analysis/overview.h"

#include "body/basis.h"
#include "body/sliding.h"
#include "control/network.h"
#include "math/eigen.h"
#include "math/null_space.h"
#include "system/pose.h"
#include "system/recursion.h"

#include <math.h>
#include <stdlib.h>

static int joint_dof(const lim_model *m, const lim_joint *j) {
  if (j->type == LIM_FIXED) return 0;
  return j->type != LIM_FREE ? 1 : m->planar == LIM_SPATIAL ? 6 : 3;
}

// Lowest modes of the bare link clamped at its joint, with all coordinates of its mesh.
static lim_code frequencies(lim_link_overview *o, const lim_mesh *mesh, const bool keep[6], lim_error *err) {
  int n = 0, *index = calloc((size_t)mesh->ndof, sizeof *index);
  for (int i = 6; index && i < mesh->ndof; i++)
    if (keep[i % 6]) index[n++] = i;
  double *K = calloc(2 * (size_t)n * (size_t)n + 1, sizeof *K), *M = K ? K + (size_t)n * (size_t)n : NULL;
  lim_code code = index && K ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
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

// Coordinates of one segment, as the system counts them.
static lim_code count_segment(int *n, const lim_model *m, int link, int k, const bool keep[6], lim_error *err) {
  lim_stretch stretch = lim_mesh_segment(&m->links.item[link].beam, k);
  lim_mesh *mesh;
  lim_shapes *shapes = NULL;
  lim_code code = lim_mesh_new(&mesh, m, link, stretch, err);
  if (code == LIM_OK) code = lim_shapes_new_from(&shapes, m, link, mesh, stretch.from, keep, err);
  if (code == LIM_OK) *n += shapes->n;
  lim_shapes_free(shapes);
  lim_mesh_free(mesh);
  return code;
}

// Coordinates of a beam that slides.
static lim_code count_sliding(int *n, const lim_model *m, int link, const bool keep[6], lim_error *err) {
  lim_sliding *s = NULL;
  lim_code code = lim_sliding_new(&s, m, link, keep, false, err);
  if (code == LIM_OK) *n += s->n;
  lim_sliding_free(s);
  return code;
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
  int segments = link->basis.type == LIM_BASIS_RIGID ? 0 : beam->segments;
  if (segments && lim_joint_slides(&link->joint)) {
    if (code == LIM_OK) code = count_sliding(&o->elastic_dof, m, i, keep, err);
    segments = 0;
  }
  for (int k = 0; k < segments && code == LIM_OK; k++)
    code = count_segment(&o->elastic_dof, m, i, k, keep, err);
  if (code == LIM_OK && m->materials.item[beam->material.index].rho > 0) code = frequencies(o, mesh, keep, err);
  lim_mesh_free(mesh);
  return code;
}

// How many freedoms loops take, of the arm with rigid links in its closed configuration.
static lim_code close_loops(lim_overview *out, const lim_model *m, lim_error *err) {
  lim_system *s;
  lim_code code = lim_system_new_floating(&s, m, true, err);
  if (code != LIM_OK) return code;
  size_t n = (size_t)s->n, rows = (size_t)s->nrow;
  double *x = calloc(4 * n + rows * n + n * n + 1, sizeof *x), *G = x ? x + 4 * n : NULL;
  lim_rec_work *w = lim_rec_work_new(s);
  int left = s->n;
  if (!x || !w) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    lim_system_start(x, x + n, s);
    lim_rec_residual(x + 3 * n, w, x, x + 2 * n, x + 2 * n);
    lim_rec_loop_rows(G, w, x);
    code = lim_null_space(G + rows * n, &left, G, s->nrow, s->n, err);
  }
  out->closed = s->n - left;
  out->redundant = s->nrow - out->closed;
  lim_rec_work_free(w);
  free(x);
  lim_system_free(s);
  return code;
}

lim_code lim_overview_new(lim_overview *out, const lim_model *m, lim_error *err) {
  *out = (lim_overview){.link = calloc((size_t)m->links.count, sizeof *out->link)};
  lim_place_in_world *pose = calloc((size_t)m->links.count, sizeof *pose);
  if (!out->link || !pose) {
    free(out->link);
    free(pose);
    out->link = NULL;
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  lim_code code = lim_network_check(m, err);
  if (code == LIM_OK) code = lim_system_check_slides(m, err);
  lim_pose_links(pose, m);
  for (int i = 0; code == LIM_OK && i < m->links.count; i++) {
    const lim_link *link = &m->links.item[i];
    lim_link_overview *o = &out->link[i];
    o->joint_dof = joint_dof(m, &link->joint);
    if (link->body.head.node) o->mass += link->body.mass;
    for (int k = 0; k < link->masses.count; k++) o->mass += link->masses.item[k].mass;
    if (link->beam.head.node) code = flexible(o, m, i, pose[i].R, err);
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
  if (code == LIM_OK && (m->loops.count || lines)) code = close_loops(out, m, err);
  free(pose);
  if (code == LIM_OK) return code;
  free(out->link);
  out->link = NULL;
  return code;
}
