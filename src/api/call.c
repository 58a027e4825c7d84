// call.c - what the functions of limber.h share.
#include "api/api.h"

#include <string.h>

lim_code lim_call_refuse(lim_answer **out, lim_error *err) {
  if (out) *out = NULL;
  return LIM_FAIL(err, LIM_BAD_INPUT, "what is asked about must not be NULL");
}

lim_call lim_call_start(lim_answer **out, const lim_error *said, lim_error *err) {
  lim_call call = {.out = out, .err = err};
  if (said) lim_warn_merge(&call.own, said);
  if (!out)
    call.code = LIM_FAIL(&call.own, LIM_BAD_INPUT, "out must not be NULL");
  else if (!(call.tree = lim_tree_new()))
    call.code = lim_no_memory(&call.own);
  if (out) *out = NULL;
  return call;
}

lim_json lim_call_json(lim_call *call) {
  lim_tree_reset(call->tree);
  lim_json j = lim_json_into(call->tree);
  lim_json_object(&j);
  return j;
}

void lim_call_whole(lim_call *call) {
  call->whole = !call->tree->failed;
  if (!call->whole && call->code == LIM_OK) call->code = lim_no_memory(&call->own);
}

void lim_call_close(lim_call *call, lim_json *j) {
  lim_json_warnings(j, &call->own);
  lim_json_end(j, '}');
  lim_call_whole(call);
}

lim_code lim_call_end(lim_call *call) {
  if (call->code == LIM_OK && call->own.count) call->code = call->own.code; // a warning is lost
  lim_error_merge(call->err, &call->own);
  lim_error_clear(&call->own);
  if (call->whole)
    *call->out = &call->tree->root;
  else
    lim_tree_free(call->tree);
  return call->code;
}

void lim_call_options(lim_call *call, void *own, const void *given) {
  size_t capacity, size;
  if (!given || call->code != LIM_OK) return;
  memcpy(&capacity, own, sizeof capacity);
  memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > 4096)
    call->code = LIM_FAIL(&call->own, LIM_BAD_INPUT, "options without their size: begin with their default");
  else
    memcpy(own, given, size < capacity ? size : capacity);
}

int lim_word_of(const char *const *list, const char *option, const char *word, lim_error *err) {
  lim_text all = {0};
  for (int i = 0; list[i]; i++) {
    if (word && !strcmp(list[i], word)) {
      lim_text_free(&all);
      return i;
    }
    lim_text_add(&all, "%s%s", i == 0 ? "" : list[i + 1] ? ", " : " or ", list[i]);
  }
  LIM_FAIL(err, LIM_BAD_INPUT, "--%s is '%.40s', must be %s", option, word ? word : "",
           all.text ? all.text : "");
  lim_text_free(&all);
  return -1;
}

void lim_put_number(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

void lim_put_numbers(lim_json *j, const char *key, const double *x, int n) {
  lim_json_key(j, key);
  lim_json_numbers(j, x, n);
}

void lim_put_int(lim_json *j, const char *key, long x) {
  lim_json_key(j, key);
  lim_json_int(j, x);
}

void lim_put_text(lim_json *j, const char *key, const char *text) {
  lim_json_key(j, key);
  lim_json_text(j, text);
}
