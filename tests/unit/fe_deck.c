// fe_deck.c - tests of nodes of finite-element programs, and of input decks: every keyword, and every message.
#include "unit/fe_read_fixture.h"

// --- nodes ---

static void nodes_of_a_csv_are_sorted(void **state) {
  place *p = *state;
  static const char *const text[] = {"9,1,2,3\n4,-1,0,.5\n", "id,x,y,z\r\n9,1,2,3\r\n4,-1,0,.5",
                                     "# mm\nid;x;y;z\n9;1;2;3\n4;-1;0;.5\n",
                                     "\xEF\xBB\xBF\n9 1 2 3\n 4 -1 0 5D-1\n"};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    lim_fe_mesh *m = mesh_of(p, text[i], "4.1\n", "1 1 1\n", "1 1 1\n");
    assert_int_equal(m->nnode, 2);
    assert_true(m->id[0] == 4 && m->id[1] == 9);
    assert_true(m->X[0] == -1 && m->X[1] == 0 && m->X[2] == 0.5 && m->X[5] == 3);
    assert_int_equal(m->nelement + m->nset, 0);
    lim_fe_mesh_free(m);
  }
}

static void wrong_nodes_of_a_csv_are_told(void **state) {
  place *p = *state;
  expect_wrong(p, "", NULL, unit, unit, "nodes", 0, "the file has no nodes");
  expect_wrong(p, "id,x,y,z\n", NULL, unit, unit, "nodes", 1, "the file has no nodes");
  expect_wrong(p, "1,0,0\n", NULL, unit, unit, "nodes", 1, "3 columns, must be 4: id, x, y, z");
  expect_wrong(p, "1,0,0,a\n", NULL, unit, unit, "nodes", 1, "'a' is not a number");
  expect_wrong(p, "1,0,0,0\nid,x,y,z\n", NULL, unit, unit, "nodes", 2, "'id' is not a number");
  expect_wrong(p, "0,0,0,0\n", NULL, unit, unit, "nodes", 1, "node 0: ids are positive");
  expect_wrong(p, "1,0,0,0\n2,0,0,0\n1,0,0,0\n", NULL, unit, unit, "nodes", 3,
               "duplicate node 1: also in line 1");
  expect_wrong(p, "1,0,0,0\n2,0,0,0\n1,0,0,1\n", NULL, unit, unit, "nodes", 3,
               "duplicate node 1, with other coordinates: also in line 1");
}

// --- decks ---

static lim_fe_mesh *deck_of(place *p, const char *deck) {
  return mesh_of(p, deck, "1.1\n", "1 1 1\n", "1 1 1\n");
}

static void expect_set(const lim_fe_mesh *m, const char *name, int line, int count, const int *id) {
  const lim_fe_set *s = lim_fe_find_set(m, name);
  assert_non_null(s);
  assert_int_equal(s->line, line);
  assert_int_equal(s->count, count);
  for (int i = 0; i < count; i++) assert_int_equal(m->id[s->node[i]], id[i]);
}

static void nodes_and_sets_of_a_deck_are_read(void **state) {
  place *p = *state;
  lim_fe_mesh *m = deck_of(p, "** a deck\n"
                              "*Heading\n a text, 1, 2\n"
                              "*Node, NSET=All\n3, 1., 2., 3.\n1\n2,,5\n" // lines 5 .. 7
                              "** between\n"
                              "*NODE\n10, 0, 0, 1, 0, 0, 1\n11,0,0,2\n12,0,0,3\n"
                              "*NSET, NSET = tip\n 10, 11,\n3\n"                // 13
                              "*NSET, GENERATE,\n nset=\"Odd One\"\n1, 11, 2\n" // 16
                              "*Nset,Nset=BOTH\n\"odd one\", tip\n2\n"          // 19
                              "*NSET,NSET=Tip\n12\n");
  assert_int_equal(m->nnode, 6);
  assert_true(m->X[0] == 0 && m->X[1] == 0 && m->X[2] == 0);
  assert_true(m->X[3] == 0 && m->X[4] == 5 && m->X[5] == 0);
  expect_set(m, "all", 4, 3, (int[]){1, 2, 3});
  expect_set(m, "TIP", 13, 4, (int[]){3, 10, 11, 12});
  expect_set(m, "odd one", 17, 3, (int[]){1, 3, 11});
  expect_set(m, "both", 19, 5, (int[]){1, 2, 3, 10, 11});
  assert_int_equal(m->nset, 4);
  lim_fe_mesh_free(m);
}

