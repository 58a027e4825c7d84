// moves.c - movej, movel, movec: from targets to paths of the joints. Theory: docs/theory/programs.md.
#include "dynamics/loop_closing.h"
#include "math/rotation.h"
#include "program/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What a move counts in instructions: a program has so many of them, no more; and one that cannot be made,
// which takes as long to find out.
enum { MOVE = 10000, FAILED = 400000 };

// --- moves ---

// Joints stay within their limits at all points of a path.
static void check_limits(lua_State *L, const char *command, const lim_path *p, lim_schedule *x) {
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    const lim_joint *joint = &x->s->model->links.item[b->link].joint;
    if (b->q < 0 || !joint->limits.head.node) continue;
    for (int k = 0; k < p->n; k++) {
      const double q = p->x[(size_t)k * (size_t)p->rows + (size_t)b->q].value;
      const bool low = q<joint->limits.position[0] - 1e-9, high = q> joint->limits.position[1] + 1e-9;
      if (!low && !high) continue;
      char text[200];
      snprintf(text, sizeof text, "%s: joint '%s' would pass its limit of %g %s after %.0f %% of the move",
               command, joint->head.name, joint->limits.position[high], b->screw.slides ? "m" : "rad",
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
  const double blend = lim_program_number(L, "blend", 0);
  if (blend < 0) luaL_error(L, "'blend' is %f, must not be negative", blend);
  return blend;
}

// Add the path of a move, whose table is at index 1.
static int add_move(lua_State *L, const char *command, const char *text, lim_path *p, bool tool) {
  lim_program *r = lim_program_of(L);
  lim_error own = {0};
  lim_sandbox_charge(L, MOVE);
  check_limits(L, command, p, &r->way);
  const double blend = blend_at(L), duration = lim_program_number(L, "duration", NAN);
  if (duration <= 0) luaL_error(L, "'duration' is %f, must be positive", duration);
  if (!isnan(duration) && (blend > 0 || r->way.piece.count))
    luaL_error(L, "'duration' is for moves that begin and end with a stop");
  lim_piece_of_path piece = {r->speed, r->accel, tool, lim_program_note(L, command, text), duration};
  const lim_sample *end = p->x + (size_t)(p->n - 1) * (size_t)p->rows;
  for (int i = 0; i < p->rows; i++) r->way.q[i] = end[i].value;
  lim_program_expect(L, command, lim_schedule_add(&r->way, p, &piece, blend, &own), &own);
  lim_path_free(p);
  return 0;
}

// --- poses ---

// Joints that can move the tool, and how many it takes to turn it at will.
static int joints_of_tool(const lim_program *r) {
  int joints = 0;
  for (int i = 0; i < r->way.s->nbody; i++)
    joints += r->way.follower.joined[i] && r->way.commanded[i] && !r->way.held[i];
  return joints;
}

static int joints_of_pose(const lim_program *r) { return r->way.s->model->planar == LIM_SPATIAL ? 6 : 3; }

// Whether the tool keeps, or is told, its orientation: told, or by an arm with joints enough to do so.
static bool turns(lua_State *L, const lim_program *r, bool told) {
  const char *word = lim_program_text(L, "orientation", NULL);
  if (word && strcmp(word, "keep") != 0 && strcmp(word, "free") != 0)
    luaL_error(L, "'orientation' must be \"keep\" or \"free\", not \"%s\"", word);
  if (told && word && word[0] == 'f') luaL_error(L, "'rpy' gives an orientation that 'orientation' calls free");
  if (told || word) return told || word[0] == 'k';
  return joints_of_tool(r) >= joints_of_pose(r);
}

// From the frame in which places are given into the world.
static void into_world(double out[3], const lim_program *r, const double x[3]) {
  lim_rotate(out, r->R, x);
  for (int i = 0; i < 3; i++) out[i] += r->p[i];
}

static bool read_rpy(lua_State *L, const lim_program *r, double R[9]) {
  double rpy[3], own[9];
  if (!lim_program_numbers(L, rpy, 3, "rpy")) return false;
  lim_rotation_rpy(own, rpy);
  lim_mat3_product(R, r->R, own);
  return true;
}

// --- joints ---

static int body_of_joint(const lim_schedule *x, const char *name, lim_choice *choice) {
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_joint *of = &x->s->model->links.item[x->s->bodies[i].link].joint;
    if (x->s->bodies[i].q < 0 || lim_joint_in_ball(of)) continue;
    const char *joint = of->head.name;
    if (!strcmp(joint, name)) return i;
    lim_choice_try(choice, joint);
  }
  return -1;
}

// Keys of movej that are no joints.
enum { OPTIONS = 5 };
static const char *const options[OPTIONS] = {"pose", "rpy", "orientation", "blend", "duration"};

static bool is_option(const char *name) {
  for (int i = 0; i < OPTIONS; i++)
    if (!strcmp(options[i], name)) return true;
  return false;
}

// The body of a joint that takes a command.
static int commanded_joint(lua_State *L, const lim_schedule *x, const char *command, const char *name) {
  lim_choice choice = lim_choice_start(name);
  const int body = body_of_joint(x, name, &choice);
  if (body < 0)
    luaL_error(L, "%s: there is no joint '%s'%s", command, name,
               lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
  if (!x->commanded[body]) luaL_error(L, "%s: joint '%s' has no drive that takes a command", command, name);
  return body;
}

// Degrees for radians: more than four turns.
static void doubt_angle(lua_State *L, const lim_program *r, int body, const char *name, double q) {
  static const double TURN = 6.283185307179586;
  if (!r->way.s->bodies[body].screw.turns || fabs(q) <= 4 * TURN) return;
  lim_warn(r->err, NAN, name,
           "program, line %d: movej takes joint '%.80s' to %g rad, %.3g turns; did you mean math.rad(%g)?",
           lim_sandbox_line(L), name, q, q / TURN, q);
}

// Positions of the joints named in the table at index 1, into q.
static void read_joints(lua_State *L, const lim_program *r, double *q) {
  const lim_schedule *x = &r->way;
  luaL_checktype(L, 1, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "movej: joints are given by name: movej{shoulder = 0.5}");
    const char *name = lua_tostring(L, -2);
    if (is_option(name)) continue;
    const int body = commanded_joint(L, x, "movej", name);
    if (lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "movej: '%s' must be a number, not a %s", name, luaL_typename(L, -1));
    q[x->s->bodies[body].q] = lua_tonumber(L, -1);
    lim_program_finite(L, lua_tonumber(L, -1), name);
    doubt_angle(L, r, body, name, lua_tonumber(L, -1));
  }
}

// hold("lift", "track"): joints that stay where they are while the tool follows its ways; hold(): none.
int lim_program_hold(lua_State *L) {
  lim_schedule *x = &lim_program_of(L)->way;
  char text[LIM_SCRIPT_TEXT] = "";
  const int count = lua_gettop(L);
  for (int i = 0; i < x->s->nbody; i++) x->held[i] = false;
  for (int k = 1; k <= count; k++) {
    if (lua_type(L, k) != LUA_TSTRING)
      luaL_error(L, "hold: joints are given by name, not as a %s: hold(\"lift\")", luaL_typename(L, k));
    const char *name = lua_tostring(L, k);
    const size_t used = strlen(text);
    x->held[commanded_joint(L, x, "hold", name)] = true;
    snprintf(text + used, sizeof text - used, "%s%s", k > 1 ? ", " : "", name);
  }
  lim_follower_choose(&x->follower, x->commanded, x->held);
  lim_program_note(L, "hold", text);
  return 0;
}

// movej{pose = {x, y, z}}: joints that bring the tool there, nearest to where they are.
static void read_pose(lua_State *L, lim_program *r, double *q) {
  lim_follower *follower = &r->way.follower;
  double own[3], to[3], R[9];
  if (!lim_program_numbers(L, own, 3, "pose")) {
    if (lim_program_numbers(L, own, 3, "rpy")) luaL_error(L, "movej: 'rpy' needs 'pose'");
    return;
  }
  const lim_world_motion at = lim_follower_tool(follower, q, NULL, NULL);
  const bool told = read_rpy(L, r, R);
  follower->turns = turns(L, r, told);
  into_world(to, r, own);
  const lim_left left = lim_follower_pose(follower, q, to, told ? R : at.R);
  if (left.distance < 1e-9 * follower->size && left.angle < 1e-9) return;
  lim_sandbox_charge(L, FAILED);
  char text[120];
  snprintf(text, sizeof text, "movej: the tool cannot get there from here: %.3g m and %.3g rad are left",
           left.distance, left.angle);
  luaL_error(L, "%s", text);
}

// Joints that follow by loops, on the way of a move: they begin where they were before, and go on at speeds (by
// the path) that keep the loops closed.
static void close_loops(lua_State *L, const lim_schedule *x, lim_sample *at, const lim_sample *before,
                        double part) {
  const int n = x->s->n, top = lua_gettop(L);
  double *q = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *q, 0), *v = q + n;
  lim_error own = {0};
  for (int i = 0; i < n; i++) {
    const bool follows = x->s->passive[i];
    q[i] = !follows ? at[i].value : before ? before[i].value : x->q[i];
    v[i] = follows ? 0 : at[i].rate;
  }
  const lim_code code = lim_loops_close(x->s, q, v, &own);
  if (code == LIM_NO_MEMORY) lim_program_raise(L, "movej", code, &own);
  if (code != LIM_OK) {
    char text[300];
    snprintf(text, sizeof text, "movej: after %.0f %% of the move: %.200s", part, own.note[0].text);
    lim_error_clear(&own);
    lim_sandbox_charge(L, FAILED);
    luaL_error(L, "%s", text);
  }
  for (int i = 0; i < n; i++)
    if (x->s->passive[i]) at[i] = (lim_sample){q[i], v[i], 0};
  lua_settop(L, top);
}

