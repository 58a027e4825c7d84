// fe_fixture.h - parts as another program would write them, assembled here from the elements of beams, into a
// folder that lives as long as the test; models that read them, or those of models/fe.
#ifndef FE_FIXTURE_H
#define FE_FIXTURE_H

#include "fixture.h"

#include "analysis/prepare.h"
#include "analysis/simulation/simulate.h"
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"
#include "beam/mesh.h"
#include "fe/link.h"
#include "math/rotation.h"
#include "verification/table_fixture.h"

#include <dirent.h>
#include <unistd.h>

// --- the folder ---

static char FOLDER[64];

static inline int make_folder(void **state) {
  (void)state;
  strcpy(FOLDER, "/tmp/limber-fe-XXXXXX");
  return mkdtemp(FOLDER) ? 0 : -1;
}

static inline int remove_folder(void **state) {
  (void)state;
  DIR *folder = opendir(FOLDER);
  for (struct dirent *e; folder && (e = readdir(folder));) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", FOLDER, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  if (folder) closedir(folder);
  return rmdir(FOLDER);
}

static inline FILE *open_file(const char *name, const char *ending) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s%s", FOLDER, name, ending);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  return file;
}

// --- models ---

enum { TEXT_MOST = 8000 };

// A text in which @ is the folder.
static inline void fill_in(char out[TEXT_MOST], const char *text) {
  size_t n = 0;
  for (; *text; text++) {
    assert_true(n + sizeof FOLDER < TEXT_MOST);
    if (*text == '@')
      n += (size_t)sprintf(out + n, "%s", FOLDER);
    else
      out[n++] = *text;
  }
  out[n] = 0;
}

static inline lim_code try_model(lim_model **out, const char *text, const char *const *set, lim_error *err) {
  char full[TEXT_MOST];
  int count = 0;
  fill_in(full, text);
  while (set && set[count]) count++;
  const lim_model_setup setup = {
      .size = sizeof setup, .set = set, .nset = count, .allow = (const char *[]){FOLDER}, .nallow = 1};
  return lim_model_parse_with(out, full, (long)strlen(full), "test.yaml", &setup, err);
}

