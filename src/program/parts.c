// parts.c - shape, grip, release: how moves are shaped, and what the arm holds. Theory:
// docs/theory/programs.md.
#include "base/grow.h"
#include "model/check/resolve.h"
#include "model/words.h"
#include "program/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- shaping ---

// A mode or a frequency, or several in a list: how many, the k-th into *x.
static int list_at(lua_State *L, const char *key, int k, double *x) {
  const int type = lua_getfield(L, 1, key);
  int count = type == LUA_TNIL ? 0 : 1;
  if (type == LUA_TTABLE) {
    count = (int)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, k + 1);
    lua_replace(L, -2);
  }
  if (count && k < count) {
    if (lua_type(L, -1) != LUA_TNUMBER) luaL_error(L, "shape: '%s' must be a number or a list of them", key);
    *x = lua_tonumber(L, -1);
  }
  lua_pop(L, 1);
  return count;
}

static lim_shaping read_shape(lua_State *L, int k, int type) {
  lim_shaping s = {.type = type, .frequency = NAN, .damping = NAN};
  double mode = 0;
  if (list_at(L, "mode", k, &mode) && (!(mode >= 1 && mode <= 200) || mode != floor(mode)))
    luaL_error(L, "shape: a mode is a whole number from 1, not %f", mode);
  s.mode = (int)mode;
  if (list_at(L, "frequency", k, &s.frequency) && !(s.frequency > 0 && isfinite(s.frequency)))
    luaL_error(L, "shape: a frequency is %f Hz, must be positive", s.frequency);
  if (list_at(L, "damping", k, &s.damping) && !(s.damping >= 0 && s.damping < 1))
    luaL_error(L, "shape: a damping ratio is %f, must be 0 or above, and below 1", s.damping);
  s.tolerance = lim_program_number(L, "tolerance", 0.05);
  if (!(s.tolerance >= 0 && s.tolerance <= 0.5)) luaL_error(L, "shape: the tolerance must be 0 to 0.5");
  return s;
}

// Its number among the words of the model file.
static int read_type(lua_State *L) {
  const lim_key *key = lim_key_at("motion.profile.shape.type");
  const char *word = lim_program_text(L, "type", key->preset);
  const int type = lim_key_index(key, word);
  if (type >= 0) return type;
  char all[128] = "";
  lim_word w;
  for (int i = 0, n = 0; (w = lim_key_word(key, i)).text && n < (int)sizeof all; i++)
    n += snprintf(all + n, sizeof all - (size_t)n, "%s\"%.*s\"", i ? ", " : "", w.length, w.text);
  return luaL_error(L, "shape: type \"%s\" is none of %s", word, all);
}

// shape{type = "zvd", mode = 1}, shape{frequency = {3, 12}, damping = 0.01}, shape{type = "none"}
int lim_program_shape(lua_State *L) {
  static const char *const keys[] = {"type", "mode", "frequency", "damping", "tolerance", NULL};
  lim_program *r = lim_program_of(L);
  lim_program_keys(L, "shape", keys);
  const int type = read_type(L);
  double unused;
  const int modes = list_at(L, "mode", 0, &unused), frequencies = list_at(L, "frequency", 0, &unused);
  if (type != LIM_UNSHAPED && !modes == !frequencies) luaL_error(L, "shape: give either 'mode' or 'frequency'");
  const int count = type == LIM_UNSHAPED ? 0 : modes + frequencies;
  lim_program_stop(L, "shape");
  lim_program_note_table(L, "shape", keys);
  lim_error none = {0};
  if (!lim_grow_to(&r->way.shapes.item, (size_t)count + 1, sizeof *r->way.shapes.item))
    lim_program_raise(L, "shape", LIM_NO_MEMORY, &none);
  r->way.shapes.count = 0;
  for (int k = 0; k < count; k++) {
    const lim_shaping s = read_shape(L, k, type);
    r->way.shapes.item[r->way.shapes.count++] = s;
  }
  return 0;
}

