// program.c - a robot program: its commands as Lua sees them, and its run. Guide: docs/guide/programs.md.
//
// The program runs before anything is simulated. A command adds to an schedule; what it comes to is what the
// arm is told, whatever it then does.
#include "program/program.h"

#include "base/text.h"
#include "math/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lim_pace usual_speed = {1, 0.25, 0.25, 1}, usual_accel = {5, 1, 1, 5};

// --- settings ---

static int set_pace(lua_State *L, const char *command, lim_pace *pace) {
  static const char *const keys[] = {"joint", "slide", "linear", "angular", NULL};
  lim_program_keys(L, command, keys);
  lim_program_note_table(L, command, keys);
  pace->joint = lim_program_positive(L, "joint", pace->joint);
  pace->slide = lim_program_positive(L, "slide", pace->slide);
  pace->linear = lim_program_positive(L, "linear", pace->linear);
  pace->angular = lim_program_positive(L, "angular", pace->angular);
  return 0;
}

static int speed(lua_State *L) { return set_pace(L, "speed", &lim_program_of(L)->speed); }
static int accel(lua_State *L) { return set_pace(L, "accel", &lim_program_of(L)->accel); }

static const double LONGEST = 1e9; // of a program [s]

static int wait(lua_State *L) {
  lim_program *r = lim_program_of(L);
  const double T = luaL_checknumber(L, 1);
  if (!(T >= 0) || isinf(T)) luaL_error(L, "wait: %f s is no time to wait", T);
  lim_program_stop(L, "wait");
  if (r->way.t + T > LONGEST)
    luaL_error(L, "wait: the program would last %f s, must be at most 1e9 s", r->way.t + T);
  char text[40];
  snprintf(text, sizeof text, "%g", T);
  const int entry = lim_program_note(L, "wait", text);
  r->way.t += T;
  r->way.plan->trace.item[entry].to = r->way.t;
  return 0;
}

// tool("gripper"), tool{frame = "tip", xyz = {..}, rpy = {..}}
static int tool(lua_State *L) {
  static const char *const keys[] = {"frame", "xyz", "rpy", NULL};
  lim_program *r = lim_program_of(L);
  double xyz[3] = {0}, rpy[3] = {0}, turn[9];
  const bool named = lua_type(L, 1) == LUA_TSTRING;
  if (!named) lim_program_keys(L, "tool", keys);
  const char *name =
      named ? lua_tostring(L, 1) : lim_program_text(L, "frame", r->way.s->site[r->way.s->tool].name);
  lim_site site = lim_program_site(L, r->way.s, "tool", name)->site;
  if (site.body < 0) luaL_error(L, "tool: frame '%s' is fixed in the world", name);
  if (!named) lim_program_numbers(L, xyz, 3, "xyz");
  if (!named) lim_program_numbers(L, rpy, 3, "rpy");
  lim_program_stop(L, "tool");
  if (named)
    lim_program_note(L, "tool", name);
  else
    lim_program_note_table(L, "tool", keys);
  lim_rotation_rpy(turn, rpy);
  lim_frame_move(site.Rc, site.c, xyz, turn);
  r->way.follower.tool = site;
  return 0;
}

// frame("table"), frame{xyz = {..}, rpy = {..}}, frame("base")
static int frame(lua_State *L) {
  static const char *const keys[] = {"xyz", "rpy", NULL};
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  lim_program *r = lim_program_of(L);
  double xyz[3] = {0}, rpy[3] = {0}, R[9];
  if (lua_type(L, 1) == LUA_TSTRING) {
    const char *name = lua_tostring(L, 1);
    lim_program_note(L, "frame", name);
    memcpy(R, unit, sizeof unit);
    if (strcmp(name, "base") != 0) {
      const lim_site *site = &lim_program_site(L, r->way.s, "frame", name)->site;
      if (site->body >= 0)
        luaL_error(L, "frame: '%s' moves with the arm; places are given in a frame at rest", name);
      memcpy(R, site->Rc, sizeof R);
      memcpy(xyz, site->c, sizeof xyz);
    }
  } else {
    lim_program_keys(L, "frame", keys);
    lim_program_note_table(L, "frame", keys);
    lim_program_numbers(L, xyz, 3, "xyz");
    lim_program_numbers(L, rpy, 3, "rpy");
    lim_rotation_rpy(R, rpy);
  }
  memcpy(r->R, R, sizeof R);
  memcpy(r->p, xyz, sizeof xyz);
  return 0;
}
// --- questions ---

