// random_search.c - a tape is disturbed by chance and improved again; what is not dearer is kept. The chance is
// the same every time, so that generated code is. Theory: docs/theory/generate.md.
#include "export/graph/optimize.h"

#include <stdlib.h>
#include <string.h>

// An item by chance that fits; -1: none found.
static int pick(lim_tape *p, bool (*fits)(const lim_tape *p, int item)) {
  for (int k = 0; k < 40; k++) {
    int i = p->order[lim_tape_random(p, p->steps)];
    if (fits(p, i)) return i;
  }
  return -1;
}

// --- disturbances ---

static bool is_product(const lim_tape *p, int i) {
  return p->item[i].kind == LIM_GRAPH_PRODUCT && !p->item[i].inverse;
}
static bool is_sum(const lim_tape *p, int i) { return p->item[i].kind == LIM_GRAPH_SUM && !p->item[i].kept; }
static bool is_kept(const lim_tape *p, int i) { return p->item[i].kept; }

// A product that other products have as a factor: its factors instead.
static void open_product(lim_tape *p) {
  int inner = pick(p, is_product);
  for (int i = 0; i < p->count && inner >= 0 && !p->failed; i++) {
    lim_tape_item *x = &p->item[i];
    for (int k = 0; x->uses && is_product(p, i) && k < x->count; k++) {
      if (x->term[k].item != inner) continue;
      const lim_tape_item *y = &p->item[inner];
      lim_tape_term *term = malloc((size_t)(x->count + y->count) * sizeof *term);
      if (!term) {
        p->failed = true;
        return;
      }
      int n = 0;
      for (int j = 0; j < x->count; j++)
        if (j != k) term[n++] = x->term[j];
      for (int j = 0; j < y->count; j++) term[n++] = y->term[j];
      lim_tape_set(p, i, term, n);
      free(term);
      k = -1;
    }
  }
}

// A sum inside others: its terms instead, in all of them or in one.
static void open_sum(lim_tape *p) {
  int inner = pick(p, is_sum);
  bool all = lim_tape_random(p, 2);
  for (int i = 0; i < p->count && inner >= 0 && !p->failed; i++) {
    lim_tape_item *x = &p->item[i];
    for (int k = 0; x->uses && is_sum(p, i) && k < x->count; k++) {
      if (x->term[k].item != inner || (!all && lim_tape_random(p, 2))) continue;
      const lim_tape_item *y = &p->item[inner];
      lim_tape_term *term = malloc((size_t)(x->count + y->count) * sizeof *term);
      if (!term) {
        p->failed = true;
        return;
      }
      int n = 0;
      for (int j = 0; j < x->count; j++)
        if (j != k) term[n++] = x->term[j];
      for (int j = 0; j < y->count; j++)
        term[n++] = (lim_tape_term){y->term[j].item, x->term[k].k * y->term[j].k};
      x->c += x->term[k].k * y->c;
      lim_tape_set(p, i, term, n);
      free(term);
      break;
    }
  }
}

static int first_sum(const lim_tape *p, const lim_tape_item *x) {
  for (int k = 0; k < x->count; k++)
    if (is_sum(p, x->term[k].item)) return k;
  return -1;
}

static bool has_sum(const lim_tape *p, int i) { return is_product(p, i) && first_sum(p, &p->item[i]) >= 0; }

// f (a + b) = f a + f b
static void multiply_out(lim_tape *p) {
  int i = pick(p, has_sum);
  if (i < 0) return;
  int at = first_sum(p, &p->item[i]), sum = p->item[i].term[at].item, n = p->item[i].count;
  lim_tape_term *factor = malloc((size_t)(n + 1) * sizeof *factor);
  lim_tape_term *term = malloc((size_t)(p->item[sum].count + 1) * sizeof *term);
  int count = 0;
  p->failed = p->failed || !factor || !term;
  for (int k = 0; k < p->item[sum].count && !p->failed; k++) {
    int m = 0;
    for (int j = 0; j < n; j++)
      if (j != at) factor[m++] = p->item[i].term[j];
    factor[m++] = (lim_tape_term){p->item[sum].term[k].item, 1};
    term[count++] = (lim_tape_term){lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, factor, m),
                                    p->item[sum].term[k].k};
  }
  if (!p->failed && p->item[sum].c != 0) {
    int m = 0;
    for (int j = 0; j < n; j++)
      if (j != at) factor[m++] = p->item[i].term[j];
    term[count++] =
        (lim_tape_term){lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, factor, m), p->item[sum].c};
  }
  if (!p->failed) {
    p->item[i].kind = LIM_GRAPH_SUM;
    p->item[i].c = 0;
    lim_tape_set(p, i, term, count);
  }
  free(factor);
  free(term);
}

// Terms k f (a + b) of one sum as k f a + k f b, where other uses of f (a + b) stay: what cancels shows.
static void expand_sum(lim_tape *p) {
  enum { MOST = 64 };
  lim_tape_term term[MOST], factor[MOST];
  int x = pick(p, is_sum), count = 0;
  if (x < 0 || p->item[x].count > 8) return;
  for (int i = 0; i < p->item[x].count && !p->failed; i++) {
    lim_tape_term t = p->item[x].term[i];
    int at = has_sum(p, t.item) ? first_sum(p, &p->item[t.item]) : -1, n = p->item[t.item].count;
    int sum = at < 0 ? -1 : p->item[t.item].term[at].item;
    if (at < 0 || n > MOST || count + p->item[sum].count + 2 > MOST) {
      if (count == MOST) return;
      term[count++] = t;
      continue;
    }
    for (int k = -1; k < p->item[sum].count; k++) {
      if (k < 0 && p->item[sum].c == 0) continue;
      int m = 0;
      for (int j = 0; j < n; j++)
        if (j != at) factor[m++] = p->item[t.item].term[j];
      if (k >= 0) factor[m++] = (lim_tape_term){p->item[sum].term[k].item, 1};
      double c = k < 0 ? p->item[sum].c : p->item[sum].term[k].k;
      term[count++] =
          (lim_tape_term){lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, factor, m), t.k * c};
      if (p->failed) return;
    }
  }
  if (!p->failed) lim_tape_set(p, x, term, count);
}

