// modes.c - a single link on its joint, vibrating: M z'' + D z' + K z = 0 in z = (joint freedoms, coordinates
// of the deformation). Theory: docs/theory/modes.md (1)-(10).
#include "analysis/modes.h"

#include "analysis/one_link.h"
#include "analysis/prestress.h"
#include "body/basis.h"
#include "math/damped.h"
#include "math/eigen.h"
#include "math/rotation.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAMPED_MODES = 100 }; // modes that may couple through damping

typedef struct {
  lim_one_link a;
  lim_shapes *shapes;
  int m, n, N;       // joint freedoms, coordinates of the deformation, both
  double *M, *K, *D; // (N x N)
  double *field;     // nodal motion of each joint freedom                        (ndof x m)
  bool damped;
} vibration;

// --- matrices ---

static const char *choose_joints(vibration *s, lim_joints joints) {
  const lim_model *model = s->a.model;
  const lim_drive *drive = lim_model_drive(model, 0);
  bool prescribed = drive ? drive->type == LIM_DRIVE_PRESCRIBED : model->motion.count > 0;
  bool servo = s->a.stiffness > 0;
  if (joints == LIM_JOINTS_DEFAULT)
    joints = servo ? LIM_JOINTS_HELD : prescribed ? LIM_JOINTS_LOCKED : LIM_JOINTS_FREE;
  if (joints == LIM_JOINTS_FREE) s->a.stiffness = s->a.damping = 0;
  if (joints == LIM_JOINTS_LOCKED || (joints == LIM_JOINTS_HELD && !servo)) s->a.nfree = 0;
  s->m = s->a.nfree;
  return s->m == 0 ? "locked" : joints == LIM_JOINTS_HELD ? "held" : "free";
}

static lim_code check_rest(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->configuration.count; i++) {
    const lim_state *q = &m->configuration.item[i];
    if (lim_dot(q->velocity, q->velocity) + lim_dot(q->angular_velocity, q->angular_velocity) > 0)
      return lim_tree_error(err, q->head.node, "joint '%s' moves: modes treats an arm at rest so far",
                            q->head.name);
  }
  return LIM_OK;
}

static lim_code make_room(vibration *s, lim_error *err) {
  lim_arena *arena = &s->a.arena;
  s->n = s->shapes ? s->shapes->n : 0;
  s->N = s->m + s->n;
  size_t square = (size_t)s->N * (size_t)s->N, ndof = s->a.mesh ? (size_t)s->a.mesh->ndof : 0;
  s->M = lim_arena_array(arena, square, sizeof *s->M);
  s->K = lim_arena_array(arena, square, sizeof *s->K);
  s->D = lim_arena_array(arena, square, sizeof *s->D);
  s->field = lim_arena_array(arena, ndof * (size_t)s->m, sizeof *s->field);
  return s->M && s->K && s->D && s->field ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

// A (N x N) += [field Phi]' B [field Phi], whose lower right block is given.   (3)
static void add_projected(double *A, const vibration *s, lim_band B, const double *block, double *scratch) {
  int N = s->N, m = s->m, ndof = s->a.mesh->ndof;
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) A[(j + m) * N + i + m] += block[j * s->n + i];
  for (int j = 0; j < m; j++) {
    double *Bf = scratch, *column = scratch + ndof;
    lim_band_times(Bf, 1, B, s->field + (size_t)j * (size_t)ndof, 0);
    for (int i = 0; i < m; i++) A[j * N + i] += cblas_ddot(ndof, s->field + (size_t)i * (size_t)ndof, 1, Bf, 1);
    lim_shapes_project(column, s->shapes, Bf);
    for (int i = 0; i < s->n; i++) {
      A[j * N + i + m] += column[i];
      A[(i + m) * N + j] += column[i];
    }
  }
}

