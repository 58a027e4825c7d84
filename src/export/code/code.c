// code.c - tapes as C.
#include "export/code/code.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lim_code_number(lim_text *to, double x) {
  char buffer[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, sizeof buffer, "%.*g", digits, x);
    if (strtod(buffer, NULL) == x) break;
  }
  lim_text_add(to, "%s%s", buffer, strpbrk(buffer, ".einf") ? "" : ".0");
}

static bool divides(const lim_tape *p, int i) { return p->item[i].inverse && p->item[i].uses == 1; }

// The name of an item: an input where it stands, else its step.
static void name_of(lim_text *to, const lim_tape *p, const lim_code_names *names, int i) {
  const lim_tape_item *x = &p->item[i];
  if (x->kind == LIM_GRAPH_INPUT)
    lim_text_add(to, "%s[%d]", names->array[x->array], x->index);
  else
    lim_text_add(to, "t%d", i);
}

// k times an item, with its sign where it is not the first of a sum.
static void term(lim_text *to, const lim_tape *p, const lim_code_names *names, lim_tape_term t, bool first) {
  double k = t.k;
  if (!first) {
    lim_text_add(to, k < 0 ? " - " : " + ");
    k = fabs(k);
  }
  if (t.item < 0) {
    lim_code_number(to, k);
    return;
  }
  bool divided = divides(p, t.item);
  if (k == -1 && !divided) lim_text_add(to, "-");
  if (fabs(k) != 1 || divided) {
    lim_code_number(to, k);
    lim_text_add(to, divided ? "/" : "*");
  }
  name_of(to, p, names, divided ? p->item[t.item].term[0].item : t.item);
}

static void sum(lim_text *to, const lim_tape *p, const lim_code_names *names, const lim_tape_item *x) {
  if (x->c != 0) lim_code_number(to, x->c);
  for (int i = 0; i < x->count; i++) term(to, p, names, x->term[i], i == 0 && x->c == 0);
}

static void product(lim_text *to, const lim_tape *p, const lim_code_names *names, const lim_tape_item *x) {
  int first = 0;
  while (first < x->count && divides(p, x->term[first].item)) first++;
  if (first == x->count)
    lim_text_add(to, "1.0");
  else
    name_of(to, p, names, x->term[first].item);
  for (int i = 0; i < x->count; i++) {
    if (i == first) continue;
    int item = x->term[i].item;
    bool divided = divides(p, item);
    lim_text_add(to, divided ? "/" : "*");
    name_of(to, p, names, divided ? p->item[item].term[0].item : item);
  }
}

static void function(lim_text *to, const lim_tape *p, const lim_code_names *names, const lim_tape_item *x) {
  static const char *const name[] = {
      [LIM_GRAPH_SIN] = "sin", [LIM_GRAPH_COS] = "cos",  [LIM_GRAPH_SQRT] = "sqrt",
      [LIM_GRAPH_EXP] = "exp", [LIM_GRAPH_ABS] = "fabs", [LIM_GRAPH_ATAN2] = "atan2"};
  if (x->kind == LIM_GRAPH_SELECT) {
    term(to, p, names, x->term[0], true);
    lim_text_add(to, " < ");
    term(to, p, names, x->term[1], true);
    lim_text_add(to, " ? ");
    term(to, p, names, x->term[2], true);
    lim_text_add(to, " : ");
    term(to, p, names, x->term[3], true);
    return;
  }
  lim_text_add(to, "%s(", name[x->kind]);
  for (int i = 0; i < x->count; i++) {
    if (i) lim_text_add(to, ", ");
    term(to, p, names, x->term[i], true);
  }
  lim_text_add(to, ")");
}

void lim_code_tape(lim_text *to, const lim_tape *p, const lim_code_names *names) {
  for (int s = 0; s < p->steps; s++) {
    int i = p->order[s];
    const lim_tape_item *x = &p->item[i];
    if (x->kind == LIM_GRAPH_INPUT || divides(p, i)) continue;
    lim_text_add(to, "  const double t%d = ", i);
    if (x->kind == LIM_GRAPH_SUM)
      sum(to, p, names, x);
    else if (x->inverse)
      lim_text_add(to, "1.0/"), name_of(to, p, names, x->term[0].item);
    else if (x->kind == LIM_GRAPH_PRODUCT)
      product(to, p, names, x);
    else
      function(to, p, names, x);
    lim_text_add(to, ";\n");
  }
  for (int i = 0; i < p->outputs; i++) {
    lim_text_add(to, "  %s[%d] = ", names->out, i);
    term(to, p, names, p->output[i], true);
    lim_text_add(to, ";\n");
  }
}

void lim_code_used(bool *used, const lim_tape *p) {
  for (int s = 0; s < p->steps; s++) {
    const lim_tape_item *x = &p->item[p->order[s]];
    if (x->kind == LIM_GRAPH_INPUT) used[x->array] = true;
  }
}
