// limber.h - the public interface of limber: flexible manipulators from one model file.
//
// The library neither prints nor exits. Every call that can fail returns a lim_code and, if asked, fills a
// lim_error with all that went wrong. A model is constant once loaded and may be shared between threads.
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#ifdef __cplusplus
extern "C" {
#endif

#define LIM_VERSION "0.1.0"

typedef enum {
  LIM_OK = 0,
  LIM_FAILED = 1,    // the analysis failed: no convergence, singular matrix
  LIM_BAD_INPUT = 2, // the model or a request is wrong
  LIM_IO = 3,        // reading or writing failed
  LIM_NO_MEMORY = 4
} lim_code;

// One message. line and column count from 1; 0 where there is none.
typedef struct {
  char *file; // NULL where the message has no place
  int line, column;
  char *text;
} lim_note;

// All messages of one call, in the order of the file. Start with `lim_error err = {0}`, end with
// lim_error_clear.
typedef struct {
  lim_code code; // of the first message
  int count;     // messages found; the first LIM_NOTES_MAX are kept
  int kept;
  lim_note *note;
} lim_error;

enum { LIM_NOTES_MAX = 100 };

void lim_error_clear(lim_error *err);

// A model file, read and checked.
typedef struct lim_model lim_model;

// Read a model file. `set` overrides entries: nset texts of the form "links.upper.beam.length=0.5 m".
// On success the caller owns *out; on failure *out is NULL and err says what and where.
lim_code lim_model_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err);

// The same from memory; `name` stands for the file in messages.
lim_code lim_model_parse(lim_model **out, const char *text, long size, const char *name, const char *const *set,
                         int nset, lim_error *err);

void lim_model_free(lim_model *model);

#ifdef __cplusplus
}
#endif
#endif
