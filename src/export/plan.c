// plan.c - from the graph to steps: factors drawn out of sums, common parts of sums and products shared.
// Theory: docs/theory/generate.md.
#include "export/plan.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- items ---

static int add_item(lim_plan *p, lim_plan_item like, const lim_plan_term *term, int count) {
  if (p->count == p->room) {
    int room = p->room ? 2 * p->room : 256;
    lim_plan_item *more = realloc(p->item, (size_t)room * sizeof *more);
    if (!more) {
      p->failed = true;
      return -1;
    }
    p->item = more;
    p->room = room;
  }
  like.term = malloc(((size_t)count + 1) * sizeof *like.term);
  if (!like.term) {
    p->failed = true;
    return -1;
  }
  if (count) memcpy(like.term, term, (size_t)count * sizeof *term);
  like.count = count;
  p->item[p->count] = like;
  return p->count++;
}

void lim_plan_free(lim_plan *p) {
  if (!p) return;
  for (int i = 0; i < p->count; i++) free(p->item[i].term);
  free(p->item);
  free(p->output);
  free(p->order);
  free(p);
}

static bool set_terms(lim_plan *p, int i, const lim_plan_term *term, int count) {
  lim_plan_term *more = malloc(((size_t)count + 1) * sizeof *more);
  if (!more) {
    p->failed = true;
    return false;
  }
  if (count) memcpy(more, term, (size_t)count * sizeof *more);
  free(p->item[i].term);
  p->item[i].term = more;
  p->item[i].count = count;
  return true;
}

// --- uses and order ---

static void visit(lim_plan *p, int i) {
  if (p->item[i].uses++) return;
  for (int k = 0; k < p->item[i].count; k++)
    if (p->item[i].term[k].item >= 0) visit(p, p->item[i].term[k].item);
  p->order[p->steps++] = i;
}

// Uses of every item that the outputs need, and an order in which arguments come first.
static void count_uses(lim_plan *p) {
  int *order = realloc(p->order, ((size_t)p->count + 1) * sizeof *order);
  if (!order) {
    p->failed = true;
    return;
  }
  p->order = order;
  p->steps = 0;
  for (int i = 0; i < p->count; i++) p->item[i].uses = 0;
  for (int i = 0; i < p->outputs; i++)
    if (p->output[i].item >= 0) visit(p, p->output[i].item);
}

static bool unit(double k) { return fabs(k) == 1; }

// An inverse that is used once by a product or as a summand becomes its division.
static bool divides(const lim_plan *p, int i) { return p->item[i].inverse && p->item[i].uses == 1; }

static lim_operations operations_of(const lim_plan *p, const lim_plan_item *x) {
  lim_operations o = {0};
  switch (x->kind) {
  case LIM_GRAPH_INPUT: break;
  case LIM_GRAPH_SUM:
    o.add = x->count - 1 + (x->c != 0);
    for (int i = 0; i < x->count; i++) o.mul += !unit(x->term[i].k) && !divides(p, x->term[i].item);
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
    o.mul += x->term[i].item >= 0 && !unit(x->term[i].k);
  return o;
}

lim_operations lim_plan_operations(const lim_plan *p) {
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
  for (int i = 0; i < p->outputs; i++) sum.mul += p->output[i].item >= 0 && !unit(p->output[i].k);
  return sum;
}

// --- from the graph ---

typedef struct {
  lim_plan *p;
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
    lim_plan_term of = {m->of[id], 1};
    m->inverse[id] = add_item(m->p, (lim_plan_item){.kind = LIM_GRAPH_PRODUCT, .inverse = true}, &of, 1);
  }
  return m->inverse[id];
}

