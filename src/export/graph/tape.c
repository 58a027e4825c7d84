// tape.c - from the graph to steps, their operations and values.
// Theory: docs/theory/generate.md.
#include "export/graph/optimize.h"

#include "base/grow.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- items ---

int lim_tape_add(lim_tape *p, lim_tape_item like, const lim_tape_term *term, int count) {
  like.term = lim_arena_array(&p->arena, (size_t)count + 1, sizeof *like.term);
  if (!like.term || !LIM_GROW(p->item, p->capacity, p->count)) {
    p->failed = true;
    return -1;
  }
  if (count) memcpy(like.term, term, (size_t)count * sizeof *term);
  like.count = count;
  like.capacity = count + 1;
  p->item[p->count] = like;
  return p->count++;
}

void lim_tape_free(lim_tape *p) {
  if (!p) return;
  lim_arena_free(&p->arena);
  free(p->item);
  free(p->output);
  free(p->order);
  free(p);
}

bool lim_tape_set(lim_tape *p, int i, const lim_tape_term *term, int count) {
  lim_tape_item *x = &p->item[i];
  if (count > x->capacity) { // twice as much, so that a sum that grows step by step leaves little behind
    lim_tape_term *more = lim_arena_array(&p->arena, 2 * (size_t)count, sizeof *more);
    if (!more) {
      p->failed = true;
      return false;
    }
    x->term = more;
    x->capacity = 2 * count;
  }
  if (count) memcpy(x->term, term, (size_t)count * sizeof *term);
  x->count = count;
  return true;
}

// --- uses and order ---

static void visit(lim_tape *p, int i) {
  if (p->item[i].uses++) return;
  for (int k = 0; k < p->item[i].count; k++)
    if (p->item[i].term[k].item >= 0) visit(p, p->item[i].term[k].item);
  p->order[p->steps++] = i;
}

// Uses of every item that the outputs need, and an order in which arguments come first.
void lim_tape_count(lim_tape *p) {
  if (!lim_grow_to(&p->order, (size_t)p->count + 1, sizeof *p->order)) {
    p->failed = true;
    return;
  }
  p->steps = 0;
  for (int i = 0; i < p->count; i++) p->item[i].uses = 0;
  for (int i = 0; i < p->outputs; i++)
    if (p->output[i].item >= 0) visit(p, p->output[i].item);
}

// An inverse that is used once by a product or as a summand becomes its division.
static bool divides(const lim_tape *p, int i) { return p->item[i].inverse && p->item[i].uses == 1; }

static lim_operations operations_of(const lim_tape *p, const lim_tape_item *x) {
  lim_operations o = {0};
  switch (x->kind) {
  case LIM_GRAPH_INPUT: break;
  case LIM_GRAPH_SUM:
    o.add = x->count - 1 + (x->c != 0);
    for (int i = 0; i < x->count; i++) o.mul += !lim_tape_unit(x->term[i].k) && !divides(p, x->term[i].item);
    break;
  case LIM_GRAPH_PRODUCT:
    if (x->inverse) {
      o.div = 1;
      break;
    }
    o.mul = x->count - 1;
    for (int i = 0; i < x->count && o.mul; i++) o.mul -= divides(p, x->term[i].item);
    if (o.mul < 0) o.mul = 0;
    break;
  case LIM_GRAPH_SIN:
  case LIM_GRAPH_COS:
  case LIM_GRAPH_ATAN2: o.trig = 1; break;
  case LIM_GRAPH_SQRT: o.sqrt = 1; break;
  default: o.other = 1;
  }
  for (int i = 0; i < x->count && x->kind > LIM_GRAPH_PRODUCT; i++)
    o.mul += x->term[i].item >= 0 && !lim_tape_unit(x->term[i].k);
  return o;
}

lim_operations lim_tape_operations(const lim_tape *p) {
  lim_operations sum = {0};
  for (int i = 0; i < p->steps; i++) {
    lim_operations o = operations_of(p, &p->item[p->order[i]]);
    sum.trig += o.trig;
    sum.add += o.add;
    sum.mul += o.mul;
    sum.div += o.div;
    sum.sqrt += o.sqrt;
    sum.other += o.other;
  }
  for (int i = 0; i < p->outputs; i++) sum.mul += p->output[i].item >= 0 && !lim_tape_unit(p->output[i].k);
  return sum;
}

// --- from the graph ---

typedef struct {
  lim_tape *p;
  int *of, *inverse; // items of nodes, and of one over them; -1: none yet   (size)
  bool *wanted;      // (size)
} import;

static void want(import *m, const lim_graph_node *n) {
  if (m->wanted[n->id]) return;
  m->wanted[n->id] = true;
  for (int i = 0; i < n->count; i++)
    if (n->term[i].n) want(m, n->term[i].n);
}

static int inverse_of(import *m, int id) {
  if (m->inverse[id] < 0) {
    lim_tape_term of = {m->of[id], 1};
    m->inverse[id] = lim_tape_add(m->p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT, .inverse = true}, &of, 1);
  }
  return m->inverse[id];
}

