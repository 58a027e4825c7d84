// quantity.h - kinds of quantities that channels show, one row of a table each. Inside src/channel only.
// Reference: docs/reference/channels.md.
#ifndef LIM_CHANNEL_QUANTITY_H
#define LIM_CHANNEL_QUANTITY_H

#include "analysis/simulation/simulate.h"
#include "analysis/vibration/frequency_track.h"
#include "channel/section_force.h"

// What a quantity belongs to; the first part of a channel's name.
typedef enum {
  LIM_OF_FRAME,
  LIM_OF_JOINT,       // with one freedom, or one of several that have names
  LIM_OF_WHOLE_JOINT, // whatever its freedoms
  LIM_OF_BALL,        // free and spherical joints
  LIM_OF_FREE_JOINT,
  LIM_OF_LINK,
  LIM_OF_STRESSED, // links that know their stress as a whole
  LIM_OF_SECTION,
  LIM_OF_GAUGE,
  LIM_OF_ARM,      // its energies
  LIM_OF_MOMENTUM, // of the arm
  LIM_OF_SPRING,
  LIM_OF_BUSHING,
  LIM_OF_LOOP,
  LIM_OF_COUPLING,
  LIM_OF_CONTACT,
  LIM_OF_BLOCK,
  LIM_OF_MODE // of vibration
} lim_owner;

// One thing that channels are about, with what was last found of it: forces, strains and lengths are evaluated
// once for each time, whatever channels show of them.
typedef struct lim_owner_state lim_owner_state;
struct lim_owner_state {
  lim_owner of;
  int index; // frame: site of the system; mode: its number from 0; spring, bushing, loop, coupling, contact,
             // block: of the model; else the link
  double fraction;                  // section, gauge: its location on the link
  lim_section_cut cut;              // there
  const lim_gauge *gauge;           // gauge
  const lim_frequency_track *track; // mode: all frequencies of the time, computed before
  bool known;                       // what follows is of the time at hand
  double force[3], moment[3];       // joint, loop
  lim_section_force section;        // section
  lim_spring_state spring;          // spring, bushing
  lim_momentum momentum;            // momentum
  lim_contact_moment contact;       // contact
  double reading;                   // gauge
  double t, strain, held;           // gauge with a rate: the time before, its strain, the last sample
  bool begun;
  lim_owner_state *next, *same_slot; // made before it: of all, and with the same hash; NULL: none
};

typedef struct lim_owner_quantity lim_owner_quantity;

typedef struct {
  lim_owner of;
  const char *name; // second part of a channel's name; "": there is none
  int components;   // 3: .x .y .z follow; 1: nothing follows
  const char *unit; // "rad|m": rotational or linear joint
  void (*evaluate)(double out[3], const lim_owner_quantity *p, const lim_snapshot *m);
  size_t offset; // of what evaluate reads
  bool moving;   // only of joints with a freedom
  bool motor;    // only of joints with a motor
  bool loses;    // only of arms with gears or friction
  bool stops;    // only of joints with end stops
} lim_quantity_kind;

extern const lim_quantity_kind lim_quantity_kinds[]; // ends with a row without name

// One quantity of one owner.
struct lim_owner_quantity {
  const lim_quantity_kind *kind;
  lim_owner_state *owner;
  double value[3];
};

// Of gauges, kept in gauge.c.
void lim_quantity_strain(double out[3], const lim_owner_quantity *p, const lim_snapshot *m);
void lim_quantity_stress(double out[3], const lim_owner_quantity *p, const lim_snapshot *m);

// Full scale of a gauge's converter: strains from -LIM_GAUGE_RANGE up to one step below +LIM_GAUGE_RANGE. It is
// 2 mV/V of a quarter bridge with gauge factor 2.
#define LIM_GAUGE_RANGE 4e-3

#endif
