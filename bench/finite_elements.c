// finite_elements.c - links from large finite-element meshes: seconds and memory of their reduction, and steps
// of the reduced arm against those from a small mesh, as Markdown. Figures: bench/README.md.
#include "fe/link.h"
#include "fe/surface/shape_functions.h"
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// --- meshes ---

// A bar of 1 m along x, 60 mm wide, of quadratic hexahedra; tubes have a wall of 5 mm, one element thick.
typedef struct {
  const char *name;
  bool hollow;
  int along, across; // elements
} shape;

static const double LENGTH = 1, WIDTH = 0.06, WALL = 0.005;           // [m]
static const double E_MODULUS = 71e9, POISSON = 0.33, DENSITY = 2710; // [Pa], [kg/m^3]
enum { NODES = 20, ROWS = 3 * NODES, MOST = 600 };                    // MOST: neighbours of a node

typedef struct {
  shape s;
  int n[3];  // places of the grid of corners and middles along x y z
  int *node; // of each place; -1: none
  int nnode, nelement;
  double (*X)[3]; // (nnode)
  int (*element)[NODES];
  int *first, *of; // elements of node i: of[first[i]] .. of[first[i + 1] - 1]
} mesh;

static void *take(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (!p) exit(1);
  return p;
}

// Place i of the grid along x, y or z; corners are the even ones.
static double line_at(const shape *s, int axis, int i) {
  if (axis == 0) return LENGTH * i / (2.0 * s->along);
  const int last = 2 * s->across;
  if (!s->hollow) return WIDTH * ((double)i / last - 0.5);
  if (i <= 2) return -WIDTH / 2 + WALL * i / 2;
  if (i >= last - 2) return WIDTH / 2 - WALL * (last - i) / 2;
  return (WIDTH - 2 * WALL) * ((double)(i - 2) / (last - 4) - 0.5);
}

static bool is_filled(const shape *s, int j, int k) {
  return !s->hollow || j == 0 || k == 0 || j == s->across - 1 || k == s->across - 1;
}

static void add_element(mesh *m, int i, int j, int k) {
  const lim_fe_shape_row *row = lim_fe_shape_row_of(LIM_FE_HEX20);
  for (int a = 0; a < NODES; a++) {
    const double *r = row->place[a];
    const int at[3] = {2 * i + 1 + (int)r[0], 2 * j + 1 + (int)r[1], 2 * k + 1 + (int)r[2]};
    int *node = &m->node[(at[0] * m->n[1] + at[1]) * m->n[2] + at[2]];
    if (*node < 0) {
      for (int d = 0; d < 3; d++) m->X[m->nnode][d] = line_at(&m->s, d, at[d]);
      *node = m->nnode++;
    }
    m->element[m->nelement][a] = *node;
  }
  m->nelement++;
}

static void list_elements_of_nodes(mesh *m) {
  m->first = take((size_t)m->nnode + 2, sizeof *m->first);
  m->of = take((size_t)m->nelement * NODES, sizeof *m->of);
  for (int e = 0; e < m->nelement; e++)
    for (int a = 0; a < NODES; a++) m->first[m->element[e][a] + 2]++;
  for (int i = 0; i < m->nnode; i++) m->first[i + 2] += m->first[i + 1];
  for (int e = 0; e < m->nelement; e++)
    for (int a = 0; a < NODES; a++) m->of[m->first[m->element[e][a] + 1]++] = e;
}

static mesh mesh_of(shape s) {
  mesh m = {.s = s, .n = {2 * s.along + 1, 2 * s.across + 1, 2 * s.across + 1}};
  const size_t places = (size_t)m.n[0] * (size_t)m.n[1] * (size_t)m.n[2];
  m.node = take(places, sizeof *m.node);
  m.X = take(places, sizeof *m.X);
  m.element = take((size_t)(s.along * s.across * s.across), sizeof *m.element);
  memset(m.node, 0xff, places * sizeof *m.node); // all -1
  for (int i = 0; i < s.along; i++)
    for (int j = 0; j < s.across; j++)
      for (int k = 0; k < s.across; k++)
        if (is_filled(&s, j, k)) add_element(&m, i, j, k);
  list_elements_of_nodes(&m);
  return m;
}

