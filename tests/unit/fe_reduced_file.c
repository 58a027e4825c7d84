// fe_reduced_file.c - tests of reduced links on disk: all of them comes back bit for bit, damage is found, and
// so are sources that changed.
#include "fixture.h"

#include "fe/reduced_file.h"
#include "memory_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// HDF5 loses memory on files that are damaged.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

#define TUBE(more)                                                                                             \
  "limber: 1\nlinks:\n  - name: tube\n    joint: {name: j1}\n    fe: {stiffness: tube.sti, mass: tube.mas, "   \
  "dofs: tube.dof, nodes: tube.inp, frames: {base: {nodes: ROOT, rpy: [0, 0, 30 deg]}, tip: {nodes: TIP, "     \
  "coupling: mean}}" more "\n"
#define LOADED                                                                                                 \
  ", prestressed: [{force: [1000, 0, 0], at: tip, stiffness: tube-pull.sti}, {spin: [0, 0, 50], stiffness: "   \
  "tube-spin-z.sti}]}\n    basis: {type: craig-bampton, count: 3}"
#define RIGID "}\n    basis: {type: rigid}"
#define RING                                                                                                   \
  "limber: 1\nlinks:\n  - name: ring\n    joint: {name: j1}\n    fe: {reduced: {mass: m.mtx, stiffness: "      \
  "k.mtx}, "                                                                                                   \
  "frames: {base: {xyz: [0, 0, 0]}, tip: {xyz: [1, 0, 0]}}}\n"
#define FILED "limber: 1\nlinks:\n  - {name: tube, joint: {name: j1}, fe: {file: link.h5}}\n"

// --- a folder of its own per test ---

typedef struct {
  char folder[64];
} place;

typedef struct {
  char text[160];
} path;

static path in(const place *p, const char *name) {
  path x;
  snprintf(x.text, sizeof x.text, "%s/%s", p->folder, name);
  return x;
}

static void put(const place *p, const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(in(p, name).text, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static char *take(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

// Stiffness and mass of a straight bar of length 1 with six freedoms at its ends.
static void put_matrices(const place *p) {
  double K[12][12] = {{0}};
  for (int d = 0; d < 2; d++) { // along, and twist
    K[3 * d][3 * d] = K[6 + 3 * d][6 + 3 * d] = d ? 1e3 : 1e6;
    K[6 + 3 * d][3 * d] = d ? -1e3 : -1e6;
  }
  for (int plane = 0; plane < 2; plane++) { // bending with w' = theta_z, -theta_y
    const int at[4] = {1 + plane, 5 - plane, 7 + plane, 11 - plane};
    const double s = plane ? -1 : 1, k[4][4] = {{12}, {6 * s, 4}, {-12, -6 * s, 12}, {6 * s, 2, -6 * s, 4}};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j <= i; j++)
        K[at[i] > at[j] ? at[i] : at[j]][at[i] > at[j] ? at[j] : at[i]] = 1e3 * k[i][j];
  }
  for (int mass = 0; mass < 2; mass++) {
    FILE *file = fopen(in(p, mass ? "m.mtx" : "k.mtx").text, "w");
    int count = 0;
    for (int i = 0; i < 144; i++) count += mass ? i % 13 == 0 : K[i / 12][i % 12] != 0;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n12 12 %d\n", count);
    for (int i = 0; i < 12; i++)
      for (int j = 0; j <= i; j++)
        if (mass ? i == j : K[i][j] != 0)
          fprintf(file, "%d %d %.17g\n", i + 1, j + 1, mass ? i % 6 < 3 ? 1 : 0.01 : K[i][j]);
    fclose(file);
  }
}

static int setup_place(void **state) {
  static place p;
  static const char *const files[] = {"tube.sti", "tube.mas",      "tube.dof",
                                      "tube.inp", "tube-pull.sti", "tube-spin-z.sti"};
  strcpy(p.folder, "/tmp/limber-fe-XXXXXX");
  *state = &p;
  if (!mkdtemp(p.folder)) return -1;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char from[64];
    size_t size;
    snprintf(from, sizeof from, "models/fe/%s", files[i]);
    char *bytes = take(from, &size);
    put(&p, files[i], bytes, size);
    free(bytes);
  }
  put_matrices(&p);
  put(&p, "filed.yaml", FILED, strlen(FILED));
  return 0;
}

static int remove_place(void **state) {
  const place *p = *state;
  DIR *folder = opendir(p->folder);
  for (struct dirent *e; (e = readdir(folder));) {
    char name[400];
    snprintf(name, sizeof name, "%s/%s", p->folder, e->d_name);
    if (e->d_name[0] != '.') unlink(name);
  }
  closedir(folder);
  return rmdir(p->folder);
}

// --- models ---

static lim_model *load(const place *p, const char *name) {
  lim_error err = {0};
  lim_model *m;
  const lim_code code = lim_model_load(&m, in(p, name).text, NULL, 0, &err);
  if (code != LIM_OK) fail_msg("%s", err.kept ? err.note[0].text : "failed");
  lim_error_clear(&err);
  return m;
}

static const lim_fe_link *link_of(const lim_model *m) { return m->links.item[0].fe.link; }

static void write_link(const place *p, const lim_model *m) {
  lim_error err = {0};
  const lim_code code = lim_fe_file_write(in(p, "link.h5").text, m, &m->links.item[0], &err);
  if (code != LIM_OK) fail_msg("%s", err.kept ? err.note[0].text : "failed");
  lim_error_clear(&err);
}

// The model of a text, whose link is in link.h5 then.
static lim_model *reduce(const place *p, const char *text) {
  put(p, "direct.yaml", text, strlen(text));
  lim_model *m = load(p, "direct.yaml");
  write_link(p, m);
  return m;
}

static void refused(const place *p, lim_code expected, const char *message) {
  lim_error err = {0};
  lim_model *m;
  assert_int_equal(lim_model_load(&m, in(p, "filed.yaml").text, NULL, 0, &err), expected);
  assert_null(m);
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].file, in(p, "filed.yaml").text);
  assert_int_equal(err.note[0].line, 3);
  assert_int_equal(err.note[0].column, 48);
  if (!strstr(err.note[0].text, message)) fail_msg("%s, expected %s", err.note[0].text, message);
  lim_error_clear(&err);
}

