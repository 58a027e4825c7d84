// payload.c - answers in a program of one's own: the lowest frequencies of an arm for several payloads.
//
//   cc payload.c $(pkg-config --cflags --libs limber) -o payload && ./payload examples/arm.yaml
#include <limber/limber.h>

#include <stdio.h>

static lim_code print_modes(const lim_model *model, double mass, lim_error *err) {
  lim_study *study = NULL;
  lim_answer *modes = NULL;
  lim_modes_options options = lim_modes_options_default();
  options.joints = "locked";
  options.count = 2;
  lim_code code = lim_study_new(&study, model, err);
  if (code == LIM_OK) code = lim_study_modes(&modes, study, &options, err);
  int n;
  const double *hz = lim_answer_array(modes, "frequencies_hz", &n);
  if (n == 2)
    printf("%.1f kg: %.3f Hz (%s), %.3f Hz (%s)\n", mass, hz[0], lim_answer_text(modes, "kinds[0]"), hz[1],
           lim_answer_text(modes, "kinds[1]"));
  lim_answer_free(modes);
  lim_study_free(study);
  return code;
}

int main(int argc, char **argv) {
  lim_error *err = lim_error_new();
  lim_model *model = NULL;
  lim_code code = lim_model_load(&model, argc > 1 ? argv[1] : "examples/arm.yaml", NULL, 0, err);
  for (int k = 0; k < 4 && code == LIM_OK; k++) {
    char text[64];
    const char *set[] = {text};
    lim_model *loaded = NULL;
    snprintf(text, sizeof text, "links.fore.masses.payload.mass=%.1f kg", 0.1 * k + 0.1);
    code = lim_model_override(&loaded, model, set, 1, err);
    if (code == LIM_OK) code = print_modes(loaded, 0.1 * k + 0.1, err);
    lim_model_free(loaded);
  }
  for (int i = 0; i < lim_error_notes(err); i++) fprintf(stderr, "%s\n", lim_error_text(err, i));
  lim_model_free(model);
  lim_error_free(err);
  return (int)code;
}
