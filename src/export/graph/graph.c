// graph.c - nodes of expressions and the identities they obey. Theory: docs/theory/generate.md.
#include "export/graph/graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 16 };

struct lim_graph {
  lim_arena arena;
  int count;
  bool failed, series;
  lim_graph_node *slot[SLOTS];
};

lim_graph *lim_graph_new(void) { return calloc(1, sizeof(lim_graph)); }

void lim_graph_free(lim_graph *g) {
  if (!g) return;
  lim_arena_free(&g->arena);
  free(g);
}

bool lim_graph_failed(const lim_graph *g) { return g->failed; }
int lim_graph_size(const lim_graph *g) { return g->count; }

void lim_graph_use_series(lim_graph *g) { g->series = true; }
bool lim_graph_uses_series(const lim_graph *g) { return g->series; }

lim_expr lim_graph_constant(double k) { return (lim_expr){NULL, k}; }
double lim_graph_value(lim_expr a) { return a.n ? a.k * a.n->value : a.k; }
bool lim_graph_is(lim_expr a, double constant) { return !a.n && a.k == constant; }

// --- nodes ---

static unsigned mixed(unsigned h, uint64_t x) {
  for (int i = 0; i < 8; i++) h = (h ^ (unsigned)(x >> 8 * i & 255)) * 16777619u;
  return h;
}

