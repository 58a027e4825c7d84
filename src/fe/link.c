// link.c - what is asked of a reduced link: places, stresses, strains.
#include "fe/link.h"

#include "math/rotation.h"
#include "model/kinds.h"
#include "model/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int lim_fe_link_places(const lim_fe_link *link) { return link->nplace; }

const char *lim_fe_link_place(const lim_fe_link *link, int place, double R[9]) {
  if (R) memcpy(R, link->place[place].R, 9 * sizeof *R);
  return link->place[place].name;
}

bool lim_fe_link_is_frame(const lim_fe_link *link, int place) { return link->place[place].frame; }

const lim_fe_place *lim_fe_link_at(const lim_fe_link *link, double place) {
  const int i = (int)lround(place);
  return &link->place[i >= 0 && i < link->nplace ? i : 0];
}

// --- stresses ---

double lim_fe_link_stress(const lim_fe_link *link, const double *eta, int *vertex) {
  const lim_fe_skin *s = &link->skin;
  double largest = -1;
  for (int v = 0; s->stress && v < s->nvertex; v++) {
    double x[6] = {0};
    for (int j = 0; j < link->n; j++) {
      const float *mode = s->stress + 6 * ((size_t)j * (size_t)s->nvertex + (size_t)v);
      for (int i = 0; i < 6; i++) x[i] += (double)mode[i] * eta[j];
    }
    const double stress = lim_von_mises(x);
    if (!(stress > largest)) continue;
    largest = stress;
    if (vertex) *vertex = v;
  }
  return largest < 0 ? NAN : largest;
}

// --- what stiffening would do ---

static double lowest(const lim_fe_link *x) {
  return x->facts.nclamped ? 2 * M_PI * x->facts.clamped_hz[0] : NAN;
}

// Of a cantilever omega^2 grows by 1.193 Omega^2 when it spins, and by F/P of its buckling load P = 0.1996 m l
// omega^2.
double lim_fe_stiffening_speed(const lim_fe_link *x) { return sqrt(0.01 / 1.193) * lowest(x); }

double lim_fe_stiffening_load(const lim_fe_link *x) {
  return 0.01 * 0.1996 * x->mass * x->facts.size * lowest(x) * lowest(x);
}

// --- gauges ---

// Strain along a direction, from six with shears as gamma.
static double along(const double d[3], const float e[6]) {
  return d[0] * d[0] * e[0] + d[1] * d[1] * e[1] + d[2] * d[2] * e[2] + d[0] * d[1] * e[3] +
         d[0] * d[2] * e[4] + d[1] * d[2] * e[5];
}

static lim_code refuse(const lim_gauge *g, const char *key, lim_error *err, const char *text,
                       const char *what) {
  const lim_node *at = lim_tree_get(g->head.node, key);
  return lim_tree_error(err, at ? at : g->head.node, "%s: %s%s", g->head.where, text, what);
}

static lim_code of_element(double *row, double *E, const lim_fe_link *x, const lim_gauge *g, lim_error *err) {
  const lim_fe_strains *s = &x->strains;
  int i = 0;
  char number[16];
  snprintf(number, sizeof number, "%d", g->element);
  while (i < s->count && s->id[i] != g->element) i++;
  if (s->count == 0)
    return refuse(g, "element", err, "the link has no elements of which strains are known", "");
  if (i == s->count) return refuse(g, "element", err, "strains are known of no element ", number);
  for (int j = 0; j < x->n; j++)
    row[j] = along(g->direction, s->strain + ((size_t)i * (size_t)x->n + (size_t)j) * 12 + (g->side ? 6 : 0));
  *E = s->E[i];
  return LIM_OK;
}

static lim_code add_node(double *row, const lim_fe_link *x, const lim_gauge *g, const lim_ref *ref, int *count,
                         lim_error *err) {
  const lim_fe_skin *s = &x->skin;
  const long id = strtol(ref->text, NULL, 10);
  int seen = 0;
  for (int v = 0; s->strain && v < s->nvertex; v++) {
    if (s->id[v] != id || seen++ != g->side) continue; // of shells the bottom comes second
    (*count)++;
    for (int j = 0; j < x->n; j++)
      row[j] += along(g->direction, s->strain + 6 * ((size_t)j * (size_t)s->nvertex + (size_t)v));
    return LIM_OK;
  }
  return refuse(g, "nodes", err,
                id > 0 ? "no strain is known at node " : "a gauge takes numbers of nodes, and no ", ref->text);
}

lim_code lim_fe_gauge(double *row, double *E, const lim_model *m, const lim_link *link, const lim_gauge *g,
                      lim_error *err) {
  const lim_fe_link *x = link->fe.link;
  lim_code code = LIM_OK;
  int count = 0;
  memset(row, 0, (size_t)x->n * sizeof *row);
  *E = x->strains.count ? x->strains.E[0] : NAN;
  if (g->element) code = of_element(row, E, x, g, err);
  for (int i = 0; i < g->nodes.count && code == LIM_OK && !g->element; i++)
    code = add_node(row, x, g, &g->nodes.item[i], &count, err);
  for (int j = 0; count && j < x->n; j++) row[j] /= count;
  if (link->fe.material.index >= 0 && link->fe.material.text) *E = m->materials.item[link->fe.material.index].E;
  return code;
}
