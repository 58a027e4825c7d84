// strength.c - stress and strain of a section from its forces.
#include "channel/strength.h"

#include <math.h>

// Bending strain farthest from the axis: at a corner, or on the circle.
static double bending(const lim_element *e, const lim_section_data *a, lim_section_force f) {
  double y = a->y / 2 * f.Mz / a->Iz, z = a->z / 2 * f.My / a->Iy;
  bool round = lim_section_is_round(e->from);
  return (round ? sqrt(y * y + z * z) : fabs(y) + fabs(z)) / e->E;
}

const lim_critical_section *lim_strength_section(lim_strength_sections *made, lim_arena *arena,
                                                 const lim_element *e, double s) {
  bool uniform = e->from == e->to;
  if (made->last && uniform && made->of == e->from && made->nu == e->nu) return made->last;
  lim_critical_section *c = lim_arena_array(arena, 1, sizeof *c);
  if (!c || !lim_critical_section_start(c, arena, e->from, e->to, e->f0 + s * (e->f1 - e->f0), e->nu))
    return NULL;
  *made = (lim_strength_sections){c, uniform ? e->from : NULL, e->nu};
  return c;
}

lim_strength lim_strength_of(const lim_element *e, const lim_critical_section *c, lim_section_force f) {
  const lim_section_data *a = &c->data;
  double axial = f.N / a->A / e->E;
  if (!(a->y > 0 && a->z > 0) || isnan(f.N)) return (lim_strength){NAN, NAN};
  return (lim_strength){lim_critical_section_mises(c, f), axial + copysign(bending(e, a, f), axial)};
}

lim_strength lim_strength_larger(lim_strength a, lim_strength b) {
  bool strain = isnan(a.strain) || fabs(b.strain) > fabs(a.strain);
  return (lim_strength){fmax(a.stress, b.stress), strain ? b.strain : a.strain};
}
