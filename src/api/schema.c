// schema.c - what may stand in a model file: lim_schema, lim_schema_page and lim_units_page of
// limber.h.
#include "model/schema.h"

#include "api/api.h"
#include "base/units/units.h"

lim_code lim_schema(lim_answer **out, lim_error *err) {
  lim_call call = lim_call_start(out, NULL, err);
  if (call.code == LIM_OK) {
    lim_json j = lim_json_into(call.tree);
    lim_schema_entries(&j);
    lim_call_whole(&call);
  }
  return lim_call_end(&call);
}

// An answer that is one text.
static lim_code page_of(lim_answer **out, void (*write)(lim_text *page), lim_error *err) {
  lim_call call = lim_call_start(out, NULL, err);
  lim_text page = {0};
  if (call.code == LIM_OK) write(&page);
  if (page.failed) call.code = lim_no_memory(&call.own);
  if (call.code == LIM_OK) {
    lim_tree_text(call.tree, page.text);
    lim_call_whole(&call);
  }
  lim_text_free(&page);
  return lim_call_end(&call);
}

lim_code lim_schema_page(lim_answer **out, lim_error *err) { return page_of(out, lim_schema_markdown, err); }
lim_code lim_units_page(lim_answer **out, lim_error *err) { return page_of(out, lim_units_markdown, err); }
