// parts.h - what FMUs are made of. Inside src/export only.
#ifndef LIM_EXPORT_FMU_PARTS_H
#define LIM_EXPORT_FMU_PARTS_H

#include "export/fmu/fmu.h"

// --- variables ---

typedef enum {
  LIM_FMU_INDEPENDENT,
  LIM_FMU_PARAMETER,
  LIM_FMU_INPUT,
  LIM_FMU_OUTPUT,
  LIM_FMU_LOCAL
} lim_fmu_causality;

// Arrays of an instance that outputs are taken from, as src/export/fmu/instance.c.in has them.
typedef enum {
  LIM_FMU_Q,
  LIM_FMU_V,
  LIM_FMU_A,
  LIM_FMU_U,
  LIM_FMU_FRAMES,
  LIM_FMU_ENERGIES,
  LIM_FMU_DRIVES,
  LIM_FMU_ROTATIONS,
  LIM_FMU_GAUGES
} lim_fmu_array;

typedef struct {
  char name[160], what[200];
  const char *unit; // "" without
  lim_fmu_causality causality;
  bool exact;          // has a start value, else it is computed
  bool truth;          // Boolean
  bool tunable;        // a parameter that may change during a simulation
  bool state;          // continuous
  int derivative_of;   // variable; -1: none
  double start;        // of exact ones
  double nominal;      // of states: their size
  lim_fmu_array array; // of computed outputs
  int index;
  double factor;
} lim_fmu_variable;

// Value references are the numbers of variables, in blocks.
typedef struct {
  lim_arena arena;
  int count, capacity;
  lim_fmu_variable *variable;                      // (count)
  int state, derivative, input, parameter, output; // first of each block; states: positions, speeds, of drives
  int nfree;                                       // coordinates that are not given
  int *coordinate;                                 // (nfree)
} lim_fmu_variables;

enum { LIM_FMU_TIME, LIM_FMU_INNER, LIM_FMU_OWN, LIM_FMU_FIRST }; // the first variables

lim_code lim_fmu_variables_new(lim_fmu_variables *v, const lim_generated *g, lim_error *err);

// modelDescription.xml; for FMI 3 also sources/buildDescription.xml.
void lim_fmu_describe(lim_text *to, const lim_generated *g, const lim_fmu_variables *v, int version,
                      const char *token);
void lim_fmu_describe_build(lim_text *to, const lim_generated *g);

// --- texts of the wrapper, terminated ---

extern const char lim_fmu_rotation_h[], lim_fmu_instance_c[], lim_fmu_fmi2_h[], lim_fmu_fmi2_c[],
    lim_fmu_fmi3_h[], lim_fmu_fmi3_c[];

// --- files ---

typedef struct {
  char name[160]; // with folder, inside the archive
  lim_text text;
} lim_fmu_file;

// Compile sources, of which the first is given to the compiler, to a shared library.
lim_code lim_fmu_compile(lim_text *library, const lim_fmu_file *source, int count, const char *define,
                         lim_error *err);

// Files as a zip archive: the same bytes for the same files.
lim_code lim_fmu_pack(const char *path, const lim_fmu_file *file, int count, lim_error *err);

#endif
