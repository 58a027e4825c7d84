// program.c - the commands of a robot program, as Lua sees them. Guide: docs/guide/programs.md.
//
// The program runs before anything is simulated. A command adds to an itinerary; what it is told last is what
// the arm is told, whatever it then does.
#include "base/sandbox.h"
#include "base/text.h"
#include "math/rotation.h"
#include "model/resolve.h"
#include "system/itinerary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_itinerary way;
  lim_pace speed, accel;
  double R[9], p[3]; // the frame in which places are given
  lim_error *err;
  lim_code code; // of a failure that is not the program's
} run;

enum { MOVE = 10000 }; // what a move counts in instructions: a program has so many of them, no more

static const lim_pace usual_speed = {1, 0.25, 0.25, 1}, usual_accel = {5, 1, 1, 5};

static run *run_of(lua_State *L) { return lua_touserdata(L, lua_upvalueindex(1)); }

// --- failures: what the library says becomes an error of the program, at its line ---

_Noreturn static void raise(lua_State *L, const char *command, lim_code code, lim_error *own) {
  run *r = run_of(L);
  if (code == LIM_NO_MEMORY) r->code = code;
  char text[600];
  snprintf(text, sizeof text, "%s: %s", command, own->kept ? own->note[0].text : "out of memory");
  lim_error_clear(own);
  luaL_where(L, 1);
  lua_pushstring(L, text);
  lua_concat(L, 2);
  while (true) lua_error(L); // does not return
}

static void expect(lua_State *L, const char *command, lim_code code, lim_error *own) {
  if (code != LIM_OK) raise(L, command, code, own);
  lim_error_clear(own);
}

// --- reading tables ---

static void check_number(lua_State *L, double x, const char *what) {
  if (!isfinite(x)) luaL_error(L, "'%s' is not a finite number", what);
}

// The number under a key of the table at index 1; `otherwise` where there is none.
static double number_at(lua_State *L, const char *key, double otherwise) {
  double x = otherwise;
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "'%s' must be a number, not a %s", key, luaL_typename(L, -1));
    x = lua_tonumber(L, -1);
    check_number(L, x, key);
  }
  lua_pop(L, 1);
  return x;
}

static double positive_at(lua_State *L, const char *key, double otherwise) {
  const double x = number_at(L, key, otherwise);
  if (!(x > 0)) luaL_error(L, "'%s' is %f, must be positive", key, x);
  return x;
}

// The n numbers of the list on the stack.
static void numbers(lua_State *L, double *x, int n, const char *what) {
  if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != n)
    luaL_error(L, "'%s' must be a list of %d numbers", what, n);
  for (int i = 0; i < n; i++) {
    if (lua_rawgeti(L, -1, i + 1) != LUA_TNUMBER) luaL_error(L, "'%s' must be a list of %d numbers", what, n);
    x[i] = lua_tonumber(L, -1);
    check_number(L, x[i], what);
    lua_pop(L, 1);
  }
}

static bool numbers_at(lua_State *L, double *x, int n, const char *key) {
  const bool there = lua_getfield(L, 1, key) != LUA_TNIL;
  if (there) numbers(L, x, n, key);
  lua_pop(L, 1);
  return there;
}

static const char *text_at(lua_State *L, const char *key, const char *otherwise) {
  const char *text = otherwise;
  if (lua_getfield(L, 1, key) != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'%s' must be a text", key);
    text = lua_tostring(L, -1);
  }
  lua_pop(L, 1); // the table keeps it
  return text;
}

// Every key of the table at index 1 is one of a list, ended by NULL.
static void check_keys(lua_State *L, const char *command, const char *const *known) {
  luaL_checktype(L, 1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *const *k = known;
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: its entries have names: %s{%s = ...}", command, command, *known);
    const char *name = lua_tostring(L, -2);
    lim_nearest near = lim_nearest_start(name);
    for (; *k && strcmp(*k, name) != 0; k++) lim_nearest_try(&near, *k);
    if (*k) continue;
    if (near.best) luaL_error(L, "%s: there is no '%s'; did you mean '%s'?", command, name, near.best);
    luaL_error(L, "%s: there is no '%s'", command, name);
  }
}