// D's block += 2 zeta sum of omega_i (M x_i)(M x_i)' over all modes x_i of K, M: every one gets the ratio zeta.
// (4)
static lim_code add_ratio(vibration *s, double zeta, const double *K, const double *M, lim_error *err) {
  int n = s->n;
  size_t square = (size_t)n * (size_t)n;
  double *x = lim_arena_array(&s->a.arena, square, sizeof *x),
         *Mx = lim_arena_array(&s->a.arena, square, sizeof *Mx);
  double *lambda = lim_arena_array(&s->a.arena, (size_t)n, sizeof *lambda);
  if (!x || !Mx || !lambda) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_eigen_count count;
  lim_code code = lim_eigen_lowest(lambda, x, &count, K, M, n, n, err);
  if (code != LIM_OK) return code;
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, count.found, 1, M, n, x, n, 0, Mx, n);
  for (int k = 0; k < count.found; k++)
    cblas_dger(CblasColMajor, n, n, 2 * zeta * sqrt(fmax(lambda[k], 0)), Mx + k * n, 1, Mx + k * n, 1,
               s->D + s->m * s->N + s->m, s->N);
  return LIM_OK;
}

// (4), (5)
static lim_code add_damping(vibration *s, const double *K, const double *bare, const double *whole,
                            lim_error *err) {
  const lim_damping *d = &s->a.link->damping, *arm = &s->a.model->damping;
  if (d->strain_rate > 0 || arm->strain_rate > 0)
    return LIM_FAIL(err, LIM_BAD_INPUT,
                    "damping: modes does not know strain_rate; use ratio, or mass and stiffness");
  s->damped =
      d->ratio > 0 || d->mass > 0 || d->stiffness > 0 || arm->ratio > 0 || arm->mass > 0 || arm->stiffness > 0;
  lim_code code = LIM_OK;
  double mass = d->mass > 0 ? d->mass : 0, arm_mass = arm->mass > 0 ? arm->mass : 0;
  double stiffness = (d->stiffness > 0 ? d->stiffness : 0) + (arm->stiffness > 0 ? arm->stiffness : 0);
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) {
      int k = j * s->n + i;
      s->D[(j + s->m) * s->N + i + s->m] += mass * bare[k] + arm_mass * whole[k] + stiffness * K[k];
    }
  if (s->n && d->ratio > 0) code = add_ratio(s, d->ratio, K, bare, err);
  if (code == LIM_OK && s->n && arm->ratio > 0) code = add_ratio(s, arm->ratio, K, whole, err);
  return code;
}

// The stiffness of the loads counts.
static bool loaded(const vibration *s) {
  return s->a.model->solver.start == 1 && s->a.model->solver.stiffening == 1;
}

// K's joint block = that of the rigid link under its loads, exact for any axis   (10)
static void load_joint(vibration *s) {
  double H[9];
  lim_prestress_rigid(H, &s->a);
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < s->m; j++) {
      double Hw[3];
      lim_rotate(Hw, H, s->a.freedom[j] + 3);
      s->K[i * s->N + j] = lim_dot(s->a.freedom[i] + 3, Hw);
    }
}

static lim_code assemble_beam(vibration *s, lim_error *err) {
  lim_one_link *a = &s->a;
  size_t square = (size_t)s->n * (size_t)s->n;
  double *K = lim_arena_array(&a->arena, square, sizeof *K),
         *bare = lim_arena_array(&a->arena, square, sizeof *bare);
  double *whole = lim_arena_array(&a->arena, square, sizeof *whole);
  double *scratch = lim_arena_array(&a->arena, 2 * (size_t)a->mesh->ndof, sizeof *scratch);
  lim_band load = lim_band_new(&a->arena, a->mesh->K.n, a->mesh->K.width);
  if (!K || !bare || !whole || !scratch || !load.a) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < s->m; i++)
    lim_mesh_rigid_field(s->field + (size_t)i * (size_t)a->mesh->ndof, a->mesh, a->freedom[i],
                         a->freedom[i] + 3);
  lim_shapes_reduce(K, s->shapes, a->mesh->K);
  lim_shapes_reduce(bare, s->shapes, a->mesh->M);
  lim_shapes_reduce(whole, s->shapes, a->M);
  add_projected(s->M, s, a->M, whole, scratch);
  lim_code code = add_damping(s, K, bare, whole, err);
  if (code == LIM_OK && loaded(s)) {
    code = lim_prestress_add(load, a, err);
    double *stiffening = bare; // done with
    lim_shapes_reduce(stiffening, s->shapes, load);
    add_projected(s->K, s, load, stiffening, scratch);
  }
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) s->K[(j + s->m) * s->N + i + s->m] += K[j * s->n + i];
  return code;
}