static void import_node(import *m, const lim_graph_node *n) {
  int count = 0;
  for (int i = 0; i < n->count; i++) count += n->kind == LIM_GRAPH_PRODUCT ? abs(n->term[i].power) : 1;
  lim_plan_term *term = malloc(((size_t)count + 1) * sizeof *term);
  if (!term) {
    m->p->failed = true;
    return;
  }
  count = 0;
  for (int i = 0; i < n->count; i++) {
    const lim_graph_term *t = &n->term[i];
    if (n->kind != LIM_GRAPH_PRODUCT) {
      term[count++] =
          (lim_plan_term){t->n ? m->of[t->n->id] : -1, n->kind == LIM_GRAPH_SUM ? t->k * n->natural : t->k};
      continue;
    }
    for (int k = 0; k < abs(t->power); k++)
      term[count++] = (lim_plan_term){t->power > 0 ? m->of[t->n->id] : inverse_of(m, t->n->id), 1};
  }
  if (n->kind == LIM_GRAPH_PRODUCT && count == 1)
    m->of[n->id] = term[0].item;
  else
    m->of[n->id] =
        add_item(m->p, (lim_plan_item){.kind = n->kind, .array = n->array, .index = n->index}, term, count);
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
    m->p->output[i] = (lim_plan_term){output[i].n ? m->of[output[i].n->id] : -1, output[i].k};
  free(node);
}

// --- improving: what each pass does is said in docs/theory/generate.md ---

static double rounded(double k) { // equal but for rounding
  int e;
  double m = frexp(k, &e);
  return ldexp(round(ldexp(m, 46)), e - 46);
}

static int by_item(const void *a, const void *b) {
  const lim_plan_term *x = a, *y = b;
  return x->item != y->item ? (x->item > y->item) - (x->item < y->item) : (x->k > y->k) - (x->k < y->k);
}

// Equal items become one; sums of one term and products of one factor vanish. True: something changed.
typedef struct {
  int *to; // (count)
  double *k;
} renaming;

static unsigned mix(unsigned h, uint64_t x) {
  for (int i = 0; i < 8; i++) h = (h ^ (unsigned)(x >> 8 * i & 255)) * 16777619u;
  return h;
}

static uint64_t bits(double x) {
  uint64_t b;
  x = rounded(x);
  memcpy(&b, &x, sizeof b);
  return b;
}

static unsigned item_hash(const lim_plan_item *x) {
  unsigned h = mix(mix(2166136261u, (uint64_t)x->kind * 2 + x->inverse), bits(x->c));
  h = mix(mix(h, (uint64_t)x->array), (uint64_t)x->index);
  for (int i = 0; i < x->count; i++) h = mix(mix(h, (uint64_t)x->term[i].item), bits(x->term[i].k));
  return h;
}

static bool item_same(const lim_plan_item *a, const lim_plan_item *b) {
  if (a->kind != b->kind || a->inverse != b->inverse || a->count != b->count || a->array != b->array ||
      a->index != b->index || bits(a->c) != bits(b->c))
    return false;
  for (int i = 0; i < a->count; i++)
    if (a->term[i].item != b->term[i].item || bits(a->term[i].k) != bits(b->term[i].k)) return false;
  return true;
}

// Merge equal terms of a sum, drop what vanishes, sort.
static void tidy_sum(lim_plan_item *x) {
  int n = 0;
  qsort(x->term, (size_t)x->count, sizeof *x->term, by_item);
  for (int i = 0; i < x->count; i++) {
    if (n && x->term[n - 1].item == x->term[i].item) {
      double a = x->term[n - 1].k, b = x->term[i].k, sum = a + b;
      if (fabs(sum) <= 4e-15 * fmax(fabs(a), fabs(b)))
        n--;
      else
        x->term[n - 1].k = sum;
    } else {
      x->term[n++] = x->term[i];
    }
  }
  x->count = n;
}

static double plain(double k) { return fabs(fabs(k) - 1) < 1e-14 ? copysign(1, k) : k; }

static void rename_terms(lim_plan_item *x, const renaming *r) {
  for (int i = 0; i < x->count; i++) {
    int j = x->term[i].item;
    if (j < 0) continue;
    x->term[i].k = plain(x->term[i].k * r->k[j]);
    x->term[i].item = r->to[j];
  }
  if (x->kind == LIM_GRAPH_SUM) tidy_sum(x);
  if (x->kind == LIM_GRAPH_PRODUCT && !x->inverse) qsort(x->term, (size_t)x->count, sizeof *x->term, by_item);
}

