// probe.h - kinds of quantities that channels show, one row of a table each. Inside src/result only.
// Reference: docs/reference/channels.md.
#ifndef LIM_RESULT_PROBE_H
#define LIM_RESULT_PROBE_H

#include "analysis/along.h"
#include "analysis/simulate.h"
#include "result/cut.h"

// What a quantity belongs to; the first part of a channel's name.
typedef enum {
  LIM_OF_FRAME,
  LIM_OF_JOINT,
  LIM_OF_LINK,
  LIM_OF_SECTION,
  LIM_OF_GAUGE,
  LIM_OF_ARM,
  LIM_OF_SPRING,
  LIM_OF_BUSHING,
  LIM_OF_LOOP,
  LIM_OF_BLOCK,
  LIM_OF_MODE // of vibration
} lim_subject;

typedef struct lim_probe lim_probe;

typedef struct {
  lim_subject of;
  const char *name; // second part of a channel's name; "": there is none
  int components;   // 3: .x .y .z follow; 1: nothing follows
  const char *unit; // "rad|m": rotational or linear joint
  void (*evaluate)(double out[3], lim_probe *p, const lim_moment *m);
  size_t offset; // of what evaluate reads
  bool moving;   // only of joints with a freedom
  bool motor;    // only of joints with a motor
  bool loses;    // only of arms with gears or friction
} lim_probe_kind;

extern const lim_probe_kind lim_probe_kinds[]; // ends with a row without name

// One quantity of one subject.
struct lim_probe {
  const lim_probe_kind *kind;
  int index; // frame: site of the system; mode: its number from 0; spring, bushing, loop, block: of the model;
             // else the link
  double fraction;               // section, gauge: its place on the link
  lim_cut cut;                   // there
  const lim_gauge *gauge;        // gauge
  const lim_along_motion *along; // mode: all frequencies of the moment, computed before
  double t, strain, held;        // gauge with a rate: the moment before, its strain, the last sample
  bool begun;
  double value[3];
};

// Of gauges, kept in gauge.c.
void lim_probe_strain(double out[3], lim_probe *p, const lim_moment *m);
void lim_probe_stress(double out[3], lim_probe *p, const lim_moment *m);

// Full scale of a gauge's converter: strains from -LIM_GAUGE_RANGE up to one step below +LIM_GAUGE_RANGE. It is
// 2 mV/V of a quarter bridge with gauge factor 2.
#define LIM_GAUGE_RANGE 4e-3

#endif