static void gaps_of_generated_sets_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  char expected[200];
  assert_int_equal(read_all(&m, p, "*NODE\n1\n3\n*NSET,NSET=A,GENERATE\n1,2000000000\n", "1.1\n", "1 1 1\n",
                            "1 1 1\n", &err),
                   LIM_OK);
  expect_set(m, "a", 4, 2, (int[]){1, 3});
  assert_int_equal(err.warnings, 1);
  snprintf(expected, sizeof expected,
           "%s/nodes:4: set 'A' counts 1999999998 nodes that there are not; they are left out", p->folder);
  assert_string_equal(err.warning[0].text, expected);
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

// Nodes 1 to 20.
#define NODES                                                                                                  \
  "*NODE\n1\n2,1\n3,2\n4,3\n5,4\n6,5\n7,6\n8,7\n9,8\n10,9\n11,1,1\n12,1,2\n13,1,3\n14,1,4\n15,1,5\n16,1,"      \
  "6\n17,1,7\n"                                                                                                \
  "18,1,8\n19,1,9\n20,2,2\n"

static void elements_of_all_shapes_are_read(void **state) {
  place *p = *state;
  static const struct {
    const char *type;
    lim_fe_shape shape;
  } kind[] = {{"C3D4", LIM_FE_TET4},    {"C3D10", LIM_FE_TET10},  {"C3D10T", LIM_FE_TET10},
              {"c3d10m", LIM_FE_TET10}, {"C3D6", LIM_FE_WEDGE6},  {"C3D15", LIM_FE_WEDGE15},
              {"C3D8", LIM_FE_HEX8},    {"C3D8R", LIM_FE_HEX8},   {"C3D8I", LIM_FE_HEX8},
              {"C3D20", LIM_FE_HEX20},  {"C3D20R", LIM_FE_HEX20}, {"S3", LIM_FE_TRI3},
              {"S6", LIM_FE_TRI6},      {"S4R", LIM_FE_QUAD4},    {"S8R5", LIM_FE_QUAD8},
              {"M3D4R", LIM_FE_QUAD4},  {"CPS8", LIM_FE_QUAD8},   {"B31", LIM_FE_BEAM2},
              {"B32R", LIM_FE_BEAM3},   {"T3D2", LIM_FE_BEAM2},   {"B21", LIM_FE_BEAM2}};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    char deck[1000];
    const int n = lim_fe_shape_nodes(kind[i].shape);
    int used = snprintf(deck, sizeof deck, NODES "*ELEMENT, TYPE=%s\n8", kind[i].type);
    for (int k = 0; k < n; k++)
      used += snprintf(deck + used, sizeof deck - used, ",%s%d", k == 9 ? "\n" : "", n - k);
    snprintf(deck + used, sizeof deck - used, "\n");
    lim_fe_mesh *m = deck_of(p, deck);
    assert_int_equal(m->nelement, 1);
    assert_int_equal(m->element[0].id, 8);
    assert_int_equal(m->element[0].shape, kind[i].shape);
    assert_true(m->element[0].material == -1 && isnan(m->element[0].thickness));
    for (int k = 0; k < n; k++) assert_int_equal(m->element_node[k], n - k - 1);
    lim_fe_mesh_free(m);
  }
}

