// cards.c - what the keywords of an input deck mean: nodes, sets, elements, materials, sections; and those of
// which the matrices cannot be understood.
#include "base/grow.h"
#include "fe/read/deck.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void no_memory(lim_lines *l) { l->code = lim_no_memory(l->err); }

static lim_deck_place here(const lim_lines *l) { return (lim_deck_place){l->path, l->line}; }

// The set that an option names, made where there is none; -1: no option, or a failure.
static int group_of(lim_fe_deck_reader *r, lim_lines *l, lim_fe_groups *g, const char *option) {
  char name[LIM_FE_NAME];
  if (!lim_fe_keyword_option(name, &r->keyword, option)) return -1;
  if (!name[0] || strlen(name) + 1 == LIM_FE_NAME) {
    lim_lines_error(l, name[0] ? "the name behind %s= is too long" : "%s= without a name", option);
    return -1;
  }
  const int group = lim_fe_group_make(g, r->deck->arena, name, here(l));
  if (group < 0) no_memory(l);
  return group;
}

// Ids that are there belong to one range, whatever line they stand in: where the set begins.
static void add_to(lim_lines *l, lim_fe_groups *g, int group, int id) {
  if (group < 0) return;
  if (!lim_fe_group_add(&g->group[group], (lim_fe_range){id, id, 1, false, g->group[group].at})) no_memory(l);
}

static bool read_id(int *out, lim_lines *l, const char **at, const char *what) {
  if (!lim_lines_whole(out, l, at)) return false;
  if (*out < 1) lim_lines_error(l, "%s %d: ids are positive", what, *out);
  return l->code == LIM_OK;
}

// --- nodes ---

static void begin_node(lim_fe_deck_reader *r, lim_lines *l) {
  char system[LIM_FE_NAME];
  if (lim_fe_keyword_option(system, &r->keyword, "SYSTEM") && strcasecmp(system, "R"))
    lim_lines_error(l, "*NODE with SYSTEM=%.20s is not supported: write x, y, z", system);
  else if (lim_fe_keyword_option(NULL, &r->keyword, "INPUT"))
    lim_lines_error(l, "*NODE with INPUT= is not supported: write *INCLUDE, INPUT= behind *NODE");
  else
    r->group = group_of(r, l, &r->deck->nsets, "NSET");
}

// Coordinates that are not written are 0.
static void read_node(lim_fe_deck_reader *r, lim_lines *l) {
  const char *at = l->text;
  double x[3] = {0};
  int id;
  if (!read_id(&id, l, &at, "node")) return;
  for (int i = 0; i < 3; i++) {
    at = lim_field_begin(at);
    if (lim_field_length(at) == 0)
      at = lim_field_next(at);
    else if (!lim_lines_number(&x[i], l, &at))
      return;
  }
  if (lim_fe_deck_add_node(r->deck, l, id, x)) add_to(l, &r->deck->nsets, r->group, id);
}

// --- sets ---

static void begin_nset(lim_fe_deck_reader *r, lim_lines *l) {
  r->group = group_of(r, l, &r->deck->nsets, "NSET");
  r->generate = lim_fe_keyword_option(NULL, &r->keyword, "GENERATE");
  if (l->code == LIM_OK && r->group < 0) lim_lines_error(l, "*NSET needs NSET=, the name of the set");
  if (l->code == LIM_OK && lim_fe_keyword_option(NULL, &r->keyword, "ELSET"))
    lim_warn(l->err, NAN, NULL, "%s:%d: nodes by ELSET= are not read: set '%s' lacks them", l->path, l->line,
             r->deck->nsets.group[r->group].name);
}

static void begin_elset(lim_fe_deck_reader *r, lim_lines *l) {
  r->group = group_of(r, l, &r->deck->elsets, "ELSET");
  r->generate = lim_fe_keyword_option(NULL, &r->keyword, "GENERATE");
  if (l->code == LIM_OK && r->group < 0) lim_lines_error(l, "*ELSET needs ELSET=, the name of the set");
}

static void read_range(lim_lines *l, lim_fe_group *g) {
  const char *at = l->text;
  lim_fe_range range = {.step = 1, .generated = true, .at = here(l)};
  if (!read_id(&range.first, l, &at, "id") || !read_id(&range.last, l, &at, "id")) return;
  if (!lim_field_none(at) && !lim_lines_whole(&range.step, l, &at)) return;
  if (range.last < range.first || range.step < 1 || !lim_field_none(at))
    lim_lines_error(l, "GENERATE needs 'first, last, step' with first <= last and a positive step");
  else if (!lim_fe_group_add(g, range))
    no_memory(l);
}

