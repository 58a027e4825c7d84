// fmu.h - generated code packed as an FMU: model exchange and co-simulation in one. Guide:
// docs/guide/generate.md.
#ifndef LIM_EXPORT_FMU_FMU_H
#define LIM_EXPORT_FMU_FMU_H

#include "export/code/generate.h"

typedef struct {
  int version;    // of FMI: 2 or 3
  bool no_binary; // sources only
} lim_fmu_options;

// Write an FMU to a file, whole or not at all. Its binary is made by the system's C compiler, cc.
lim_code lim_fmu_write(const lim_generated *g, lim_fmu_options options, const char *path, lim_error *err);

#endif