// --- trace ---

enum { TEXT = 240 };

static void add_value(lua_State *L, char text[TEXT]) {
  const size_t n = strlen(text);
  const int type = lua_type(L, -1);
  if (type == LUA_TNUMBER)
    snprintf(text + n, TEXT - n, "%.6g", lua_tonumber(L, -1));
  else if (type == LUA_TSTRING)
    snprintf(text + n, TEXT - n, "%s", lua_tostring(L, -1));
  else
    snprintf(text + n, TEXT - n, "%s", luaL_typename(L, -1));
}

// "key = value" of the table at index 1, where it has the key.
static void add_entry(lua_State *L, char text[TEXT], const char *key) {
  const int type = lua_getfield(L, 1, key);
  size_t n = strlen(text);
  if (type != LUA_TNIL) snprintf(text + n, TEXT - n, "%s%s = ", n ? ", " : "", key);
  if (type == LUA_TTABLE) {
    for (int i = 1; i <= 6 && lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
      n = strlen(text);
      snprintf(text + n, TEXT - n, "%s", i == 1 ? "{" : ", ");
      add_value(L, text);
    }
    lua_settop(L, lua_gettop(L) - (lua_type(L, -1) == LUA_TNIL));
    n = strlen(text);
    snprintf(text + n, TEXT - n, "}");
  } else if (type != LUA_TNIL) {
    add_value(L, text);
  }
  lua_pop(L, 1);
}

static void describe(lua_State *L, char text[TEXT], const char *const *keys) {
  text[0] = 0;
  for (; *keys; keys++) add_entry(L, text, *keys);
}

// An entry of the trace; every command counts as many instructions.
static int note(lua_State *L, const char *command, const char *text) {
  run *r = run_of(L);
  lim_sandbox_charge(L, 500);
  lim_error none = {0};
  const int entry = lim_itinerary_note(&r->way, lim_sandbox_line(L), command, text);
  if (entry < 0) raise(L, command, LIM_NO_MEMORY, &none);
  return entry;
}

static void note_table(lua_State *L, const char *command, const char *const *keys) {
  char text[TEXT];
  describe(L, text, keys);
  note(L, command, text);
}

// --- moves ---

// Joints stay within their limits at all points of a path.
static void check_limits(lua_State *L, const char *command, const lim_path *p, lim_itinerary *x) {
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_member *b = &x->s->member[i];
    const lim_joint *joint = &x->s->model->links.item[b->link].joint;
    if (b->q < 0 || !joint->limits.head.node) continue;
    for (int k = 0; k < p->n; k++) {
      const double q = p->x[(size_t)k * (size_t)p->rows + (size_t)b->q].value;
      const bool low = q<joint->limits.position[0] - 1e-9, high = q> joint->limits.position[1] + 1e-9;
      if (!low && !high) continue;
      char text[200];
      snprintf(text, sizeof text, "%s: joint '%s' would pass its limit of %g %s after %.0f %% of the move",
               command, joint->head.name, joint->limits.position[high], b->type == LIM_PRISMATIC ? "m" : "rad",
               100 * p->s[k] / fmax(lim_path_length(p), 1e-300));
      luaL_error(L, "%s", text);
    }
  }
}

// A path that Lua frees whatever happens.
static int free_path(lua_State *L) {
  lim_path_free(lua_touserdata(L, 1));
  return 0;
}

static lim_path *new_path(lua_State *L, int rows) {
  lim_path *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (lim_path){.rows = rows};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, free_path);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  return p;
}

static double blend_at(lua_State *L) {
  const double blend = number_at(L, "blend", 0);
  if (blend < 0) luaL_error(L, "'blend' is %f, must not be negative", blend);
  return blend;
}

