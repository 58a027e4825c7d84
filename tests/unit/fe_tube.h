// fe_tube.h - the tube of models/fe as a model: on a joint that turns about y, 1 m along x, held at ROOT.
#ifndef LIM_TEST_FE_TUBE_H
#define LIM_TEST_FE_TUBE_H

#define FE_TUBE                                                                                                \
  "limber: 1\nname: tube\ngravity: [0, 0, -9.81]\nlinks:\n  - name: tube\n    joint: {name: hub, axis: [0, "   \
  "1, "                                                                                                        \
  "0]}\n    fe: {stiffness: models/fe/tube.sti, mass: models/fe/tube.mas, dofs: models/fe/tube.dof, nodes: "   \
  "models/fe/tube.inp, frames: {base: {nodes: ROOT}, tip: {nodes: TIP, coupling: mean}}}\n    basis: {type: "  \
  "craig-bampton, count: 4}\n    masses: [{mass: 5, at: tip}]\n"

#endif