// k f of a constant and a factor of products that are used with that constant, as a step of its own.
static void keep_factor(lim_tape *p) {
  int s = pick(p, is_sum);
  if (s < 0) return;
  lim_tape_term t = p->item[s].term[lim_tape_random(p, p->item[s].count)];
  if (lim_tape_unit(t.k) || !is_product(p, t.item)) return;
  lim_tape_term of = {p->item[t.item].term[lim_tape_random(p, p->item[t.item].count)].item, t.k};
  if (p->item[of.item].kept || p->item[of.item].inverse) return;
  int made = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_SUM, .kept = true}, &of, 1), count = p->count;
  for (int i = 0; i < count && !p->failed; i++)
    for (int k = 0; p->item[i].uses && p->item[i].kind == LIM_GRAPH_SUM && k < p->item[i].count; k++) {
      lim_tape_term *use = &p->item[i].term[k];
      if (fabs(fabs(use->k) - fabs(t.k)) > 1e-14 * fabs(t.k) || !is_product(p, use->item)) continue;
      const lim_tape_item *y = &p->item[use->item];
      int at = 0;
      while (at < y->count && y->term[at].item != of.item) at++;
      if (at == y->count) continue;
      int other = lim_tape_add(p, (lim_tape_item){.kind = LIM_GRAPH_PRODUCT}, y->term, y->count);
      if (p->failed) return;
      p->item[other].term[at].item = made;
      use = &p->item[i].term[k];
      *use = (lim_tape_term){other, use->k / t.k > 0 ? 1 : -1};
    }
}

static void drop_factor(lim_tape *p) {
  int i = pick(p, is_kept);
  if (i >= 0) p->item[i].kept = false;
}

static lim_tape *scale_sum(lim_tape *p) {
  int i = pick(p, is_sum);
  if (i < 0) return p;
  double k = p->item[i].term[lim_tape_random(p, p->item[i].count)].k;
  if (lim_tape_unit(k) && p->item[i].c != 0) k = p->item[i].c;
  lim_tape *other = lim_tape_unit(k) ? NULL : lim_tape_scaled(p, i, 1 / k);
  if (!other) return p;
  lim_tape_free(p);
  return other;
}

// --- trials ---

static lim_tape *disturb(lim_tape *p) {
  switch (lim_tape_random(p, 8)) {
  case 0: open_product(p); break;
  case 1: open_sum(p); break;
  case 2:
  case 3: multiply_out(p); break;
  case 4: keep_factor(p); break;
  case 5: drop_factor(p); break;
  case 6: expand_sum(p); break;
  default: return scale_sum(p);
  }
  if (!p->failed) lim_tape_cse(p);
  return p;
}

static void polish(lim_tape *p) {
  for (int k = lim_tape_random(p, 4); k >= 0 && !p->failed; k--) switch (lim_tape_random(p, 7)) {
    case 0: lim_tape_flatten(p); break;
    case 1: lim_tape_factor_out(p); break;
    case 2: lim_tape_share_pairs(p, LIM_GRAPH_PRODUCT, 20); break;
    case 3: lim_tape_share_pairs(p, LIM_GRAPH_SUM, 20); break;
    case 4: lim_tape_keep(p); break;
    case 5: lim_tape_group(p); break;
    default: lim_tape_absorb(p); break;
    }
}

// Whether a tape that is dearer by `more` takes the place of the present one: less and less often.
static bool accepts(lim_tape *p, int more, double warmth) {
  return more <= 0 || lim_tape_random(p, 1 << 20) < (int)(exp(-more / warmth) * (1 << 20));
}

// One trial: the tape that goes on, and its cost.
static lim_tape *trial(lim_tape *p, int *cost, bool rescale, double warmth) {
  lim_tape *other = lim_tape_copy(p);
  if (!other) return p;
  other = disturb(other);
  if (!other->failed) polish(other);
  if (!other->failed && rescale) other = lim_tape_rescale(other);
  p->random = other->random;
  int others = other->failed ? 0 : lim_tape_cost(other);
  bool better = !other->failed && accepts(p, others - *cost, warmth);
  if (better) *cost = others;
  other->random = p->random;
  lim_tape_free(better ? p : other);
  return better ? other : p;
}

lim_tape *lim_tape_search(lim_tape *p, int trials) {
  enum { CYCLE = 2000 }; // cooled down from the start or from the best in turn
  unsigned random = 2463534242u;
  lim_tape *best = lim_tape_copy(p), *now = NULL;
  int cost = 0, min = best ? lim_tape_cost(best) : 0;
  for (int k = 0; k < trials && best; k++) {
    if (k % CYCLE == 0) {
      if (now) random = now->random;
      lim_tape_free(now);
      now = lim_tape_copy(k / CYCLE % 3 == 2 ? best : p);
      if (!now) break;
      now->random = random;
      cost = lim_tape_cost(now);
    }
    now = trial(now, &cost, k % 64 == 63, 0.1 + 0.5 * (CYCLE - k % CYCLE) / CYCLE);
    if (cost >= min) continue;
    min = cost;
    lim_tape_free(best);
    best = lim_tape_copy(now);
  }
  lim_tape_free(now);
  if (!best) return p;
  lim_tape_free(p);
  best->random = 0;
  return best;
}