// A set that is named within another one. Returns what is behind it.
static const char *read_reference(lim_lines *l, lim_fe_groups *g, int group, const char *at) {
  char name[LIM_FE_NAME];
  const int whole = (int)strcspn(at, ",");
  int n = whole;
  const bool quoted = *at == '"';
  while (n > quoted && (isspace((unsigned char)at[n - 1]) || at[n - 1] == '"')) n--;
  snprintf(name, sizeof name, "%.*s", n - quoted, at + quoted);
  const int other = lim_fe_group_find(g, name);
  if (other < 0)
    lim_lines_error(l, "set '%.80s' is not known here", name);
  else if (!lim_fe_group_join(&g->group[group], &g->group[other]))
    no_memory(l);
  return at[whole] ? at + whole + 1 : at + whole;
}

static void read_members(lim_fe_deck_reader *r, lim_lines *l, lim_fe_groups *g) {
  if (r->generate) {
    read_range(l, &g->group[r->group]);
    return;
  }
  for (const char *at = l->text; l->code == LIM_OK && !lim_field_none(at);) {
    int id;
    at = lim_field_begin(at);
    if (isalpha((unsigned char)*at) || *at == '"' || *at == '_')
      at = read_reference(l, g, r->group, at);
    else if (read_id(&id, l, &at, "id") &&
             !lim_fe_group_add(&g->group[r->group], (lim_fe_range){id, id, 1, false, here(l)}))
      no_memory(l);
  }
}

static void read_nset(lim_fe_deck_reader *r, lim_lines *l) { read_members(r, l, &r->deck->nsets); }
static void read_elset(lim_fe_deck_reader *r, lim_lines *l) { read_members(r, l, &r->deck->elsets); }

// --- elements ---

// Letters behind a type say how it is integrated: C3D8R, C3D10MT; a 5 how many freedoms it has: S8R5.
static int shape_of(const char *type) {
  static const struct {
    const char *type;
    lim_fe_shape shape;
  } known[] = {
      {"C3D4", LIM_FE_TET4}, {"C3D10", LIM_FE_TET10}, {"C3D6", LIM_FE_WEDGE6}, {"C3D15", LIM_FE_WEDGE15},
      {"C3D8", LIM_FE_HEX8}, {"C3D20", LIM_FE_HEX20}, {"S3", LIM_FE_TRI3},     {"STRI3", LIM_FE_TRI3},
      {"S6", LIM_FE_TRI6},   {"STRI65", LIM_FE_TRI6}, {"S4", LIM_FE_QUAD4},    {"S8", LIM_FE_QUAD8},
      {"M3D3", LIM_FE_TRI3}, {"M3D6", LIM_FE_TRI6},   {"M3D4", LIM_FE_QUAD4},  {"M3D8", LIM_FE_QUAD8},
      {"CPS3", LIM_FE_TRI3}, {"CPS6", LIM_FE_TRI6},   {"CPS4", LIM_FE_QUAD4},  {"CPS8", LIM_FE_QUAD8},
      {"CPE3", LIM_FE_TRI3}, {"CPE6", LIM_FE_TRI6},   {"CPE4", LIM_FE_QUAD4},  {"CPE8", LIM_FE_QUAD8},
      {"B21", LIM_FE_BEAM2}, {"B31", LIM_FE_BEAM2},   {"B22", LIM_FE_BEAM3},   {"B32", LIM_FE_BEAM3},
      {"B33", LIM_FE_BEAM2}, {"T2D2", LIM_FE_BEAM2},  {"T3D2", LIM_FE_BEAM2},  {"T3D3", LIM_FE_BEAM3}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t n = strlen(known[i].type);
    if (strncasecmp(type, known[i].type, n)) continue;
    const char *rest = type + n;
    while (isalpha((unsigned char)*rest)) rest++;
    if (!*rest || (rest > type + n && !strcmp(rest, "5"))) return (int)known[i].shape;
  }
  return -1;
}

static void count_skipped(lim_fe_deck_reader *r, lim_lines *l, const char *type) {
  lim_fe_deck *d = r->deck;
  for (r->skipped = 0; r->skipped < d->nskipped; r->skipped++)
    if (!strcasecmp(d->skipped[r->skipped].type, type)) return;
  const char *copy = lim_arena_text(d->arena, type, strlen(type));
  if (copy && LIM_GROW(d->skipped, d->skipped_room, d->nskipped))
    d->skipped[d->nskipped++] = (lim_fe_skipped){copy, 0};
  else
    no_memory(l);
}

