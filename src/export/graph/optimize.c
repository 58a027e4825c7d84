// optimize.c - fewer operations for the same values: factors drawn out of sums, common parts of sums and
// products shared, constants where they cost least. Theory: docs/theory/generate.md.
#include "export/graph/optimize.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool unit(double k) { return lim_tape_unit(k); }

static bool comes_after(const lim_tape_term *x, const lim_tape_term *y) {
  return x->item != y->item ? x->item > y->item : x->k > y->k;
}

// By item, then by factor. They are few, and mostly in order.
static void sort_terms(lim_tape_term *term, int count) {
  for (int i = 1; i < count; i++) {
    const lim_tape_term t = term[i];
    int k = i;
    for (; k > 0 && comes_after(&term[k - 1], &t); k--) term[k] = term[k - 1];
    term[k] = t;
  }
}

// Equal items become one; sums of one term and products of one factor vanish. True: something changed.
typedef struct {
  int *to; // (count)
  double *k;
} renaming;

static unsigned mix(unsigned h, uint64_t x) {
  const unsigned six = 16777619u * 16777619u * 16777619u * 16777619u * 16777619u * 16777619u;
  if (x >> 16 == 0) return ((h ^ (unsigned)(x & 255)) * 16777619u ^ (unsigned)(x >> 8)) * 16777619u * six;
  for (int i = 0; i < 8; i++) h = (h ^ (unsigned)(x >> 8 * i & 255)) * 16777619u;
  return h;
}