static void mesh_end(mesh *m) {
  free(m->node);
  free(m->X);
  free(m->element);
  free(m->first);
  free(m->of);
}

// --- matrices of an element ---

typedef struct {
  double size[3]; // edges [m]
  double K[ROWS][ROWS], M[NODES][NODES];
} brick;

// K += w B'D B between two nodes, by derivatives of their functions.
static void add_stiffness(double (*K)[ROWS], int a, int b, const double *p, const double *q, double w) {
  const double G = E_MODULUS / (2 * (1 + POISSON)), lambda = 2 * G * POISSON / (1 - 2 * POISSON);
  const double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      K[3 * a + i][3 * b + j] += w * (lambda * p[i] * q[j] + G * p[j] * q[i] + (i == j) * G * dot);
}

// By 3 x 3 x 3 points.
static void fill_brick(brick *x) {
  static const double point[3] = {-0.77459666924148338, 0, 0.77459666924148338},
                      weight[3] = {5. / 9, 8. / 9, 5. / 9};
  const double part = x->size[0] * x->size[1] * x->size[2] / 8;
  memset(x->K, 0, sizeof x->K);
  memset(x->M, 0, sizeof x->M);
  for (int g = 0; g < 27; g++) {
    const lim_fe_shape_row *row = lim_fe_shape_row_of(LIM_FE_HEX20);
    const double r[3] = {point[g / 9], point[g / 3 % 3], point[g % 3]};
    const double w = part * weight[g / 9] * weight[g / 3 % 3] * weight[g % 3];
    double N[NODES], dN[NODES][3];
    row->functions(N, dN, row, r);
    for (int a = 0; a < NODES; a++)
      for (int d = 0; d < 3; d++) dN[a][d] *= 2 / x->size[d];
    for (int a = 0; a < NODES; a++)
      for (int b = 0; b < NODES; b++) {
        x->M[a][b] += w * DENSITY * N[a] * N[b];
        add_stiffness(x->K, a, b, dN[a], dN[b], w);
      }
  }
}

// That of an element of the mesh; most are as the one before.
static const brick *brick_of(brick *x, const mesh *m, int e) {
  double size[3];
  bool same = true;
  for (int d = 0; d < 3; d++) {
    size[d] = m->X[m->element[e][6]][d] - m->X[m->element[e][0]][d];
    same = same && fabs(size[d] - x->size[d]) < 1e-9;
  }
  if (same) return x;
  memcpy(x->size, size, sizeof size);
  fill_brick(x);
  return x;
}

// --- files as CalculiX writes them ---

static FILE *open_file(const char *folder, const char *ending) {
  char path[200];
  snprintf(path, sizeof path, "%s/part.%s", folder, ending);
  FILE *f = fopen(path, "w");
  if (!f) exit(1);
  return f;
}

static void write_set(FILE *f, const mesh *m, const char *name, int axis, double at, double middle) {
  fprintf(f, "*NSET, NSET=%s\n", name);
  for (int i = 0; i < m->nnode; i++)
    if (fabs(m->X[i][axis] - at) < 1e-9 && (isnan(middle) || fabs(m->X[i][0] - middle) < 0.045))
      fprintf(f, "%d,\n", i + 1);
}

static void write_deck(const char *folder, const mesh *m) {
  FILE *f = open_file(folder, "inp");
  fprintf(f, "*NODE\n");
  for (int i = 0; i < m->nnode; i++)
    fprintf(f, "%d, %.12g, %.12g, %.12g\n", i + 1, m->X[i][0], m->X[i][1], m->X[i][2]);
  fprintf(f, "*ELEMENT, TYPE=C3D20, ELSET=PART\n");
  for (int e = 0; e < m->nelement; e++) {
    fprintf(f, "%d", e + 1);
    for (int a = 0; a < NODES; a++) fprintf(f, "%s%d", a == 10 ? ",\n" : ", ", m->element[e][a] + 1);
    fprintf(f, "\n");
  }
  write_set(f, m, "ROOT", 0, 0, NAN);
  write_set(f, m, "TIP", 0, LENGTH, NAN);
  write_set(f, m, "SIDE", 2, WIDTH / 2, LENGTH / 2);
  fprintf(f, "*MATERIAL, NAME=METAL\n*ELASTIC\n%g, %g\n*DENSITY\n%g\n", E_MODULUS, POISSON, DENSITY);
  fprintf(f, "*SOLID SECTION, ELSET=PART, MATERIAL=METAL\n");
  fclose(f);
}