// --- parts ---

static int held(const lim_program_result *p, const char *name) {
  int at = -1;
  for (int i = 0; i < p->grips.count; i++)
    if (!name || !strcmp(p->grips.item[i].name, name)) at = p->grips.item[i].take ? i : name ? -1 : at;
  if (name || at < 0) return at;
  for (int i = p->grips.count - 1; i >= 0; i--) { // the last that is still held
    const lim_grip *g = &p->grips.item[i];
    if (g->take && held(p, g->name) == i) return i;
  }
  return -1;
}

static void add_grip(lua_State *L, const char *command, lim_grip g) {
  lim_program *r = lim_program_of(L);
  lim_program_result *p = r->way.plan;
  lim_error none = {0};
  lim_grip *list = lim_arena_grow(&r->way.m->arena, p->grips.item, (size_t)p->grips.count, sizeof *list);
  if (!list) lim_program_raise(L, command, LIM_NO_MEMORY, &none);
  list[p->grips.count++] = g;
  p->grips.item = list;
}

// A frame that is known to exist.
static void find_spot(lua_State *L, lim_location *out, lim_model *m, const char *name) {
  lim_resolver v = {.m = m};
  const lim_head none = {0};
  lim_error out_of_memory = {0};
  *out = (lim_location){.ref = {.text = lim_arena_text(&m->arena, name, strlen(name)), .index = -1}};
  if (!out->ref.text) lim_program_raise(L, "grip", LIM_NO_MEMORY, &out_of_memory);
  lim_resolve_location(&v, &none, out);
}

// grip{name = "part", mass = 0.5, inertia = {..}, frame = "tip", xyz = {..}}
int lim_program_grip(lua_State *L) {
  static const char *const keys[] = {"name", "mass", "inertia", "frame", "xyz", NULL};
  lim_program *r = lim_program_of(L);
  lim_error none = {0};
  lim_program_keys(L, "grip", keys);
  lim_grip g = {.take = true, .line = lim_sandbox_line(L)};
  const char *name = lim_program_text(L, "name", "part"),
             *at = lim_program_text(L, "frame", r->way.s->site[r->way.s->tool].name);
  g.mass = lim_program_positive(L, "mass", -1);
  if (lua_getfield(L, 1, "inertia") != LUA_TNIL)
    lim_program_list(L, g.inertia, (int)lua_rawlen(L, -1) == 6 ? 6 : 3, "inertia");
  lua_pop(L, 1);
  lim_program_numbers(L, g.xyz, 3, "xyz");
  lim_program_site(L, r->way.s, "grip", at);
  find_spot(L, &g.at, r->way.m, at);
  if (g.at.link < 0) luaL_error(L, "grip: frame '%s' is fixed in the world", at);
  if (held(r->way.plan, name) >= 0) luaL_error(L, "grip: '%s' is already held", name);
  lim_program_stop(L, "grip");
  lim_program_note_table(L, "grip", keys);
  g.time = r->way.t;
  g.name = lim_arena_text(&r->way.m->arena, name, strlen(name));
  if (!g.name) lim_program_raise(L, "grip", LIM_NO_MEMORY, &none);
  add_grip(L, "grip", g);
  return 0;
}

// lim_program_release(), lim_program_release("part")
int lim_program_release(lua_State *L) {
  lim_program *r = lim_program_of(L);
  const char *name = luaL_optstring(L, 1, NULL);
  const int at = held(r->way.plan, name);
  if (at < 0 && name) luaL_error(L, "release: '%s' is not held", name);
  if (at < 0) luaL_error(L, "release: nothing is held");
  lim_program_stop(L, "release");
  lim_grip g = r->way.plan->grips.item[at];
  lim_program_note(L, "release", g.name);
  g.take = false;
  g.line = lim_sandbox_line(L);
  g.time = r->way.t;
  add_grip(L, "release", g);
  return 0;
}