static uint64_t mix_words(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

// The same for all that is equal but for rounding: the nearest number of 50 significant bits.
static uint64_t bits(double x) {
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return (b + 4) & ~(uint64_t)7;
}

static unsigned item_hash(const lim_tape_item *x) {
  uint64_t h = mix_words(mix_words(0, (uint64_t)x->kind * 2 + x->inverse), bits(x->c));
  h = mix_words(mix_words(h, (uint64_t)x->array), (uint64_t)x->index);
  for (int i = 0; i < x->count; i++) h = mix_words(mix_words(h, (uint64_t)x->term[i].item), bits(x->term[i].k));
  return (unsigned)h;
}

static bool item_same(const lim_tape_item *a, const lim_tape_item *b) {
  if (a->kind != b->kind || a->inverse != b->inverse || a->count != b->count || a->array != b->array ||
      a->index != b->index || bits(a->c) != bits(b->c))
    return false;
  for (int i = 0; i < a->count; i++)
    if (a->term[i].item != b->term[i].item || bits(a->term[i].k) != bits(b->term[i].k)) return false;
  return true;
}

// Merge equal terms of a sum, drop what vanishes, sort.
static void tidy_sum(lim_tape_item *x) {
  int n = 0;
  sort_terms(x->term, x->count);
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

static void rename_terms(lim_tape_item *x, const renaming *r) {
  for (int i = 0; i < x->count; i++) {
    int j = x->term[i].item;
    if (j < 0) continue;
    x->term[i].k = plain(x->term[i].k * r->k[j]);
    x->term[i].item = r->to[j];
  }
  if (x->kind == LIM_GRAPH_SUM) tidy_sum(x);
  if (x->kind == LIM_GRAPH_PRODUCT && !x->inverse) sort_terms(x->term, x->count);
}

// Factors of products carry no constants: those of renamed factors go to the uses.
static double take_factor(lim_tape_item *x) {
  double k = 1;
  for (int i = 0; i < x->count; i++) {
    k *= x->inverse ? 1 / x->term[i].k : x->term[i].k;
    x->term[i].k = 1;
  }
  return plain(k);
}

// Of a tape whose uses and order are counted.
static void gather(lim_tape *p) {
  int slots = 1;
  while (slots < 2 * p->count + 2) slots *= 2;
  int *table = malloc((size_t)slots * sizeof *table);
  renaming r = {malloc(((size_t)p->count + 1) * sizeof(int)), malloc(((size_t)p->count + 1) * sizeof(double))};
  if (!table || !r.to || !r.k) p->failed = true;
  if (table) memset(table, 0xff, (size_t)slots * sizeof *table); // -1: none
  for (int s = 0; s < p->steps && !p->failed; s++) {
    int i = p->order[s];
    lim_tape_item *x = &p->item[i];
    rename_terms(x, &r);
    r.to[i] = i;
    r.k[i] = 1;
    if (x->kind == LIM_GRAPH_PRODUCT) r.k[i] = take_factor(x);
    if (x->pending != 0) r.k[i] *= x->pending;
    x->pending = 0;
    bool alone = x->count == 1 && !x->inverse && !x->kept &&
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
  if (!p->failed) lim_tape_count(p);
}

void lim_tape_cse(lim_tape *p) {
  lim_tape_count(p);
  if (!p->failed) gather(p);
}

// A sum that is used once, by a sum, becomes part of it, unless that needs more products.
static int opened_cost(const lim_tape_item *inner, double k) {
  int before = !unit(k), after = 0;
  for (int i = 0; i < inner->count; i++) {
    before += !unit(inner->term[i].k);
    after += !unit(k * inner->term[i].k);
  }
  return after - before;
}

// How many terms a sum has with one of its terms opened.
static int opened_count(const lim_tape_item *x, int at, const lim_tape_item *inner) {
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

void lim_tape_flatten(lim_tape *p) {
  for (int s = 0; s < p->steps && !p->failed; s++) {
    lim_tape_item *x = &p->item[p->order[s]];
    for (int i = 0; x->kind == LIM_GRAPH_SUM && i < x->count; i++) {
      const lim_tape_term t = x->term[i];
      const lim_tape_item *inner = &p->item[t.item];
      if (inner->kind != LIM_GRAPH_SUM) continue;
      bool shorter = opened_count(x, i, inner) <= x->count + (x->c != 0);
      if (!shorter && (inner->uses != 1 || opened_cost(inner, t.k) > 0)) continue;
      lim_tape_term *term = malloc((size_t)(x->count + inner->count) * sizeof *term);
      if (!term) {
        p->failed = true;
        return;
      }
      int n = 0;
      for (int k = 0; k < x->count; k++)
        if (k != i) term[n++] = x->term[k];
      for (int k = 0; k < inner->count; k++)
        term[n++] = (lim_tape_term){inner->term[k].item, t.k * inner->term[k].k};
      double c = x->c + t.k * inner->c;
      x->c = fabs(c) <= 4e-15 * fabs(x->c) ? 0 : c;
      p->item[t.item].uses--;
      for (int k = 0; k < inner->count && p->item[t.item].uses; k++) p->item[inner->term[k].item].uses++;
      bool set = lim_tape_set(p, p->order[s], term, n);
      free(term);
      if (!set) return;
      tidy_sum(x);
      i = -1;
    }
  }
  lim_tape_cse(p);
}

static int factor_in(const lim_tape_item *x, int factor) {
  for (int i = 0; x->kind == LIM_GRAPH_PRODUCT && !x->inverse && i < x->count; i++)
    if (x->term[i].item == factor) return i;
  return -1;
}

// The product without one factor, as a term of a sum; a constant where nothing is left.
static lim_tape_term without(lim_tape *p, int product, int factor) {
  if (product == factor) return (lim_tape_term){-1, 1};
  int at = factor_in(&p->item[product], factor), count = p->item[product].count;
  if (count == 2) return (lim_tape_term){p->item[product].term[1 - at].item, 1};
  lim_tape_term *term = malloc((size_t)count * sizeof *term);
  if (!term) {
    p->failed = true;
    return (lim_tape_term){-1, 0};
  }
  int n = 0;
  for (int i = 0; i < count; i++)
    if (i != at) term[n++] = p->item[product].term[i];
  int made = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, term, n);
  free(term);
  return (lim_tape_term){made, 1};
}

// How many multiplications it saves to draw a factor out of a sum.
static int saving(const lim_tape *p, const lim_tape_item *x, int factor) {
  int terms = 0, saved = -1; // the one that remains
  for (int i = 0; i < x->count; i++) {
    const lim_tape_item *y = &p->item[x->term[i].item];
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

static void draw_out(lim_tape *p, int sum, int factor) {
  lim_tape_item *x = &p->item[sum];
  int count = x->count, ni = 0, no = 0;
  lim_tape_term *inner = malloc(((size_t)count + 1) * sizeof *inner),
                *outer = malloc(((size_t)count + 1) * sizeof *outer);
  if (!inner || !outer) p->failed = true;
  double c = 0;
  for (int i = 0; i < count && !p->failed; i++) {
    lim_tape_term t = p->item[sum].term[i];
    if (t.item != factor && factor_in(&p->item[t.item], factor) < 0) {
      outer[no++] = t;
      continue;
    }
    lim_tape_term rest = without(p, t.item, factor);
    if (rest.item < 0)
      c += t.k;
    else
      inner[ni++] = (lim_tape_term){rest.item, t.k};
  }
  if (!p->failed) {
    int in = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_SUM, .c = c}, inner, ni);
    lim_tape_term pair[2] = {{in, 1}, {factor, 1}};
    int made = p->failed ? -1 : lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, pair, 2);
    if (!p->failed) {
      outer[no++] = (lim_tape_term){made, 1};
      p->item[made].uses = p->item[in].uses = 1;
      lim_tape_set(p, sum, outer, no);
    }
  }
  free(inner);
  free(outer);
}

void lim_tape_factor_out(lim_tape *p) {
  for (int i = 0; i < p->count && !p->failed; i++) {
    while (p->item[i].kind == LIM_GRAPH_SUM && p->item[i].uses && !p->failed) {
      int best = -1, max = 0;
      for (int k = 0; k < p->item[i].count; k++) {
        const lim_tape_item *x = &p->item[i], *y = &p->item[x->term[k].item];
        for (int j = -1; j < (y->kind == LIM_GRAPH_PRODUCT && !y->inverse ? y->count : 0); j++) {
          int factor = j < 0 ? x->term[k].item : y->term[j].item, saved = saving(p, x, factor);
          if (saved > max || (saved == max && best >= 0 && factor != best && !lim_tape_random(p, 2))) {
            max = saved;
            best = factor;
          }
        }
      }
      if (best < 0) break;
      draw_out(p, i, best);
    }
  }
  lim_tape_cse(p);
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

static bool paired(const lim_tape_item *x, lim_graph_kind kind) {
  return x->uses && x->kind == kind && !x->inverse && x->count > 1;
}

static void count_pair(pair_table *t, const lim_tape_item *x, int i, int j) {
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
static pair commonest(lim_tape *p, lim_graph_kind kind) {
  pair_table t = {.slots = 64};
  pair best = {0};
  for (int s = 0, pairs = 0; s < p->steps && t.slots < 1 << 20; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    pairs += paired(x, kind) ? x->count * (x->count - 1) / 2 : 0;
    while (t.slots < 4 * pairs && t.slots < 1 << 20) t.slots *= 2;
  }
  t.slot = calloc((size_t)t.slots, sizeof *t.slot);
  if (!t.slot) {
    p->failed = true;
    return best;
  }
  for (int s = 0; s < p->steps; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    if (!paired(x, kind)) continue;
    for (int i = 0; i < x->count; i++)
      for (int j = i + 1; j < x->count; j++)
        if (!(i > 0 && x->term[i].item == x->term[i - 1].item && i + 1 != j)) count_pair(&t, x, i, j);
  }
  for (int i = 0, ties = 1; i < t.slots; i++) {
    if (t.slot[i].count > best.count)
      ties = 1;
    else if (t.slot[i].count < best.count || best.count == 0 || lim_tape_random(p, ++ties))
      continue;
    best = t.slot[i];
  }
  free(t.slot);
  if (best.count < 2) best.count = 0;
  return best;
}

// Where the pair stands in an item: indices, or false.
static bool find_pair(const lim_tape_item *x, const pair *q, int at[2]) {
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

static void share_pair(lim_tape *p, lim_graph_kind kind, const pair *q) {
  lim_tape_term both[2] = {{q->a, 1}, {q->b, q->ratio}};
  int made = lim_tape_add(p, (lim_tape_item){.kind = kind}, both, 2);
  for (int s = 0; s < p->steps && !p->failed; s++) {
    lim_tape_item *x = &p->item[p->order[s]];
    int at[2];
    while (paired(x, kind) && find_pair(x, q, at)) {
      double k = x->term[at[0]].k;
      int n = 0;
      for (int i = 0; i < x->count; i++)
        if (i != at[0] && i != at[1]) x->term[n++] = x->term[i];
      x->term[n++] = (lim_tape_term){made, k};
      x->count = n;
    }
  }
  lim_tape_cse(p);
}

void lim_tape_share_pairs(lim_tape *p, lim_graph_kind kind, int rounds) {
  for (int i = 0; i < rounds && !p->failed; i++) {
    pair q = commonest(p, kind);
    if (!q.count) return;
    share_pair(p, kind, &q);
  }
}

// --- constants that several terms have ---

static bool close_to(double a, double b) { return fabs(fabs(a) - fabs(b)) <= 1e-14 * fabs(b); }

// k a + k b = k (a + b) of constants that are not 1
static bool group(lim_tape *p, int sum, int first) {
  int count = p->item[sum].count, ni = 0, no = 0;
  double k = p->item[sum].term[first].k;
  lim_tape_term *inner = malloc(((size_t)count + 1) * sizeof *inner),
                *outer = malloc(((size_t)count + 1) * sizeof *outer);
  p->failed = p->failed || !inner || !outer;
  for (int i = 0; i < count && !p->failed; i++) {
    lim_tape_term t = p->item[sum].term[i];
    if (close_to(t.k, k))
      inner[ni++] = (lim_tape_term){t.item, t.k / k > 0 ? 1 : -1};
    else
      outer[no++] = t;
  }
  bool grouped = !p->failed && ni > 1;
  if (grouped) {
    int made = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_SUM}, inner, ni);
    outer[no++] = (lim_tape_term){made, k};
    if (!p->failed) lim_tape_set(p, sum, outer, no);
  }
  free(inner);
  free(outer);
  return grouped;
}

void lim_tape_group(lim_tape *p) {
  for (int s = 0; s < p->steps && !p->failed; s++) {
    int i = p->order[s];
    for (int k = 0; p->item[i].kind == LIM_GRAPH_SUM && k < p->item[i].count; k++)
      if (!unit(p->item[i].term[k].k) && group(p, i, k)) k = -1;
  }
  if (!p->failed) lim_tape_cse(p);
}

// --- constants kept with a factor ---

// Whether every use of a product is in a sum, with the constant k or -k; none comes before a place in the
// order.
static bool always_with(const lim_tape *p, int product, int place, double k) {
  int uses = 0;
  for (int s = place; s < p->steps; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    for (int i = 0; x->kind == LIM_GRAPH_SUM && i < x->count; i++)
      if (x->term[i].item == product) {
        if (!close_to(x->term[i].k, k)) return false;
        if (++uses == p->item[product].uses) return true;
      }
  }
  return false;
}

// Uses of products of f with the constant k, all of whose uses have it.
static int uses_with(const lim_tape *p, int factor, double k) {
  int count = 0;
  for (int s = 0; s < p->steps; s++) {
    int i = p->order[s];
    if (factor_in(&p->item[i], factor) >= 0 && always_with(p, i, s, k)) count += p->item[i].uses;
  }
  return count;
}

static void keep(lim_tape *p, int factor, double k) {
  lim_tape_term of = {factor, k};
  int made = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_SUM, .kept = true}, &of, 1);
  for (int s = 0; s < p->steps && !p->failed; s++) {
    int i = p->order[s], at = factor_in(&p->item[i], factor);
    if (at < 0 || !always_with(p, i, s, k)) continue;
    for (int j = 0; j < p->steps; j++) {
      lim_tape_item *x = &p->item[p->order[j]];
      for (int t = 0; x->kind == LIM_GRAPH_SUM && t < x->count; t++)
        if (x->term[t].item == i) x->term[t].k = x->term[t].k / k > 0 ? 1 : -1;
    }
    p->item[i].term[at].item = made;
  }
  lim_tape_cse(p);
}

void lim_tape_keep(lim_tape *p) {
  for (int s = 0; s < p->steps && !p->failed; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    for (int i = 0; x->kind == LIM_GRAPH_SUM && !x->kept && i < x->count; i++) {
      const lim_tape_item *y = &p->item[x->term[i].item];
      double k = x->term[i].k;
      if (unit(k) || y->kind != LIM_GRAPH_PRODUCT || y->inverse || !always_with(p, x->term[i].item, 0, k))
        continue;
      for (int f = 0; f < y->count; f++)
        if (!p->item[y->term[f].item].inverse && uses_with(p, y->term[f].item, k) > 1) {
          keep(p, y->term[f].item, k);
          return;
        }
    }
  }
}

// --- products that are there ---

// The item that is the product of two; -1: none.
static int product_of_two(const lim_tape *p, int a, int b, int except) {
  for (int s = 0; s < p->steps; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    if (x->kind != LIM_GRAPH_PRODUCT || x->inverse || x->count != 2 || p->order[s] == except) continue;
    if ((x->term[0].item == a && x->term[1].item == b) || (x->term[0].item == b && x->term[1].item == a))
      return p->order[s];
  }
  return -1;
}

// A term of a sum times f without a further multiplication: the factor of the term that gives way (-1: the
// whole term), and the product in its place.
typedef struct {
  int at, by;
} absorption;

// The product f x, if it is there and not one of the terms of the sum itself.
static int ready(const lim_tape *p, int f, int x, int product, int sum) {
  int by = product_of_two(p, f, x, product);
  for (int i = 0; by >= 0 && i < p->item[sum].count; i++)
    if (p->item[sum].term[i].item == by) return -1;
  return by;
}

static bool absorbs(absorption *out, const lim_tape *p, int f, int t, int product, int sum) {
  const lim_tape_item *y = &p->item[t];
  *out = (absorption){-1, ready(p, f, t, product, sum)};
  if (out->by >= 0) return true;
  if (y->kind != LIM_GRAPH_PRODUCT || y->inverse || y->uses != 1) return false;
  for (out->at = 0; out->at < y->count; out->at++)
    if ((out->by = ready(p, f, y->term[out->at].item, product, sum)) >= 0) return true;
  return false;
}

// f s of a sum s that is used here only: each of its terms has f in a product that is there.
static bool absorb(lim_tape *p, int product, int f, int s) {
  enum { MOST = 8 };
  absorption change[MOST];
  int count = p->item[s].count;
  if (p->item[s].kind != LIM_GRAPH_SUM || p->item[s].kept || p->item[s].uses != 1 || p->item[s].c != 0 ||
      count > MOST)
    return false;
  for (int i = 0; i < count; i++)
    if (!absorbs(&change[i], p, f, p->item[s].term[i].item, product, s)) return false;
  for (int i = 0; i < count; i++) {
    lim_tape_term *t = &p->item[s].term[i];
    if (change[i].at < 0)
      t->item = change[i].by;
    else
      p->item[t->item].term[change[i].at].item = change[i].by;
  }
  return true;
}

void lim_tape_absorb(lim_tape *p) {
  for (int k = 0; k < p->steps && !p->failed; k++) {
    int i = p->order[k];
    if (p->item[i].kind != LIM_GRAPH_PRODUCT || p->item[i].inverse || p->item[i].count != 2) continue;
    for (int j = 0; j < 2; j++) {
      int f = p->item[i].term[j].item, s = p->item[i].term[1 - j].item;
      if (!absorb(p, i, f, s)) continue;
      lim_tape_term only = {s, 1};
      p->item[i].count = 1;
      p->item[i].term[0] = only;
      lim_tape_cse(p);
      return;
    }
  }
}

// --- choosing ---

// Items of a copy stand in the order in which they are computed, and have their uses already.
static void count_copy(lim_tape *p) {
  p->order = malloc(((size_t)p->count + 1) * sizeof *p->order);
  p->failed = !p->order;
  p->steps = p->failed ? 0 : p->count;
  for (int s = 0; s < p->steps; s++) p->order[s] = s;
}

lim_tape *lim_tape_copy(const lim_tape *from) {
  lim_tape *p = calloc(1, sizeof *p);
  int *to = malloc(((size_t)from->count + 1) * sizeof *to);
  if (p) p->output = malloc(((size_t)from->outputs + 1) * sizeof *p->output);
  if (!p || !to || !p->output) {
    free(to);
    lim_tape_free(p);
    return NULL;
  }
  p->outputs = from->outputs;
  p->random = from->random;
  for (int s = 0; s < from->steps && !p->failed; s++) {
    const lim_tape_item *x = &from->item[from->order[s]];
    int i = to[from->order[s]] = lim_tape_add(p, *x, x->term, x->count);
    for (int k = 0; i >= 0 && k < x->count; k++)
      if (x->term[k].item >= 0) p->item[i].term[k].item = to[x->term[k].item];
  }
  for (int i = 0; i < p->outputs && !p->failed; i++) {
    p->output[i] = from->output[i];
    if (p->output[i].item >= 0) p->output[i].item = to[p->output[i].item];
  }
  free(to);
  if (!p->failed) count_copy(p);
  if (!p->failed) return p;
  lim_tape_free(p);
  return NULL;
}

int lim_tape_cost(const lim_tape *p) {
  lim_operations o = lim_tape_operations(p);
  return o.add + o.mul + 8 * o.div + 8 * o.sqrt + 16 * o.trig + o.other;
}

// Take the other tape if it is cheaper than the one of that cost; the loser is freed.
static lim_tape *cheaper(lim_tape *p, int *cost, lim_tape *other) {
  if (!other) return p;
  int others = other->failed ? *cost : lim_tape_cost(other);
  bool better = others < *cost;
  if (better) *cost = others;
  lim_tape_free(better ? p : other);
  return better ? other : p;
}

// Where an item comes in the order: its number in a copy.
int lim_tape_place(const lim_tape *p, int item) {
  int s = 0;
  while (s < p->steps && p->order[s] != item) s++;
  return s;
}

// The tape with a sum multiplied by a factor.
lim_tape *lim_tape_scaled(const lim_tape *from, int item, double factor) {
  int place = lim_tape_place(from, item);
  if (place == from->steps) return NULL; // no step computes it
  lim_tape *p = lim_tape_copy(from);
  if (!p || !p->item) return p;
  lim_tape_item *x = &p->item[place];
  x->c *= factor;
  for (int i = 0; i < x->count; i++) {
    x->term[i].k = plain(x->term[i].k * factor);
  }
  x->pending = 1 / factor;
  gather(p); // the copy is counted, and other constants change nothing of that
  return p;
}

// Add a number to a list, unless it stands there.
static int list_once(double *list, int n, double x) {
  for (int k = 0; k < n; k++)
    if (list[k] == x) return n;
  list[n] = x;
  return n + 1;
}

// Factors of sum i that leave one of its terms, or of its uses, without factor.
static int factors_of(double *factor, int capacity, const lim_tape *p, int i) {
  int n = 0;
  for (int k = 0; k < p->item[i].count && n < capacity; k++)
    if (!unit(p->item[i].term[k].k)) n = list_once(factor, n, 1 / p->item[i].term[k].k);
  for (int j = 0; j < p->count; j++)
    for (int k = 0; p->item[j].uses && p->item[j].kind == LIM_GRAPH_SUM && k < p->item[j].count && n < capacity;
         k++) {
      lim_tape_term t = p->item[j].term[k];
      if (!unit(t.k) && (t.item == i || factor_in(&p->item[t.item], i) >= 0)) n = list_once(factor, n, t.k);
    }
  return n;
}

// Multiplications more, or fewer, by constants in the terms of a sum, where its items carry factors.
static int terms_cost(const lim_tape_item *x, const double *carried) {
  int cost = 0;
  for (int k = 0; k < x->count; k++) {
    double by = x->term[k].item < 0 ? 1 : carried[x->term[k].item];
    if (by != 1) cost += !unit(plain(x->term[k].k * by)) - !unit(x->term[k].k);
  }
  return cost;
}

// The factor that a product hands on to its uses.
static double handed_on(const lim_tape_item *x, const double *carried) {
  double by = 1;
  for (int k = 0; k < x->count; k++) {
    double factor = x->term[k].item < 0 ? 1 : carried[x->term[k].item];
    if (factor != 1) by *= x->inverse ? 1 / factor : factor;
  }
  return by;
}

// Multiplications by constants more, or fewer, of a tape with a sum multiplied by a factor: in its terms, in
// its uses, and in those of products it is in. Parts that become equal are not foreseen. carried (count) is
// scratch.
static int scaled_cost(const lim_tape *p, int item, double factor, double *carried) {
  int cost = 0;
  for (int k = 0; k < p->item[item].count; k++)
    cost += !unit(plain(p->item[item].term[k].k * factor)) - !unit(p->item[item].term[k].k);
  for (int i = 0; i < p->count; i++) carried[i] = 1;
  carried[item] = 1 / factor;
  for (int s = lim_tape_place(p, item) + 1; s < p->steps; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    if (x->kind == LIM_GRAPH_SUM) cost += terms_cost(x, carried);
    if (x->kind == LIM_GRAPH_PRODUCT) carried[p->order[s]] = handed_on(x, carried);
  }
  for (int i = 0; i < p->outputs; i++) {
    const lim_tape_term *t = &p->output[i];
    if (t->item >= 0 && carried[t->item] != 1) cost += !unit(plain(t->k * carried[t->item])) - !unit(t->k);
  }
  return cost;
}

lim_tape *lim_tape_rescale(lim_tape *p) {
  int cost = lim_tape_cost(p);
  double *carried = malloc(((size_t)p->count + 1) * sizeof *carried); // tapes only become shorter
  p->failed = p->failed || !carried;
  for (int i = 0; !p->failed && i < p->count; i++) {
    double factor[64];
    if (!p->item[i].uses || p->item[i].kind != LIM_GRAPH_SUM) continue;
    int n = factors_of(factor, 64, p, i);
    for (int k = 0; k < n; k++) {
      const lim_tape *before = p;
      if (scaled_cost(p, i, factor[k], carried) > 0) continue;
      p = cheaper(p, &cost, lim_tape_scaled(p, i, factor[k]));
      if (p != before) break; // items have other numbers now
    }
  }
  free(carried);
  return p;
}

// --- the whole ---

enum { LARGE = 4000, SMALL = 600 }; // steps above which only what is cheap is done; up to which much is

lim_tape *lim_tape_optimize(lim_tape *p) {
  lim_tape_cse(p);
  if (p->failed) return p;
  for (int i = 0; i < 2; i++) {
    lim_tape_flatten(p);
    lim_tape_factor_out(p);
  }
  int rounds = p->steps < LARGE ? 10000 : 200;
  lim_tape_share_pairs(p, LIM_GRAPH_PRODUCT, rounds);
  lim_tape_share_pairs(p, LIM_GRAPH_SUM, rounds);
  for (int i = 0; i < 4 && p->steps < SMALL && !p->failed; i++) p = lim_tape_rescale(p);
  return p;
}
