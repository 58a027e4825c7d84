// load.c - links from finite elements of a model: read, proved, reduced.
#include "fe/integrals.h"
#include "fe/interfaces.h"
#include "fe/matrices.h"
#include "fe/places.h"
#include "fe/proof.h"
#include "fe/read/read.h"
#include "fe/reduced_file.h"
#include "fe/surface/skin.h"
#include "math/rotation.h"
#include "model/kinds.h"

#include "base/units/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One link on its way.
typedef struct {
  lim_arena arena; // scratch
  lim_model *m;
  const lim_link *link;
  const char *directory;
  lim_fe_mesh *mesh;
  lim_fe_interface *interface;
  lim_fe_coupled coupled;
  lim_fe_shapes shapes;
  double length, mass; // units of the files
  lim_fe_request request;
  lim_fe_link *out;
} loading;

// A unit that was checked when the model was resolved.
static double unit_of(const char *text, const char *si) {
  char number[64], bad[41];
  double x = 1;
  if (!text) return 1;
  snprintf(number, sizeof number, "1 %.40s", text);
  lim_number_parse(&x, number, si, bad, sizeof bad);
  return x;
}

// --- from a mesh ---

static lim_code read_mesh(loading *w, lim_error *err) {
  const lim_fe *fe = &w->link->fe;
  w->length = unit_of(fe->units.length, "m");
  w->mass = unit_of(fe->units.mass, "kg");
  lim_fe_files files = {.length = w->length, .mass_unit = w->mass, .hooks = w->request.hooks};
  files.stiffness = lim_fe_path(&w->arena, w->directory, fe->stiffness);
  files.mass = lim_fe_path(&w->arena, w->directory, fe->mass);
  files.nodes = lim_fe_path(&w->arena, w->directory, fe->nodes);
  files.dofs = fe->dofs ? lim_fe_path(&w->arena, w->directory, fe->dofs) : NULL;
  if (!files.stiffness || !files.mass || !files.nodes || (fe->dofs && !files.dofs)) return lim_no_memory(err);
  return lim_fe_read(&w->mesh, &files, err);
}

static lim_code couple(loading *w, lim_error *err) {
  const lim_fe *fe = &w->link->fe;
  int base = 0;
  while (strcmp(fe->frames.item[base].head.name, "base") != 0) base++;
  lim_code code = lim_fe_interfaces(&w->interface, &w->arena, w->mesh, fe, err);
  if (code != LIM_OK) return code;
  return lim_fe_couple(&w->coupled, &w->arena, w->mesh, w->interface, fe->frames.count, base, err);
}

static lim_code load_mesh(loading *w, lim_error *err) {
  const lim_fe *fe = &w->link->fe;
  lim_arena *keep = &w->m->arena;
  const lim_material *material = fe->material.text ? &w->m->materials.item[fe->material.index] : NULL;
  lim_code code = read_mesh(w, err);
  if (code == LIM_OK) code = couple(w, err);
  if (code == LIM_OK) code = lim_fe_prove_free(&w->out->facts, w->mesh, w->link, err);
  if (code == LIM_OK)
    code = lim_fe_reduce(&w->shapes, &w->out->facts, &w->arena, &w->coupled, &w->request, err);
  if (code == LIM_OK) code = lim_fe_integrate(w->out, keep, &w->coupled, &w->shapes, err);
  if (code == LIM_OK) code = lim_fe_fill_places(w->out, keep, &w->coupled, &w->shapes, fe, err);
  if (code == LIM_OK)
    code =
        lim_fe_fill_prestress(w->out, keep, &w->coupled, &w->shapes, fe, w->directory, w->length, w->mass, err);
  if (code == LIM_OK) code = lim_fe_fill_skin(w->out, keep, &w->coupled, &w->shapes, material, err);
  if (code == LIM_OK) code = lim_fe_prove_density(w->out, w->mesh, w->link, err);
  return code;
}

// --- rounding ---

// Entries that symmetry makes 0 are, and not what rounding left of them.
static void tidy(double *const *list, int lists, size_t n, double part) {
  double largest = 0;
  for (int k = 0; k < lists; k++)
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(list[k][i]));
  for (int k = 0; k < lists; k++)
    for (size_t i = 0; i < n; i++)
      if (fabs(list[k][i]) < part * largest) list[k][i] = 0;
}