static void other_elements_are_left_out_with_a_warning(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(read_all(&m, p,
                            NODES
                            "*ELEMENT,TYPE=SPRINGA,ELSET=E\n1,2,3\n2,3,\n4\n*ELEMENT,TYPE=T3D2,ELSET=E\n3,1,2\n"
                            "*ELEMENT,TYPE=springa\n9,2,3\n*ELEMENT,TYPE=MASS\n77,5\n*ELEMENT,TYPE=GAP\n",
                            "1.1\n", "1 1 1\n", "1 1 1\n", &err),
                   LIM_OK);
  assert_int_equal(m->nelement, 1);
  assert_int_equal(err.warnings, 2);
  assert_string_equal(err.warning[0].text,
                      "3 elements of type 'SPRINGA' are neither drawn nor asked for strains");
  assert_string_equal(err.warning[1].text, "1 element of type 'MASS' is neither drawn nor asked for strains");
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

static void materials_and_thicknesses_come_by_sections(void **state) {
  place *p = *state;
  put(p, 5, "K", "1 1 1\n");
  const lim_fe_files files = {.stiffness = p->path[5],
                              .mass = p->path[5],
                              .dofs = put(p, 6, "dofs", "1.1\n"),
                              .nodes =
                                  put(p, 7, "deck.inp",
                                      NODES "*ELEMENT,TYPE=S4,ELSET=SKIN\n1,1,2,3,4\n3,2,3,4,5\n"
                                            "*ELEMENT,TYPE=C3D8\n2,1,2,3,4,5,6,7,8\n4,1,2,3,4,5,6,7,8\n"
                                            "*ELSET,ELSET=CORE,GENERATE\n2,4,2\n*ELSET,ELSET=ONE\n3\n"
                                            "*MATERIAL,NAME=STEEL\n*DENSITY\n7.85e-9\n*ELASTIC\n210000., .3, "
                                            "20.\n190000.,.31,300\n*MATERIAL,NAME=Ply\n"
                                            "*ELASTIC,TYPE=ENGINEERING CONSTANTS\n1,2,3,4,5,6,7,8\n9\n"
                                            "*Solid Section, ELSET=CORE, MATERIAL=Steel\n,\n"
                                            "*SHELL SECTION,ELSET=SKIN,MATERIAL=STEEL\n2.5, 5\n"
                                            "*SHELL SECTION,ELSET=ONE,MATERIAL=PLY,COMPOSITE\n0.1,,PLY\n"
                                            "*STEP\n*BOUNDARY\n1,1,3\n*END STEP\n"),
                              .length = 1e-3,
                              .mass_unit = 1000};
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(lim_fe_read(&m, &files, &err), LIM_OK);
  assert_int_equal(err.warnings, 0);
  assert_int_equal(m->nmaterial, 2);
  assert_true(fabs(m->material[0].E - 2.1e11) < 1 && m->material[0].nu == 0.3 && isnan(m->material[1].E));
  assert_int_equal(m->nelement, 4);
  assert_true(m->element[0].id == 1 && m->element[0].material == 0 && m->element[0].thickness == 2.5e-3);
  assert_true(m->element[1].id == 2 && m->element[1].material == 0 && isnan(m->element[1].thickness));
  assert_true(m->element[2].id == 3 && m->element[2].material == 1 && isnan(m->element[2].thickness));
  assert_true(m->X[4 * 3] == 4e-3 && m->K.value[0] == 1000);
  lim_fe_mesh_free(m);
}

static void names_of_sections_that_are_not_known_are_told(void **state) {
  place *p = *state;
  lim_fe_mesh *m;
  lim_error err = {0};
  assert_int_equal(
      read_all(&m, p, NODES "*SOLID SECTION,ELSET=A,MATERIAL=B\n", "1.1\n", "1 1 1\n", "1 1 1\n", &err),
      LIM_OK);
  assert_int_equal(err.warnings, 2);
  assert_non_null(strstr(err.warning[0].text, "/nodes:22: element set 'A' is not known"));
  assert_non_null(strstr(err.warning[1].text, "/nodes:22: material 'B' is not known"));
  lim_error_clear(&err);
  lim_fe_mesh_free(m);
}

static void one_part_with_one_instance_is_read(void **state) {
  lim_fe_mesh *m =
      deck_of(*state, "*PART, NAME=P\n*NODE\n1\n2,1\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, "
                      "PART=P\n0., 0., 0.\n*END INSTANCE\n*NSET,NSET=S,INSTANCE=I\n2\n*END ASSEMBLY\n");
  expect_set(m, "S", 10, 1, (int[]){2});
  lim_fe_mesh_free(m);
}

static void wrong_decks_are_told(void **state) {
  place *p = *state;
  static const struct {
    const char *deck;
    int line;
    const char *text;
  } wrong[] = {
      {"*HEADING\n", 1, "the file has no nodes"},
      {"*NODE\n1\n2,a\n", 3, "'a' is not a number"},
      {"*NODE\n1\n1\n", 3, "duplicate node 1: also in line 2"},
      {"*NODE\n1\n*NODE\n2\n1,3\n", 5, "duplicate node 1, with other coordinates: also in line 2"},
      {"*NODE\n-1\n", 2, "node -1: ids are positive"},
      {"*NODE,NSET=\n1\n", 1, "NSET= without a name"},
      {"*NODE,SYSTEM=C\n1\n", 1, "*NODE with SYSTEM=C is not supported: write x, y, z"},
      {"*NODE,INPUT=a\n", 1, "*NODE with INPUT= is not supported: write *INCLUDE, INPUT= behind *NODE"},
      {"*NODE\n1\n*SYSTEM\n1,0,0\n", 3, "*SYSTEM is not supported: write all nodes in the same axes"},
      {"*NODE\n1\n*NSET,NSET=A\n1,\n2\n", 5, "node 2 of set 'A' has no coordinates"},
      {"*NODE\n1\n*NSET,NSET=A\nB\n", 4, "set 'B' is not known here"},
      {"*NODE\n1\n*NSET\n1\n", 3, "*NSET needs NSET=, the name of the set"},
      {"*NODE\n1\n*ELSET\n1\n", 3, "*ELSET needs ELSET=, the name of the set"},
      {"*NODE\n1\n*NSET,NSET=A,GENERATE\n2,1\n", 4,
       "GENERATE needs 'first, last, step' with first <= last and a positive step"},
      {"*NODE\n1\n*NSET,NSET=A,GENERATE\n1,2,0\n", 4,
       "GENERATE needs 'first, last, step' with first <= last and a positive step"},
      {"*NODE\n1\n*ELEMENT\n1,1\n", 3, "*ELEMENT needs TYPE="},
      {"*NODE\n1\n*ELEMENT,TYPE=B31,INPUT=a\n", 3,
       "*ELEMENT with INPUT= is not supported: write *INCLUDE, INPUT= behind *ELEMENT"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2\n*STEP\n", 23, "element 1 has 2 nodes, its type has 3"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3,4\n", 23, "element 1 has more than its 3 nodes"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3\n2,1,2,33\n", 24, "node 33 of element 2 has no coordinates"},
      {NODES "*ELEMENT,TYPE=S3\n1,1,2,3\n1,1,2,3\n", 24, "duplicate element 1: also in line 23"},
      {"*NODE\n1\n*MATERIAL\n", 3, "*MATERIAL needs NAME="},
      {"*NODE\n1\n*MATERIAL,NAME=A\n*ELASTIC\n-1,.3\n", 5,
       "E = -1, nu = 0.3: E must be positive, nu between -1 and 0.5"},
      {"*NODE\n1\n*SHELL SECTION,ELSET=A\n0\n", 4, "thickness 0: must be positive"},
      {"*NODE\n1\n*TRANSFORM,NSET=A\n1,0,0,0,1,0\n", 3,
       "*TRANSFORM is not supported, as rows of the matrices are then in turned axes: leave it out, and write "
       "the "
       "matrices again"},
      {"*NODE\n1\n*PART,NAME=A\n*PART,NAME=B\n", 4,
       "more than one part: write the deck flat, without parts and instances"},
      {"*NODE\n1\n*INSTANCE,NAME=A\n*INSTANCE,NAME=B\n", 4,
       "more than one instance: write the deck flat, without parts and instances"},
      {"*NODE\n1\n*INSTANCE,NAME=A\n0,1,0\n", 4,
       "an instance that is moved: write the deck flat, without parts and instances"},
      {"*INCLUDE\n", 1, "*INCLUDE needs INPUT=, the name of a file"},
      {"*INCLUDE,INPUT=/etc/passwd\n", 1, "'/etc/passwd' leads out of the folder of the deck"},
      {"*INCLUDE,INPUT=a/../../b\n", 1, "'a/../../b' leads out of the folder of the deck"},
      {"*INCLUDE,INPUT=./nodes\n", 1, "'./nodes' includes itself"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_wrong(p, wrong[i].deck, "1.1\n", "1 1 1\n", "1 1 1\n", "nodes", wrong[i].line, wrong[i].text);
}

// --- files that are included ---

static void files_are_included(void **state) {
  place *p = *state;
  put(p, 4, "a.inp", "2, 1\n3, 2\n");
  put(p, 5, "b.inp", "*INCLUDE, INPUT=\"c.inp\"\n4\n");
  put(p, 6, "c.inp", "*NSET, NSET=S\n1\n");
  lim_fe_mesh *m = deck_of(p, "*NODE\n1\n*INCLUDE, INPUT=a.inp\n4,3\n*Include, Input=b.inp\n");
  assert_int_equal(m->nnode, 4);
  assert_true(m->X[9] == 3);
  expect_set(m, "S", 1, 2, (int[]){1, 4});
  lim_fe_mesh_free(m);
}

static void wrong_included_files_are_told(void **state) {
  place *p = *state;
  put(p, 4, "a.inp", "*NODE\n2\n1\n");
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=a.inp\n3,a\n", NULL, unit, unit, "nodes", 4, "'a' is not a number");
  lim_fe_mesh *m;
  lim_error err = {0};
  char expected[200];
  assert_int_equal(read_all(&m, p, "*NODE\n1\n*INCLUDE,INPUT=a.inp\n", NULL, unit, unit, &err), LIM_BAD_INPUT);
  snprintf(expected, sizeof expected, "duplicate node 1: also in line 2 of %s/nodes", p->folder);
  expect_note(&err, "a.inp", 3, expected);
  for (int i = 0; i < 10; i++) {
    char name[20], text[40];
    snprintf(name, sizeof name, "f%d", i);
    snprintf(text, sizeof text, "*INCLUDE,INPUT=f%d\n", i + 1);
    put(p, 4, name, text);
  }
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=f0\n", NULL, unit, unit, "f7", 1,
               "files include each other more than 8 deep");
  assert_int_equal(read_all(&m, p, "*NODE\n1\n*INCLUDE,INPUT=none\n", NULL, unit, unit, &err), LIM_IO);
  expect_note(&err, "none", 0, "cannot be read: No such file or directory");
  assert_int_equal(symlink("/etc/hostname", path_of(p, 4, "link")), 0);
  expect_wrong(p, "*NODE\n1\n*INCLUDE,INPUT=link\n", NULL, unit, unit, "nodes", 3,
               "'link' leads out of the folder of the deck");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(nodes_of_a_csv_are_sorted),
      TEST(wrong_nodes_of_a_csv_are_told),
      TEST(nodes_and_sets_of_a_deck_are_read),
      TEST(gaps_of_generated_sets_are_told),
      TEST(elements_of_all_shapes_are_read),
      TEST(other_elements_are_left_out_with_a_warning),
      TEST(materials_and_thicknesses_come_by_sections),
      TEST(names_of_sections_that_are_not_known_are_told),
      TEST(one_part_with_one_instance_is_read),
      TEST(wrong_decks_are_told),
      TEST(files_are_included),
      TEST(wrong_included_files_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