// A model that has to be read and prepared, with overrides up to the first NULL. The caller frees it.
static inline lim_model *fe_model(const char *text, const char *const *set) {
  lim_model *m = NULL;
  lim_error err = {0};
  lim_code code = try_model(&m, text, set, &err);
  if (code == LIM_OK) code = lim_prepare_model(m, NULL, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return m;
}

// --- what analyses say ---

// The lowest frequencies [Hz].
static inline void frequencies(double *hz, int count, const char *text, const char *const *set,
                               lim_joints joints) {
  lim_model *m = fe_model(text, set);
  lim_modes *x = NULL;
  lim_error err = {0};
  if (lim_modes_new(&x, m, NULL, joints, count, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  assert_true(x->modes.count >= count);
  for (int i = 0; i < count; i++) hz[i] = x->modes.item[i].frequency;
  lim_modes_free(x);
  lim_model_free(m);
}

typedef struct {
  double position[3], displacement[3], rotation[3]; // of a frame
  double force[3], moment[3];                       // of the first joint on its link
} resting;

static inline resting at_rest(const char *text, const char *const *set, const char *frame) {
  lim_model *m = fe_model(text, set);
  lim_static *s = NULL;
  lim_error err = {0};
  resting out = {{0}, {0}, {0}, {0}, {0}};
  bool found = false;
  if (lim_static_new(&s, m, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  for (int i = 0; i < s->frames.count; i++) {
    const lim_static_frame *f = &s->frames.item[i];
    if (strcmp(f->name, frame) != 0) continue;
    found = true;
    memcpy(out.position, f->position, sizeof out.position);
    memcpy(out.displacement, f->displacement, sizeof out.displacement);
    memcpy(out.rotation, f->rotation, sizeof out.rotation);
  }
  if (!found) fail_msg("no frame '%s'", frame);
  memcpy(out.force, s->joints.item[0].force, sizeof out.force);
  memcpy(out.moment, s->joints.item[0].moment, sizeof out.moment);
  lim_static_free(s);
  lim_model_free(m);
  return out;
}

static inline double largest_of(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// Largest difference of two lists beside the largest of the second.
static inline double apart(const double *x, const double *y, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most / largest_of(y, n);
}

// --- motion ---

enum { RECORDS = 1000 };

// Tip and efforts of an arm of two links along a motion.
typedef struct {
  int count;
  double bend[3 * RECORDS]; // tip against that of the rigid arm [m]
  double effort[2 * RECORDS];
} path;

static inline lim_code keep_path(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  path *p = user;
  assert_true(p->count < RECORDS);
  const lim_world_motion tip = lim_snapshot_frame(m, 0), rigid = lim_snapshot_frame_reference(m, 0);
  for (int k = 0; k < 3; k++) p->bend[3 * p->count + k] = tip.p[k] - rigid.p[k];
  for (int k = 0; k < 2; k++) p->effort[2 * p->count + k] = lim_snapshot_effort(m, k);
  p->count++;
  return LIM_OK;
}

static inline void move_arm(path *p, const char *text, const char *const *set) {
  lim_model *m = fe_model(text, set);
  lim_error err = {0};
  lim_run run;
  p->count = 0;
  const lim_simulate_hooks hooks = {.record = keep_path, .user = p, .quiet = true};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
}

// --- parts of nodes with six freedoms ---

typedef struct {
  int nnode, ndof;
  double *X, *K, *M; // (3 nnode), (ndof x ndof)
} part;

static inline double *dense(int n) {
  double *x = calloc((size_t)n * (size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline void part_free(part *p) {
  free(p->X);
  free(p->K);
  free(p->M);
}

// The elements of the first link of a model, which is a beam.
static inline part part_of_beam(const char *text) {
  lim_model *m = parse(text);
  lim_mesh *mesh = NULL;
  lim_error err = {0};
  const lim_stretch whole = lim_mesh_segment(&m->links.item[0].beam, 0);
  assert_int_equal(lim_mesh_new(&mesh, m, 0, whole, &err), LIM_OK);
  part p = {.nnode = mesh->nnode, .ndof = mesh->ndof, .K = dense(mesh->ndof), .M = dense(mesh->ndof)};
  p.X = calloc(3 * (size_t)p.nnode, sizeof *p.X);
  assert_non_null(p.X);
  for (int i = 0; i < p.nnode; i++) p.X[3 * i] = mesh->x[i];
  for (int e = 0; e < mesh->nelement; e++)
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) {
        const size_t at = (size_t)(6 * e + i) * (size_t)p.ndof + (size_t)(6 * e + j);
        p.K[at] += mesh->Ke[144 * e + 12 * i + j];
        p.M[at] += mesh->Me[144 * e + 12 * i + j];
      }
  lim_mesh_free(mesh);
  lim_model_free(m);
  return p;
}

// Q A Q', Q the same rotation in every block of three.
static inline void turn_matrix(double *A, int n, const double Q[9]) {
  for (int I = 0; I < n; I += 3)
    for (int J = 0; J < n; J += 3) {
      double T[9] = {0}, U[9] = {0};
      for (int k = 0; k < 27; k++) {
        const int i = k / 9, j = k / 3 % 3, l = k % 3;
        T[3 * i + j] += Q[3 * i + l] * A[(I + l) * n + J + j];
      }
      for (int k = 0; k < 27; k++) {
        const int i = k / 9, j = k / 3 % 3, l = k % 3;
        U[3 * i + j] += T[3 * i + l] * Q[3 * j + l];
      }
      for (int k = 0; k < 9; k++) A[(I + k / 3) * n + J + k % 3] = U[k];
    }
}

// The same part elsewhere: places are Q X + shift.
static inline void part_move(part *p, const double Q[9], const double shift[3]) {
  for (int i = 0; i < p->nnode; i++) {
    double x[3];
    lim_rotate(x, Q, p->X + 3 * i);
    for (int k = 0; k < 3; k++) p->X[3 * i + k] = x[k] + shift[k];
  }
  turn_matrix(p->K, p->ndof, Q);
  turn_matrix(p->M, p->ndof, Q);
}

// A symmetric matrix (n x n): Matrix Market, lower triangle, all digits.
static inline void write_matrix(const char *name, const char *ending, const double *A, int n) {
  FILE *file = open_file(name, ending);
  long count = 0;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) count += A[i * n + j] != 0;
  fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %ld\n", n, n, count);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      if (A[i * n + j] != 0) fprintf(file, "%d %d %.17g\n", i + 1, j + 1, A[i * n + j]);
  fclose(file);
}

// name-k.mtx, name-m.mtx, name.csv.
static inline void part_write(const part *p, const char *name) {
  write_matrix(name, "-k.mtx", p->K, p->ndof);
  write_matrix(name, "-m.mtx", p->M, p->ndof);
  FILE *file = open_file(name, ".csv");
  for (int i = 0; i < p->nnode; i++)
    fprintf(file, "%d, %.17g, %.17g, %.17g\n", i + 1, p->X[3 * i], p->X[3 * i + 1], p->X[3 * i + 2]);
  fclose(file);
}

// --- the tube of models/fe ---

// A link of a model: more of fe may come in front of its frames, which are the ends with a coupling each.
#define TUBE_FE(more, root, tip)                                                                               \
  "    fe:\n"                                                                                                  \
  "      stiffness: models/fe/tube.sti\n"                                                                      \
  "      mass: models/fe/tube.mas\n"                                                                           \
  "      dofs: models/fe/tube.dof\n"                                                                           \
  "      nodes: models/fe/tube.inp\n" more "      frames: {base: {nodes: ROOT, coupling: " root                \
  "}, tip: {nodes: TIP, coupling: " tip "}}\n"

#endif