int lim_program_movej(lua_State *L) {
  enum { STEPS = 100 };
  lim_program *r = lim_program_of(L);
  lim_schedule *x = &r->way;
  const int n = x->s->n;
  char text[LIM_SCRIPT_TEXT] = "";
  double *to = lua_newuserdatauv(L, (size_t)n * sizeof *to, 0), length = 0;
  lim_path *p = new_path(L, n);
  memcpy(to, x->q, (size_t)n * sizeof *to);
  read_joints(L, r, to);
  read_pose(L, lim_program_of(L), to);
  for (int i = 0; i < x->s->nbody; i++) {
    if (!x->commanded[i]) continue;
    length = fmax(length, fabs(to[x->s->bodies[i].q] - x->q[x->s->bodies[i].q]));
    lim_program_entry(L, text, x->s->model->links.item[x->s->bodies[i].link].joint.head.name);
  }
  for (int i = 0; i < OPTIONS; i++) lim_program_entry(L, text, options[i]);
  if (!(length > 1e-8)) {
    lim_program_note(L, "movej", text);
    return 0;
  }
  for (int k = 0; k <= STEPS; k++) {
    lim_sample *at = lim_path_add(p, length * k / STEPS, x->piece.count);
    lim_error none = {0};
    if (!at) lim_program_raise(L, "movej", LIM_NO_MEMORY, &none);
    for (int i = 0; i < n; i++)
      at[i] = (lim_sample){x->q[i] + (to[i] - x->q[i]) * k / STEPS, (to[i] - x->q[i]) / length, 0};
    if (x->s->nrow) close_loops(L, x, at, k ? at - n : NULL, 100.0 * k / STEPS);
  }
  return add_move(L, "movej", text, p, false);
}

