// reduce.c - links from finite elements into files of their own: lim_model_reduce of limber.h.
#include "api/api.h"
#include "base/draft.h"
#include "fe/reduced_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 200 }; // most bytes of a file's name, without its ending

// --- names of files ---

// The link's name, with '_' for what names of files should not have.
static void base_of(char out[NAME + 1], const char *link) {
  size_t n = strlen(link);
  if (n > NAME) n = NAME;
  while (n > 0 && link[n] && ((unsigned char)link[n] & 0xC0) == 0x80) n--; // no half letter
  memcpy(out, link, n);
  out[n] = 0;
  for (char *s = out; *s; s++)
    if ((unsigned char)*s < 0x80 && !isalnum((unsigned char)*s) && !strchr("._-+ ", *s)) *s = '_';
  if (out[0] == '.' || out[0] == '-') out[0] = '_';
}

static bool is_from_mesh(const lim_link *a) { return a->fe.head.node && !a->fe.file; }

// How many links before this one would have the same file.
static int namesakes(const lim_model *m, int link) {
  char own[NAME + 1], other[NAME + 1];
  int count = 0;
  base_of(own, m->links.item[link].head.name);
  for (int i = 0; i < link; i++) {
    base_of(other, m->links.item[i].head.name);
    count += is_from_mesh(&m->links.item[i]) && !strcmp(own, other);
  }
  return count;
}

static lim_text path_of(const char *folder, const lim_model *m, int link) {
  char name[NAME + 1];
  const int before = namesakes(m, link);
  const size_t n = strlen(folder);
  lim_text path = {0};
  base_of(name, m->links.item[link].head.name);
  lim_text_add(&path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
  if (before) lim_text_add(&path, "~%d", before + 1); // no name has this sign
  lim_text_add(&path, ".h5");
  return path;
}

// --- files ---

// Neither the file nor its draft may be one that the model reads.
static lim_code guard(const lim_model *m, const char *path, lim_error *err) {
  lim_text part = {0};
  lim_text_add(&part, "%s.part", path);
  const bool read = lim_model_reads(m, path) || part.failed || lim_model_reads(m, part.text);
  lim_text_free(&part);
  return read ? LIM_FAIL(err, LIM_BAD_INPUT, "%s would overwrite what is read", path) : LIM_OK;
}

static lim_code write_one(const lim_model *m, int link, const char *folder, lim_error *err) {
  lim_text path = path_of(folder, m, link);
  lim_code code = path.failed ? lim_no_memory(err) : guard(m, path.text, err);
  if (code == LIM_OK) code = lim_fe_file_write(path.text, m, &m->links.item[link], err);
  lim_text_free(&path);
  return code;
}

static lim_code check_request(const lim_model *m, const lim_reduce_options *o, lim_error *err) {
  int links = 0;
  for (int i = 0; i < m->links.count; i++) links += m->links.item[i].fe.head.node != NULL;
  if (!links) return LIM_FAIL(err, LIM_BAD_INPUT, "the model has no link from finite elements to reduce");
  if (!o->folder || !o->folder[0])
    return LIM_FAIL(err, LIM_BAD_INPUT, "reduce needs a folder for the reduced links: -o DIR");
  return LIM_OK;
}

static lim_code write_all(const lim_model *m, const char *folder, lim_error *err) {
  int lock;
  lim_code code = lim_directory_make(folder, err);
  if (code == LIM_OK) code = lim_directory_lock(&lock, folder, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < m->links.count && code == LIM_OK; i++)
    if (is_from_mesh(&m->links.item[i])) code = write_one(m, i, folder, err);
  lim_directory_unlock(lock);
  return code;
}

// --- answer ---

static int frames_of(const lim_fe_link *x) {
  int count = 0;
  for (int i = 0; i < x->nplace; i++) count += x->place[i].frame;
  return count;
}

static void put_unit(lim_json *j, const char *key, double x, const char *unit) {
  lim_put_number(j, key, x);
  lim_json_unit(j, unit);
}

static void put_link(lim_json *j, const lim_link *a, const char *file) {
  const lim_fe_link *x = a->fe.link;
  const lim_fe_facts *f = &x->facts;
  lim_json_object(j);
  lim_put_text(j, "file", file);
  lim_json_key(j, "written");
  lim_json_bool(j, is_from_mesh(a));
  lim_put_int(j, "dofs", f->dofs);
  lim_put_int(j, "nodes", f->nodes);
  lim_put_int(j, "frames", frames_of(x));
  lim_put_int(j, "coordinates", x->n);
  lim_put_int(j, "modes", x->modes);
  put_unit(j, "mass", x->mass, "kg");
  put_unit(j, "left_out_hz", f->left_out_hz, "Hz");
  lim_put_numbers(j, "modal_mass", f->modal_mass, 3);
  lim_put_numbers(j, "clamped_frequencies_hz", f->clamped_hz, f->nclamped);
  lim_put_numbers(j, "reduced_frequencies_hz", f->reduced_hz, x->n < f->nclamped ? x->n : f->nclamped);
  lim_put_numbers(j, "free_frequencies_hz", f->free_hz, f->nfree);
  lim_json_end(j, '}');
}

static void fill(lim_json *j, lim_call *call, const lim_model *m, const char *folder) {
  lim_json_key(j, "links");
  lim_json_object(j);
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *a = &m->links.item[i];
    if (!a->fe.head.node) continue;
    lim_text path = path_of(folder, m, i);
    if (path.failed) call->code = lim_no_memory(&call->own);
    lim_json_key(j, a->head.name);
    put_link(j, a, a->fe.file ? a->fe.file : path.text ? path.text : "");
    lim_text_free(&path);
  }
  lim_json_end(j, '}');
}

lim_code lim_model_reduce(lim_answer **out, const lim_model *model, const lim_reduce_options *options,
                          lim_error *err) {
  if (!model) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &model->said, err);
  lim_reduce_options o = lim_reduce_options_default();
  lim_call_options(&call, &o, options);
  if (call.code == LIM_OK) call.code = check_request(model, &o, &call.own);
  if (call.code == LIM_OK) call.code = write_all(model, o.folder, &call.own);
  if (call.code == LIM_OK) {
    lim_json j = lim_call_json(&call);
    fill(&j, &call, model, o.folder);
    lim_call_close(&call, &j);
  }
  return lim_call_end(&call);
}
