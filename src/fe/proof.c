// proof.c - whether matrices are those of a free elastic body. Theory: docs/theory/finite-elements.md (16).
#include "fe/proof.h"

#include "math/eigen/eigen.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static const double GROUNDED = 1e-5,
                    DOUBTFUL = 1e-8; // energy of rigid motions beside what its parts would cost
static const double DENSEST = 25000, FOAM = 10, LIGHTEST = 1e-2; // [kg/m^3]; the last of the box around it

static const char *const MOTION[6] = {"moving along x",  "moving along y",  "moving along z",
                                      "turning about x", "turning about y", "turning about z"};

// inner: nodes that only the matrices know.
static lim_code judge(const lim_fe_facts *f, int inner, const lim_link *link, lim_error *err) {
  int worst = 0;
  for (int k = 1; k < 6; k++)
    if (!(fabs(f->rigid_energy[k]) <= fabs(f->rigid_energy[worst]))) worst = k;
  const double energy = f->rigid_energy[worst];
  if (!(fabs(energy) <= GROUNDED) && inner)
    return lim_tree_error(
        err, link->fe.head.node,
        "link '%s': %s as a whole (file axes) costs %.2g of the energy that its freedoms would cost one by "
        "one: "
        "the matrices were written with supports, or from another mesh, as %d of their nodes are not in "
        "fe.nodes",
        link->head.name, MOTION[worst], energy, inner);
  if (energy < -GROUNDED)
    return lim_tree_error(
        err, link->fe.head.node,
        "link '%s': %s as a whole (file axes) gives back %.2g of the energy that its freedoms would cost "
        "one by one: entries of the stiffness are missing, or it is another matrix",
        link->head.name, MOTION[worst], -energy);
  if (!(energy <= GROUNDED) && link->fe.reduced.head.node)
    return lim_tree_error(
        err, link->fe.head.node,
        "link '%s': %s as a whole costs %.2g of the energy that its freedoms would cost one by one: are "
        "frames in the order of the matrices, base among them, and at their places (xyz, m)?",
        link->head.name, MOTION[worst], energy);
  if (!(energy <= GROUNDED))
    return lim_tree_error(
        err, link->fe.head.node,
        "link '%s': the mesh is grounded: %s as a whole (file axes) costs %.2g of the energy that "
        "its freedoms would cost one by one; write the matrices without supports (or is it the mass matrix?)",
        link->head.name, MOTION[worst], energy);
  if (fabs(energy) > DOUBTFUL && link->fe.reduced.head.node) // of meshes check_digits says more
    lim_warn(
        err, NAN, link->head.name,
        "link '%.80s': %s as a whole costs %.2g of the energy that its freedoms would cost one by one: the "
        "matrices have few digits, or a weak support",
        link->head.name, MOTION[worst], energy);
  return LIM_OK;
}

static double box_of(double size[3], const lim_fe_mesh *m) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < m->ndof; i++)
    for (int k = 0; k < 3 && !lim_fe_is_inner(m, m->dof_node[i]); k++) {
      const double x = m->X[3 * (size_t)m->dof_node[i] + (size_t)k];
      low[k] = fmin(low[k], x);
      high[k] = fmax(high[k], x);
    }
  for (int k = 0; k < 3; k++) size[k] = m->ndof ? high[k] - low[k] : 0;
  return sqrt(lim_dot(size, size));
}

// m and its moments of inertia J (3) about any point.
static lim_code check_mass(double m, const double J[3], const lim_link *link, lim_error *err) {
  if (!(m > 0) || isinf(m))
    return lim_tree_error(err, link->fe.head.node, "link '%s': its mass is %g kg, must be positive",
                          link->head.name, m);
  const double least = -1e-9 * (J[0] + J[1] + J[2]);
  for (int k = 0; k < 3; k++)
    if (!(J[k] >= least) || !(J[(k + 1) % 3] + J[(k + 2) % 3] - J[k] >= least))
      return lim_tree_error(
          err, link->fe.head.node,
          "link '%s': its moments of inertia [%g, %g, %g] kg m^2 are those of no body: is the mass "
          "matrix that of this mesh?",
          link->head.name, J[0], J[1], J[2]);
  return LIM_OK;
}

static double diagonal(const lim_symmetric *A, int i) {
  const long at = A->start[i];
  return at < A->start[i + 1] && A->column[at] == i ? A->value[at] : 0;
}

// A body has the same mass in all directions.
static lim_code check_directions(const double m[3], const lim_link *link, lim_error *err) {
  const double mean = (m[0] + m[1] + m[2]) / 3;
  for (int k = 0; k < 3; k++)
    if (!(fabs(m[k] - mean) <= 1e-6 * mean))
      return lim_tree_error(
          err, link->fe.head.node,
          "link '%s': its mass is %.6g kg along x, %.6g along y, %.6g along z: is the mass matrix whole, and "
          "that of this mesh?",
          link->head.name, m[0], m[1], m[2]);
  return LIM_OK;
}

