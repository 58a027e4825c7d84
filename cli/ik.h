// ik.h - what limber ik found, and how it is printed.
#ifndef LIM_CLI_IK_H
#define LIM_CLI_IK_H

#include "analysis/posture.h"
#include "cli.h"

enum { CLI_SOLUTIONS = 64 };

typedef struct {
  const cli_options *o;
  lim_model *m;
  lim_posture p;
  lim_system *s; // of p
  lim_chain *c;
  lim_ik *ik;
  const char *frame;
  bool *held;       // (links)
  double *solution; // (CLI_SOLUTIONS x n)
  lim_ik_outcome outcome[CLI_SOLUTIONS];
  lim_goal goal;
  double tolerance;
  int count; // solutions; 0: one that is as near as it gets
} cli_ik_question;

// Pose, Jacobian and singular values of the posture of the chain. J (6 x n by columns) is room for it.
void cli_ik_print_pose(lim_text *out, const cli_ik_question *x, double *J);

// Solutions, or the posture that is nearest.
void cli_ik_print_json(lim_text *out, const cli_ik_question *x);
void cli_ik_print_words(lim_text *out, const cli_ik_question *x);

#endif