static int joints(lua_State *L) {
  const lim_schedule *x = &lim_program_of(L)->way;
  lua_newtable(L);
  for (int i = 0; i < x->s->nbody; i++) {
    if (!x->commanded[i]) continue;
    lua_pushnumber(L, x->q[x->s->bodies[i].q]);
    lua_setfield(L, -2, x->s->model->links.item[x->s->bodies[i].link].joint.head.name);
  }
  return 1;
}

static int pose(lua_State *L) {
  static const char *const name[] = {"x", "y", "z"};
  lim_program *r = lim_program_of(L);
  const lim_world_motion at = lim_follower_tool(&r->way.follower, r->way.q, NULL, NULL);
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
  lim_program_stop(L, "now");
  lua_pushnumber(L, lim_program_of(L)->way.t);
  return 1;
}
static const luaL_Reg commands[] = {
    {"movej", lim_program_movej},
    {"movel", lim_program_movel},
    {"movec", lim_program_movec},
    {"wait", wait},
    {"speed", speed},
    {"accel", accel},
    {"tool", tool},
    {"frame", frame},
    {"hold", lim_program_hold},
    {"shape", lim_program_shape},
    {"grip", lim_program_grip},
    {"release", lim_program_release},
    {"joints", joints},
    {"pose", pose},
    {"now", now},
    {NULL, NULL},
};

// --- running ---

static void print(void *user, int line, const char *text) {
  lim_program *r = user;
  char *copy = strdup(text); // goes into files and onto the screen
  if (copy) lim_text_clean(copy);
  if (!copy || lim_schedule_note(&r->way, line, "print", copy) < 0) r->code = LIM_NO_MEMORY;
  free(copy);
}

// The program's path: relative to the model file. In the model's arena.
static const char *path_of(lim_model *m, const char *directory) {
  const char *file = m->program;
  if (file[0] == '/' || !directory || !strcmp(directory, ".")) return file;
  const size_t size = strlen(directory) + strlen(file) + 2;
  char *path = lim_arena_allocate(&m->arena, size);
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

static lim_code execute(lim_program *r, const char *path, lim_error *err) {
  const lim_program_setup *from = r->way.setup;
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const lim_sandbox_setup limits = {
      .instructions = from->instructions > 0 ? from->instructions : 2e7, .print = print, .user = r};
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

// What is wrong with a last move that waits for another is said at its line.
static lim_code stop_at_the_end(lim_program *r, const char *path, lim_error *err) {
  lim_error own = {0};
  const lim_code code = lim_schedule_stop(&r->way, &own);
  const int count = r->way.plan->trace.count;
  if (code != LIM_OK)
    lim_error_add(err, code, path, count ? r->way.plan->trace.item[count - 1].line : 0, 0, "%s",
                  own.kept ? own.note[0].text : lim_code_text(LIM_NO_MEMORY));
  lim_error_clear(&own);
  if (code == LIM_OK && !(r->way.t <= LONGEST))
    return lim_error_add(err, LIM_BAD_INPUT, path, 0, 0, "the program lasts %g s, must be at most %g s",
                         r->way.t, LONGEST);
  return code;
}

lim_code lim_program_run(lim_model *m, const lim_program_setup *setup, lim_error *err) {
  lim_program r = {.code = LIM_OK, .err = err};
  const char *path = path_of(m, setup->directory);
  lim_code code = path ? check_model(m, err) : lim_no_memory(err);
  if (code == LIM_OK) code = lim_model_check_files(m, setup->directory, err);
  if (code == LIM_OK) code = lim_schedule_begin(&r.way, m, setup, err);
  if (code == LIM_OK) {
    r.way.plan->file = m->program;
    code = execute(&r, path, err);
  }
  if (code == LIM_OK) code = stop_at_the_end(&r, path, err);
  if (code == LIM_OK) code = lim_schedule_finish(&r.way, err);
  lim_schedule_end(&r.way);
  return code;
}