// --- moves of the tool ---

static void cannot_follow(lua_State *L, const char *command, lim_program *r, const lim_path_segment *way,
                          lim_followed how) {
  lim_follower *follower = &r->way.follower;
  double *q = lua_newuserdatauv(L, (size_t)r->way.s->n * sizeof *q, 0);
  lim_world_motion goal = lim_path_segment_at(way, way->length);
  memcpy(q, r->way.q, (size_t)r->way.s->n * sizeof *q);
  const lim_left left = lim_follower_pose(follower, q, goal.p, goal.R);
  const bool there = left.distance < 1e-9 * follower->size && left.angle < 1e-9;
  char text[500], end[120], few[120] = "";
  if (follower->turns && joints_of_tool(r) < joints_of_pose(r))
    snprintf(few, sizeof few, "; %d joints move it, and %d can turn it at will", joints_of_tool(r),
             joints_of_pose(r));
  if (there)
    snprintf(end, sizeof end, "its end is in reach, but not along this way");
  else
    snprintf(end, sizeof end, "%.3g m%s are left to its end", left.distance,
             left.angle > 1e-9 ? " and a turn" : "");
  if (left.angle > 1e-9 && !there)
    snprintf(end, sizeof end, "%.3g m and %.3g rad are left to its end", left.distance, left.angle);
  snprintf(text, sizeof text, "%s: the tool cannot follow its way beyond %.3g of %.3g %s%s; %s%s", command,
           how.done, way->length, lim_path_segment_turns_only(way) ? "rad" : "m",
           *few           ? ""
           : how.singular ? " (a singular position of the arm)"
                          : ", out of reach",
           end, few);
  luaL_error(L, "%s", text);
}