// Add the path of a move, whose table is at index 1.
static int add_move(lua_State *L, const char *command, const char *text, lim_path *p, bool tool) {
  run *r = run_of(L);
  lim_error own = {0};
  lim_sandbox_charge(L, MOVE);
  check_limits(L, command, p, &r->way);
  lim_piece_of_path piece = {r->speed, r->accel, tool, note(L, command, text)};
  const double blend = blend_at(L);
  const lim_sample *end = p->x + (size_t)(p->n - 1) * (size_t)p->rows;
  for (int i = 0; i < p->rows; i++) r->way.q[i] = end[i].value;
  expect(L, command, lim_itinerary_add(&r->way, p, &piece, blend, &own), &own);
  lim_path_free(p);
  return 0;
}

static int body_of_joint(const lim_itinerary *x, const char *name, lim_nearest *near) {
  for (int i = 0; i < x->s->nbody; i++) {
    if (x->s->member[i].q < 0) continue;
    const char *joint = x->s->model->links.item[x->s->member[i].link].joint.head.name;
    if (!strcmp(joint, name)) return i;
    lim_nearest_try(near, joint);
  }
  return -1;
}

// Positions of the joints named in the table at index 1, into q.
static void read_joints(lua_State *L, const lim_itinerary *x, double *q) {
  luaL_checktype(L, 1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "movej: joints are given by name: movej{shoulder = 0.5}");
    const char *name = lua_tostring(L, -2);
    if (!strcmp(name, "blend")) continue;
    lim_nearest near = lim_nearest_start(name);
    const int body = body_of_joint(x, name, &near);
    if (body < 0 && near.best)
      luaL_error(L, "movej: there is no joint '%s'; did you mean '%s'?", name, near.best);
    if (body < 0) luaL_error(L, "movej: there is no joint '%s'", name);
    if (!x->commanded[body]) luaL_error(L, "movej: joint '%s' has no drive that takes a command", name);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "movej: '%s' must be a number, not a %s", name, luaL_typename(L, -1));
    q[x->s->member[body].q] = lua_tonumber(L, -1);
    check_number(L, lua_tonumber(L, -1), name);
  }
}

// Joints that follow by loops, at the end of a move.
static void close_loops(lua_State *L, const lim_itinerary *x, double *q) {
  lim_error own = {0};
  if (x->s->nrow) expect(L, "movej", lim_loops_close(x->s, q, x->q + x->s->n, &own), &own);
}

static int movej(lua_State *L) {
  enum { STEPS = 128 };
  lim_itinerary *x = &run_of(L)->way;
  const int n = x->s->n;
  char text[TEXT] = "";
  double *to = lua_newuserdatauv(L, (size_t)n * sizeof *to, 0), length = 0;
  lim_path *p = new_path(L, n);
  memcpy(to, x->q, (size_t)n * sizeof *to);
  read_joints(L, x, to);
  for (int i = 0; i < x->s->nbody; i++) {
    if (!x->commanded[i]) continue;
    length = fmax(length, fabs(to[x->s->member[i].q] - x->q[x->s->member[i].q]));
    add_entry(L, text, x->s->model->links.item[x->s->member[i].link].joint.head.name);
  }
  add_entry(L, text, "blend");
  if (!(length > 1e-12)) {
    note(L, "movej", text);
    return 0;
  }
  close_loops(L, x, to);
  for (int k = 0; k <= STEPS; k++) {
    lim_sample *at = lim_path_add(p, length * k / STEPS, x->piece.count);
    lim_error none = {0};
    if (!at) raise(L, "movej", LIM_NO_MEMORY, &none);
    for (int i = 0; i < n; i++)
      at[i] = (lim_sample){x->q[i] + (to[i] - x->q[i]) * k / STEPS, (to[i] - x->q[i]) / length, 0};
  }
  return add_move(L, "movej", text, p, false);
}

