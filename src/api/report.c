// report.c - results as one HTML file: lim_result_report of limber.h.
#include "report/report.h"

#include "api/api.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void fill(lim_call *call, const lim_report *r, const char *path) {
  lim_json j = lim_call_json(call);
  lim_put_text(&j, "report", path);
  lim_put_int(&j, "bytes", (long)r->html.length);
  lim_json_key(&j, "runs");
  lim_json_list(&j);
  for (int i = 0; i < r->count; i++) {
    const char *const entry[][2] = {{"label", r->run[i].label},
                                    {"kind", r->run[i].kind},
                                    {"model", r->run[i].name},
                                    {"status", r->run[i].status},
                                    {"result", r->run[i].path}};
    lim_json_object(&j);
    for (size_t k = 0; k < sizeof entry / sizeof *entry; k++) {
      lim_put_text(&j, entry[k][0], entry[k][1]);
    }
    lim_json_end(&j, '}');
  }
  lim_json_end(&j, ']');
  lim_call_close(call, &j);
}

// The folder of a result, for report.html in it. The caller frees it; NULL: out of memory.
static char *folder_of(const char *result) {
  struct stat info;
  if (stat(result, &info) != 0 || !S_ISDIR(info.st_mode)) return lim_file_folder(result);
  size_t n = strlen(result);
  char *folder = malloc(n + 1);
  while (n > 1 && result[n - 1] == '/') n--;
  if (folder) memcpy(folder, result, n);
  if (folder) folder[n] = 0;
  return folder;
}

static lim_code write_beside(lim_text *path, const lim_report *r, const char *result, lim_error *err) {
  char *folder = folder_of(result);
  if (!folder) return lim_no_memory(err);
  lim_text_add(path, "%s/report.html", folder);
  lim_code code = lim_report_write(r, folder, err);
  free(folder);
  return code;
}

lim_code lim_result_report(lim_answer **out, const char *const *results, int count, const char *output,
                           lim_error *err) {
  if (!results || count < 1) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, NULL, err);
  lim_error *own = &call.own;
  lim_report *r = NULL;
  lim_text path = {0};
  if (call.code == LIM_OK && count > 1 && !output)
    call.code = LIM_FAIL(own, LIM_BAD_INPUT, "a report of several results needs a name: -o compare.html");
  if (call.code == LIM_OK) call.code = lim_report_new(&r, results, count, own);
  if (call.code == LIM_OK && output) {
    lim_text_add(&path, "%s", output);
    call.code = lim_file_write(output, r->html.text, r->html.length, own);
  } else if (call.code == LIM_OK) {
    call.code = write_beside(&path, r, results[0], own);
  }
  if (call.code == LIM_OK && path.failed) call.code = lim_no_memory(own);
  if (call.code == LIM_OK) fill(&call, r, path.text);
  lim_text_free(&path);
  lim_report_free(r);
  return lim_call_end(&call);
}
