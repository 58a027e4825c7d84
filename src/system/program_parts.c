// program_parts.c - shape, grip, release: how moves are shaped, and what the arm holds. Theory:
// docs/theory/programs.md.
#include "model/resolve.h"
#include "system/program.h"

#include <math.h>
#include <stdlib.h>
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
  s.tolerance = lim_script_number(L, "tolerance", 0.05);
  if (!(s.tolerance >= 0 && s.tolerance <= 0.5)) luaL_error(L, "shape: the tolerance must be 0 to 0.5");
  return s;
}

// shape{type = "zvd", mode = 1}, shape{frequency = {3, 12}, damping = 0.01}, shape{type = "none"}
int lim_script_shape(lua_State *L) {
  static const char *const keys[] = {"type", "mode", "frequency", "damping", "tolerance", NULL};
  static const char *const types[] = {"zv", "zvd", "ei", "none", NULL};
  lim_script *r = lim_script_of(L);
  lim_script_keys(L, "shape", keys);
  const char *word = lim_script_text(L, "type", "zvd");
  int type = 0;
  while (types[type] && strcmp(types[type], word) != 0) type++;
  if (!types[type]) luaL_error(L, "shape: type \"%s\" is none of \"zv\", \"zvd\", \"ei\", \"none\"", word);
  double unused;
  const int modes = list_at(L, "mode", 0, &unused), frequencies = list_at(L, "frequency", 0, &unused);
  if (type < 3 && !modes == !frequencies) luaL_error(L, "shape: give either 'mode' or 'frequency'");
  const int count = type == 3 ? 0 : modes + frequencies;
  lim_script_stop(L, "shape");
  lim_script_note_table(L, "shape", keys);
  lim_error none = {0};
  lim_shaping *list = realloc(r->way.shapes.item, ((size_t)count + 1) * sizeof *list);
  if (!list) lim_script_raise(L, "shape", LIM_NO_MEMORY, &none);
  r->way.shapes.item = list;
  r->way.shapes.count = 0;
  for (int k = 0; k < count; k++) {
    const lim_shaping s = read_shape(L, k, type);
    r->way.shapes.item[r->way.shapes.count++] = s;
  }
  return 0;
}

// --- parts ---

static int held(const lim_plan *p, const char *name) {
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
  lim_script *r = lim_script_of(L);
  lim_plan *p = r->way.plan;
  lim_error none = {0};
  lim_grip *list = lim_arena_array(&r->way.m->arena, (size_t)p->grips.count + 1, sizeof *list);
  if (!list) lim_script_raise(L, command, LIM_NO_MEMORY, &none);
  if (p->grips.count) memcpy(list, p->grips.item, (size_t)p->grips.count * sizeof *list);
  list[p->grips.count++] = g;
  p->grips.item = list;
}

// A frame that is known to exist.
static void find_spot(lua_State *L, lim_spot *out, lim_model *m, const char *name) {
  lim_resolver v = {.m = m};
  const lim_head none = {0};
  lim_error out_of_memory = {0};
  *out = (lim_spot){.ref = {.text = lim_arena_text(&m->arena, name, strlen(name)), .index = -1}};
  if (!out->ref.text) lim_script_raise(L, "grip", LIM_NO_MEMORY, &out_of_memory);
  lim_resolve_spot(&v, &none, out);
}

// grip{name = "part", mass = 0.5, inertia = {..}, frame = "tip", xyz = {..}}
int lim_script_grip(lua_State *L) {
  static const char *const keys[] = {"name", "mass", "inertia", "frame", "xyz", NULL};
  lim_script *r = lim_script_of(L);
  lim_error none = {0};
  lim_script_keys(L, "grip", keys);
  lim_grip g = {.take = true, .line = lim_sandbox_line(L)};
  const char *name = lim_script_text(L, "name", "part"), *at = lim_script_text(L, "frame", "tip");
  g.mass = lim_script_positive(L, "mass", -1);
  if (lua_getfield(L, 1, "inertia") != LUA_TNIL)
    lim_script_list(L, g.inertia, (int)lua_rawlen(L, -1) == 6 ? 6 : 3, "inertia");
  lua_pop(L, 1);
  lim_script_numbers(L, g.xyz, 3, "xyz");
  lim_script_site(L, r->way.s, "grip", at);
  find_spot(L, &g.at, r->way.m, at);
  if (g.at.link < 0) luaL_error(L, "grip: frame '%s' is fixed in the world", at);
  if (held(r->way.plan, name) >= 0) luaL_error(L, "grip: '%s' is already held", name);
  lim_script_stop(L, "grip");
  lim_script_note_table(L, "grip", keys);
  g.time = r->way.t;
  g.name = lim_arena_text(&r->way.m->arena, name, strlen(name));
  if (!g.name) lim_script_raise(L, "grip", LIM_NO_MEMORY, &none);
  add_grip(L, "grip", g);
  return 0;
}

// lim_script_release(), lim_script_release("part")
int lim_script_release(lua_State *L) {
  lim_script *r = lim_script_of(L);
  const char *name = luaL_optstring(L, 1, NULL);
  const int at = held(r->way.plan, name);
  if (at < 0 && name) luaL_error(L, "release: '%s' is not held", name);
  if (at < 0) luaL_error(L, "release: nothing is held");
  lim_script_stop(L, "release");
  lim_grip g = r->way.plan->grips.item[at];
  lim_script_note(L, "release", g.name);
  g.take = false;
  g.line = lim_sandbox_line(L);
  g.time = r->way.t;
  add_grip(L, "release", g);
  return 0;
}
