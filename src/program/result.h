// result.h - what a robot program came to: motions of joints, parts that are gripped, what it said. Constant
// once the program has run. Guide: docs/guide/programs.md.
#ifndef LIM_PROGRAM_RESULT_H
#define LIM_PROGRAM_RESULT_H

#include "arm/tree.h"
#include "motion/shaper.h"

// A command of the program, or a line that it printed.
typedef struct {
  int line;            // of the program
  double from, to;     // [s]; equal where it takes no time
  const char *command; // "movej", ..., "print"
  const char *text;    // what was asked, or printed
} lim_trace;

// A part is gripped, or let go.
typedef struct {
  double time; // [s]
  bool take;   // else it is let go
  int line;    // of the program
  const char *name;
  lim_location at;   // the frame that holds it
  double mass;       // [kg]
  double xyz[3];     // its centre of mass, in the axes of the frame [m]
  double inertia[6]; // about it, in the axes of the frame: xx yy zz xy xz yz [kg m^2]
} lim_grip;

typedef struct lim_program_result {
  const char *file; // of the program
  double end;       // when the last command is done [s]
  LIM_LIST(lim_trace) trace;
  LIM_LIST(lim_grip) grips; // times do not fall
} lim_program_result;

// Frequencies and damping of the lowest modes of the arm, joints locked at q (coordinates of the rigid system),
// with the parts it holds then: the first `count` of `grips`.
typedef struct {
  lim_code (*modes)(void *user, lim_shaped_mode *mode, int n, const double *q, const lim_grip *grips, int count,
                    lim_error *err);
  void *user;
  const char *directory; // of the model file, to which the program is relative; NULL: the working directory
  const char *text;      // of the program, in place of its file; NULL: the file is read
  size_t length;         // of the text
  double instructions;   // that the program may run; 0: 2e7
} lim_program_setup;

// Run the program of a model. Into m, with memory from its arena: a motion for every joint that the program
// commands, plan, the duration of the simulation where it is not given; the program itself is gone.
lim_code lim_program_run(lim_model *m, const lim_program_setup *setup, lim_error *err);

// The links of a model with the parts held after the first `count` grips as masses. Memory from the arena;
// NULL: out of memory.
lim_link *lim_grips_links(lim_arena *arena, const lim_model *m, const lim_grip *grips, int count);

// The bodies of an arm with the parts that it holds, from one grip to the next: their coordinates are the same.
typedef struct {
  lim_arm *s; // of the run (lim_arm_enter)
  const lim_program_result *plan;
  int now;         // grips that have happened, as the system stands
  lim_body **body; // after 0, 1, ... grips; where nothing changes, those of before   ((count + 1) x nbody)
} lim_payload;

// Of the plan of the system's model; *out is NULL where there is none, or it grips nothing. s: the arm of a
// run. Free it before the arm, which then holds nothing.
lim_code lim_payload_new(lim_payload **out, lim_arm *s, lim_error *err);
void lim_payload_free(lim_payload *h);

// Let the arm of the run be what it is after so many grips.
void lim_payload_set(lim_payload *h, int count);

// How many grips have happened at t.
int lim_payload_at(const lim_payload *h, double t);

#endif