static void begin_element(lim_fe_deck_reader *r, lim_lines *l) {
  char type[LIM_FE_NAME];
  if (lim_fe_keyword_option(NULL, &r->keyword, "INPUT")) {
    lim_lines_error(l, "*ELEMENT with INPUT= is not supported: write *INCLUDE, INPUT= behind *ELEMENT");
    return;
  }
  if (!lim_fe_keyword_option(type, &r->keyword, "TYPE") || !type[0]) {
    lim_lines_error(l, "*ELEMENT needs TYPE=");
    return;
  }
  r->shape = shape_of(type);
  r->left = 0;
  r->continued = false;
  r->group = group_of(r, l, &r->deck->elsets, "ELSET");
  if (l->code == LIM_OK && r->shape < 0) count_skipped(r, l, type);
}

static void begin_nodes(lim_fe_deck_reader *r, lim_lines *l, int id) {
  lim_fe_deck *d = r->deck;
  if (!LIM_GROW(d->element, d->element_room, d->nelement)) {
    no_memory(l);
    return;
  }
  d->element[d->nelement++] = (lim_fe_deck_element){id, (lim_fe_shape)r->shape, (int)d->nelement_node, here(l)};
  r->left = lim_fe_shape_nodes((lim_fe_shape)r->shape);
  add_to(l, &d->elsets, r->group, id);
}

static void skip_element(lim_fe_deck_reader *r, const lim_lines *l) {
  size_t n = strlen(l->text);
  while (n && isspace((unsigned char)l->text[n - 1])) n--;
  if (!r->continued) r->deck->skipped[r->skipped].count++;
  r->continued = n && l->text[n - 1] == ',';
}

// A line begins an element or goes on with one that lacks nodes. Behind nodes of a beam may stand one that
// turns it.
static void read_element(lim_fe_deck_reader *r, lim_lines *l) {
  lim_fe_deck *d = r->deck;
  const char *at = l->text;
  int id;
  if (r->shape < 0) {
    skip_element(r, l);
    return;
  }
  if (r->left == 0 && read_id(&id, l, &at, "element")) begin_nodes(r, l, id);
  while (l->code == LIM_OK && r->left > 0 && !lim_field_none(at) && read_id(&id, l, &at, "node")) {
    if (!LIM_GROW(d->element_node, d->element_node_room, d->nelement_node)) {
      no_memory(l);
      return;
    }
    d->element_node[d->nelement_node++] = id;
    r->left--;
  }
  if (l->code == LIM_OK && !lim_field_none(at) && r->shape != LIM_FE_BEAM2 && r->shape != LIM_FE_BEAM3)
    lim_lines_error(l, "element %d has more than its %d nodes", d->element[d->nelement - 1].id,
                    lim_fe_shape_nodes((lim_fe_shape)r->shape));
}

void lim_fe_card_end(lim_fe_deck_reader *r, lim_lines *l) {
  if (r->left > 0 && l->code == LIM_OK) {
    const lim_fe_deck_element *e = &r->deck->element[r->deck->nelement - 1];
    const int need = lim_fe_shape_nodes(e->shape);
    l->code = lim_error_add(l->err, LIM_BAD_INPUT, e->at.file, e->at.line, 0,
                            "element %d has %d nodes, its type has %d", e->id, need - r->left, need);
  }
  r->left = 0;
  r->group = -1;
}

// --- materials and sections ---

static void begin_material(lim_fe_deck_reader *r, lim_lines *l) {
  lim_fe_deck *d = r->deck;
  char name[LIM_FE_NAME];
  if (!lim_fe_keyword_option(name, &r->keyword, "NAME") || !name[0]) {
    lim_lines_error(l, "*MATERIAL needs NAME=");
    return;
  }
  const char *copy = lim_arena_text(d->arena, name, strlen(name));
  if (copy && LIM_GROW(d->material, d->material_room, d->nmaterial))
    d->material[d->nmaterial++] = (lim_fe_material){copy, NAN, NAN};
  else
    no_memory(l);
}

