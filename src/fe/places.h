// places.h - what frames and sets of nodes of a link do by its coordinates, and how loads stiffen it. Theory:
// docs/theory/finite-elements.md (2), (7), (12), (13).
#ifndef LIM_FE_PLACES_H
#define LIM_FE_PLACES_H

#include "fe/coupling.h"
#include "fe/reduce.h"
#include "model/model.h"

// Places of the link by fe.places, and all other sets of the mesh behind them. Memory from the arena.
lim_code lim_fe_fill_places(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c,
                            const lim_fe_shapes *s, const lim_fe *fe, lim_error *err);

// Geometric stiffness by stiffness matrices of loaded states: fe.prestressed. directory: of the files; units
// [SI].
lim_code lim_fe_fill_prestress(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c,
                               const lim_fe_shapes *s, const lim_fe *fe, const char *directory, double length,
                               double mass, lim_error *err);

#endif