// --- moves of the tool ---

// Whether the tool keeps, or is told, its orientation: told, or by an arm with joints enough to do so.
static bool turns(lua_State *L, const run *r, bool told) {
  const char *word = text_at(L, "orientation", NULL);
  if (word && strcmp(word, "keep") != 0 && strcmp(word, "free") != 0)
    luaL_error(L, "'orientation' must be \"keep\" or \"free\", not \"%s\"", word);
  if (told && word && word[0] == 'f') luaL_error(L, "'rpy' gives an orientation that 'orientation' calls free");
  if (told || word) return told || word[0] == 'k';
  int joints = 0;
  for (int i = r->way.reach.tool.body; i >= 0; i = r->way.s->parent[i]) joints += r->way.commanded[i];
  return joints >= (r->way.s->model->planar == LIM_SPATIAL ? 6 : 3);
}

// From the frame in which places are given into the world.
static void into_world(double out[3], const run *r, const double x[3]) {
  lim_rotate(out, r->R, x);
  for (int i = 0; i < 3; i++) out[i] += r->p[i];
}

static bool read_rpy(lua_State *L, const run *r, double R[9]) {
  double rpy[3], own[9];
  if (!numbers_at(L, rpy, 3, "rpy")) return false;
  lim_rotation_rpy(own, rpy);
  lim_mat3_product(R, r->R, own);
  return true;
}

static void cannot_follow(lua_State *L, const char *command, run *r, const lim_way *way, lim_followed how) {
  lim_reach *reach = &r->way.reach;
  double *q = lua_newuserdatauv(L, (size_t)r->way.s->n * sizeof *q, 0);
  lim_motion_in_world goal = lim_way_at(way, way->length);
  memcpy(q, r->way.q, (size_t)r->way.s->n * sizeof *q);
  const lim_left left = lim_reach_pose(reach, q, goal.p, goal.R);
  const bool there = left.distance < 1e-9 * reach->size && left.angle < 1e-9;
  char text[400], end[120];
  if (there)
    snprintf(end, sizeof end, "its end is in reach, but not along this way");
  else
    snprintf(end, sizeof end, "%.3g m%s are left to its end", left.distance,
             left.angle > 1e-9 ? " and a turn" : "");
  if (left.angle > 1e-9 && !there)
    snprintf(end, sizeof end, "%.3g m and %.3g rad are left to its end", left.distance, left.angle);
  snprintf(text, sizeof text, "%s: the tool cannot follow its way beyond %.3g of %.3g %s%s; %s", command,
           how.done, way->length, lim_way_turns_only(way) ? "rad" : "m",
           how.singular ? " (a singular position of the arm)" : ", out of reach", end);
  luaL_error(L, "%s", text);
}

// Of a planar arm: no way leads out of its plane.
static void check_plane(lua_State *L, const char *command, const run *r, const lim_way *way) {
  static const int across[] = {-1, 2, 1, 0}; // lim_plane
  const int axis = across[r->way.s->model->planar];
  for (int k = 1; k <= 4 && axis >= 0; k++)
    if (fabs(lim_way_at(way, way->length * k / 4).p[axis] - way->p[axis]) > 1e-9 * r->way.reach.size)
      luaL_error(L, "%s: the way leads out of the plane of the arm", command);
}

static int move_tool(lua_State *L, const char *command, const char *const *keys, const lim_way *way,
                     bool turning) {
  char text[TEXT];
  run *r = run_of(L);
  lim_itinerary *x = &r->way;
  lim_error own = {0};
  describe(L, text, keys);
  if (!(way->length > 1e-12)) {
    note(L, command, text);
    return 0;
  }
  check_plane(L, command, r, way);
  lim_path *p = new_path(L, x->s->n);
  double *q = lua_newuserdatauv(L, (size_t)x->s->n * sizeof *q, 0);
  lim_followed how;
  bool arrived = false;
  memcpy(q, x->q, (size_t)x->s->n * sizeof *q);
  x->reach.turns = turning;
  expect(L, command, lim_reach_follow(p, &arrived, &how, &x->reach, q, way, x->piece.count, &own), &own);
  if (!arrived) cannot_follow(L, command, r, way, how);
  return add_move(L, command, text, p, true);
}