// Factors of products carry no constants: those of renamed factors go to the uses.
static double take_factor(lim_plan_item *x) {
  double k = 1;
  for (int i = 0; i < x->count; i++) {
    k *= x->inverse ? 1 / x->term[i].k : x->term[i].k;
    x->term[i].k = 1;
  }
  return plain(k);
}

static void gather(lim_plan *p) {
  count_uses(p);
  if (p->failed) return;
  int slots = 1;
  while (slots < 2 * p->count + 2) slots *= 2;
  int *table = malloc((size_t)slots * sizeof *table);
  renaming r = {malloc(((size_t)p->count + 1) * sizeof(int)), malloc(((size_t)p->count + 1) * sizeof(double))};
  if (!table || !r.to || !r.k) p->failed = true;
  for (int i = 0; i < slots && table; i++) table[i] = -1;
  for (int s = 0; s < p->steps && !p->failed; s++) {
    int i = p->order[s];
    lim_plan_item *x = &p->item[i];
    rename_terms(x, &r);
    r.to[i] = i;
    r.k[i] = 1;
    if (x->kind == LIM_GRAPH_PRODUCT) r.k[i] = take_factor(x);
    if (x->pending != 0) r.k[i] *= x->pending;
    x->pending = 0;
    bool alone = x->count == 1 && !x->inverse &&
                 ((x->kind == LIM_GRAPH_SUM && x->c == 0) || x->kind == LIM_GRAPH_PRODUCT);
    if (alone) {
      r.to[i] = x->term[0].item;
      r.k[i] *= x->term[0].k;
      continue;
    }
    unsigned at = item_hash(x) & (unsigned)(slots - 1);
    while (table[at] >= 0 && !item_same(&p->item[table[at]], x)) at = (at + 1) & (unsigned)(slots - 1);
    if (table[at] >= 0)
      r.to[i] = table[at];
    else
      table[at] = i;
  }
  for (int i = 0; i < p->outputs && !p->failed; i++)
    if (p->output[i].item >= 0) {
      int j = p->output[i].item;
      p->output[i].k = plain(p->output[i].k * r.k[j]);
      p->output[i].item = r.to[j];
    }
  free(table);
  free(r.to);
  free(r.k);
  if (!p->failed) count_uses(p);
}

// A sum that is used once, by a sum, becomes part of it, unless that needs more products.
static int opened_cost(const lim_plan_item *inner, double k) {
  int before = !unit(k), after = 0;
  for (int i = 0; i < inner->count; i++) {
    before += !unit(inner->term[i].k);
    after += !unit(k * inner->term[i].k);
  }
  return after - before;
}

// How many terms a sum has with one of its terms opened.
static int opened_count(const lim_plan_item *x, int at, const lim_plan_item *inner) {
  double c = x->c + x->term[at].k * inner->c;
  int count = x->count - 1 + inner->count + (fabs(c) > 4e-15 * fabs(x->c));
  for (int i = 0; i < x->count; i++)
    for (int k = 0; k < inner->count; k++) {
      if (i == at || x->term[i].item != inner->term[k].item) continue;
      double a = x->term[i].k, b = x->term[at].k * inner->term[k].k;
      count -= fabs(a + b) <= 4e-15 * fabs(a) ? 2 : 1;
    }
  return count;
}

static void open_sums(lim_plan *p) {
  for (int s = 0; s < p->steps && !p->failed; s++) {
    lim_plan_item *x = &p->item[p->order[s]];
    for (int i = 0; x->kind == LIM_GRAPH_SUM && i < x->count; i++) {
      const lim_plan_term t = x->term[i];
      const lim_plan_item *inner = &p->item[t.item];
      if (inner->kind != LIM_GRAPH_SUM) continue;
      bool shorter = opened_count(x, i, inner) <= x->count + (x->c != 0);
      if (!shorter && (inner->uses != 1 || opened_cost(inner, t.k) > 0)) continue;
      lim_plan_term *term = malloc((size_t)(x->count + inner->count) * sizeof *term);
      if (!term) {
        p->failed = true;
        return;
      }
      int n = 0;
      for (int k = 0; k < x->count; k++)
        if (k != i) term[n++] = x->term[k];
      for (int k = 0; k < inner->count; k++)
        term[n++] = (lim_plan_term){inner->term[k].item, t.k * inner->term[k].k};
      double c = x->c + t.k * inner->c;
      x->c = fabs(c) <= 4e-15 * fabs(x->c) ? 0 : c;
      p->item[t.item].uses--;
      for (int k = 0; k < inner->count && p->item[t.item].uses; k++) p->item[inner->term[k].item].uses++;
      free(x->term);
      x->term = term;
      x->count = n;
      tidy_sum(x);
      i = -1;
    }
  }
  gather(p);
}

