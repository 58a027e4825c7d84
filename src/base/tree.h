// tree.h - an answer in memory: objects, lists, numbers and texts, put together by the calls of json.h and read
// by key through lim_answer_* of limber.h.
#ifndef LIM_BASE_TREE_H
#define LIM_BASE_TREE_H

#include "base/arena.h"
#include "base/text.h"
#include "limber/limber.h"

// One entry. All is the tree's.
struct lim_answer {
  lim_answer_kind kind;
  const char *key;  // in the object that it stands in; NULL in a list
  const char *unit; // of its numbers; NULL: none is known
  const char *text;
  double number; // also 0 and 1 of a bool
  bool flat;     // a list on one line
  int count;
  lim_answer *item; // of objects and lists   (count)
  double *array;    // of lists of numbers    (count)
};

typedef struct lim_open lim_open; // an object or list that is being filled

typedef struct lim_tree {
  lim_answer root; // first, so that the caller's lim_answer is its tree
  lim_arena arena;
  lim_open *open;   // the innermost
  const char *key;  // of the value that follows
  lim_answer *last; // value that was added
  lim_text json;    // once it was asked for
  bool failed;      // memory was out
} lim_tree;

lim_tree *lim_tree_new(void); // NULL: out of memory
void lim_tree_free(lim_tree *t);
void lim_tree_reset(lim_tree *t); // as new

void lim_tree_key(lim_tree *t, const char *key);
void lim_tree_open(lim_tree *t, bool object, bool flat);
void lim_tree_close(lim_tree *t);
void lim_tree_number(lim_tree *t, double x);
void lim_tree_numbers(lim_tree *t, const double *x, int n);
void lim_tree_bool(lim_tree *t, bool x);
void lim_tree_text(lim_tree *t, const char *text);
void lim_tree_unit(lim_tree *t, const char *unit); // of the value just added

#endif