// Of a planar arm: no way leads out of its plane.
static void check_plane(lua_State *L, const char *command, const lim_program *r, const lim_path_segment *way) {
  static const int across[] = {-1, 2, 1, 0}; // lim_plane
  const int axis = across[r->way.s->model->planar];
  for (int k = 1; k <= 4 && axis >= 0; k++)
    if (fabs(lim_path_segment_at(way, way->length * k / 4).p[axis] - way->p[axis]) >
        1e-9 * r->way.follower.size)
      luaL_error(L, "%s: the way leads out of the plane of the arm", command);
}

static int move_tool(lua_State *L, const char *command, const char *const *keys, const lim_path_segment *way,
                     bool turning) {
  char text[LIM_SCRIPT_TEXT];
  lim_program *r = lim_program_of(L);
  lim_schedule *x = &r->way;
  lim_error own = {0};
  lim_program_describe(L, text, keys);
  if (!(way->length > 1e-8)) {
    lim_program_note(L, command, text);
    return 0;
  }
  check_plane(L, command, r, way);
  lim_path *p = new_path(L, x->s->n);
  double *q = lua_newuserdatauv(L, (size_t)x->s->n * sizeof *q, 0);
  lim_followed how;
  bool arrived = false;
  memcpy(q, x->q, (size_t)x->s->n * sizeof *q);
  x->follower.turns = turning;
  lim_program_expect(L, command,
                     lim_follower_follow(p, &arrived, &how, &x->follower, q, way, x->piece.count, &own), &own);
  lim_sandbox_charge(L, 250.0 * p->n);
  if (!arrived) {
    lim_sandbox_charge(L, FAILED);
    cannot_follow(L, command, r, way, how);
  }
  return add_move(L, command, text, p, true);
}

int lim_program_movel(lua_State *L) {
  static const char *const keys[] = {"x", "y", "z", "rpy", "orientation", "blend", "duration", NULL};
  lim_program *r = lim_program_of(L);
  lim_program_keys(L, "movel", keys);
  const lim_world_motion at = lim_follower_tool(&r->way.follower, r->way.q, NULL, NULL);
  double here[3], moved[3], to[3], R[9];
  for (int i = 0; i < 3; i++) moved[i] = at.p[i] - r->p[i];
  lim_rotate_back(here, r->R, moved);
  for (int i = 0; i < 3; i++) here[i] = lim_program_number(L, keys[i], here[i]);
  into_world(to, r, here);
  const bool told = read_rpy(L, r, R), turning = turns(L, r, told);
  const lim_path_segment way = lim_path_segment_straight(at.p, at.R, to, told ? R : NULL);
  return move_tool(L, "movel", keys, &way, turning);
}

int lim_program_movec(lua_State *L) {
  static const char *const keys[] = {"via", "to", "rpy", "orientation", "blend", "duration", NULL};
  lim_program *r = lim_program_of(L);
  lim_program_keys(L, "movec", keys);
  const lim_world_motion at = lim_follower_tool(&r->way.follower, r->way.q, NULL, NULL);
  double via[3], to[3], own[3], R[9];
  if (!lim_program_numbers(L, own, 3, "via"))
    return luaL_error(L, "movec: 'via' is missing: a place {x, y, z} on the circle");
  into_world(via, r, own);
  if (!lim_program_numbers(L, own, 3, "to"))
    return luaL_error(L, "movec: 'to' is missing: where the arc ends, {x, y, z}");
  into_world(to, r, own);
  const bool told = read_rpy(L, r, R), turning = turns(L, r, told);
  lim_path_segment way;
  if (!lim_path_segment_round(&way, at.p, at.R, via, to, told ? R : NULL))
    luaL_error(L, "movec: the tool, 'via' and 'to' lie on a line; use movel");
  return move_tool(L, "movec", keys, &way, turning);
}