// The last rows of a mass matrix that was cut off are empty.
static void warn_of_rows(const lim_fe_mesh *mesh, const lim_link *link, lim_error *err) {
  int rows = 0;
  while (rows < mesh->ndof && diagonal(&mesh->M, mesh->ndof - 1 - rows) == 0) rows++;
  if (rows)
    lim_warn(err, NAN, link->head.name,
             "link '%.80s': the last %d of %d freedoms have stiffness and no mass: is the mass matrix whole?",
             link->head.name, rows, mesh->ndof);
}

// Quadratic elements whose rows of masses are summed up have negative ones.
static lim_code check_diagonal(const lim_fe_mesh *mesh, const lim_link *link, lim_error *err) {
  static const char *const word[6] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  double largest = 0;
  for (int i = 0; i < mesh->ndof; i++) largest = fmax(largest, fabs(diagonal(&mesh->M, i)));
  for (int i = 0; i < mesh->ndof; i++)
    if (!(diagonal(&mesh->M, i) >= -1e-12 * largest))
      return lim_tree_error(err, link->fe.head.node,
                            "link '%s': the mass of node %d %s is %g, must not be negative", link->head.name,
                            mesh->id[mesh->dof_node[i]], word[mesh->dof_direction[i]], diagonal(&mesh->M, i));
  return LIM_OK;
}

lim_code lim_fe_prove_free(lim_fe_facts *facts, const lim_fe_mesh *mesh, const lim_link *link, lim_error *err) {
  const size_t n = (size_t)mesh->ndof;
  double size[3], middle[3] = {0};
  lim_arena arena = {0};
  double *R = lim_arena_array(&arena, 6 * n + 1, sizeof *R);
  facts->size = box_of(size, mesh);
  memcpy(facts->box, size, sizeof size);
  facts->dofs = mesh->ndof;
  facts->nodes = mesh->nnode - mesh->ninner;
  for (int i = 0; i < facts->nodes; i++) lim_add(middle, 1.0 / facts->nodes, mesh->X + 3 * (size_t)i);
  if (R) lim_fe_rigid_motion(R, mesh, middle);
  for (int k = 0; k < 6 && R; k++) {
    const double *x = R + (size_t)k * n;
    double parts = 0;
    for (int i = 0; i < mesh->ndof; i++) parts += fabs(diagonal(&mesh->K, i)) * x[i] * x[i];
    facts->rigid_energy[k] = parts > 0 ? lim_symmetric_form(&mesh->K, x, x) / parts : 0;
  }
  double mass[6] = {0};
  for (int k = 0; k < 6 && R; k++) {
    const double *x = R + (size_t)k * n;
    mass[k] = lim_symmetric_form(&mesh->M, x, x);
    facts->noise = fmax(facts->noise, fabs(lim_symmetric_form(&mesh->K, x, x) / mass[k]));
  }
  lim_arena_free(&arena);
  if (!R) return lim_no_memory(err);
  lim_code code = judge(facts, mesh->ninner, link, err);
  if (code == LIM_OK) code = check_mass((mass[0] + mass[1] + mass[2]) / 3, mass + 3, link, err);
  if (code == LIM_OK) code = check_directions(mass, link, err);
  if (code == LIM_OK) warn_of_rows(mesh, link, err);
  return code == LIM_OK ? check_diagonal(mesh, link, err) : code;
}

lim_code lim_fe_prove_dense(lim_fe_facts *facts, const double *K, const double *R, int n, const lim_link *link,
                            lim_error *err) {
  for (int k = 0; k < 6; k++) {
    const double *x = R + (size_t)k * (size_t)n;
    double whole = 0, parts = 0;
    for (int i = 0; i < n; i++) {
      parts += fabs(K[(size_t)i * (size_t)n + (size_t)i]) * x[i] * x[i];
      for (int j = 0; j < n; j++) whole += x[i] * K[(size_t)i * (size_t)n + (size_t)j] * x[j];
    }
    facts->rigid_energy[k] = parts > 0 ? whole / parts : 0;
  }
  return judge(facts, 0, link, err);
}

// --- mass ---

// Nodes of beams are on a line, those of a plate in a plane: how thick they are is not known.
// Within the surface of solids, 0 where there are others, too.
static double volume_of(const lim_fe_skin *s, const lim_fe_mesh *mesh) {
  double sum = 0;
  for (int i = 0; i < mesh->nelement; i++)
    if (mesh->element[i].shape > LIM_FE_HEX20) return 0;
  for (int i = 0; i < s->ntriangle; i++) {
    double x[3][3], across[3];
    for (int k = 0; k < 9; k++) x[k / 3][k % 3] = (double)s->X[3 * s->triangle[3 * i + k / 3] + k % 3];
    lim_cross(across, x[1], x[2]);
    sum += lim_dot(x[0], across) / 6;
  }
  return sum;
}

