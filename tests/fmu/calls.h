// calls.h - what the drivers of calls share. They are compiled with the sources of an FMU by tests/cli/fmu.sh,
// under sanitizers: calls at the wrong time or with wrong arguments give the status that the standard asks for.
// Arguments: token, and value references of an input and of an output.
#ifndef LIM_TESTS_CALLS_H
#define LIM_TESTS_CALLS_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, logged;

static void expect(int got, int wanted, const char *call, int line) {
  if (got == wanted) return;
  printf("line %d: %s gives %d, expected %d\n", line, call, got, wanted);
  failures++;
}

#define EXPECT(call, status) expect((int)(call), (int)(status), #call, __LINE__)
#define TRUE(condition)      expect(!!(condition), 1, #condition, __LINE__)

typedef struct {
  const char *token;
  unsigned input, output, count; // count: of all variables
} subject;

static subject subject_of(int argc, char **argv) {
  if (argc != 5) exit(2);
  return (subject){argv[1], (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4])};
}

#endif