// --- all that a link has ---

static bool same(const void *a, const void *b, size_t size) {
  if (!size) return true;
  return a && b && !memcmp(a, b, size);
}

static bool same_or_none(const void *a, const void *b, size_t size) {
  return !a == !b && (!a || same(a, b, size));
}

static bool same_places(const lim_fe_link *a, const lim_fe_link *b) {
  const size_t n = (size_t)a->n, D = sizeof(double);
  bool good = a->nplace == b->nplace;
  for (int i = 0; i < a->nplace && good; i++) {
    const lim_fe_place *x = &a->place[i], *y = &b->place[i];
    good = !strcmp(x->name, y->name) && same(x->X, y->X, sizeof x->X) && same(x->R, y->R, sizeof x->R) &&
           same(x->N, y->N, 6 * n * D) && x->frame == y->frame && x->turns == y->turns;
    for (int l = 0; l < 3; l++) good = good && same_or_none(x->G[l], y->G[l], n * n * D);
  }
  return good;
}

static bool same_skins(const lim_fe_skin *x, const lim_fe_skin *y, size_t n) {
  const size_t nv = (size_t)x->nvertex, F = sizeof(float), I = sizeof(int);
  return x->nvertex == y->nvertex && x->ntriangle == y->ntriangle && x->nedge == y->nedge &&
         same(x->id, y->id, nv * I) && same(x->X, y->X, 3 * nv * F) &&
         same(x->triangle, y->triangle, 3 * (size_t)x->ntriangle * I) &&
         same(x->edge, y->edge, 2 * (size_t)x->nedge * I) && same(x->shape, y->shape, 3 * n * nv * F) &&
         same_or_none(x->stress, y->stress, 6 * n * nv * F) &&
         same_or_none(x->strain, y->strain, 6 * n * nv * F);
}

static bool same_links(const lim_fe_link *a, const lim_fe_link *b) {
  const size_t n = (size_t)a->n, D = sizeof(double), count = (size_t)a->strains.count;
  bool good = a->n == b->n && a->modes == b->modes && same_places(a, b) && same(&a->mass, &b->mass, D) &&
              same(a->moment, b->moment, 3 * D) && same(a->inertia, b->inertia, 6 * D) &&
              same(a->first, b->first, 3 * n * D) && same(a->second, b->second, 3 * n * D) &&
              same(a->inertia1, b->inertia1, 6 * n * D) && same(a->M, b->M, n * n * D) &&
              same(a->K, b->K, n * n * D) && same_skins(&a->skin, &b->skin, n) &&
              a->strains.count == b->strains.count;
  for (int k = 0; k < 9; k++) good = good && same(a->S[k / 3][k % 3], b->S[k / 3][k % 3], n * n * D);
  for (int k = 0; k < 6; k++) good = good && same_or_none(a->spin[k], b->spin[k], n * n * D);
  return good && same(a->strains.id, b->strains.id, count * sizeof(int)) &&
         same(a->strains.E, b->strains.E, count * D) &&
         same(a->strains.strain, b->strains.strain, 12 * n * count * sizeof(float)) &&
         same(&a->facts, &b->facts, sizeof a->facts);
}

