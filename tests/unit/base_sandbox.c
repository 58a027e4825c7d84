// base_sandbox.c - tests of the sandbox for Lua: what it lets do, what it refuses, where errors are.
#include "fixture.h"

#include "base/lua/sandbox.h"

#include <time.h>

typedef struct {
  char text[512];
  int line;
} heard;

static void hear(void *user, int line, const char *text) {
  heard *l = user;
  const size_t n = strlen(l->text);
  snprintf(l->text + n, sizeof l->text - n, "%s;", text);
  l->line = line;
}

// Run a text; what went wrong is in err.
static lim_code run(heard *l, const char *text, const lim_sandbox_setup *limits, lim_error *err) {
  lim_sandbox_setup setup = limits ? *limits : (lim_sandbox_setup){0};
  lim_sandbox *box;
  setup.print = hear;
  setup.user = l;
  assert_int_equal(lim_sandbox_new(&box, &setup, err), LIM_OK);
  lim_code code = lim_sandbox_text(box, "x.lua", text, strlen(text), err);
  if (code == LIM_OK) code = lim_sandbox_call(box, 0, 0, err);
  assert_int_equal(lua_gettop(lim_sandbox_state(box)), 0);
  lim_sandbox_free(box);
  return code;
}

static void prints(const char *text, const char *expected) {
  heard l = {0};
  lim_error err = {0};
  const lim_code code = run(&l, text, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_string_equal(l.text, expected);
}

static void refused(const char *text, int line, const char *part) {
  heard l = {0};
  lim_error err = {0};
  const clock_t begin = clock();
  assert_int_equal(run(&l, text, NULL, &err), LIM_BAD_INPUT);
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5); // a second, and more under sanitizers
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].file, "x.lua");
  assert_int_equal(err.note[0].line, line);
  if (!strstr(err.note[0].text, part)) fail_msg("'%s' does not say '%s'", err.note[0].text, part);
  lim_error_clear(&err);
}

static void language_is_there(void **state) {
  (void)state;
  prints("print('a', 1, 2.5, nil, true, {}, print)", "a\t1\t2.5\tnil\ttrue\ttable\tfunction;");
  prints("local s = 0 for i = 1, 10 do s = s + i end print(s)", "55;");
  prints("local t = setmetatable({}, {__index = function(_, k) return k .. '!' end}) print(t.x)", "x!;");
  prints("print(pcall(error, 'x', 0))", "false\tx;");
  prints("print(string.format('%.2f', math.pi), ('ab'):upper(), ('x'):rep(3, '-'))", "3.14\tAB\tx-x-x;");
  prints("print(('a.b'):find('.', 1, true), (('abc'):find('c')), (('abc'):find('x')))", "2\t3\tnil;");
  prints("local t = {3, 1, 2} table.sort(t) table.insert(t, 1, 9) print(table.concat(t, ','), #t, "
         "table.unpack(t))",
         "9,1,2,3\t4\t9\t1\t2\t3;");
  prints("print(tostring(setmetatable({}, {__tostring = function() return 'me' end})))", "me;");
}

static void chance_is_gone(void **state) {
  (void)state;
  prints("for k, v in pairs{z = 1, a = 2, m = 3, 10, 20, [true] = 4, [2.5] = 5} do print(k, v) end",
         "1\t10;2\t20;2.5\t5;a\t2;m\t3;z\t1;true\t4;");
  prints("local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t.b = nil print(k) end", "a;c;");
  heard one = {0}, two = {0};
  lim_error err = {0};
  run(&one, "print(math.random(1000000), math.random())", NULL, &err);
  run(&two, "print(math.random(1000000), math.random())", NULL, &err);
  assert_string_equal(one.text, two.text);
  refused("math.randomseed()", 1, "number expected");
}

static void system_is_out_of_reach(void **state) {
  (void)state;
  prints("print(io, os, require, package, debug, load, loadstring, dofile, loadfile, collectgarbage, "
         "coroutine, next, string.dump, "
         "table.move, xpcall, warn)",
         "nil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil;");
  refused("\033Lua", 0, "compiled Lua");
  refused("setmetatable({}, {__gc = print})", 1, "__gc");
}