static int factor_in(const lim_plan_item *x, int factor) {
  for (int i = 0; x->kind == LIM_GRAPH_PRODUCT && !x->inverse && i < x->count; i++)
    if (x->term[i].item == factor) return i;
  return -1;
}

// The product without one factor, as a term of a sum; a constant where nothing is left.
static lim_plan_term without(lim_plan *p, int product, int factor) {
  if (product == factor) return (lim_plan_term){-1, 1};
  int at = factor_in(&p->item[product], factor), count = p->item[product].count;
  if (count == 2) return (lim_plan_term){p->item[product].term[1 - at].item, 1};
  lim_plan_term *term = malloc((size_t)count * sizeof *term);
  if (!term) {
    p->failed = true;
    return (lim_plan_term){-1, 0};
  }
  int n = 0;
  for (int i = 0; i < count; i++)
    if (i != at) term[n++] = p->item[product].term[i];
  int made = add_item(p, (lim_plan_item){.kind = LIM_GRAPH_PRODUCT}, term, n);
  free(term);
  return (lim_plan_term){made, 1};
}

// How many multiplications it saves to draw a factor out of a sum.
static int saving(const lim_plan *p, const lim_plan_item *x, int factor) {
  int terms = 0, saved = -1; // the one that remains
  for (int i = 0; i < x->count; i++) {
    const lim_plan_item *y = &p->item[x->term[i].item];
    bool whole = x->term[i].item == factor;
    if (!whole && factor_in(y, factor) < 0) continue;
    terms++;
    if (whole)
      saved += !unit(x->term[i].k);
    else
      saved += y->uses == 1;
  }
  return terms > 1 ? saved : -1;
}

static void draw_out(lim_plan *p, int sum, int factor) {
  lim_plan_item *x = &p->item[sum];
  int count = x->count, ni = 0, no = 0;
  lim_plan_term *inner = malloc(((size_t)count + 1) * sizeof *inner),
                *outer = malloc(((size_t)count + 1) * sizeof *outer);
  if (!inner || !outer) p->failed = true;
  double c = 0;
  for (int i = 0; i < count && !p->failed; i++) {
    lim_plan_term t = p->item[sum].term[i];
    if (t.item != factor && factor_in(&p->item[t.item], factor) < 0) {
      outer[no++] = t;
      continue;
    }
    lim_plan_term rest = without(p, t.item, factor);
    if (rest.item < 0)
      c += t.k;
    else
      inner[ni++] = (lim_plan_term){rest.item, t.k};
  }
  if (!p->failed) {
    int in = add_item(p, (lim_plan_item){.kind = LIM_GRAPH_SUM, .c = c}, inner, ni);
    lim_plan_term pair[2] = {{in, 1}, {factor, 1}};
    int made = p->failed ? -1 : add_item(p, (lim_plan_item){.kind = LIM_GRAPH_PRODUCT}, pair, 2);
    if (!p->failed) {
      outer[no++] = (lim_plan_term){made, 1};
      p->item[made].uses = p->item[in].uses = 1;
      set_terms(p, sum, outer, no);
    }
  }
  free(inner);
  free(outer);
}

static void draw_factors(lim_plan *p) {
  for (int i = 0; i < p->count && !p->failed; i++) {
    while (p->item[i].kind == LIM_GRAPH_SUM && p->item[i].uses && !p->failed) {
      int best = -1, most = 0;
      for (int k = 0; k < p->item[i].count; k++) {
        const lim_plan_item *x = &p->item[i], *y = &p->item[x->term[k].item];
        for (int j = -1; j < (y->kind == LIM_GRAPH_PRODUCT && !y->inverse ? y->count : 0); j++) {
          int factor = j < 0 ? x->term[k].item : y->term[j].item, saved = saving(p, x, factor);
          if (saved > most) {
            most = saved;
            best = factor;
          }
        }
      }
      if (best < 0) break;
      draw_out(p, i, best);
    }
  }
  gather(p);
}

