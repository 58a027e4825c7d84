// scene_scene.c - what is drawn of joints with several freedoms: the links and joints that were written, and no
// others; of carriages on rails, end stops and contacts: where they are, in whose axes.
#include "channel_fixture.h"

#include "scene/scene.h"

// A floating base, a hand on a universal joint with a motor on each freedom, a plate on a ball joint.
#define FLOATING                                                                                               \
  HEAD("[0, 0, 0]")                                                                                            \
  "links:\n"                                                                                                   \
  "  - {name: ship, joint: {name: orbit, type: free}, body: {mass: 6, com: [0.1, 0, 0],\n"                     \
  "     inertia: [1, 2, 2.5, 0.1, 0, 0]}}\n"                                                                   \
  "  - {name: boom, joint: {name: hub, origin: {xyz: [1, 0, 0]}}, " BEAM "}\n"                                 \
  "  - {name: hand, joint: {name: wrist, type: universal, axis: [0, 1, 0], axis2: [0, 0, 1],\n"                \
  "     origin: {xyz: [0, 0, 0.1]}}, body: {mass: 1, inertia: [1, 1, 1], tip: [0.2, 0, 0]}}\n"                 \
  "  - {name: pan, parent: boom, joint: {name: ball, type: spherical}, body: {mass: 1, inertia: [1, 1, 1]}}\n" \
  "drives:\n"                                                                                                  \
  "  wrist.first: {type: motor, motor: {mass: 1, rotor_inertia: 1e-4}}\n"                                      \
  "  wrist.second: {type: motor, motor: {mass: 1, rotor_inertia: 1e-4}}\n"                                     \
  "tool: hand.tip\n"

typedef struct {
  arm x;
  lim_skeleton *k;
  char *text; // without blanks and line ends
} drawing;

static drawing drawing_of(const char *model) {
  drawing d;
  lim_text json = {0};
  arm_start(&d.x, model);
  assert_int_equal(lim_skeleton_new(&d.k, d.x.s, d.x.rigid, NULL), LIM_OK);
  assert_int_equal(lim_scene_json(&json, d.x.model, d.k, d.x.s, d.x.rigid, NULL), LIM_OK);
  char *to = d.text = json.text;
  for (const char *from = json.text; *from; from++)
    if (*from != ' ' && *from != '\n') *to++ = *from;
  *to = 0;
  return d;
}

static void drawing_end(drawing *d) {
  lim_skeleton_free(d->k);
  free(d->text);
  arm_end(&d->x);
}

static void says(const drawing *d, const char *what) {
  if (!strstr(d->text, what)) fail_msg("%s is not in %s", what, d->text);
}

static int count_of(const char *text, const char *what) {
  int n = 0;
  while ((text = strstr(text, what))) text++, n++;
  return n;
}

static void links_and_joints_are_those_that_were_written(void **state) {
  (void)state;
  drawing d = drawing_of(FLOATING);
  assert_int_equal(d.k->links, 4);
  says(&d, "\"name\":\"ship\",\"beam\":false,\"parent\":-1,\"first\":0,\"nodes\":2,\"body\":{\"mass\":6,"
           "\"com\":[0.1,0,0],"
           "\"inertia\":[1,2,2.5,0.1,0,0]}}");
  says(&d, "\"name\":\"boom\",\"beam\":true,\"parent\":0,\"first\":2,\"nodes\":4,");
  says(&d, "\"name\":\"hand\",\"beam\":false,\"parent\":1,\"first\":6,\"nodes\":2,");
  says(&d, "\"name\":\"pan\",\"beam\":false,\"parent\":1,\"first\":8,\"nodes\":2,");
  assert_int_equal(count_of(d.text, "\"type\":"), 4);
  says(&d, "\"name\":\"orbit\",\"type\":\"free\",\"link\":0,");
  says(&d, "\"name\":\"ball\",\"type\":\"spherical\",\"link\":3,");
  assert_null(strstr(d.text, "orbit."));
  assert_null(strstr(d.text, "ball."));
  assert_null(strstr(d.text, "wrist.first.base"));
  drawing_end(&d);
}

// The first direction in the axes of what carries the joint, the last in those of its link.
static void freedoms_have_directions_and_a_frame_that_carries_them(void **state) {
  (void)state;
  drawing d = drawing_of(FLOATING);
  says(&d, "\"name\":\"wrist\",\"type\":\"universal\",\"link\":2,\"axis\":[0,0,1],\"axes\":[[0,1,0],[0,0,1]],"
           "\"on\":{\"link\":1,\"node\":5,\"offset\":[0,0,0.1],\"turn\":[0,0,0]}}");
  says(&d,
       "\"name\":\"hub\",\"type\":\"revolute\",\"link\":1,\"axis\":[0,0,1]}"); // a joint with one needs none
  drawing_end(&d);
}