static void endless_work_ends(void **state) {
  (void)state;
  refused("\nwhile true do end", 2, "instructions");
  refused("while true do pcall(function() while true do end end) end", 1, "instructions");
  refused("local function f() return f() end f()", 1, "instructions");
  refused("local t = {} for i = 1, 5e4 do t[i] = i end while true do table.sort(t) end", 1, "instructions");
  refused("local t = {} for i = 1, 5e4 do t[i] = i end while true do table.insert(t, 1, 1) table.remove(t) end",
          1, "instructions");
  refused("(''):rep(1e18)", 1, "instructions");
  refused("while true do print('x') end", 1, "instructions");
  refused("table.unpack({}, 1, 1e8)", 1, "instructions");
  refused("table.insert(setmetatable({}, {__len = function() return 1e15 end}), 1, 0)", 1, "__len");
  refused("local s = ('a'):rep(9000) while true do local t = s .. 'b' end", 1, "taking memory");
}

// Single instructions that take long count for what they take.
static void long_instructions_end(void **state) {
  (void)state;
  refused("local s = ('x'):rep(16000) while true do math.max(s:byte(1, -1)) end", 1, "instructions");
  refused("local f, t = ('%.0e'):rep(2000), {} for i = 1, 2000 do t[i] = 5e-324 end\n"
          "while true do pcall(string.format, f, table.unpack(t)) end",
          2, "instructions");
  refused("local s = ('x'):rep(16000) while true do s:upper() s:reverse() s:sub(2) end", 1, "instructions");
  refused("local s = ('0'):rep(16000) while true do tonumber(s) end", 1, "instructions");
  refused("local t = {} for i = 1, 5000 do t[i] = i end while true do select('#', table.unpack(t)) end", 1,
          "instructions");
  const lim_sandbox_setup short_time = {.seconds = 0.2}; // what nothing charges: a lookup through 1990 tables
  heard l = {0};
  lim_error err = {0};
  const char *chain = "local a = {} for i = 1, 1990 do a = setmetatable({}, {__index = a}) end\n"
                      "local x while true do x = a.q x = a.q x = a.q x = a.q end";
  assert_int_equal(run(&l, chain, &short_time, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].text, "0.2 s of processor time"));
  assert_int_equal(err.note[0].line, 2);
  lim_error_clear(&err);
}

static void addresses_are_not_shown(void **state) {
  (void)state;
  refused("string.format('%p', {})", 1, "addresses");
  refused("string.format('%% %-10p', {})", 1, "addresses");
  prints("print(string.format('%s %s %5.1f%%p', {}, print, 2))", "table function   2.0%p;");
}

// Lua calls the allocator in the middle of its work: asking it where it is then would crash (Lua 5.4.6).
#undef lua_getinfo // its place in the table
static int asked;

static int count_getinfo(lua_State *L, const char *what, lua_Debug *at) {
  (void)L, (void)what, (void)at;
  return ++asked, 0;
}

static void refused_memory_asks_lua_nothing(void **state) {
  (void)state;
  assert_int_equal(lim_lua_load(NULL), LIM_OK);
  const lim_lua_calls found = lim_lua;
  lim_lua.lua_getinfo = count_getinfo;
  refused("local t = {} for i = 1, 60000 do t[i] = i end\n"
          "local function g(...)\n  return 1 + g(1, table.unpack(t))\nend\n"
          "g()",
          3, "depth of calls");
  lim_lua = found;
  assert_int_equal(asked, 0);
}

static void memory_is_bounded(void **state) {
  (void)state;
  refused("local l while true do l = {l, {1, 2, 3}} end", 1, "16 MiB");
  refused("local t = {} for i = 1, 1e9 do t[i] = i end", 1, "1 MiB");
  refused("local s = 'x'\nwhile true do s = s .. s end", 2, "16 KiB");
  refused("local s = ('x'):rep(1e9)", 1, "16 KiB");
  refused("local function f() return 1 + f() end f()", 1, "depth of calls");
  const lim_sandbox_setup small = {.memory = 200000};
  heard l = {0};
  lim_error err = {0};
  assert_int_equal(run(&l, "local l while true do l = {l} end", &small, &err), LIM_BAD_INPUT);
  lim_error_clear(&err);
  const lim_sandbox_setup none = {.memory = 1000};
  lim_sandbox *box;
  assert_int_not_equal(lim_sandbox_new(&box, &none, &err), LIM_OK);
  assert_null(box);
  lim_error_clear(&err);
  const char *full = "keep = {} pcall(function() while true do keep = {keep} end end)";
  assert_int_equal(lim_sandbox_new(&box, NULL, &err), LIM_OK);
  assert_int_equal(lim_sandbox_text(box, "x.lua", full, strlen(full), &err), LIM_OK);
  assert_int_equal(lim_sandbox_call(box, 0, 0, &err), LIM_OK);
  for (int i = 0; i < 1000; i++) { // the owner may go on
    lua_pushfstring(lim_sandbox_state(box), "%d more", i);
    lua_pop(lim_sandbox_state(box), 1);
  }
  assert_int_equal(lim_sandbox_global(box, "none"), LUA_TNIL);
  lim_sandbox_free(box);
}