// --- common pairs ---

typedef struct {
  int a, b;
  double ratio; // of sums: k_b/k_a
  int count;
} pair;

typedef struct {
  pair *slot;
  int slots, used;
} pair_table;

static pair *pair_at(pair_table *t, int a, int b, double ratio) {
  unsigned at = mix(mix(mix(2166136261u, (uint64_t)a), (uint64_t)b), bits(ratio)) & (unsigned)(t->slots - 1);
  while (t->slot[at].count &&
         (t->slot[at].a != a || t->slot[at].b != b || bits(t->slot[at].ratio) != bits(ratio)))
    at = (at + 1) & (unsigned)(t->slots - 1);
  return &t->slot[at];
}

static bool paired(const lim_plan_item *x, lim_graph_kind kind) {
  return x->uses && x->kind == kind && !x->inverse && x->count > 1;
}

static void count_pair(pair_table *t, const lim_plan_item *x, int i, int j) {
  double ratio = x->kind == LIM_GRAPH_SUM ? x->term[j].k / x->term[i].k : 1;
  pair *q = pair_at(t, x->term[i].item, x->term[j].item, ratio);
  if (!q->count && t->used > t->slots / 2) return;
  if (!q->count) {
    *q = (pair){x->term[i].item, x->term[j].item, ratio, 0};
    t->used++;
  }
  q->count++;
}

// The pair of terms or factors that most items have; count 0 if none is shared.
static pair commonest(lim_plan *p, lim_graph_kind kind) {
  pair_table t = {.slots = 1 << 16};
  pair best = {0};
  t.slot = calloc((size_t)t.slots, sizeof *t.slot);
  if (!t.slot) {
    p->failed = true;
    return best;
  }
  for (int s = 0; s < p->steps; s++) {
    const lim_plan_item *x = &p->item[p->order[s]];
    if (!paired(x, kind)) continue;
    for (int i = 0; i < x->count; i++)
      for (int j = i + 1; j < x->count; j++)
        if (!(i > 0 && x->term[i].item == x->term[i - 1].item && i + 1 != j)) count_pair(&t, x, i, j);
  }
  for (int i = 0; i < t.slots; i++)
    if (t.slot[i].count > best.count) best = t.slot[i];
  free(t.slot);
  if (best.count < 2) best.count = 0;
  return best;
}

// Where the pair stands in an item: indices, or false.
static bool find_pair(const lim_plan_item *x, const pair *q, int at[2]) {
  at[0] = at[1] = -1;
  for (int i = 0; i < x->count; i++) {
    if (at[0] < 0 && x->term[i].item == q->a)
      at[0] = i;
    else if (at[1] < 0 && x->term[i].item == q->b)
      at[1] = i;
  }
  if (at[0] < 0 || at[1] < 0) return false;
  return x->kind == LIM_GRAPH_PRODUCT || bits(x->term[at[1]].k / x->term[at[0]].k) == bits(q->ratio);
}

static void share_pair(lim_plan *p, lim_graph_kind kind, const pair *q) {
  lim_plan_term both[2] = {{q->a, 1}, {q->b, q->ratio}};
  int made = add_item(p, (lim_plan_item){.kind = kind}, both, 2);
  for (int s = 0; s < p->steps && !p->failed; s++) {
    lim_plan_item *x = &p->item[p->order[s]];
    int at[2];
    while (paired(x, kind) && find_pair(x, q, at)) {
      double k = x->term[at[0]].k;
      int n = 0;
      for (int i = 0; i < x->count; i++)
        if (i != at[0] && i != at[1]) x->term[n++] = x->term[i];
      x->term[n++] = (lim_plan_term){made, k};
      x->count = n;
    }
  }
  gather(p);
}

static void share_pairs(lim_plan *p, lim_graph_kind kind, int rounds) {
  for (int i = 0; i < rounds && !p->failed; i++) {
    pair q = commonest(p, kind);
    if (!q.count) return;
    share_pair(p, kind, &q);
  }
}

