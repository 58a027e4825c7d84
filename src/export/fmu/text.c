// text.c - the texts of the files of an FMU that are the same for all models: src/export/fmu, each
// terminated.
#include "export/fmu/parts.h"

#define TEXT(symbol, file)                                                                                     \
  __asm__(".pushsection .rodata\n"                                                                             \
          ".global " symbol "\n"                                                                               \
          ".hidden " symbol "\n"                                                                               \
          ".type " symbol ", %object\n" symbol ":\n"                                                           \
          ".incbin \"" LIM_FMU_FOLDER "/" file "\"\n"                                                          \
          ".byte 0\n"                                                                                          \
          ".size " symbol ", . - " symbol "\n"                                                                 \
          ".popsection\n")

TEXT("lim_fmu_rotation_h", "../../math/rotation_vector.h"); // the library's own
TEXT("lim_fmu_instance_c", "instance.c.in");
TEXT("lim_fmu_fmi2_h", "fmi2.h.in");
TEXT("lim_fmu_fmi2_c", "fmi2.c.in");
TEXT("lim_fmu_fmi3_h", "fmi3.h.in");
TEXT("lim_fmu_fmi3_c", "fmi3.c.in");