// Only the first line, of the first temperature, of an isotropic material.
static void read_elastic(lim_fe_deck_reader *r, lim_lines *l) {
  char type[LIM_FE_NAME] = "ISO";
  double E, nu = 0;
  lim_fe_keyword_option(type, &r->keyword, "TYPE");
  if (r->row > 0 || r->deck->nmaterial == 0 || strncasecmp(type, "ISO", 3)) return;
  const char *at = l->text;
  if (!lim_lines_number(&E, l, &at)) return;
  if (!lim_field_none(at) && !lim_lines_number(&nu, l, &at)) return;
  if (!(E > 0) || !(nu > -1 && nu < 0.5 + 1e-12))
    lim_lines_error(l, "E = %g, nu = %g: E must be positive, nu between -1 and 0.5", E, nu);
  r->deck->material[r->deck->nmaterial - 1].E = E;
  r->deck->material[r->deck->nmaterial - 1].nu = nu;
}

// The text of an option in the arena; NULL: there is none.
static const char *option_text(lim_fe_deck_reader *r, lim_lines *l, const char *option) {
  char text[LIM_FE_NAME];
  if (!lim_fe_keyword_option(text, &r->keyword, option)) return NULL;
  const char *copy = lim_arena_text(r->deck->arena, text, strlen(text));
  if (!copy) no_memory(l);
  return copy;
}

static void begin_section(lim_fe_deck_reader *r, lim_lines *l) {
  lim_fe_deck *d = r->deck;
  const lim_fe_section s = {option_text(r, l, "ELSET"), option_text(r, l, "MATERIAL"), NAN, here(l)};
  if (l->code == LIM_OK && !LIM_GROW(d->section, d->section_room, d->nsection)) no_memory(l);
  if (l->code == LIM_OK) d->section[d->nsection++] = s;
}

static void read_thickness(lim_fe_deck_reader *r, lim_lines *l) {
  const char *at = lim_field_begin(l->text);
  double t;
  if (r->row > 0 || lim_field_length(at) == 0 || lim_fe_keyword_option(NULL, &r->keyword, "COMPOSITE")) return;
  if (!lim_lines_number(&t, l, &at)) return;
  if (t > 0)
    r->deck->section[r->deck->nsection - 1].thickness = t;
  else
    lim_lines_error(l, "thickness %g: must be positive", t);
}

// --- what is not supported ---

static void refuse_transform(lim_fe_deck_reader *r, lim_lines *l) {
  (void)r;
  lim_lines_error(
      l, "*TRANSFORM is not supported, as rows of the matrices are then in turned axes: leave it out, and "
         "write the matrices again");
}

static void refuse_system(lim_fe_deck_reader *r, lim_lines *l) {
  (void)r;
  lim_lines_error(l, "*SYSTEM is not supported: write all nodes in the same axes");
}

static void begin_part(lim_fe_deck_reader *r, lim_lines *l) {
  if (++r->parts > 1)
    lim_lines_error(l, "more than one part: write the deck flat, without parts and instances");
}

static void begin_instance(lim_fe_deck_reader *r, lim_lines *l) {
  if (++r->instances > 1)
    lim_lines_error(l, "more than one instance: write the deck flat, without parts and instances");
}

static void read_instance(lim_fe_deck_reader *r, lim_lines *l) {
  (void)r;
  double x;
  for (const char *at = l->text; !lim_field_none(at) && lim_lines_number(&x, l, &at);)
    if (x != 0) {
      lim_lines_error(l, "an instance that is moved: write the deck flat, without parts and instances");
      return;
    }
}

const lim_fe_card *lim_fe_card_find(const char *word) {
  static const lim_fe_card cards[] = {{"NODE", begin_node, read_node},
                                      {"NSET", begin_nset, read_nset},
                                      {"ELSET", begin_elset, read_elset},
                                      {"ELEMENT", begin_element, read_element},
                                      {"MATERIAL", begin_material, NULL},
                                      {"ELASTIC", NULL, read_elastic},
                                      {"SOLIDSECTION", begin_section, read_thickness},
                                      {"SHELLSECTION", begin_section, read_thickness},
                                      {"MEMBRANESECTION", begin_section, read_thickness},
                                      {"BEAMSECTION", begin_section, NULL},
                                      {"TRANSFORM", refuse_transform, NULL},
                                      {"SYSTEM", refuse_system, NULL},
                                      {"PART", begin_part, NULL},
                                      {"INSTANCE", begin_instance, read_instance}};
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
    if (!strcmp(cards[i].word, word)) return &cards[i];
  return NULL;
}
