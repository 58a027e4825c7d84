// chains.c - texts of chains and ladders of bars.
#include "chains.h"

#include <stdio.h>
#include <stdlib.h>

// A file in memory; ends the program where it cannot be.
static FILE *text_new(char **text, size_t *size) {
  FILE *file = open_memstream(text, size);
  if (!file) exit(1);
  return file;
}

static char *text_end(FILE *file, char **text) {
  if (fclose(file)) exit(1);
  return *text;
}

static void head(FILE *file, bool planar) {
  fprintf(file,
          "limber: 1\n%s"
          "gravity: [0, -9.81, 0]\n"
          "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
          "sections: {s: {shape: rectangle, y: 20 mm, z: 30 mm}}\n"
          "solver: {duration: 1 s, step: 1 ms}\n"
          "links:\n",
          planar ? "planar: xy\n" : "");
}

char *bench_chain(bool planar, int links, int elements, const char *basis) {
  char *text;
  size_t size;
  FILE *file = text_new(&text, &size);
  head(file, planar);
  for (int i = 0; i < links; i++) {
    int about_y = !planar && i % 2;
    fprintf(
        file,
        "  - {name: l%d, joint: {axis: [0, %d, %d]}, beam: {length: 0.3, section: s, material: m, elements: "
        "%d}, basis: {%s}}\n",
        i, about_y, !about_y, elements, basis);
  }
  return text_end(file, &text);
}

// A bar on a hinge that is turned by some degrees against its parent. at: base or tip.
static void bar(FILE *file, const char *name, int i, const char *parent, const char *at, int turned,
                const char *basis) {
  fprintf(file,
          "  - {name: %s%d, parent: %s, at: %s, joint: {axis: [0, 0, 1], origin: {rpy: [0, 0, %d deg]}}, "
          "beam: {length: 0.3, section: s, material: m, elements: 4}, basis: {%s}}\n",
          name, i, parent, at, turned, basis);
}

char *bench_ladder(int loops, const char *basis) {
  char *text, below[32] = "base0", left[32];
  size_t size;
  FILE *file = text_new(&text, &size);
  head(file, true);
  fprintf(file, "  - {name: base0, joint: {type: fixed}, body: {mass: 1, tip: [0.3, 0, 0]}}\n");
  for (int i = 1; i <= loops; i++) { // at the start every cell is a square
    bar(file, "left", i, below, "base", 90, basis);
    bar(file, "right", i, below, "tip", 90, basis);
    snprintf(left, sizeof left, "left%d", i);
    bar(file, "top", i, left, "tip", -90, basis);
    snprintf(below, sizeof below, "top%d", i);
  }
  fprintf(file, "loops:\n");
  for (int i = 1; i <= loops; i++)
    fprintf(file, "  - {name: pin%d, type: revolute, between: [top%d.tip, right%d.tip]}\n", i, i, i);
  return text_end(file, &text);
}