static void comes_back(const place *p, const char *text) {
  lim_model *direct = reduce(p, text), *filed = load(p, "filed.yaml");
  assert_true(same_links(link_of(direct), link_of(filed)));
  assert_non_null(link_of(filed)->digest);
  lim_model_free(direct);
  lim_model_free(filed);
}

static void link_of_a_mesh_comes_back_bit_for_bit(void **state) {
  lim_model *m = reduce(*state, TUBE(LOADED));
  const lim_fe_link *x = link_of(m);
  assert_true(x->n == 9 && x->modes == 3 && x->nplace > 2 && x->skin.nvertex && x->skin.stress);
  assert_true(x->strains.count && x->place[1].G[0] && x->spin[2]);
  lim_model_free(m);
  comes_back(*state, TUBE(LOADED));
}

static void rigid_link_comes_back(void **state) {
  comes_back(*state, TUBE("}\n    basis: {type: craig-bampton, count: 0}"));
  comes_back(*state, TUBE(RIGID));
}

static void link_of_reduced_matrices_comes_back(void **state) { comes_back(*state, RING); }

// --- sources ---

static void touch(const place *p, const char *name, long seconds) {
  const struct timespec t[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
  assert_int_equal(utimensat(AT_FDCWD, in(p, name).text, t, 0), 0);
}

static void change(const place *p, const char *name, bool longer) {
  size_t size;
  char *bytes = take(in(p, name).text, &size);
  bytes[size] = '\n';
  bytes[size / 2] = bytes[size / 2] == '1' ? '2' : '1';
  put(p, name, bytes, size + longer);
  free(bytes);
}

static void sources_that_changed_are_named(void **state) {
  const char *const files[] = {"tube.sti",      "tube.mas",        "tube.dof", "tube.inp",
                               "tube-pull.sti", "tube-spin-z.sti", "part.inp"};
  const place *p = *state;
  rename(in(p, "tube.inp").text, in(p, "part.inp").text);
  put(p, "tube.inp", "*INCLUDE, INPUT=part.inp\n", 25);
  for (int i = 0; i < 14; i++) {
    char message[120];
    size_t size;
    const char *name = files[i % 7];
    lim_model_free(reduce(p, TUBE(LOADED)));
    char *before = take(in(p, name).text, &size);
    change(p, name, i < 7);
    touch(p, name, 12345);
    snprintf(message, sizeof message,
             "'link.h5' was made from another %s (changed since): run 'limber reduce' again", name);
    refused(p, LIM_BAD_INPUT, message);
    put(p, name, before, size); // the same content, at another time
    lim_model_free(load(p, "filed.yaml"));
    free(before);
  }
}

static void sources_of_equal_time_and_size_are_not_read(void **state) {
  const place *p = *state;
  touch(p, "tube.sti", 1000);
  lim_model_free(reduce(p, TUBE(RIGID)));
  change(p, "tube.sti", false);
  touch(p, "tube.sti", 1000);
  lim_model_free(load(p, "filed.yaml"));
  touch(p, "tube.sti", 1001);
  refused(p, LIM_BAD_INPUT, "another tube.sti");
}

static void sources_that_are_gone_are_fine(void **state) {
  const place *p = *state;
  lim_model_free(reduce(p, TUBE(RIGID)));
  unlink(in(p, "tube.sti").text);
  unlink(in(p, "tube.mas").text);
  mkfifo(in(p, "tube.mas").text, 0600);
  lim_model_free(load(p, "filed.yaml"));
}

// A file in a folder of its own knows sources above it, which are those of the model; elsewhere nobody looks.
static void sources_are_looked_at_below_the_folders_only(void **state) {
  place outer = *(place *)*state, inner = outer;
  snprintf(inner.folder, sizeof inner.folder, "%.50s/sub", outer.folder);
  assert_int_equal(mkdir(inner.folder, 0700), 0);
  lim_model *m = reduce(&outer, TUBE(RIGID));
  assert_int_equal(lim_fe_file_write(in(&inner, "link.h5").text, m, &m->links.item[0], NULL), LIM_OK);
  lim_model_free(m);
  put(&inner, "filed.yaml", FILED, strlen(FILED));
  static const char above[] =
      "limber: 1\nlinks:\n  - {name: tube, joint: {name: j1}, fe: {file: sub/link.h5}}\n";
  put(&outer, "filed.yaml", above, strlen(above));
  lim_model_free(load(&outer, "filed.yaml"));
  change(&outer, "tube.mas", true);
  refused(&outer, LIM_BAD_INPUT, "'sub/link.h5' was made from another tube.mas");
  lim_model_free(load(&inner, "filed.yaml"));
  unlink(in(&inner, "link.h5").text);
  unlink(in(&inner, "filed.yaml").text);
  assert_int_equal(rmdir(inner.folder), 0);
}

// --- damage ---

static void other_files_are_refused(void **state) {
  const place *p = *state;
  refused(p, LIM_IO, "'link.h5' cannot be read: No such file");
  put(p, "link.h5", "", 0);
  refused(p, LIM_BAD_INPUT, "is damaged, or no file of 'limber reduce'");
  put(p, "link.h5", "a,b\n1,2\n", 8);
  refused(p, LIM_BAD_INPUT, "no file of 'limber reduce'");
  unlink(in(p, "link.h5").text);
  mkfifo(in(p, "link.h5").text, 0600);
  refused(p, LIM_IO, "is a pipe or device, not a reduced link");
}

// Read what may be wrong anywhere: it is refused, or says the same.
static bool survives(const place *p, const lim_fe_link *right) {
  lim_error err = {0};
  lim_model *m;
  const lim_code code = lim_model_load(&m, in(p, "filed.yaml").text, NULL, 0, &err);
  assert_true(code == LIM_OK || (code == LIM_BAD_INPUT && err.count == 1));
  if (m) assert_true(same_links(link_of(m), right));
  lim_error_clear(&err);
  lim_model_free(m);
  return code == LIM_OK;
}

static void damage(const place *p, const char *text, int cuts, int flips) {
  size_t size;
  lim_model *m = reduce(p, text);
  char *bytes = take(in(p, "link.h5").text, &size);
  assert_true(survives(p, link_of(m)));
  for (int i = 0; i < cuts; i++) {
    put(p, "link.h5", bytes, size * (size_t)i / (size_t)cuts);
    assert_false(survives(p, link_of(m)));
  }
  int found = 0;
  for (int i = 0; i < flips; i++) {
    const size_t at = size * (size_t)i / (size_t)flips;
    const char kept = bytes[at];
    bytes[at] = (char)(kept ^ (1 << i % 8));
    put(p, "link.h5", bytes, size);
    found += !survives(p, link_of(m));
    bytes[at] = kept;
  }
  assert_true(2 * found > flips);
  free(bytes);
  lim_model_free(m);
}

static void damage_is_found_anywhere(void **state) {
  damage(*state, TUBE(LOADED), 20, 200);
  damage(*state, RING, 40, 1500);
}

// --- memory ---

static void memory_out_while_reading_leaks_nothing(void **state) {
  const place *p = *state;
  lim_model_free(reduce(p, RING));
  for (long n = 1;; n++) {
    lim_error err = {0};
    lim_model *m;
    const path model = in(p, "filed.yaml");
    fail_call(n);
    const lim_code code = lim_model_load(&m, model.text, NULL, 0, &err);
    const bool done = calls < n;
    failing = 0;
    assert_int_equal(code == LIM_OK, m != NULL);
    assert_int_equal(code == LIM_OK, err.count == 0);
    lim_model_free(m);
    lim_error_clear(&err);
    assert_int_equal(live, 0);
    if (done) {
      assert_int_equal(code, LIM_OK);
      break;
    }
  }
}

static void memory_out_while_writing_leaves_the_old_file(void **state) {
  const place *p = *state;
  lim_model *m = reduce(p, TUBE(RIGID));
  size_t size;
  char *bytes = take(in(p, "link.h5").text, &size);
  for (long n = 1;; n++) {
    lim_error err = {0};
    struct stat info;
    const path file = in(p, "link.h5");
    fail_call(n);
    const lim_code code = lim_fe_file_write(file.text, m, &m->links.item[0], &err);
    const bool done = calls < n;
    failing = 0;
    lim_error_clear(&err);
    assert_int_equal(live, 0);
    assert_int_equal(stat(file.text, &info), 0);
    assert_int_equal(info.st_size, size);
    assert_int_equal(access(in(p, "link.h5.part").text, F_OK), -1);
    if (done) {
      assert_int_equal(code, LIM_OK);
      break;
    }
    assert_int_not_equal(code, LIM_OK);
  }
  free(bytes);
  lim_model_free(m);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_place, remove_place)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(link_of_a_mesh_comes_back_bit_for_bit),
      TEST(rigid_link_comes_back),
      TEST(link_of_reduced_matrices_comes_back),
      TEST(sources_that_changed_are_named),
      TEST(sources_of_equal_time_and_size_are_not_read),
      TEST(sources_that_are_gone_are_fine),
      TEST(sources_are_looked_at_below_the_folders_only),
      TEST(other_files_are_refused),
      TEST(damage_is_found_anywhere),
      TEST(memory_out_while_reading_leaks_nothing),
      TEST(memory_out_while_writing_leaves_the_old_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