// The motor of the second freedom turns with the first: it is drawn on the hand, whose joint it turns.
static void motors_of_freedoms_sit_on_links_that_are_drawn(void **state) {
  (void)state;
  drawing d = drawing_of(FLOATING);
  says(&d, "\"name\":\"wrist.first\",\"link\":1,\"node\":5,\"offset\":[0,0,0.1],\"axis\":[0,1,0],");
  says(&d, "\"name\":\"wrist.second\",\"link\":2,\"node\":6,\"offset\":[0,0,0],\"axis\":[0,0,1],");
  drawing_end(&d);
}

// Frames: tip, ship.base, boom.base, boom.tip, hand.base, hand.tip; the last is the tool, tip is that of the
// pan.
static void tool_is_the_frame_that_the_model_names(void **state) {
  (void)state;
  drawing d = drawing_of(FLOATING);
  const char *frames = strstr(d.text, "\"frames\":["), *tool = strstr(d.text, "\"name\":\"hand.tip\"");
  assert_true(frames && tool && tool > frames);
  char all[8192];
  snprintf(all, sizeof all, "%.*s", (int)(tool - frames), frames);
  char expected[32];
  snprintf(expected, sizeof expected, "\"tool\":%d,", count_of(all, "\"name\""));
  says(&d, expected);
  drawing_end(&d);
  d = drawing_of(HEAD("[0, 0, 0]") "links: [{name: a, " BEAM "}]\n");
  says(&d, "\"tool\":0,");
  drawing_end(&d);
}

// Turned by the universal joint as by two pins with a massless link between them.
static void skeleton_follows_all_freedoms(void **state) {
  (void)state;
  arm x;
  lim_skeleton *k;
  arm_start(&x, HEAD("[0, 0, 0]") "links:\n"
                                  "  - {name: boom, " BEAM "}\n"
                                  "  - {name: hand, joint: {name: wrist, type: universal, axis: [0, 1, 0], "
                                  "axis2: [0, 0, 1]},\n"
                                  "     body: {mass: 1, inertia: [1, 1, 1], tip: [0.2, 0, 0]}}\n"
                                  "configuration: {wrist: {first: -90 deg, second: 90 deg}}\n");
  assert_int_equal(lim_skeleton_new(&k, x.s, x.rigid, NULL), LIM_OK);
  assert_int_equal(k->count, 6);
  float room[8][18] = {{0}}, rigid[2][12], stress[2][6];
  lim_frame_data f = {room[0], room[1],  room[2],  room[3],   room[4],  room[5],
                      room[6], rigid[0], rigid[1], stress[0], stress[1]};
  lim_skeleton_pose(&f, k, arm_snapshot(&x, 0), NULL);
  const double tip[3] = {0.5, 0.2, 0}; // the second axis has been turned to -x, and turns z to y
  for (int i = 0; i < 3; i++) {
    assert_true(fabs((double)f.position[15 + i] - tip[i]) < 1e-6);
    assert_true(fabs((double)f.reference[15 + i] - tip[i]) < 1e-6);
    assert_true(fabs((double)f.displacement[15 + i]) < 1e-12);
    assert_true(fabs((double)rigid[0][6 + i] - (i == 0 ? 0.5 : 0)) < 1e-6); // the hand, second of two links
  }
  lim_skeleton_free(k);
  arm_end(&x);
}

// --- rails, stops, contacts ---

// A carriage on a rail, turned by a right angle below it, with an arm on a pin that has stops; a second rail
// beside.
#define CRANE                                                                                                  \
  HEAD("[0, 0, 0]")                                                                                            \
  "links:\n"                                                                                                   \
  "  - {name: rail, " BEAM "}\n"                                                                               \
  "  - {name: other, parent: base, joint: {type: fixed, origin: {xyz: [0, 0.2, -0.2]}}, " BEAM "}\n"           \
  "  - {name: carriage, parent: rail, joint: {name: travel, type: prismatic, rail: beam,\n"                    \
  "     origin: {xyz: [0.1, 0.2, 0.3], rpy: [0, 0, 90 deg]},\n"                                                \
  "     limits: {stop: {stiffness: 1e5}}}, body: {mass: 1, tip: [0, 0, -0.5]}}\n"                              \
  "  - {name: arm, joint: {name: pivot, origin: {xyz: [0, 0, -0.25]},\n"                                       \
  "     limits: {position: [-1, 2], stop: {stiffness: 1e5}}}, " BEAM "}\n"                                     \
  "  - {name: hand, joint: {name: wrist, limits: {position: [-3, 3]}}, body: {mass: 1, tip: [0.2, 0, 0]}}\n"   \
  "frames: [{name: shelf, on: rail, at: tip, xyz: [0, 0, 0.5], rpy: [0, 0, 0.5]}]\n"                           \
  "configuration: {travel: 0.2}\n"                                                                             \
  "loops: [{name: shoe, type: rail, between: [carriage.tip, other]}]\n"                                        \
  "contacts:\n"                                                                                                \
  "  - {name: floor, frame: hand.tip, radius: 5 mm, plane: {point: [1, 2, 3], normal: [0, 0, 2]}, stiffness: " \
  "1e5}\n"                                                                                                     \
  "  - {name: wall, frame: arm.tip, plane: {on: shelf, point: [0, 0, 0.25], normal: [1, 0, 0]},\n"             \
  "     stiffness: 1e5}\n"