static int movel(lua_State *L) {
  static const char *const keys[] = {"x", "y", "z", "rpy", "orientation", "blend", NULL};
  run *r = run_of(L);
  check_keys(L, "movel", keys);
  const lim_motion_in_world at = lim_reach_tool(&r->way.reach, r->way.q, NULL, NULL);
  double here[3], moved[3], to[3], R[9];
  for (int i = 0; i < 3; i++) moved[i] = at.p[i] - r->p[i];
  lim_rotate_back(here, r->R, moved);
  for (int i = 0; i < 3; i++) here[i] = number_at(L, keys[i], here[i]);
  into_world(to, r, here);
  const bool told = read_rpy(L, r, R), turning = turns(L, r, told);
  const lim_way way = lim_way_straight(at.p, at.R, to, told ? R : NULL);
  return move_tool(L, "movel", keys, &way, turning);
}

static int movec(lua_State *L) {
  static const char *const keys[] = {"via", "to", "rpy", "orientation", "blend", NULL};
  run *r = run_of(L);
  check_keys(L, "movec", keys);
  const lim_motion_in_world at = lim_reach_tool(&r->way.reach, r->way.q, NULL, NULL);
  double via[3], to[3], own[3], R[9];
  if (!numbers_at(L, own, 3, "via"))
    return luaL_error(L, "movec: 'via' is missing: a place {x, y, z} on the circle");
  into_world(via, r, own);
  if (!numbers_at(L, own, 3, "to"))
    return luaL_error(L, "movec: 'to' is missing: where the arc ends, {x, y, z}");
  into_world(to, r, own);
  const bool told = read_rpy(L, r, R), turning = turns(L, r, told);
  lim_way way;
  if (!lim_way_round(&way, at.p, at.R, via, to, told ? R : NULL))
    luaL_error(L, "movec: the tool, 'via' and 'to' lie on a line; use movel");
  return move_tool(L, "movec", keys, &way, turning);
}

// --- settings ---

static int set_pace(lua_State *L, const char *command, lim_pace *pace) {
  static const char *const keys[] = {"joint", "slide", "linear", "angular", NULL};
  check_keys(L, command, keys);
  note_table(L, command, keys);
  pace->joint = positive_at(L, "joint", pace->joint);
  pace->slide = positive_at(L, "slide", pace->slide);
  pace->linear = positive_at(L, "linear", pace->linear);
  pace->angular = positive_at(L, "angular", pace->angular);
  return 0;
}

static int speed(lua_State *L) { return set_pace(L, "speed", &run_of(L)->speed); }
static int accel(lua_State *L) { return set_pace(L, "accel", &run_of(L)->accel); }

static void stop(lua_State *L, const char *command) {
  lim_error own = {0};
  expect(L, command, lim_itinerary_stop(&run_of(L)->way, &own), &own);
}

static int wait(lua_State *L) {
  run *r = run_of(L);
  const double T = luaL_checknumber(L, 1);
  if (!(T >= 0) || isinf(T)) luaL_error(L, "wait: %f s is no time to wait", T);
  stop(L, "wait");
  char text[40];
  snprintf(text, sizeof text, "%g", T);
  const int entry = note(L, "wait", text);
  r->way.t += T;
  r->way.plan->trace.item[entry].to = r->way.t;
  return 0;
}