static void tidy_link(lim_fe_link *x) {
  const size_t n = (size_t)x->n;
  tidy(&x->S[0][0], 9, n * n, 1e-13);
  tidy(&x->first, 1, 3 * n, 1e-13);
  tidy(&x->second, 1, 3 * n, 1e-13);
  tidy(&x->inertia1, 1, 6 * n, 1e-13);
  for (int i = 0; i < x->nplace; i++) {
    double *rows[] = {x->place[i].N, x->place[i].N + 3 * n};
    for (int k = 0; k < 2; k++) tidy(&rows[k], 1, 3 * n, 1e-12);
  }
}

// --- one link ---

static lim_code load_matrices(loading *w, lim_error *err) {
  const lim_fe_matrices *x = &w->link->fe.reduced;
  char *mass = lim_fe_path(&w->arena, w->directory, x->mass),
       *K = lim_fe_path(&w->arena, w->directory, x->stiffness);
  if (!mass || !K) return lim_no_memory(err);
  return lim_fe_link_of_matrices(w->out, &w->m->arena, w->link, mass, K, err);
}

// What it says, each message with its place in the model, where it has none, and with the link that asked for
// the file.
static lim_code say(lim_error *err, const lim_error *own, lim_code code, const lim_link *link,
                    const lim_hooks *hooks) {
  const lim_node *at = link->fe.head.node;
  const bool stopped = hooks && hooks->stop && *hooks->stop;
  lim_warn_merge(err, own);
  if (code == LIM_FAILED && !stopped) code = LIM_BAD_INPUT; // the link cannot be one
  for (int i = 0; i < own->kept; i++) {
    const lim_note *x = &own->note[i];
    if (code == LIM_IO)
      lim_error_add(err, code, at->source, at->line, at->column, "link '%s': '%.300s' %s", link->head.name,
                    x->file ? x->file : "", x->text);
    else if (x->file || stopped || code == LIM_NO_MEMORY)
      lim_error_add(err, code, x->file, x->line, x->column, "%s", x->text);
    else
      lim_tree_error(err, at, "link '%s': %s", link->head.name, x->text);
  }
  return code;
}

static lim_code load(lim_model *m, lim_link *link, const char *directory, const lim_hooks *hooks,
                     lim_error *err) {
  const lim_basis *b = &link->basis;
  const bool rigid = b->type == LIM_BASIS_RIGID;
  lim_error own = {0};
  loading w = {.m = m, .link = link, .directory = directory ? directory : "."};
  w.request = (lim_fe_request){.link = link->head.name,
                               .node = b->head.node ? b->head.node : link->fe.head.node,
                               .count = rigid ? 0 : b->count,
                               .up_to = rigid ? NAN : b->up_to};
  if (hooks) w.request.hooks = *hooks;
  w.out = lim_arena_array(&m->arena, 1, sizeof *w.out);
  lim_code code = w.out ? LIM_OK : lim_no_memory(&own);
  if (code == LIM_OK) code = link->fe.reduced.head.node ? load_matrices(&w, &own) : load_mesh(&w, &own);
  if (code == LIM_OK) tidy_link(w.out);
  if (code == LIM_OK) code = lim_fe_prove_link(w.out, link, &own);
  if (code == LIM_OK) link->fe.link = w.out;
  code = say(err, &own, code, link, hooks);
  lim_error_clear(&own);
  lim_fe_mesh_free(w.mesh);
  lim_arena_free(&w.arena);
  return code;
}

// Stresses of a link that was reduced before, with the material that the model gives it.
static lim_code stress_anew(lim_model *m, lim_link *link, lim_error *err) {
  const lim_material *material = &m->materials.item[link->fe.material.index];
  const lim_fe_link *from = link->fe.link;
  const size_t count = (size_t)from->n * (size_t)from->skin.nvertex;
  lim_fe_link *own = lim_arena_array(&m->arena, 1, sizeof *own);
  float *stress = lim_arena_array(&m->arena, 6 * count + 1, sizeof *stress);
  if (!own || !stress) return lim_no_memory(err);
  for (size_t k = 0; k < count && from->skin.strain; k++) {
    double strain[6], out[6];
    for (size_t i = 0; i < 6; i++) strain[i] = (double)from->skin.strain[6 * k + i];
    lim_fe_stress(out, strain, material->E, material->nu);
    for (size_t i = 0; i < 6; i++) stress[6 * k + i] = (float)out[i];
  }
  *own = *from;
  if (from->skin.strain) own->skin.stress = stress;
  link->fe.link = own;
  return LIM_OK;
}

