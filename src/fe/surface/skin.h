// skin.h - the surface of a reduced link: what is drawn, stresses, strains.
#ifndef LIM_FE_SURFACE_SKIN_H
#define LIM_FE_SURFACE_SKIN_H

#include "fe/reduce.h"
#include "model/model.h"

// material: in place of those of the mesh; NULL: none. Memory from the arena.
lim_code lim_fe_fill_skin(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                          const lim_material *material, lim_error *err);

#endif