// Equal but for rounding, most of the time; else something is computed twice.
static uint64_t bits(double x) {
  int e;
  double m = round(ldexp(frexp(x, &e), 50));
  x = ldexp(m, e - 50);
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static unsigned hash_of(const lim_graph_node *x) {
  unsigned h = mixed(2166136261u, (uint64_t)x->kind);
  if (x->kind == LIM_GRAPH_INPUT) return mixed(mixed(h, (uint64_t)x->array), (uint64_t)x->index);
  h = mixed(h, bits(x->c));
  for (int i = 0; i < x->count; i++) {
    h = mixed(h, (uint64_t)(x->term[i].n ? x->term[i].n->id : -1));
    h = mixed(h, bits(x->term[i].k));
    h = mixed(h, (uint64_t)x->term[i].power);
  }
  return h;
}

static bool same(const lim_graph_node *a, const lim_graph_node *b) {
  if (a->hash != b->hash || a->kind != b->kind || a->count != b->count) return false;
  if (a->kind == LIM_GRAPH_INPUT) return a->array == b->array && a->index == b->index;
  if (bits(a->c) != bits(b->c)) return false;
  for (int i = 0; i < a->count; i++)
    if (a->term[i].n != b->term[i].n || bits(a->term[i].k) != bits(b->term[i].k) ||
        a->term[i].power != b->term[i].power)
      return false;
  return true;
}

static double power_of(double x, int n) {
  double y = 1;
  for (int i = n < 0 ? -n : n; i > 0; i--) y *= x;
  return n < 0 ? 1 / y : y;
}

static double term_value(lim_graph_term t) { return t.n ? t.k * t.n->value : t.k; }

static double value_of(const lim_graph_node *x) {
  const lim_graph_term *t = x->term;
  double y = x->kind == LIM_GRAPH_SUM ? x->c : 1;
  switch (x->kind) {
  case LIM_GRAPH_INPUT: return x->value;
  case LIM_GRAPH_SUM:
    for (int i = 0; i < x->count; i++) y += term_value(t[i]);
    return y;
  case LIM_GRAPH_PRODUCT:
    for (int i = 0; i < x->count; i++) y *= power_of(t[i].n->value, t[i].power);
    return y;
  case LIM_GRAPH_SIN: return sin(term_value(t[0]));
  case LIM_GRAPH_COS: return cos(term_value(t[0]));
  case LIM_GRAPH_SQRT: return sqrt(term_value(t[0]));
  case LIM_GRAPH_EXP: return exp(term_value(t[0]));
  case LIM_GRAPH_ABS: return fabs(term_value(t[0]));
  case LIM_GRAPH_ATAN2: return atan2(term_value(t[0]), term_value(t[1]));
  case LIM_GRAPH_SELECT: return term_value(t[term_value(t[0]) < term_value(t[1]) ? 2 : 3]);
  }
  return y;
}

// The node that equals `like`, made if there is none. Out of memory: NULL, and the graph has failed.
static const lim_graph_node *node_of(lim_graph *g, lim_graph_node like) {
  like.graph = g;
  like.hash = hash_of(&like);
  lim_graph_node **slot = &g->slot[like.hash % SLOTS];
  for (const lim_graph_node *x = *slot; x; x = x->next)
    if (same(x, &like)) return x;
  lim_graph_node *x = lim_arena_allocate(&g->arena, sizeof *x);
  lim_graph_term *term = lim_arena_array(&g->arena, (size_t)like.count, sizeof *term);
  if (!x || !term) {
    g->failed = true;
    return NULL;
  }
  *x = like;
  if (like.count) memcpy(term, like.term, (size_t)like.count * sizeof *term);
  x->term = term;
  x->id = g->count++;
  x->value = value_of(x);
  x->next = *slot;
  *slot = x;
  return x;
}

lim_expr lim_graph_input(lim_graph *g, int array, int index, double sample) {
  return (lim_expr){
      node_of(g, (lim_graph_node){.kind = LIM_GRAPH_INPUT, .array = array, .index = index, .value = sample}),
      1};
}

// --- lists of terms ---

// A list while it is put together; small ones need no memory of their own.
enum { NEAR = 32 };
typedef struct {
  lim_graph_term near[NEAR], *item;
  int count, capacity;
  bool failed;
} list;

static void list_start(list *l) {
  l->item = l->near;
  l->count = 0;
  l->capacity = NEAR;
  l->failed = false;
}

static void list_end(list *l) {
  if (l->item != l->near) free(l->item);
}

static void list_add(list *l, lim_graph_term t) {
  if (l->count == l->capacity) {
    lim_graph_term *more = malloc(2 * (size_t)l->capacity * sizeof *more);
    if (!more) {
      l->failed = true;
      return;
    }
    memcpy(more, l->item, (size_t)l->count * sizeof *more);
    list_end(l);
    l->item = more;
    l->capacity *= 2;
  }
  l->item[l->count++] = t;
}

static void list_drop(list *l, int i) {
  memmove(l->item + i, l->item + i + 1, (size_t)(l->count - i - 1) * sizeof *l->item);
  l->count--;
}

// --- products ---

static void add_factor(list *l, const lim_graph_node *n, int power) {
  int i = 0;
  if (n->kind == LIM_GRAPH_PRODUCT) {
    for (int k = 0; k < n->count; k++) add_factor(l, n->term[k].n, power * n->term[k].power);
    return;
  }
  while (i < l->count && l->item[i].n->id < n->id) i++;
  if (i < l->count && l->item[i].n == n) {
    l->item[i].power += power;
    if (l->item[i].power == 0) list_drop(l, i);
    return;
  }
  list_add(l, (lim_graph_term){n, 1, power});
  for (int k = l->count - 1; k > i; k--) { // sorted by id
    lim_graph_term t = l->item[k];
    l->item[k] = l->item[k - 1];
    l->item[k - 1] = t;
  }
}

// sqrt(x)^2 = x, and |x|^2 = x^2
static void square_roots(list *l, double *k) {
  for (int i = 0; i < l->count; i++) {
    lim_graph_term t = l->item[i];
    bool root = t.n->kind == LIM_GRAPH_SQRT, size = t.n->kind == LIM_GRAPH_ABS;
    if ((!root && !size) || abs(t.power) < 2 || !t.n->term[0].n) continue;
    int pairs = t.power / 2;
    list_drop(l, i);
    if (t.power - 2 * pairs) add_factor(l, t.n, t.power - 2 * pairs);
    add_factor(l, t.n->term[0].n, root ? pairs : 2 * pairs);
    *k *= power_of(t.n->term[0].k, root ? pairs : 2 * pairs);
    i = -1;
  }
}

static lim_expr times(lim_expr a, lim_expr b, int power);

static bool has_factor(const lim_graph_node *n, const lim_graph_node *factor) {
  if (n == factor) return true;
  for (int i = 0; n->kind == LIM_GRAPH_PRODUCT && i < n->count; i++)
    if (n->term[i].n == factor && n->term[i].power > 0) return true;
  return false;
}

// s/x of a sum s with terms that have the factor x: these are divided, the others stay together. The index of s
// in the list, or -1; x: that of the divisor.
static int find_quotient(const list *l, int *x) {
  for (int i = 0; i < l->count; i++) {
    const lim_graph_node *s = l->item[i].n;
    if (s->kind != LIM_GRAPH_SUM || l->item[i].power != 1) continue;
    for (*x = 0; *x < l->count; ++*x)
      for (int k = 0; l->item[*x].power < 0 && k < s->count; k++)
        if (has_factor(s->term[k].n, l->item[*x].n)) return i;
  }
  return -1;
}

static lim_expr quotient(list *l, double k, int sum, int divisor) {
  const lim_graph_node *s = l->item[sum].n, *x = l->item[divisor].n;
  lim_expr rest = {NULL, k}, apart = lim_graph_constant(s->c), divided = lim_graph_constant(0);
  for (int i = 0; i < l->count; i++)
    if (i != sum) rest = times(rest, (lim_expr){l->item[i].n, 1}, l->item[i].power);
  for (int i = 0; i < s->count; i++) {
    lim_expr t = {s->term[i].n, s->term[i].k};
    if (has_factor(t.n, x))
      divided = lim_graph_add(divided, times(rest, t, 1));
    else
      apart = lim_graph_add(apart, t);
  }
  return lim_graph_add(divided, times(rest, apart, 1));
}

static lim_expr product_of(lim_graph *g, list *l, double k) {
  lim_expr out = {NULL, k};
  int divisor, sum;
  square_roots(l, &out.k);
  if (!l->failed && (sum = find_quotient(l, &divisor)) >= 0) return quotient(l, out.k, sum, divisor);
  if (l->failed) g->failed = true;
  if (l->count == 0 || g->failed) return out;
  if (l->count == 1 && l->item[0].power == 1)
    out.n = l->item[0].n;
  else
    out.n = node_of(g, (lim_graph_node){.kind = LIM_GRAPH_PRODUCT, .term = l->item, .count = l->count});
  if (!out.n) out.k = 0;
  return out;
}

static lim_expr times(lim_expr a, lim_expr b, int power) {
  double k = a.k * power_of(b.k, power);
  if (k == 0 || (!a.n && !b.n)) return lim_graph_constant(k);
  if (!b.n || (!a.n && power == 1)) return (lim_expr){b.n ? b.n : a.n, k};
  list l;
  list_start(&l);
  if (a.n) add_factor(&l, a.n, 1);
  add_factor(&l, b.n, power);
  lim_expr out = product_of(b.n->graph, &l, k);
  list_end(&l);
  return out;
}

lim_expr lim_graph_mul(lim_expr a, lim_expr b) { return times(a, b, 1); }
lim_expr lim_graph_div(lim_expr a, lim_expr b) { return times(a, b, -1); }
lim_expr lim_graph_scale(double k, lim_expr a) {
  return k == 0 ? (lim_expr){NULL, 0} : (lim_expr){a.n, k * a.k};
}

// --- sums ---

// What is left of a difference by rounding alone.
static bool negligible(double sum, double a, double b) { return fabs(sum) <= 4e-15 * fmax(fabs(a), fabs(b)); }

static void add_constant(double *c, double k) {
  double sum = *c + k;
  *c = negligible(sum, *c, k) ? 0 : sum;
}

static void add_term(list *l, const lim_graph_node *n, double k) {
  int i = 0;
  if (k == 0) return;
  while (i < l->count && l->item[i].n->id < n->id) i++;
  if (i < l->count && l->item[i].n == n) {
    double sum = l->item[i].k + k;
    if (negligible(sum, l->item[i].k, k))
      list_drop(l, i);
    else
      l->item[i].k = sum;
    return;
  }
  list_add(l, (lim_graph_term){n, k, 1});
  for (int j = l->count - 1; j > i; j--) {
    lim_graph_term t = l->item[j];
    l->item[j] = l->item[j - 1];
    l->item[j - 1] = t;
  }
}

static void add_expr(list *l, double *c, lim_expr a) {
  if (a.n)
    add_term(l, a.n, a.k);
  else
    add_constant(c, a.k);
}

// The terms of a sum instead of the sum.
static void add_opened(list *l, double *c, lim_expr a) {
  if (!a.n || a.n->kind != LIM_GRAPH_SUM) {
    add_expr(l, c, a);
    return;
  }
  add_constant(c, a.k * a.n->c);
  for (int i = 0; i < a.n->count; i++) add_term(l, a.n->term[i].n, a.k * a.n->term[i].k);
}

// n with one factor `from` replaced by `to`: n from^-1 to.
static lim_expr exchanged(const lim_graph_node *n, const lim_graph_node *from, lim_expr to) {
  return times(times((lim_expr){n, 1}, (lim_expr){from, 1}, -1), to, 1);
}

static const lim_graph_node *partner(const lim_graph_node *x) { // sine and cosine of one argument
  lim_expr a = {x->term[0].n, x->term[0].k};
  return lim_graph_function(x->kind == LIM_GRAPH_SIN ? LIM_GRAPH_COS : LIM_GRAPH_SIN, &a, 1).n;
}

static const lim_graph_term *term_of(const list *l, const lim_graph_node *n) {
  for (int i = 0; i < l->count; i++)
    if (l->item[i].n == n) return &l->item[i];
  return NULL;
}

static bool is_trig(const lim_graph_node *n) { return n->kind == LIM_GRAPH_SIN || n->kind == LIM_GRAPH_COS; }

// k X cos^2 + m X sin^2 = k X + (m - k) X sin^2. True: it was there.
static bool pythagoras(list *l, double *c) {
  for (int i = 0; i < l->count; i++) {
    const lim_graph_node *n = l->item[i].n;
    for (int j = 0; n->kind == LIM_GRAPH_PRODUCT && j < n->count; j++) {
      const lim_graph_node *f = n->term[j].n;
      if (f->kind != LIM_GRAPH_COS || n->term[j].power < 2) continue;
      lim_expr one = {f, 1}, sine = {partner(f), 1}, rest = times(times((lim_expr){n, 1}, one, -1), one, -1);
      lim_expr other = times(rest, times(sine, sine, 1), 1);
      const lim_graph_term *t = other.n ? term_of(l, other.n) : NULL;
      if (!t) continue;
      double k = l->item[i].k;
      list_drop(l, i);
      add_expr(l, c, lim_graph_scale(k, rest));
      add_term(l, other.n, -k);
      return true;
    }
  }
  return false;
}

// X sin a cos b +- X cos a sin b = X sin(a +- b); X cos a cos b -+ X sin a sin b = X cos(a +- b).
static bool join_angles(list *l, double *c, int i, const lim_graph_node *a, const lim_graph_node *b) {
  const lim_graph_node *n = l->item[i].n;
  lim_expr other = exchanged(n, a, (lim_expr){partner(a), 1});
  if (other.n) other = exchanged(other.n, b, (lim_expr){partner(b), 1});
  const lim_graph_term *t = other.n && other.n != n ? term_of(l, other.n) : NULL;
  if (!t || !negligible(fabs(t->k) - fabs(l->item[i].k), t->k, t->k)) return false;
  lim_expr x = {a->term[0].n, a->term[0].k}, y = {b->term[0].n, b->term[0].k};
  bool equal = (t->k > 0) == (l->item[i].k > 0), sine = a->kind != b->kind;
  if (sine && a->kind == LIM_GRAPH_COS) { // the sine first
    lim_expr z = x;
    x = y;
    y = z;
  }
  double k = l->item[i].k;
  if (!sine && a->kind == LIM_GRAPH_SIN) k = t->k; // that of the cosines
  lim_expr sum = equal == sine ? lim_graph_add(x, y) : lim_graph_sub(x, y);
  lim_expr joined = sine ? lim_graph_sin(sum) : lim_graph_cos(sum);
  lim_expr rest = times(times((lim_expr){n, 1}, (lim_expr){a, 1}, -1), (lim_expr){b, 1}, -1);
  const lim_graph_node *second = t->n;
  joined = lim_graph_scale(k, times(rest, joined, 1));
  add_term(l, second, -term_of(l, second)->k);
  add_term(l, n, -term_of(l, n)->k);
  add_expr(l, c, joined);
  return true;
}

static bool angles(list *l, double *c) {
  for (int i = 0; i < l->count; i++) {
    const lim_graph_node *n = l->item[i].n;
    for (int j = 0; n->kind == LIM_GRAPH_PRODUCT && j < n->count; j++)
      for (int k = j + 1; k < n->count; k++)
        if (is_trig(n->term[j].n) && is_trig(n->term[k].n) && n->term[j].power == 1 && n->term[k].power == 1 &&
            join_angles(l, c, i, n->term[j].n, n->term[k].n))
          return true;
  }
  return false;
}

static void identities(list *l, double *c) {
  bool trig = false;
  for (int i = 0; i < l->count; i++)
    for (int j = 0; l->item[i].n->kind == LIM_GRAPH_PRODUCT && j < l->item[i].n->count; j++)
      trig = trig || is_trig(l->item[i].n->term[j].n);
  while (trig && l->count > 1 && (pythagoras(l, c) || angles(l, c))) {}
}

static lim_expr sum_of(lim_graph *g, list *l, double c) {
  if (l->failed) g->failed = true;
  if (l->count == 0 || g->failed) return lim_graph_constant(c);
  if (l->count == 1 && c == 0) return (lim_expr){l->item[0].n, l->item[0].k};
  double k = l->item[0].k; // sums are shared up to a factor
  for (int i = 0; i < l->count; i++) l->item[i].k /= k;
  const lim_graph_node *n = node_of(
      g, (lim_graph_node){
             .kind = LIM_GRAPH_SUM, .c = c == 0 ? 0 : c / k, .natural = k, .term = l->item, .count = l->count});
  return (lim_expr){n, n ? k : 0};
}

static int length_of(lim_expr a) {
  return a.n ? a.n->kind == LIM_GRAPH_SUM ? a.n->count + (a.n->c != 0) : 1 : a.k != 0;
}

// A constant joins a sum that has one, or whose factor is plain.
static bool joins(lim_expr sum, double c) { return fabs(sum.k) == 1 || negligible(sum.k * sum.n->c + c, c, c); }

// The sum with its arguments opened or not, whichever is shorter: opened where terms meet. A constant joins a
// sum that has no factor.
lim_expr lim_graph_add(lim_expr a, lim_expr b) {
  if (lim_graph_is(a, 0)) return b;
  if (lim_graph_is(b, 0)) return a;
  if (!a.n && !b.n) return lim_graph_constant(a.k + b.k);
  lim_graph *g = (a.n ? a.n : b.n)->graph;
  const int whole = length_of(a) + length_of(b);
  lim_expr best = {NULL, 0};
  int shortest = 0;
  for (int open = 0; open < 4; open++) {
    if ((open & 1 && !(a.n && a.n->kind == LIM_GRAPH_SUM)) ||
        (open & 2 && !(b.n && b.n->kind == LIM_GRAPH_SUM)))
      continue;
    list l;
    double c = 0;
    list_start(&l);
    (open & 1 ? add_opened : add_expr)(&l, &c, a);
    (open & 2 ? add_opened : add_expr)(&l, &c, b);
    identities(&l, &c);
    int length = l.count + (c != 0), added = length - 1;
    int plain = (open & 1 ? length_of(a) : 1) + (open & 2 ? length_of(b) : 1);
    bool meets = length < plain;
    if (!open || (meets && added < shortest) || (!a.n && open == 2 && joins(b, a.k)) ||
        (!b.n && open == 1 && joins(a, b.k)) || (meets && length <= whole / 2 && length <= 3)) {
      best = sum_of(g, &l, c);
      shortest = added;
    }
    list_end(&l);
  }
  return best;
}

lim_expr lim_graph_sub(lim_expr a, lim_expr b) { return lim_graph_add(a, lim_graph_scale(-1, b)); }

// --- functions ---

static lim_expr function_of(lim_graph_kind kind, const lim_expr *argument, int count, double sign) {
  lim_graph_term term[4] = {{0}};
  lim_graph *g = NULL;
  for (int i = 0; i < count; i++) {
    term[i] = (lim_graph_term){argument[i].n, argument[i].k, 1};
    if (argument[i].n) g = argument[i].n->graph;
  }
  lim_graph_node like = {.kind = kind, .term = term, .count = count};
  if (!g) return lim_graph_constant(sign * value_of(&like));
  const lim_graph_node *n = node_of(g, like);
  return (lim_expr){n, n ? sign : 0};
}

lim_expr lim_graph_function(lim_graph_kind kind, const lim_expr *argument, int count) {
  lim_expr a = argument[0];
  double sign = 1;
  bool odd = kind == LIM_GRAPH_SIN, even = kind == LIM_GRAPH_COS || kind == LIM_GRAPH_ABS;
  if ((odd || even) && a.n && a.k < 0) { // of a positive factor
    a.k = -a.k;
    if (odd) sign = -1;
  }
  if (kind == LIM_GRAPH_ABS && a.n) {
    sign = a.k;
    a.k = 1;
  }
  return count == 1 ? function_of(kind, &a, 1, sign) : function_of(kind, argument, count, 1);
}

lim_expr lim_graph_sin(lim_expr a) { return lim_graph_function(LIM_GRAPH_SIN, &a, 1); }
lim_expr lim_graph_cos(lim_expr a) { return lim_graph_function(LIM_GRAPH_COS, &a, 1); }
lim_expr lim_graph_sqrt(lim_expr a) { return lim_graph_function(LIM_GRAPH_SQRT, &a, 1); }
lim_expr lim_graph_exp(lim_expr a) { return lim_graph_function(LIM_GRAPH_EXP, &a, 1); }
lim_expr lim_graph_abs(lim_expr a) { return lim_graph_function(LIM_GRAPH_ABS, &a, 1); }
lim_expr lim_graph_atan2(lim_expr y, lim_expr x) {
  return lim_graph_function(LIM_GRAPH_ATAN2, (lim_expr[2]){y, x}, 2);
}

lim_expr lim_graph_select(lim_expr a, lim_expr b, lim_expr less, lim_expr fallback) {
  if (less.n == fallback.n && less.k == fallback.k) return less;
  if (!a.n && !b.n) return a.k < b.k ? less : fallback;
  return lim_graph_function(LIM_GRAPH_SELECT, (lim_expr[4]){a, b, less, fallback}, 4);
}

// --- divisions by angles ---

void lim_graph_mark_angle(lim_expr a) {
  lim_graph *g = a.n->graph;
  for (lim_graph_node *x = g->slot[a.n->hash % SLOTS]; x; x = x->next)
    if (x == a.n) x->angle = true;
}

static bool divides_in(const lim_graph_node *n, bool *seen) {
  if (seen[n->id]) return false;
  seen[n->id] = true;
  for (int i = 0; i < n->count; i++) {
    const lim_graph_term *t = &n->term[i];
    if (!t->n) continue;
    if (n->kind == LIM_GRAPH_PRODUCT && t->power < 0 && t->n->angle) return true;
    if (divides_in(t->n, seen)) return true;
  }
  return false;
}

static size_t size_of(const lim_expr *a, int count) { // above the largest id
  size_t size = 1;
  for (int i = 0; i < count; i++)
    if (a[i].n && (size_t)a[i].n->id + 1 > size) size = (size_t)a[i].n->id + 1;
  return size;
}

bool lim_graph_divides_by_angle(const lim_expr *a, int count) {
  bool *seen = calloc(size_of(a, count), sizeof *seen), divided = !seen;
  for (int i = 0; i < count && seen; i++) divided = divided || (a[i].n && divides_in(a[i].n, seen));
  free(seen);
  return divided;
}

// --- derivatives ---

typedef struct {
  lim_expr *of; // of each node (size)
  char *known;  // (size)
  lim_graph_direction *direction;
  const void *user;
} differential;

static lim_expr slope(differential *d, const lim_graph_node *n);

static lim_expr term_slope(differential *d, lim_graph_term t) {
  return t.n ? lim_graph_scale(t.k, slope(d, t.n)) : lim_graph_constant(0);
}

static lim_expr product_slope(differential *d, const lim_graph_node *n) {
  lim_expr sum = lim_graph_constant(0);
  for (int i = 0; i < n->count; i++) {
    lim_expr part = times((lim_expr){n, 1}, (lim_expr){n->term[i].n, 1}, -1);
    sum = lim_graph_add(sum, lim_graph_scale(n->term[i].power, times(part, slope(d, n->term[i].n), 1)));
  }
  return sum;
}

static lim_expr function_slope(differential *d, const lim_graph_node *n) {
  const lim_graph_term *t = n->term;
  lim_expr self = {n, 1}, x = {t[0].n, t[0].k}, dx = term_slope(d, t[0]), y, dy;
  switch (n->kind) {
  case LIM_GRAPH_SIN: return times(lim_graph_cos(x), dx, 1);
  case LIM_GRAPH_COS: return lim_graph_scale(-1, times(lim_graph_sin(x), dx, 1));
  case LIM_GRAPH_SQRT: return lim_graph_scale(0.5, times(dx, self, -1));
  case LIM_GRAPH_EXP: return times(self, dx, 1);
  case LIM_GRAPH_ABS: return lim_graph_select(x, lim_graph_constant(0), lim_graph_scale(-1, dx), dx);
  case LIM_GRAPH_ATAN2:
    y = (lim_expr){t[1].n, t[1].k};
    dy = term_slope(d, t[1]);
    return times(lim_graph_sub(times(y, dx, 1), times(x, dy, 1)), lim_graph_add(times(x, x, 1), times(y, y, 1)),
                 -1);
  default: break;
  }
  return lim_graph_select(x, (lim_expr){t[1].n, t[1].k}, term_slope(d, t[2]), term_slope(d, t[3]));
}

static lim_expr slope(differential *d, const lim_graph_node *n) {
  if (d->known[n->id]) return d->of[n->id];
  lim_expr sum = lim_graph_constant(0);
  if (n->kind == LIM_GRAPH_INPUT)
    sum = d->direction(d->user, n->array, n->index);
  else if (n->kind == LIM_GRAPH_PRODUCT)
    sum = product_slope(d, n);
  else if (n->kind == LIM_GRAPH_SUM)
    for (int i = 0; i < n->count; i++) sum = lim_graph_add(sum, term_slope(d, n->term[i]));
  else
    sum = function_slope(d, n);
  d->known[n->id] = 1;
  return d->of[n->id] = sum;
}

bool lim_graph_derivative(lim_expr *out, const lim_expr *a, int count, lim_graph_direction *direction,
                          const void *user) {
  const size_t size = size_of(a, count);
  differential d = {calloc(size, sizeof *d.of), calloc(size, 1), direction, user};
  bool good = d.of && d.known;
  for (int i = 0; i < count && good; i++)
    out[i] = a[i].n ? lim_graph_scale(a[i].k, slope(&d, a[i].n)) : lim_graph_constant(0);
  free(d.of);
  free(d.known);
  return good;
}