// Gauges are where strains are known.
static lim_code check_gauges(const lim_model *m, const lim_link *link, lim_error *err) {
  lim_arena arena = {0};
  double E, *row = lim_arena_array(&arena, (size_t)link->fe.link->n + 1, sizeof *row);
  lim_code code = row ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < link->gauges.count && code != LIM_NO_MEMORY; i++) {
    const lim_code one = lim_fe_gauge(row, &E, m, link, &link->gauges.item[i], err);
    if (one != LIM_OK) code = one;
  }
  lim_arena_free(&arena);
  return code;
}

// --- loads on sets of nodes ---

// The place of such a load; NULL: it acts elsewhere.
static const lim_fe_place *place_of(const lim_model *m, const lim_load *x) {
  if (!x->nodes.text || x->at.link < 0 || x->at.frame < 0) return NULL;
  const lim_fe_link *link = m->links.item[x->at.link].fe.link;
  return link ? lim_fe_link_at(link, m->frames.item[x->at.frame].at.value) : NULL;
}

// What share of the deflection under a force along an axis the reduction leaves out.
static double left_out(const lim_fe_link *link, const lim_fe_place *p, int axis) {
  double kept = 0;
  for (int j = 0; j < link->n; j++) {
    const double N = p->N[axis * link->n + j], K = link->K[j * link->n + j];
    if (K > 0) kept += N * N / K;
  }
  return p->left[axis] / (kept + p->left[axis]);
}

static lim_code check_load(const lim_model *m, const lim_load *x, lim_error *err) {
  static const double SHARE = 0.02;
  const lim_fe_place *p = place_of(m, x);
  if (!p) return LIM_OK;
  const bool moment = x->moment[0] != 0 || x->moment[1] != 0 || x->moment[2] != 0;
  if (moment && !p->turns)
    return lim_tree_error(err, x->head.node,
                          "%s: nodes of '%.60s' are on one line, or one alone: they take no moment",
                          x->head.where, x->nodes.text);
  const lim_link *link = &m->links.item[x->at.link];
  double worst = 0;
  for (int i = 0; i < 3 && link->basis.type != LIM_BASIS_RIGID; i++)
    worst = fmax(worst, left_out(link->fe.link, p, i));
  const double F = sqrt(lim_dot(x->force, x->force));
  if (!p->G[0] && !p->G[1] && !p->G[2] && F > lim_fe_stiffening_load(link->fe.link) &&
      link->fe.prestressed.count)
    lim_warn(err, NAN, link->head.name,
             "no prestressed state of link '%.60s' is about '%.60s': a force of %.3g N there neither stiffens "
             "nor softens it",
             link->head.name, x->nodes.text, F);
  if (worst > SHARE)
    lim_warn(err, NAN, link->head.name,
             "the reduction of link '%.60s' leaves out up to %.2g %% of the deflection of '%.60s' under forces "
             "there: "
             "stresses suffer as well; make it a frame, or keep more modes",
             link->head.name, 100 * worst, x->nodes.text);
  return LIM_OK;
}

lim_code lim_fe_load(lim_model *m, const char *directory, const lim_hooks *hooks, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < m->links.count && code != LIM_NO_MEMORY; i++) {
    lim_link *link = &m->links.item[i];
    lim_code one = LIM_OK;
    if (!link->fe.head.node) continue;
    if (link->fe.link && link->fe.material.text) one = stress_anew(m, link, err);
    if (!link->fe.link) one = load(m, link, directory, hooks, err);
    if (one == LIM_OK) one = check_gauges(m, link, err);
    if (one != LIM_OK) code = one;
  }
  for (int i = 0; i < m->loads.count && code == LIM_OK; i++) code = check_load(m, &m->loads.item[i], err);
  return code;
}

lim_code lim_fe_load_reduced(lim_model *m, const char *directory, lim_error *err) {
  lim_code code = LIM_OK;
  for (int i = 0; i < m->links.count && code != LIM_NO_MEMORY; i++) {
    lim_link *link = &m->links.item[i];
    if (!link->fe.head.node || !link->fe.file || link->fe.head.flawed) continue;
    lim_arena arena = {0};
    const char *folder = directory ? directory : ".";
    char *path = lim_fe_path(&arena, folder, link->fe.file);
    lim_fe_link *out = lim_arena_array(&m->arena, 1, sizeof *out);
    lim_code one = path && out ? lim_fe_file_read(out, &m->arena, path, folder, link, err) : lim_no_memory(err);
    if (one == LIM_OK) link->fe.link = out;
    if (one != LIM_OK) code = one;
    lim_arena_free(&arena);
  }
  return code;
}
