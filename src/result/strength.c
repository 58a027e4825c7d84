// strength.c - stress and strain of a section from its forces.
#include "result/strength.h"

#include <math.h>

// Bending strain farthest from the axis: at a corner, or on the circle.
static double bending(const lim_element *e, const lim_section_data *a, lim_section_force f) {
  double y = a->y / 2 * f.Mz / a->Iz, z = a->z / 2 * f.My / a->Iy;
  bool round = e->from->shape == LIM_CIRCLE || e->from->shape == LIM_TUBE;
  return (round ? sqrt(y * y + z * z) : fabs(y) + fabs(z)) / e->E;
}

lim_strength lim_strength_of(const lim_element *e, double s, lim_section_force f) {
  lim_section_data a = lim_element_section(e, s);
  double axial = f.N / a.A / e->E;
  if (!(a.y > 0 && a.z > 0) || isnan(f.N)) return (lim_strength){NAN, NAN};
  return (lim_strength){lim_section_mises(e->from, e->to, e->f0 + s * (e->f1 - e->f0), e->nu, f),
                        axial + copysign(bending(e, &a, f), axial)};
}

lim_strength lim_strength_larger(lim_strength a, lim_strength b) {
  bool strain = isnan(a.strain) || fabs(b.strain) > fabs(a.strain);
  return (lim_strength){fmax(a.stress, b.stress), strain ? b.strain : a.strain};
}
