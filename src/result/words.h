// words.h - the words of the model file for the choices of a solver. Inside src/result only.
#ifndef LIM_RESULT_WORDS_H
#define LIM_RESULT_WORDS_H

#include "model/schema.h"

#include <stdio.h>
#include <string.h>

enum { LIM_WORD = 64 };

// Word number i of a key of the solver, out of the schema's "nonlinear|linear|...".
static inline void lim_solver_word(char room[LIM_WORD], const char *key, int i) {
  const lim_table *solver = lim_table_key(&lim_root_table, "solver", NULL)->table;
  const char *word = lim_table_key(solver, key, NULL)->words;
  for (; i > 0; i--) word += strcspn(word, "|") + 1;
  snprintf(room, LIM_WORD, "%.*s", (int)strcspn(word, "|"), word);
}

#endif
