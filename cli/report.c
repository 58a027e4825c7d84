// report.c - limber report: results as one HTML file.
#include "report/report.h"

#include "base/error.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void as_json(lim_text *out, const lim_report *r, const char *path) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "report");
  lim_json_text(&j, path);
  lim_json_key(&j, "bytes");
  lim_json_int(&j, (long)r->html.length);
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
      lim_json_key(&j, entry[k][0]);
      lim_json_text(&j, entry[k][1]);
    }
    lim_json_end(&j, '}');
  }
  lim_json_end(&j, ']');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void as_words(lim_text *out, const lim_report *r, const char *path) {
  lim_text_add(out, "written to %s (%.1f MB)\n\n", path, 1e-6 * (double)r->html.length);
  cli_table t = cli_table_start("llll");
  static const char *const head[] = {"label", "kind", "status", "model"};
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < r->count; i++) {
    cli_table_cell(&t, "%s", r->run[i].label);
    cli_table_cell(&t, "%s", r->run[i].kind);
    cli_table_cell(&t, "%s", r->run[i].status);
    cli_table_cell(&t, "%s", r->run[i].name);
  }
  cli_table_end(&t, out);
}

// The folder of a result, for report.html in it. The caller frees it; NULL: out of memory.
static char *folder_of(const char *result) {
  struct stat info;
  if (stat(result, &info) != 0 || !S_ISDIR(info.st_mode)) return cli_folder(result);
  size_t n = strlen(result);
  char *folder = malloc(n + 1);
  while (n > 1 && result[n - 1] == '/') n--;
  if (folder) memcpy(folder, result, n);
  if (folder) folder[n] = 0;
  return folder;
}

static lim_code write_beside(lim_text *path, const lim_report *r, const char *result, lim_error *err) {
  char *folder = folder_of(result);
  if (!folder) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_text_add(path, "%s/report.html", folder);
  lim_code code = lim_report_write(r, folder, err);
  free(folder);
  return code;
}

lim_code cli_report(lim_text *out, const cli_options *o, lim_error *err) {
  if (o->nset) return LIM_FAIL(err, LIM_BAD_INPUT, "report takes no --set: the model has run already");
  if (o->nword > 1 && !o->output)
    return LIM_FAIL(err, LIM_BAD_INPUT, "a report of several results needs a name: -o compare.html");
  lim_report *r;
  lim_text path = {0};
  lim_code code = lim_report_new(&r, o->word, o->nword, err);
  if (code != LIM_OK) return code;
  if (o->output) {
    lim_text_add(&path, "%s", o->output);
    code = cli_write(&r->html, o->output, err);
  } else
    code = write_beside(&path, r, o->model, err);
  if (code == LIM_OK && path.failed) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->json) as_json(out, r, path.text);
  if (code == LIM_OK && !o->json && !o->quiet) as_words(out, r, path.text);
  lim_text_free(&path);
  lim_report_free(r);
  return code;
}