lim_code lim_fe_prove_density(const lim_fe_link *x, const lim_fe_mesh *mesh, const lim_link *link,
                              lim_error *err) {
  const double volume = volume_of(&x->skin, mesh), density = x->facts.mass / volume;
  if (!(volume > 0) || (density < DENSEST && density > FOAM)) return LIM_OK;
  const lim_node *units = link->fe.units.head.node;
  return lim_tree_error(
      err, units ? units : link->fe.head.node,
      "link '%s': its mass is %.4g kg in solids of %.3g m^3, %.3g kg/m^3: are fe.units those of the "
      "files (as {length: mm, mass: t})?",
      link->head.name, x->facts.mass, volume, density);
}

static lim_code check_density(const lim_fe_link *x, const lim_link *link, lim_error *err) {
  const lim_fe_facts *f = &x->facts;
  double volume = 1;
  for (int k = 0; k < 3; k++) volume *= f->box[k] > 1e-3 * f->size ? f->box[k] : 0.1 * f->size;
  const double density = f->mass / volume;
  if (!(f->size > 0) || (density < DENSEST && density > LIGHTEST)) return LIM_OK;
  const lim_node *units = link->fe.units.head.node;
  return lim_tree_error(err, units ? units : link->fe.head.node,
                        "link '%s': its mass is %.4g kg in a box of %.3g x %.3g x %.3g m, %.2g kg/m^3: are "
                        "fe.units those of the files (as {length: mm, mass: t})?",
                        link->head.name, f->mass, f->box[0], f->box[1], f->box[2], density);
}

// --- frequencies ---

// What rigid motions cost beside the lowest mode, base held: by so much its square is uncertain.
static lim_code check_digits(const lim_fe_link *x, const lim_link *link, lim_error *err) {
  const lim_fe_facts *f = &x->facts;
  const double lowest = f->nclamped ? 2 * M_PI * f->clamped_hz[0] : 0, share = f->noise / (lowest * lowest);
  if (!(lowest > 0) || !(share > 1e-4)) return LIM_OK;
  if (share > 0.05)
    return lim_tree_error(
        err, link->fe.head.node,
        "link '%s': motions as a whole cost %.2g of the energy of its lowest mode: the stiffness has too "
        "few digits for so slender a part, or a weak support",
        link->head.name, share);
  lim_warn(err, NAN, link->head.name,
           "link '%.80s': motions as a whole cost %.2g of the energy of its lowest mode, whose frequency may "
           "be off by "
           "%.2g %%: the stiffness has few digits, or a weak support",
           link->head.name, share, 50 * share);
  return LIM_OK;
}

static void check_frequencies(const lim_fe_link *x, const lim_link *link, lim_error *err) {
  const lim_fe_facts *f = &x->facts;
  if (f->nclamped && (f->clamped_hz[0] < 1e-3 || f->clamped_hz[0] > 1e6))
    lim_warn(err, NAN, link->head.name,
             "link '%.80s': held at its base, its first frequency is %.3g Hz: are fe.units those of the files?",
             link->head.name, f->clamped_hz[0]);
  if (link->basis.type == LIM_BASIS_RIGID) return;
  // Of modes of one frequency, whose directions are anybody's choice, all should be kept or none.
  if (lim_eigen_same(f->kept_hz * f->kept_hz, f->left_out_hz * f->left_out_hz))
    lim_warn(err, NAN, link->head.name,
             "link '%.80s': the last of the %d modes that are kept has the frequency of the first that is left "
             "out, %.4g Hz: "
             "keep one more, or one less",
             link->head.name, x->modes, f->left_out_hz);
  double worst = 0;
  int at = 0;
  for (int i = 0; i < 3 && i < f->nclamped && i < x->n; i++) {
    const double off = f->reduced_hz[i] / f->clamped_hz[i] - 1;
    if (off > worst) worst = off, at = i;
  }
  if (worst > 0.01)
    lim_warn(err, NAN, link->head.name,
             "link '%.80s': with the %d modes kept, its frequency %d (base held) is %.3g Hz, %.2g %% above the "
             "%.3g Hz "
             "of the whole mesh: keep more",
             link->head.name, x->modes, at + 1, f->reduced_hz[at], 100 * worst, f->clamped_hz[at]);
}

lim_code lim_fe_prove_link(const lim_fe_link *x, const lim_link *link, lim_error *err) {
  lim_code code = check_mass(x->facts.mass, x->facts.inertia, link, err);
  if (code == LIM_OK && x->facts.dofs) code = check_density(x, link, err);
  if (code == LIM_OK) code = check_digits(x, link, err);
  if (code == LIM_OK) check_frequencies(x, link, err);
  return code;
}