static void assemble_rigid(vibration *s) {
  double inertia[36];
  lim_one_link_inertia(inertia, &s->a);
  for (int i = 0; i < s->m; i++)
    for (int j = 0; j < s->m; j++)
      for (int k = 0; k < 36; k++)
        s->M[i * s->N + j] += s->a.freedom[i][k / 6] * inertia[k] * s->a.freedom[j][k % 6];
}

static lim_code assemble(vibration *s, lim_error *err) {
  lim_code code = make_room(s, err);
  if (code != LIM_OK) return code;
  if (s->a.mesh)
    code = assemble_beam(s, err);
  else
    assemble_rigid(s);
  if (loaded(s)) load_joint(s);
  if (s->m) { // the servo
    s->K[0] += s->a.stiffness;
    s->D[0] += s->a.damping;
    s->damped = s->damped || s->a.damping > 0;
  }
  return code;
}

// --- shapes ---

// The group of coordinates with the largest share of the kinetic energy.
static const char *kind_of(const vibration *s, const double *u, double *scratch) {
  static const char *const names[] = {"axial", "bending y", "bending z", "torsion"};
  static const int group[6] = {0, 1, 2, 3, 2, 1};
  int ndof = s->a.mesh->ndof, best = 0;
  double most = -1;
  for (int g = 0; g < 4; g++) {
    for (int i = 0; i < ndof; i++) scratch[i] = group[i % 6] == g ? u[i] : 0;
    double share = lim_band_product(s->a.M, scratch, scratch);
    if (share > most) {
      most = share;
      best = g;
    }
  }
  return names[best];
}

// Nodal motion scaled so that the largest displacement, or rotation times length, is 1; rounding becomes 0.
static void normalise(double *shape, const double *u, const lim_mesh *mesh) {
  double largest = 0;
  for (int i = 0; i < mesh->ndof; i++) {
    double x = i % 6 < 3 ? u[i] : u[i] * mesh->length;
    if (fabs(x) > fabs(largest)) largest = x;
  }
  for (int i = 0; i < mesh->ndof; i++) {
    double x = largest != 0 ? u[i] / largest : 0;
    shape[i] = fabs(x) > 1e-9 ? x : 0;
  }
}

static lim_code describe(lim_natural_mode *out, lim_modes *r, vibration *s, const double *z, lim_error *err) {
  if (!s->a.mesh) {
    out->kind = "joint";
    return LIM_OK;
  }
  int ndof = s->a.mesh->ndof;
  double *u = lim_arena_array(&s->a.arena, 2 * (size_t)ndof, sizeof *u);
  out->shape = lim_arena_array(&r->arena, (size_t)ndof, sizeof *out->shape);
  if (!u || !out->shape) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_shapes_expand(u, s->shapes, z + s->m);
  for (int j = 0; j < s->m; j++) cblas_daxpy(ndof, z[j], s->field + (size_t)j * (size_t)ndof, 1, u, 1);
  out->kind = kind_of(s, u, u + ndof);
  normalise(out->shape, u, s->a.mesh);
  return LIM_OK;
}

// --- solution ---

