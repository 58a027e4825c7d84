// api.h - what the functions of limber.h share. Inside src/api only.
#ifndef LIM_API_API_H
#define LIM_API_API_H

#include "base/error.h"
#include "base/json.h"
#include "base/tree.h"
#include "model/model.h"

struct lim_study {
  const lim_model *given;
  lim_model model; // a copy of it, once its program has run
  lim_error said;  // warnings of the model and of its program
};

// A call that fills an answer:
//
//   lim_call call = lim_call_start(out, said, err);
//   if (call.code == LIM_OK) call.code = ...(&call.own);                            // the analysis
//   if (call.code == LIM_OK) { lim_json j = lim_call_json(&call); ...; lim_call_close(&call, &j); }
//   return lim_call_end(&call);
typedef struct {
  lim_code code;
  lim_answer **out;
  lim_error *err; // the caller's
  lim_error own;  // what this call says, after `said`
  lim_tree *tree; // the answer
  bool whole;     // it is
} lim_call;

// said: warnings that belong to the answer, may be NULL.
lim_call lim_call_start(lim_answer **out, const lim_error *said, lim_error *err);

// The answer of a call that is about nothing.
lim_code lim_call_refuse(lim_answer **out, lim_error *err);

// Begin an answer, in place of one that was made before: an object that is open. End it with its warnings.
lim_json lim_call_json(lim_call *call);
void lim_call_close(lim_call *call, lim_json *j);
void lim_call_whole(lim_call *call); // the same of an answer without warnings

// Hands over the answer, if there is one, and messages and warnings.
lim_code lim_call_end(lim_call *call);

// Options that the caller gave, or NULL, over the defaults in `own`; both begin with their size.
void lim_call_options(lim_call *call, void *own, const void *given);

// The word in a list, which ends with NULL; -1 with a message: option is 'word', must be ...
int lim_word_of(const char *const *list, const char *option, const char *word, lim_error *err);

// Entries of objects.
void lim_put_number(lim_json *j, const char *key, double x);
void lim_put_numbers(lim_json *j, const char *key, const double *x, int n);
void lim_put_int(lim_json *j, const char *key, long x);
void lim_put_text(lim_json *j, const char *key, const char *text);

#endif