// --- the whole ---

static lim_plan *copied(const lim_plan *from) {
  lim_plan *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->outputs = from->outputs;
  p->output = malloc(((size_t)from->outputs + 1) * sizeof *p->output);
  if (p->output && from->outputs) memcpy(p->output, from->output, (size_t)from->outputs * sizeof *p->output);
  p->failed = !p->output;
  for (int i = 0; i < from->count && !p->failed; i++)
    add_item(p, from->item[i], from->item[i].term, from->item[i].count);
  if (!p->failed) count_uses(p);
  if (!p->failed) return p;
  lim_plan_free(p);
  return NULL;
}

static int cost(const lim_plan *p) {
  lim_operations o = lim_plan_operations(p);
  return o.add + o.mul + 8 * o.div + 8 * o.sqrt + 16 * o.trig + o.other;
}

// Take the other plan if it is cheaper; the loser is freed.
static lim_plan *cheaper(lim_plan *p, lim_plan *other) {
  if (!other) return p;
  bool better = !other->failed && cost(other) < cost(p);
  lim_plan_free(better ? p : other);
  return better ? other : p;
}

// The plan with a sum multiplied by a factor.
static lim_plan *scaled(const lim_plan *from, int item, double factor) {
  lim_plan *p = copied(from);
  if (!p) return NULL;
  lim_plan_item *x = &p->item[item];
  x->c *= factor;
  for (int i = 0; i < x->count; i++) {
    x->term[i].k = plain(x->term[i].k * factor);
  }
  x->pending = 1 / factor;
  gather(p);
  return p;
}

static lim_plan *rescale(lim_plan *p) {
  for (int i = 0; i < p->count; i++) {
    if (!p->item[i].uses || p->item[i].kind != LIM_GRAPH_SUM) continue;
    for (int k = 0; k < p->item[i].count; k++)
      if (!unit(p->item[i].term[k].k)) p = cheaper(p, scaled(p, i, 1 / p->item[i].term[k].k));
    for (int j = 0; j < p->count; j++) // so that a use needs no factor
      for (int k = 0; p->item[j].uses && p->item[j].kind == LIM_GRAPH_SUM && k < p->item[j].count; k++) {
        lim_plan_term t = p->item[j].term[k];
        if (!unit(t.k) && (t.item == i || factor_in(&p->item[t.item], i) >= 0))
          p = cheaper(p, scaled(p, i, t.k));
      }
  }
  return p;
}

enum { LARGE = 4000, SMALL = 600 }; // steps above which only what is cheap is done

static lim_plan *improve(lim_plan *p) {
  gather(p);
  if (p->failed) return p;
  open_sums(p);
  draw_factors(p);
  open_sums(p);
  draw_factors(p);
  int rounds = p->steps < LARGE ? 10000 : 200;
  share_pairs(p, LIM_GRAPH_PRODUCT, rounds);
  share_pairs(p, LIM_GRAPH_SUM, rounds);
  for (int i = 0; i < 4 && p->steps < SMALL && !p->failed; i++) p = rescale(p);
  return p;
}

lim_plan *lim_plan_new(const lim_expr *output, int count) {
  size_t size = 1;
  for (int i = 0; i < count; i++)
    if (output[i].n && (size_t)output[i].n->id + 1 > size) size = (size_t)output[i].n->id + 1;
  lim_plan *p = calloc(1, sizeof *p);
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
  if (!p->failed) p = improve(p);
  if (!p->failed) return p;
  lim_plan_free(p);
  return NULL;
}

// --- evaluation ---

static double term_value(lim_plan_term t, const double *value) {
  return t.item < 0 ? t.k : t.k * value[t.item];
}

static double item_value(const lim_plan_item *x, const double *const *input, const double *value) {
  const lim_plan_term *t = x->term;
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

void lim_plan_evaluate(double *out, const lim_plan *p, const double *const *input, double *scratch) {
  for (int s = 0; s < p->steps; s++) scratch[p->order[s]] = item_value(&p->item[p->order[s]], input, scratch);
  for (int i = 0; i < p->outputs; i++) out[i] = term_value(p->output[i], scratch);
}
