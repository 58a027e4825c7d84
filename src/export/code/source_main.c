// source_main.c - main.c of generated code: a run that prints its states as CSV.
#include "export/code/code.h"
#include "export/code/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 200 };

// Which of the coordinates of its link, from 1; a link of several segments has several bodies.
static int deformation_of(const lim_arm *s, int body, int k) {
  int before = 0;
  for (int i = 0; i < body; i++)
    if (s->bodies[i].link == s->bodies[body].link) before += s->bodies[i].body->n;
  return before + k - s->bodies[body].e + 1;
}

// "elbow.velocity [rad/s]"
static void name_column(char out[NAME], const lim_symbolic *x, int k, int order) {
  static const char *const what[2][2] = {{"position", "velocity"}, {"motor", "motor_rate"}};
  snprintf(out, NAME, "coordinate.%d", k);
  for (int i = 0; i < x->s->nbody; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    const lim_link *link = &x->session->model->links.item[b->link];
    const char *unit = b->screw.slides ? "m" : "rad";
    if (b->q == k || b->m == k)
      snprintf(out, NAME, "%s.%s [%s%s]", link->joint.head.name, what[b->m == k][order], unit,
               order ? "/s" : "");
    else if (k >= b->e && k < b->e + b->body->n)
      snprintf(out, NAME, "%s.deformation%s.%d", link->head.name, order ? "_rate" : "",
               deformation_of(x->s, i, k));
  }
}

// A statement that prints ",name", in quotes where the name holds one (RFC 4180), as a text of C: every byte
// that means something there is written as an octal number.
static void column(lim_text *to, const lim_symbolic *x, int k, int order) {
  char name[NAME];
  name_column(name, x, k, order);
  const bool quoted = strchr(name, '"') != NULL;
  lim_text_add(to, "  fputs(\",%s", quoted ? "\\042" : "");
  for (const char *c = name; *c; c++) {
    const bool plain = *c >= ' ' && *c <= '~' && !strchr("\"\\?", *c);
    if (*c == '"') lim_text_add(to, "\\042");
    lim_text_add(to, plain ? "%c" : "\\%03o", (unsigned char)*c);
  }
  lim_text_add(to, "%s\", stdout);\n", quoted ? "\\042" : "");
}

void lim_source_main(lim_text *to, const lim_generated *g) {
  const lim_solver *s = &g->session->model->solver;
  lim_source_put(to, g->name,
                 "// main.c - runs the arm: main [duration [step [records]]] prints t, q and v as CSV,\n// one "
                 "line of names and units first.\n"
                 "#include \"@.h\"\n\n#include <stdio.h>\n#include <stdlib.h>\n\n"
                 "static void record(const @_state *s) {\n"
                 "  printf(\"%.17g\", s->t);\n"
                 "  for (int i = 0; i < $_N; i++) printf(\",%.17g\", s->q[i]);\n"
                 "  for (int i = 0; i < $_N; i++) printf(\",%.17g\", s->v[i]);\n"
                 "  printf(\"\\n\");\n"
                 "}\n\n"
                 "static void header(void) {\n"
                 "  fputs(\"t [s]\", stdout);\n");
  for (int order = 0; order < 2; order++)
    for (int k = 0; k < g->written->n; k++) column(to, g->written, k, order);
  lim_source_put(to, g->name,
                 "  puts(\"\");\n"
                 "}\n\n"
                 "int main(int argc, char **argv) {\n"
                 "  const double duration = argc > 1 ? atof(argv[1]) : ");
  lim_code_number(to, isnan(s->duration) ? 1 : s->duration);
  lim_source_put(to, g->name, ", step = argc > 2 ? atof(argv[2]) : ");
  lim_code_number(to, g->step);
  lim_source_put(to, g->name,
                 ";\n  const int records = argc > 3 ? atoi(argv[3]) : 100;\n"
                 "  @_state s;\n"
                 "  @_start(&s);\n"
                 "  header();\n"
                 "  record(&s);\n"
                 "  for (int k = 1; k <= records; k++) {\n"
                 "    if (@_run(&s, duration * k / records, step, @_inputs, NULL)) {\n"
                 "      fprintf(stderr, \"failed at t = %g s: is the step too long, or has a free or spherical "
                 "joint turned far?\\n\", s.t);\n"
                 "      return 1;\n"
                 "    }\n"
                 "    record(&s);\n"
                 "  }\n"
                 "  return 0;\n"
                 "}\n");
}