// A frame of the model by its name.
static const lim_named_site *site_of(lua_State *L, const lim_system *s, const char *command, const char *name) {
  lim_nearest near = lim_nearest_start(name);
  for (int i = 0; i < s->nsite; i++) {
    if (!strcmp(s->site[i].name, name)) return &s->site[i];
    lim_nearest_try(&near, s->site[i].name);
  }
  if (near.best) luaL_error(L, "%s: there is no frame '%s'; did you mean '%s'?", command, name, near.best);
  luaL_error(L, "%s: there is no frame '%s'", command, name);
  return NULL;
}

// tool("gripper"), tool{frame = "tip", xyz = {..}, rpy = {..}}
static int tool(lua_State *L) {
  static const char *const keys[] = {"frame", "xyz", "rpy", NULL};
  run *r = run_of(L);
  double xyz[3] = {0}, rpy[3] = {0}, turn[9];
  const bool named = lua_type(L, 1) == LUA_TSTRING;
  if (!named) check_keys(L, "tool", keys);
  const char *name = named ? lua_tostring(L, 1) : text_at(L, "frame", "tip");
  lim_site site = site_of(L, r->way.s, "tool", name)->site;
  if (site.body < 0) luaL_error(L, "tool: frame '%s' is fixed in the world", name);
  if (!named) numbers_at(L, xyz, 3, "xyz");
  if (!named) numbers_at(L, rpy, 3, "rpy");
  stop(L, "tool");
  if (named)
    note(L, "tool", name);
  else
    note_table(L, "tool", keys);
  lim_rotation_rpy(turn, rpy);
  lim_frame_move(site.Rc, site.c, xyz, turn);
  r->way.reach.tool = site;
  return 0;
}

// frame("table"), frame{xyz = {..}, rpy = {..}}, frame("base")
static int frame(lua_State *L) {
  static const char *const keys[] = {"xyz", "rpy", NULL};
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  run *r = run_of(L);
  double xyz[3] = {0}, rpy[3] = {0}, R[9];
  if (lua_type(L, 1) == LUA_TSTRING) {
    const char *name = lua_tostring(L, 1);
    note(L, "frame", name);
    memcpy(R, unit, sizeof unit);
    if (strcmp(name, "base") != 0) {
      const lim_site *site = &site_of(L, r->way.s, "frame", name)->site;
      if (site->body >= 0)
        luaL_error(L, "frame: '%s' moves with the arm; places are given in a frame at rest", name);
      memcpy(R, site->Rc, sizeof R);
      memcpy(xyz, site->c, sizeof xyz);
    }
  } else {
    check_keys(L, "frame", keys);
    note_table(L, "frame", keys);
    numbers_at(L, xyz, 3, "xyz");
    numbers_at(L, rpy, 3, "rpy");
    lim_rotation_rpy(R, rpy);
  }
  memcpy(r->R, R, sizeof R);
  memcpy(r->p, xyz, sizeof xyz);
  return 0;
}

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
  s.tolerance = number_at(L, "tolerance", 0.05);
  if (!(s.tolerance >= 0 && s.tolerance <= 0.5)) luaL_error(L, "shape: the tolerance must be 0 to 0.5");
  return s;
}

// shape{type = "zvd", mode = 1}, shape{frequency = {3, 12}, damping = 0.01}, shape{type = "none"}
static int shape(lua_State *L) {
  static const char *const keys[] = {"type", "mode", "frequency", "damping", "tolerance", NULL};
  static const char *const types[] = {"zv", "zvd", "ei", "none", NULL};
  run *r = run_of(L);
  check_keys(L, "shape", keys);
  const char *word = text_at(L, "type", "zvd");
  int type = 0;
  while (types[type] && strcmp(types[type], word) != 0) type++;
  if (!types[type]) luaL_error(L, "shape: type \"%s\" is none of \"zv\", \"zvd\", \"ei\", \"none\"", word);
  double unused;
  const int modes = list_at(L, "mode", 0, &unused), frequencies = list_at(L, "frequency", 0, &unused);
  if (type < 3 && !modes == !frequencies) luaL_error(L, "shape: give either 'mode' or 'frequency'");
  const int count = type == 3 ? 0 : modes + frequencies;
  stop(L, "shape");
  note_table(L, "shape", keys);
  lim_error none = {0};
  lim_shaping *list = realloc(r->way.shapes.item, ((size_t)count + 1) * sizeof *list);
  if (!list) raise(L, "shape", LIM_NO_MEMORY, &none);
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
  run *r = run_of(L);
  lim_plan *p = r->way.plan;
  lim_error none = {0};
  lim_grip *list = lim_arena_array(&r->way.m->arena, (size_t)p->grips.count + 1, sizeof *list);
  if (!list) raise(L, command, LIM_NO_MEMORY, &none);
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
  if (!out->ref.text) raise(L, "grip", LIM_NO_MEMORY, &out_of_memory);
  lim_resolve_spot(&v, &none, out);
}

