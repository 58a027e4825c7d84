// json.h - writes JSON into a growing text: commas, quotes, escapes and indentation are its care. The same
// calls put an answer together in memory, which is written later.
#ifndef LIM_BASE_JSON_H
#define LIM_BASE_JSON_H

#include "base/text.h"
#include "limber/limber.h"

typedef struct {
  struct lim_tree *tree; // where an answer is put together; NULL: out is written
  lim_text *out;
  int depth;
  bool first; // no entry yet in the innermost object or list
  bool keyed; // a key was just written, its value follows
  int flat;   // depth at which everything below goes on one line; 0: nowhere
  bool html;  // '>' and '&' are escaped as well as '<': goes into a page
} lim_json;

lim_json lim_json_start(lim_text *out);
lim_json lim_json_into(struct lim_tree *tree);

void lim_json_object(lim_json *j);            // {
void lim_json_list(lim_json *j);              // [
void lim_json_flat(lim_json *j);              // [ with all entries on one line
void lim_json_end(lim_json *j, char bracket); // '}' or ']'
void lim_json_key(lim_json *j, const char *key);
void lim_json_text(lim_json *j, const char *text);
void lim_json_number(lim_json *j, double x); // shortest form that reads back equal; null if not finite
void lim_json_int(lim_json *j, long x);
void lim_json_bool(lim_json *j, bool x);
void lim_json_numbers(lim_json *j, const double *x, int n); // a flat list
void lim_json_unit(lim_json *j, const char *unit); // of the value before, for answers; JSON does not show it

// "warnings": [{text, time?, place?}, ...], an empty list where there are none.
void lim_json_warnings(lim_json *j, const lim_error *err);

// A value that is JSON already, not in answers; '<', '>' and '&' in it are escaped. Whether a text is one, and
// nothing else but white space.
void lim_json_raw(lim_json *j, const char *json);
bool lim_json_valid(const char *json);

#endif
