// kind.c - the table of kinds of bodies.
#include "arm/body/kind.h"

#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>

#define ROW(kind) &lim_body_is_##kind,
static const lim_body_kind *const kinds[] = {
#include "arm/body/kinds.def"
};
#undef ROW

const lim_body_kind *lim_body_kind_of(const lim_link *link) {
  size_t k = 0, last = sizeof kinds / sizeof *kinds - 1;
  while (k < last && !kinds[k]->is(link)) k++; // the last takes all
  return kinds[k];
}

const char *lim_link_varies(const lim_model *m, int link) {
  const lim_link *a = &m->links.item[link];
  const bool bends = a->joint.rail && m->links.item[a->parent.index].basis.type != LIM_BASIS_RIGID;
  return bends ? "runs along a beam that bends" : lim_body_kind_of(a)->varies;
}

void lim_body_range(double range[2], const lim_link *link) {
  const lim_body_kind *kind = lim_body_kind_of(link);
  range[0] = -INFINITY;
  range[1] = INFINITY;
  if (kind->range) kind->range(range, link);
}

lim_arm_body lim_arm_body_of(int link, const lim_body_kind *kind) {
  return (lim_arm_body){.kind = kind,
                        .formulation = kind->formulation,
                        .inner = kind->inner,
                        .range = {-INFINITY, INFINITY},
                        .q = -1,
                        .m = -1,
                        .rotor = -1,
                        .link = link};
}

lim_code lim_arm_body_bare(lim_arm_body *m, int nodes, lim_error *err) {
  if (!m->mesh) m->mesh = calloc(1, sizeof *m->mesh);
  if (!m->shapes) m->shapes = calloc(1, sizeof *m->shapes);
  bool good = m->mesh && m->shapes;
  if (good && !m->line && (m->line = calloc(1, sizeof *m->line))) {
    m->line->nnode = nodes;
    good = (m->line->x = lim_arena_array(&m->line->arena, (size_t)nodes, sizeof *m->line->x)) != NULL;
  }
  return good && m->line ? LIM_OK : lim_no_memory(err);
}

void lim_arm_body_free(lim_arm_body *m) {
  lim_body_free(m->body);
  lim_basis_matrix_free(m->shapes);
  lim_sliding_free(m->slide);
  if (m->line != m->mesh) lim_mesh_free(m->line);
  lim_mesh_free(m->mesh);
}

void lim_arm_body_count(lim_arm *s, lim_arm_body *m, bool motor) {
  s->parent[s->nbody] = m->on.body;
  if (!m->inner) m->moves = m->screw;
  if (m->screw.slides || m->screw.turns) m->q = s->n++;
  if (m->q >= 0 && motor) m->m = s->n++;
  m->e = s->n;
  s->n += m->body->n;
  s->nbody++;
}

void lim_body_place_rate(double out[6], const lim_world_motion *body, const double X[3], const double d[6],
                         const double R[9]) {
  double r[3], u[3], t[3], swing[3];
  lim_rotate(r, body->R, X);
  lim_rotate(u, body->R, d);
  lim_rotate(t, body->R, d + 3);
  lim_cross(swing, body->w, r);
  for (int i = 0; i < 3; i++) {
    u[i] += body->v[i] + swing[i];
    t[i] += body->w[i];
  }
  lim_rotate_back(out, R, u);
  lim_rotate_back(out + 3, R, t);
}