static void patterns_are_refused(void **state) {
  (void)state;
  refused("('aaaaaaaaaaaaaaaaaaaaaaaa'):find('.-.-.-.-b')", 1, "patterns");
  refused("('a'):match('a')", 1, "patterns");
  refused("('a'):gsub('a', 'b')", 1, "patterns");
  refused("for x in ('a'):gmatch('a') do end", 1, "patterns");
}

static void errors_have_their_line(void **state) {
  (void)state;
  refused("x = = 3", 1, "unexpected symbol");
  refused("local x\n\nx.y = 3", 3, "index a nil value");
  refused("\nerror('mine')", 2, "mine");
  refused("\n\nerror('mine', 0)", 3, "mine");
  refused("error{}", 1, "a table, not a text");
  refused("local function f() error('theirs', 2) end\n\nf()", 3, "theirs");
}

// --- functions of the owner ---

static int twice(lua_State *L) {
  int *count = lua_touserdata(L, lua_upvalueindex(1));
  *count = lim_sandbox_line(L);
  lua_pushnumber(L, 2 * luaL_checknumber(L, 1));
  return 1;
}

static void owner_adds_functions_and_calls_back(void **state) {
  (void)state;
  static const luaL_Reg list[] = {{"twice", twice}, {NULL, NULL}};
  const char *text = "local n = 0\nfunction step(x)\n  n = n + 1\n  return twice(x) + n\nend\n";
  int line = 0;
  lim_error err = {0};
  lim_sandbox *box;
  assert_int_equal(lim_sandbox_new(&box, NULL, &err), LIM_OK);
  assert_int_equal(lim_sandbox_offer(box, list, &line, &err), LIM_OK);
  assert_int_equal(lim_sandbox_text(box, "c.lua", text, strlen(text), &err), LIM_OK);
  assert_int_equal(lim_sandbox_call(box, 0, 0, &err), LIM_OK);
  lua_State *L = lim_sandbox_state(box);
  for (int i = 1; i <= 100000; i++) { // each call has its own limit
    assert_int_equal(lim_sandbox_global(box, "step"), LUA_TFUNCTION);
    lua_pushnumber(L, 3);
    assert_int_equal(lim_sandbox_call(box, 1, 1, &err), LIM_OK);
    assert_true(lua_tonumber(L, -1) == 6 + i);
    lua_pop(L, 1);
  }
  assert_int_equal(line, 4);
  lim_sandbox_global(box, "step");
  lua_pushstring(L, "far");
  assert_int_equal(lim_sandbox_call(box, 1, 1, &err), LIM_BAD_INPUT);
  assert_int_equal(err.note[0].line, 4);
  assert_string_equal(err.note[0].file, "c.lua");
  lim_error_clear(&err);
  lim_sandbox_free(box);
}

static void file_that_is_missing_is_said(void **state) {
  (void)state;
  lim_error err = {0};
  lim_sandbox *box;
  assert_int_equal(lim_sandbox_new(&box, NULL, &err), LIM_OK);
  assert_int_equal(lim_sandbox_load(box, "no/such.lua", &err), LIM_IO);
  assert_string_equal(err.note[0].file, "no/such.lua");
  lim_error_clear(&err);
  assert_int_equal(lim_sandbox_load(box, "/dev/zero", &err), LIM_IO);
  assert_non_null(strstr(err.note[0].text, "device"));
  lim_error_clear(&err);
  lim_sandbox_free(box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(language_is_there),
      cmocka_unit_test(chance_is_gone),
      cmocka_unit_test(system_is_out_of_reach),
      cmocka_unit_test(endless_work_ends),
      cmocka_unit_test(long_instructions_end),
      cmocka_unit_test(addresses_are_not_shown),
      cmocka_unit_test(refused_memory_asks_lua_nothing),
      cmocka_unit_test(memory_is_bounded),
      cmocka_unit_test(patterns_are_refused),
      cmocka_unit_test(errors_have_their_line),
      cmocka_unit_test(owner_adds_functions_and_calls_back),
      cmocka_unit_test(file_that_is_missing_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