// The carriage stands 0.1, 0.2, 0.3 from its section: seen from its own axes, which are turned, that is -0.2,
// 0.1, -0.3 back. The limits are the ends of the rail.
static void carriages_know_their_rail_and_the_way_back_to_its_section(void **state) {
  (void)state;
  drawing d = drawing_of(CRANE);
  says(&d, "\"name\":\"travel\",\"type\":\"prismatic\",\"link\":2,");
  const char *rail = strstr(d.text, "\"rail\":{\"link\":0,\"offset\":[");
  assert_non_null(rail);
  double offset[3];
  assert_int_equal(sscanf(strchr(rail, '['), "[%lf,%lf,%lf]", &offset[0], &offset[1], &offset[2]), 3);
  const double back[3] = {-0.2, 0.1, -0.3};
  for (int i = 0; i < 3; i++) assert_true(fabs(offset[i] - back[i]) < 1e-15);
  assert_int_equal(count_of(d.text, "\"rail\":"), 1);
  says(&d, "]},\"stop\":[0,0.5]}");
  says(&d, "\"link\":1,\"node\":4,\"offset\":[0,0,0],\"turn\":[0,0,0]}],\"type\":\"rail\",");
  drawing_end(&d);
}

static void stops_stand_in_the_frame_in_which_their_joint_starts(void **state) {
  (void)state;
  drawing d = drawing_of(CRANE);
  says(&d, "\"name\":\"pivot\",\"type\":\"revolute\",\"link\":3,\"axis\":[0,0,1],\"stop\":[-1,2],"
           "\"on\":{\"link\":2,\"node\":9,\"offset\":[0,0,-0.25],\"turn\":[0,0,0]}}");
  says(&d, "\"name\":\"wrist\",\"type\":\"revolute\",\"link\":4,\"axis\":[0,0,1]}"); // limits alone are none
  assert_int_equal(count_of(d.text, "\"stop\":"), 2);
  drawing_end(&d);
}

// The frame that carries a plane sits on the section that carries the frame, however far the plane's point is.
static void contacts_have_a_centre_and_a_plane_in_the_axes_of_what_carries_it(void **state) {
  (void)state;
  drawing d = drawing_of(CRANE);
  says(&d, "{\"name\":\"floor\",\"centre\":{\"link\":4,\"node\":15,\"offset\":[0,0,0],\"turn\":[0,0,0]},"
           "\"radius\":0.005,\"plane\":{\"link\":-1,\"node\":-1,\"offset\":[0,0,0],\"turn\":[0,0,0],"
           "\"point\":[1,2,3],\"normal\":[0,0,1]}}");
  says(&d, "\"point\":[0,0,0.25],\"normal\":[1,0,0]}}]");
  static const char on[] = "\"plane\":{\"link\":0,\"node\":3,\"offset\":[0,0,0.5],\"turn\":[0,0,";
  says(&d, on);
  assert_true(fabs(strtod(strstr(d.text, on) + sizeof on - 1, NULL) - 0.5) < 1e-15);
  drawing_end(&d);
  d = drawing_of(FLOATING);
  says(&d, "\"contacts\":[]");
  drawing_end(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_and_joints_are_those_that_were_written),
      cmocka_unit_test(freedoms_have_directions_and_a_frame_that_carries_them),
      cmocka_unit_test(motors_of_freedoms_sit_on_links_that_are_drawn),
      cmocka_unit_test(tool_is_the_frame_that_the_model_names),
      cmocka_unit_test(skeleton_follows_all_freedoms),
      cmocka_unit_test(carriages_know_their_rail_and_the_way_back_to_its_section),
      cmocka_unit_test(stops_stand_in_the_frame_in_which_their_joint_starts),
      cmocka_unit_test(contacts_have_a_centre_and_a_plane_in_the_axes_of_what_carries_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