// grip{name = "part", mass = 0.5, inertia = {..}, frame = "tip", xyz = {..}}
static int grip(lua_State *L) {
  static const char *const keys[] = {"name", "mass", "inertia", "frame", "xyz", NULL};
  run *r = run_of(L);
  lim_error none = {0};
  check_keys(L, "grip", keys);
  lim_grip g = {.take = true, .line = lim_sandbox_line(L)};
  const char *name = text_at(L, "name", "part"), *at = text_at(L, "frame", "tip");
  g.mass = positive_at(L, "mass", -1);
  if (lua_getfield(L, 1, "inertia") != LUA_TNIL)
    numbers(L, g.inertia, (int)lua_rawlen(L, -1) == 6 ? 6 : 3, "inertia");
  lua_pop(L, 1);
  numbers_at(L, g.xyz, 3, "xyz");
  site_of(L, r->way.s, "grip", at);
  find_spot(L, &g.at, r->way.m, at);
  if (g.at.link < 0) luaL_error(L, "grip: frame '%s' is fixed in the world", at);
  if (held(r->way.plan, name) >= 0) luaL_error(L, "grip: '%s' is already held", name);
  stop(L, "grip");
  note_table(L, "grip", keys);
  g.time = r->way.t;
  g.name = lim_arena_text(&r->way.m->arena, name, strlen(name));
  if (!g.name) raise(L, "grip", LIM_NO_MEMORY, &none);
  add_grip(L, "grip", g);
  return 0;
}

// release(), release("part")
static int release(lua_State *L) {
  run *r = run_of(L);
  const char *name = luaL_optstring(L, 1, NULL);
  const int at = held(r->way.plan, name);
  if (at < 0 && name) luaL_error(L, "release: '%s' is not held", name);
  if (at < 0) luaL_error(L, "release: nothing is held");
  stop(L, "release");
  lim_grip g = r->way.plan->grips.item[at];
  note(L, "release", g.name);
  g.take = false;
  g.line = lim_sandbox_line(L);
  g.time = r->way.t;
  add_grip(L, "release", g);
  return 0;
}

// --- questions ---

static int joints(lua_State *L) {
  const lim_itinerary *x = &run_of(L)->way;
  lua_newtable(L);
  for (int i = 0; i < x->s->nbody; i++) {
    if (!x->commanded[i]) continue;
    lua_pushnumber(L, x->q[x->s->member[i].q]);
    lua_setfield(L, -2, x->s->model->links.item[x->s->member[i].link].joint.head.name);
  }
  return 1;
}

static int pose(lua_State *L) {
  static const char *const name[] = {"x", "y", "z"};
  run *r = run_of(L);
  const lim_motion_in_world at = lim_reach_tool(&r->way.reach, r->way.q, NULL, NULL);
  double moved[3], here[3];
  for (int i = 0; i < 3; i++) moved[i] = at.p[i] - r->p[i];
  lim_rotate_back(here, r->R, moved);
  lua_newtable(L);
  for (int i = 0; i < 3; i++) {
    lua_pushnumber(L, here[i]);
    lua_setfield(L, -2, name[i]);
  }
  return 1;
}