// Frequencies and damping ratios of the modes in z (N x n), by way of the damping matrix between them.   (6)
static lim_code damped_modes(lim_damped *out, vibration *s, const double *lambda, const double *z, int n,
                             lim_error *err) {
  for (int i = 0; i < n; i++) out[i] = (lim_damped){sqrt(lambda[i]), 0, i};
  if (!s->damped) return LIM_OK;
  double *Dz = lim_arena_array(&s->a.arena, (size_t)s->N * (size_t)n, sizeof *Dz);
  double *C = lim_arena_array(&s->a.arena, (size_t)n * (size_t)n, sizeof *C);
  if (!Dz || !C) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, s->N, n, s->N, 1, s->D, s->N, z, s->N, 0, Dz, s->N);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, n, s->N, 1, z, s->N, Dz, s->N, 0, C, n);
  return lim_damped_modes(out, lambda, C, n, err);
}

static lim_code list_modes(lim_modes *r, vibration *s, const double *lambda, const double *z, int n, int count,
                           lim_error *err) {
  lim_damped *mode = lim_arena_array(&s->a.arena, (size_t)n, sizeof *mode);
  r->modes.item = lim_arena_array(&r->arena, (size_t)count, sizeof *r->modes.item);
  if (!mode || !r->modes.item) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = damped_modes(mode, s, lambda, z, n, err);
  for (int i = 0; code == LIM_OK && i < n && r->modes.count < count; i++) {
    lim_natural_mode *out = &r->modes.item[r->modes.count++];
    double rounding = 1e-14 * mode[n - 1].omega, decay = mode[i].zeta * mode[i].omega;
    *out = (lim_natural_mode){.frequency = mode[i].omega / (2 * M_PI),
                              .damping = fabs(decay) > rounding ? mode[i].zeta : 0};
    code = describe(out, r, s, z + (size_t)mode[i].most * (size_t)s->N, err);
  }
  return code;
}

// `more` modes than are listed: rigid and unstable ones, and those that couple through damping.
static lim_code solve(lim_modes *r, vibration *s, int count, int more, lim_error *err) {
  int wanted = count + more < s->N ? count + more : s->N;
  if (wanted == 0) return LIM_OK;
  double *lambda = lim_arena_array(&s->a.arena, (size_t)s->N, sizeof *lambda);
  double *z = lim_arena_array(&s->a.arena, (size_t)s->N * (size_t)wanted, sizeof *z);
  if (!lambda || !z) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_eigen_count found;
  lim_code code = lim_eigen_lowest(lambda, z, &found, s->K, s->M, s->N, wanted, err);
  if (code != LIM_OK) return code;
  int skip = 0; // modes without, or with negative stiffness
  while (skip < found.found && lambda[skip] <= 0) skip++;
  if (wanted < s->N && found.found - skip < count) return solve(r, s, count, 2 * more + skip, err); // buckled
  for (int i = 0; i < skip; i++) *(lambda[i] < 0 ? &r->unstable : &r->rigid) += 1;
  return list_modes(r, s, lambda + skip, z + (size_t)skip * (size_t)s->N, found.found - skip, count, err);
}

lim_code lim_modes_new(lim_modes **out, const lim_model *model, lim_joints joints, int count, lim_error *err) {
  *out = NULL;
  lim_modes *r = calloc(1, sizeof *r);
  if (!r) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  vibration s = {.shapes = NULL};
  lim_code code = lim_one_link_start(&s.a, model, err);
  r->link = model->links.item[0].head.name;
  if (code == LIM_OK) code = check_rest(model, err);
  if (code == LIM_OK && loaded(&s)) code = lim_prestress_check(model, err);
  if (code == LIM_OK) r->joints = choose_joints(&s, joints);
  if (code == LIM_OK && s.a.mesh) {
    r->nnode = s.a.mesh->nnode;
    code = lim_shapes_new(&s.shapes, model, 0, s.a.mesh, s.a.keep, err);
  }
  if (code == LIM_OK) code = assemble(&s, err);
  if (code == LIM_OK) code = solve(r, &s, count, s.damped ? DAMPED_MODES : s.m, err);
  lim_shapes_free(s.shapes);
  lim_one_link_free(&s.a);
  if (code == LIM_OK)
    *out = r;
  else
    lim_modes_free(r);
  return code;
}

void lim_modes_free(lim_modes *m) {
  if (!m) return;
  lim_arena_free(&m->arena);
  free(m);
}