// Blocks of the columns of one node.
typedef struct {
  int count, node[MOST];
  double K[MOST][3][3], M[MOST]; // K[a][i][j]: row i of node[a]
} column;

static int slot_of(column *c, int *slot, int node) {
  if (slot[node] < 0) {
    c->node[c->count] = node;
    memset(c->K[c->count], 0, sizeof c->K[0]);
    c->M[c->count] = 0;
    slot[node] = c->count++;
  }
  return slot[node];
}

// Upper triangle. slot: -1 for all nodes, before and after.
static void assemble(column *c, int *slot, brick *b, const mesh *m, int node) {
  c->count = 0;
  for (int k = m->first[node]; k < m->first[node + 1]; k++) {
    const int *of = m->element[m->of[k]];
    const brick *x = brick_of(b, m, m->of[k]);
    int own = 0;
    while (of[own] != node) own++;
    for (int a = 0; a < NODES; a++) {
      if (of[a] > node) continue;
      const int at = slot_of(c, slot, of[a]);
      c->M[at] += x->M[a][own];
      for (int i = 0; i < 9; i++) c->K[at][i / 3][i % 3] += x->K[3 * a + i / 3][3 * own + i % 3];
    }
  }
  for (int a = 0; a < c->count; a++) slot[c->node[a]] = -1;
}

static void write_matrices(const char *folder, const mesh *m) {
  FILE *K = open_file(folder, "sti"), *M = open_file(folder, "mas"), *dof = open_file(folder, "dof");
  brick *b = take(1, sizeof *b);
  column *c = take(1, sizeof *c);
  int *slot = take((size_t)m->nnode, sizeof *slot);
  memset(slot, 0xff, (size_t)m->nnode * sizeof *slot);
  for (int node = 0; node < m->nnode; node++) {
    assemble(c, slot, b, m, node);
    for (int j = 0; j < 3; j++) {
      fprintf(dof, "%d.%d\n", node + 1, j + 1);
      for (int a = 0; a < c->count; a++)
        for (int i = 0; i < 3; i++) {
          if (c->node[a] == node && i > j) continue;
          const int row = 3 * c->node[a] + i + 1, at = 3 * node + j + 1;
          fprintf(K, "%d %d %20.13e\n", row, at, c->K[a][i][j]);
          fprintf(M, "%d %d %20.13e\n", row, at, i == j ? c->M[a] : 0.0);
        }
    }
  }
  fclose(K);
  fclose(M);
  fclose(dof);
  free(b);
  free(c);
  free(slot);
}

static void write_model(const char *folder) {
  FILE *f = open_file(folder, "yaml");
  fprintf(f, "limber: 1\n"
             "gravity: [0, -9.81, 0]\n"
             "links:\n"
             "  - name: part\n"
             "    joint: {axis: [0, 0, 1]}\n"
             "    fe:\n"
             "      stiffness: part.sti\n"
             "      mass: part.mas\n"
             "      dofs: part.dof\n"
             "      nodes: part.inp\n"
             "      frames: {base: {nodes: ROOT, coupling: rigid}, tip: {nodes: TIP, coupling: rigid},\n"
             "               side: {nodes: SIDE, coupling: rigid}}\n"
             "    basis: {type: craig-bampton, count: 20}\n"
             "solver: {duration: 10 s, step: 1 ms}\n");
  fclose(f);
}

// --- reduction and steps ---

enum { READING, FACTOR, MODES, FREQUENCIES, REST, PARTS };

typedef struct {
  double seconds[PARTS], step; // step: [s]
  int dofs, coordinates;
} result;

