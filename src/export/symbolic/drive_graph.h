// drive_graph.h - the laws of joint drives as expressions.
#ifndef LIM_EXPORT_SYMBOLIC_DRIVE_GRAPH_H
#define LIM_EXPORT_SYMBOLIC_DRIVE_GRAPH_H

#include "analysis/simulation/session.h"
#include "export/graph/graph.h"

typedef struct {
  lim_expr q, v, p, u;   // of joint and motor, in joint units
  lim_expr reference[3]; // commanded position, its rate and second derivative
  lim_expr effort;       // on the joint; of a motor: torque on its shaft
  lim_expr rigid;        // what the arm with rigid links needs, where the drive asks for it
  const lim_expr *x;     // states
} lim_graph_drive_in;

typedef struct {
  lim_expr joint, motor; // efforts on the coordinates
  lim_expr
      effort; // what the drive gives the joint, without friction; where the joint is given minus the friction
  lim_expr torque;  // of the motor on its shaft
  lim_expr rate[3]; // of the states
} lim_graph_drive_out;

void lim_graph_drive(lim_graph_drive_out *out, const lim_joint_drive *d, const lim_graph_drive_in *in);

// First-order states: their number, what they are, where they begin, of what size they are.
int lim_graph_drive_states(const lim_joint_drive *d);
const char *lim_graph_drive_state_name(const lim_joint_drive *d, int k);
double lim_graph_drive_state_start(const lim_joint_drive *d, int k, const lim_drive_states *at);
double lim_graph_drive_state_nominal(const lim_joint_drive *d, int k);

// Refuses what no code is generated for, with the reason.
lim_code lim_graph_drive_check(const lim_session *s, int body, lim_error *err);

#endif
