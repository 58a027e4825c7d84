// lua_calls.h - Lua, loaded when it is first needed (base/library/library.h): include this instead of its
// headers.
#ifndef LIM_BASE_LIBRARY_LUA_CALLS_H
#define LIM_BASE_LIBRARY_LUA_CALLS_H

#include "base/library/library.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// clang-format off
#define LIM_LUA_CALLS(X)                                                                                      \
  X(luaL_addvalue) X(luaL_buffinit) X(luaL_checkany) X(luaL_checkinteger) X(luaL_checklstring)                \
  X(luaL_checknumber) X(luaL_checktype) X(luaL_error) X(luaL_getmetafield) X(luaL_loadbufferx)                \
  X(luaL_optinteger) X(luaL_optlstring) X(luaL_prepbuffsize) X(luaL_pushresult) X(luaL_requiref)              \
  X(luaL_setfuncs) X(luaL_tolstring) X(luaL_typeerror) X(luaL_where) X(lua_callk) X(lua_close)                \
  X(lua_compare) X(lua_concat) X(lua_copy) X(lua_createtable) X(lua_error) X(lua_getfield) X(lua_getglobal)   \
  X(lua_getinfo) X(lua_getstack) X(lua_gettop) X(lua_newstate) X(lua_newuserdatauv) X(lua_next)               \
  X(lua_pcallk) X(lua_pushboolean) X(lua_pushcclosure) X(lua_pushfstring) X(lua_pushinteger)                  \
  X(lua_pushlightuserdata) X(lua_pushnil) X(lua_pushnumber) X(lua_pushstring) X(lua_pushvalue)                \
  X(lua_rawget) X(lua_rawgeti) X(lua_rawlen) X(lua_rawseti) X(lua_rotate) X(lua_setfield) X(lua_setglobal)    \
  X(lua_sethook) X(lua_setmetatable) X(lua_settop) X(lua_toboolean) X(lua_tointegerx) X(lua_tolstring)        \
  X(lua_tonumberx) X(lua_touserdata) X(lua_type) X(lua_typename) X(luaopen_base) X(luaopen_math)              \
  X(luaopen_string) X(luaopen_table)
// clang-format on

typedef struct {
  LIM_LUA_CALLS(LIM_LIBRARY_POINTER)
} lim_lua_calls;

extern lim_lua_calls lim_lua;

// Before anything else of Lua. LIM_IO: it is not on this machine.
lim_code lim_lua_load(lim_error *err);

#define luaL_addvalue         (*lim_lua.luaL_addvalue)
#define luaL_buffinit         (*lim_lua.luaL_buffinit)
#define luaL_checkany         (*lim_lua.luaL_checkany)
#define luaL_checkinteger     (*lim_lua.luaL_checkinteger)
#define luaL_checklstring     (*lim_lua.luaL_checklstring)
#define luaL_checknumber      (*lim_lua.luaL_checknumber)
#define luaL_checktype        (*lim_lua.luaL_checktype)
#define luaL_error            (*lim_lua.luaL_error)
#define luaL_getmetafield     (*lim_lua.luaL_getmetafield)
#define luaL_loadbufferx      (*lim_lua.luaL_loadbufferx)
#define luaL_optinteger       (*lim_lua.luaL_optinteger)
#define luaL_optlstring       (*lim_lua.luaL_optlstring)
#define luaL_prepbuffsize     (*lim_lua.luaL_prepbuffsize)
#define luaL_pushresult       (*lim_lua.luaL_pushresult)
#define luaL_requiref         (*lim_lua.luaL_requiref)
#define luaL_setfuncs         (*lim_lua.luaL_setfuncs)
#define luaL_tolstring        (*lim_lua.luaL_tolstring)
#define luaL_typeerror        (*lim_lua.luaL_typeerror)
#define luaL_where            (*lim_lua.luaL_where)
#define lua_callk             (*lim_lua.lua_callk)
#define lua_close             (*lim_lua.lua_close)
#define lua_compare           (*lim_lua.lua_compare)
#define lua_concat            (*lim_lua.lua_concat)
#define lua_copy              (*lim_lua.lua_copy)
#define lua_createtable       (*lim_lua.lua_createtable)
#define lua_error             (*lim_lua.lua_error)
#define lua_getfield          (*lim_lua.lua_getfield)
#define lua_getglobal         (*lim_lua.lua_getglobal)
#define lua_getinfo           (*lim_lua.lua_getinfo)
#define lua_getstack          (*lim_lua.lua_getstack)
#define lua_gettop            (*lim_lua.lua_gettop)
#define lua_newstate          (*lim_lua.lua_newstate)
#define lua_newuserdatauv     (*lim_lua.lua_newuserdatauv)
#define lua_next              (*lim_lua.lua_next)
#define lua_pcallk            (*lim_lua.lua_pcallk)
#define lua_pushboolean       (*lim_lua.lua_pushboolean)
#define lua_pushcclosure      (*lim_lua.lua_pushcclosure)
#define lua_pushfstring       (*lim_lua.lua_pushfstring)
#define lua_pushinteger       (*lim_lua.lua_pushinteger)
#define lua_pushlightuserdata (*lim_lua.lua_pushlightuserdata)
#define lua_pushnil           (*lim_lua.lua_pushnil)
#define lua_pushnumber        (*lim_lua.lua_pushnumber)
#define lua_pushstring        (*lim_lua.lua_pushstring)
#define lua_pushvalue         (*lim_lua.lua_pushvalue)
#define lua_rawget            (*lim_lua.lua_rawget)
#define lua_rawgeti           (*lim_lua.lua_rawgeti)
#define lua_rawlen            (*lim_lua.lua_rawlen)
#define lua_rawseti           (*lim_lua.lua_rawseti)
#define lua_rotate            (*lim_lua.lua_rotate)
#define lua_setfield          (*lim_lua.lua_setfield)
#define lua_setglobal         (*lim_lua.lua_setglobal)
#define lua_sethook           (*lim_lua.lua_sethook)
#define lua_setmetatable      (*lim_lua.lua_setmetatable)
#define lua_settop            (*lim_lua.lua_settop)
#define lua_toboolean         (*lim_lua.lua_toboolean)
#define lua_tointegerx        (*lim_lua.lua_tointegerx)
#define lua_tolstring         (*lim_lua.lua_tolstring)
#define lua_tonumberx         (*lim_lua.lua_tonumberx)
#define lua_touserdata        (*lim_lua.lua_touserdata)
#define lua_type              (*lim_lua.lua_type)
#define lua_typename          (*lim_lua.lua_typename)
#define luaopen_base          (*lim_lua.luaopen_base)
#define luaopen_math          (*lim_lua.luaopen_math)
#define luaopen_string        (*lim_lua.luaopen_string)
#define luaopen_table         (*lim_lua.luaopen_table)

#endif