static void progress(void *user, const char *what, double part) {
  static const char *const first[PARTS] = {"", "factor", "modes", "clamped frequencies", "integrals"};
  double *begin = user;
  (void)part;
  for (int i = 1; i < PARTS; i++)
    if (!strcmp(what, first[i])) begin[i] = bench_seconds();
}

static double best_step(bench_run *r) {
  enum { ROUNDS = 15, STEPS = 200 };
  double best = INFINITY;
  for (int i = 0; i < ROUNDS; i++) {
    const double begin = bench_seconds();
    bench_steps(r, STEPS);
    best = fmin(best, (bench_seconds() - begin) / STEPS);
  }
  return best;
}

static result measure(const char *folder) {
  char path[200];
  double begin[PARTS + 1] = {bench_seconds()};
  lim_model *model = NULL;
  lim_error err = {0};
  result out = {.dofs = 0};
  const lim_model_setup setup = {.size = sizeof setup, .hooks = {.progress = progress, .user = begin}};
  snprintf(path, sizeof path, "%s/part.yaml", folder);
  if (lim_model_load_with(&model, path, &setup, &err) != LIM_OK) {
    fprintf(stderr, "bench: %s\n", err.kept ? err.note[0].text : path);
    exit(1);
  }
  begin[PARTS] = bench_seconds();
  for (int i = 0; i < PARTS; i++) out.seconds[i] = begin[i + 1] - begin[i];
  out.dofs = model->links.item[0].fe.link->facts.dofs;
  out.coordinates = model->links.item[0].fe.link->n;
  bench_run r = bench_begin(model, folder, path);
  out.step = best_step(&r);
  bench_close(&r);
  return out;
}

// In a process of its own, whose memory is told at its end [bytes].
static result measure_apart(double *memory, const char *folder) {
  int pipe_ends[2], status;
  result out = {.dofs = 0};
  struct rusage used;
  fflush(stdout);
  if (pipe(pipe_ends)) exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const result r = measure(folder);
    _exit(write(pipe_ends[1], &r, sizeof r) != sizeof r);
  }
  if (child < 0 || wait4(child, &status, 0, &used) < 0 || status) exit(1);
  if (read(pipe_ends[0], &out, sizeof out) != sizeof out) exit(1);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  *memory = 1024.0 * (double)used.ru_maxrss;
  return out;
}

static void remove_folder(const char *folder) {
  static const char *const ending[] = {"sti", "mas", "dof", "inp", "yaml"};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    char path[200];
    snprintf(path, sizeof path, "%s/part.%s", folder, ending[i]);
    unlink(path);
  }
  rmdir(folder);
}

// What is taken for the mesh itself is given back before the reduction, as that of the child begins with it.
static result run(double *memory, shape s) {
  char folder[] = "/tmp/limber-bench-XXXXXX";
  if (!mkdtemp(folder)) exit(1);
  mesh m = mesh_of(s);
  write_deck(folder, &m);
  write_matrices(folder, &m);
  mesh_end(&m);
  write_model(folder);
  const result out = measure_apart(memory, folder);
  remove_folder(folder);
  return out;
}

int main(int argc, char **argv) {
  static const shape all[] = {
      {"tube", true, 12, 4}, {"tube", true, 108, 12}, {"solid bar", false, 50, 12}, {"tube", true, 188, 20}};
  const int count = argc > 1 && !strcmp(argv[1], "--large") ? 4 : 3;
  double small = NAN;
  printf("| mesh | freedoms | coordinates | reading [s] | factor | modes | frequencies | integrals, surface | "
         "together | "
         "memory [GB] | step [µs] | of the first |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    double memory, sum = 0;
    const result r = run(&memory, all[i]);
    printf("| %s | %d | %d |", all[i].name, r.dofs, r.coordinates);
    for (int k = 0; k < PARTS; k++) {
      printf(" %.1f |", r.seconds[k]);
      sum += r.seconds[k];
    }
    if (i == 0) small = r.step;
    printf(" %.1f | %.2f | %.1f | %.2f |\n", sum, 1e-9 * memory, 1e6 * r.step, r.step / small);
    fflush(stdout);
  }
  return 0;
}