static void import_node(import *m, const lim_graph_node *n) {
  int count = 0;
  for (int i = 0; i < n->count; i++) count += n->kind == LIM_GRAPH_PRODUCT ? abs(n->term[i].power) : 1;
  lim_tape_term *term = malloc(((size_t)count + 1) * sizeof *term);
  if (!term) {
    m->p->failed = true;
    return;
  }
  count = 0;
  for (int i = 0; i < n->count; i++) {
    const lim_graph_term *t = &n->term[i];
    if (n->kind != LIM_GRAPH_PRODUCT) {
      term[count++] =
          (lim_tape_term){t->n ? m->of[t->n->id] : -1, n->kind == LIM_GRAPH_SUM ? t->k * n->natural : t->k};
      continue;
    }
    for (int k = 0; k < abs(t->power); k++)
      term[count++] = (lim_tape_term){t->power > 0 ? m->of[t->n->id] : inverse_of(m, t->n->id), 1};
  }
  if (n->kind == LIM_GRAPH_PRODUCT && count == 1)
    m->of[n->id] = term[0].item;
  else
    m->of[n->id] =
        lim_tape_add(m->p, (lim_tape_item){.kind = n->kind, .array = n->array, .index = n->index}, term, count);
  if (n->kind == LIM_GRAPH_SUM && !m->p->failed) {
    m->p->item[m->of[n->id]].c = n->c * n->natural;
    m->p->item[m->of[n->id]].pending = 1 / n->natural;
  }
  free(term);
}

static void import_all(import *m, const lim_expr *output, int count, int size) {
  const lim_graph_node **node = calloc((size_t)size + 1, sizeof *node);
  if (!node) {
    m->p->failed = true;
    return;
  }
  for (int i = 0; i < size; i++) m->of[i] = m->inverse[i] = -1;
  for (int i = 0; i < count; i++)
    if (output[i].n) want(m, output[i].n);
  // children have smaller ids, so rising ids are an order
  for (int i = 0; i < count; i++)
    if (output[i].n) node[output[i].n->id] = output[i].n;
  for (int id = size - 1; id >= 0; id--)
    for (int k = 0; node[id] && k < node[id]->count; k++)
      if (node[id]->term[k].n) node[node[id]->term[k].n->id] = node[id]->term[k].n;
  for (int id = 0; id < size && !m->p->failed; id++)
    if (node[id]) import_node(m, node[id]);
  for (int i = 0; i < count; i++)
    m->p->output[i] = (lim_tape_term){output[i].n ? m->of[output[i].n->id] : -1, output[i].k};
  free(node);
}

lim_tape *lim_tape_new(const lim_expr *output, int count) {
  size_t size = 1;
  for (int i = 0; i < count; i++)
    if (output[i].n && (size_t)output[i].n->id + 1 > size) size = (size_t)output[i].n->id + 1;
  lim_tape *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->outputs = count;
  p->output = calloc((size_t)count + 1, sizeof *p->output);
import m = {p, malloc(size * sizeof(int)), malloc(size * sizeof(int)), calloc(size, sizeof(bool)) };
  if (p->output && m.of && m.inverse && m.wanted)
    import_all(&m, output, count, (int)size);
  else
    p->failed = true;
  free(m.of);
  free(m.inverse);
  free(m.wanted);
  if (!p->failed) p = lim_tape_optimize(p);
  if (!p->failed) return p;
  lim_tape_free(p);
  return NULL;
}

// --- evaluation ---

static double term_value(lim_tape_term t, const double *value) {
  return t.item < 0 ? t.k : t.k * value[t.item];
}

static double item_value(const lim_tape_item *x, const double *const *input, const double *value) {
  const lim_tape_term *t = x->term;
  double y = x->kind == LIM_GRAPH_SUM ? x->c : 1;
  switch (x->kind) {
  case LIM_GRAPH_INPUT: return input[x->array][x->index];
  case LIM_GRAPH_SUM:
    for (int i = 0; i < x->count; i++) y += term_value(t[i], value);
    return y;
  case LIM_GRAPH_PRODUCT:
    if (x->inverse) return 1 / value[t[0].item];
    for (int i = 0; i < x->count; i++) y *= value[t[i].item];
    return y;
  case LIM_GRAPH_SIN: return sin(term_value(t[0], value));
  case LIM_GRAPH_COS: return cos(term_value(t[0], value));
  case LIM_GRAPH_SQRT: return sqrt(term_value(t[0], value));
  case LIM_GRAPH_EXP: return exp(term_value(t[0], value));
  case LIM_GRAPH_ABS: return fabs(term_value(t[0], value));
  case LIM_GRAPH_ATAN2: return atan2(term_value(t[0], value), term_value(t[1], value));
  case LIM_GRAPH_SELECT: return term_value(t[term_value(t[0], value) < term_value(t[1], value) ? 2 : 3], value);
  }
  return y;
}

void lim_tape_evaluate(double *out, const lim_tape *p, const double *const *input, double *scratch) {
  for (int s = 0; s < p->steps; s++) scratch[p->order[s]] = item_value(&p->item[p->order[s]], input, scratch);
  for (int i = 0; i < p->outputs; i++) out[i] = term_value(p->output[i], scratch);
}