static int now(lua_State *L) {
  stop(L, "now");
  lua_pushnumber(L, run_of(L)->way.t);
  return 1;
}

static const luaL_Reg commands[] = {
    {"movej", movej},     {"movel", movel},   {"movec", movec}, {"wait", wait},   {"speed", speed},
    {"accel", accel},     {"tool", tool},     {"frame", frame}, {"shape", shape}, {"grip", grip},
    {"release", release}, {"joints", joints}, {"pose", pose},   {"now", now},     {NULL, NULL},
};

// --- running ---

// Printed text goes into files: what is not printable ASCII, or UTF-8, is left out.
static void clean(char *out, const char *text, size_t size) {
  const bool utf8 = lim_yaml_check_text(text, strlen(text), "", NULL) == LIM_OK;
  size_t n = 0;
  for (; *text && n + 1 < size; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '\n' || c == '\t')
      out[n++] = ' ';
    else if (c < 0x20 || c == 0x7f || (c >= 0x80 && !utf8))
      out[n++] = '?';
    else
      out[n++] = *text;
  }
  out[n] = 0;
}

static void print(void *user, int line, const char *text) {
  run *r = user;
  char *copy = malloc(strlen(text) + 1);
  if (copy) clean(copy, text, strlen(text) + 1);
  if (!copy || lim_itinerary_note(&r->way, line, "print", copy) < 0) r->code = LIM_NO_MEMORY;
  free(copy);
}

// The program's path: relative to the model file. In the model's arena.
static const char *path_of(lim_model *m, const char *directory) {
  const char *file = m->program;
  if (file[0] == '/' || !directory || !strcmp(directory, ".")) return file;
  const size_t size = strlen(directory) + strlen(file) + 2;
  char *path = lim_arena_take(&m->arena, size);
  if (path) snprintf(path, size, "%s/%s", directory, file);
  return path;
}

static lim_code check_model(const lim_model *m, lim_error *err) {
  const lim_node *at = lim_tree_get(m->head.node, "program");
  if (m->motion.count)
    return lim_tree_error(err, m->motion.item[0].head.node ? m->motion.item[0].head.node : at,
                          "motion '%s': a model has motions or a program, not both",
                          m->motion.item[0].head.name);
  return LIM_OK;
}

static lim_code execute(run *r, const char *path, lim_error *err) {
  const lim_plan_setup *from = r->way.setup;
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const lim_sandbox_setup limits = {.instructions = 2e7, .print = print, .user = r};
  lim_sandbox *box = NULL;
  r->speed = usual_speed;
  r->accel = usual_accel;
  memcpy(r->R, unit, sizeof unit);
  lim_code code = lim_sandbox_new(&box, &limits, err);
  if (code == LIM_OK) code = lim_sandbox_offer(box, commands, r, err);
  if (code == LIM_OK)
    code = from->text ? lim_sandbox_text(box, path, from->text, from->length, err)
                      : lim_sandbox_load(box, path, err);
  if (code == LIM_OK) code = lim_sandbox_call(box, 0, 0, err);
  lim_sandbox_free(box);
  return code == LIM_BAD_INPUT && r->code != LIM_OK ? r->code : code;
}

lim_code lim_program_run(lim_model *m, const lim_plan_setup *setup, lim_error *err) {
  run r = {.err = err};
  const char *path = path_of(m, setup->directory);
  lim_code code = path ? check_model(m, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) code = lim_itinerary_begin(&r.way, m, setup, err);
  if (code == LIM_OK) {
    r.way.plan->file = m->program;
    code = execute(&r, path, err);
  }
  if (code == LIM_OK) code = lim_itinerary_stop(&r.way, err);
  if (code == LIM_OK) code = lim_itinerary_finish(&r.way, err);
  lim_itinerary_end(&r.way);
  return code;
}
