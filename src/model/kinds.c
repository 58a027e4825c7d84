// kinds.c - the words of kinds in messages.
#include "model/kinds.h"

#include <stdio.h>

const char *lim_kind_words(char buffer[LIM_KIND_WORDS], const lim_kind_row *(*kinds)(int i),
                           bool (*holds)(int i), const char *last) {
  int left = 0, used = 0;
  for (int i = 0; kinds(i); i++) left += holds(i);
  for (int i = 0; kinds(i) && used < LIM_KIND_WORDS; i++) {
    if (!holds(i)) continue;
    const char *glue = --left > 1 ? ", " : left == 1 ? last : "";
    used += snprintf(buffer + used, (size_t)(LIM_KIND_WORDS - used), "%s%s", kinds(i)->word, glue);
  }
  return buffer;
}
