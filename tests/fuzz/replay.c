// replay.c - runs a fuzz target on files, without a fuzzer.
#include "base/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 20 };

int main(int argc, char **argv) {
  char why[LIM_FILE_WHY];
  uint8_t *capacity = malloc(MOST);
  for (int i = 1; i < argc && capacity; i++) {
    FILE *file = lim_file_try(argv[i], "a seed", false, why);
    if (!file) {
      printf("%s %s\n", argv[i], why);
      return 1;
    }
    size_t size = fread(capacity, 1, MOST, file);
    fclose(file);
    uint8_t *data = malloc(size); // of its size, so that the sanitizer sees what is read beyond it
    if (!data && size) return 1;
    if (size) memcpy(data, capacity, size);
    printf("%s\n", argv[i]); // the last one is named where the target fails
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  free(capacity);
  return argc < 2;
}
