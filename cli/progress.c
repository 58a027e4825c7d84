// progress.c - how far long work is, and Ctrl-C, which ends it.
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --- the bar ---

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_bar_end(cli_bar *b) {
  if (b->label) fprintf(stderr, "\r%*s\r", (int)strlen(b->label) + 50, "");
  b->label = NULL;
}

static void draw_bar(void *user, const char *label, double part) {
  static const char bar[] = "########################################";
  cli_bar *b = user;
  int percent = (int)(100 * part);
  if (b->label == label && percent == b->shown) return;
  if (b->delay > 0 && now() - b->since < b->delay) return;
  if (b->label != label) cli_bar_end(b);
  b->label = label;
  b->shown = percent;
  fprintf(stderr, "\r%s [%-40.*s] %3d %%", label, percent * 2 / 5, bar, percent);
  if (percent == 100) cli_bar_end(b);
}

lim_hooks cli_hooks(const cli_options *o, cli_bar *bar) {
  bool shown = !o->quiet && isatty(STDERR_FILENO);
  bar->since = now();
  return (lim_hooks){.progress = shown ? draw_bar : NULL, .user = bar};
}

// --- Ctrl-C ---

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
  interrupted = 1;
  signal(signal_number, SIG_DFL);
}

cli_signal cli_catch_interrupt(void) { return signal(SIGINT, on_interrupt); }

void cli_release_interrupt(cli_signal before) {
  if (before != SIG_ERR) signal(SIGINT, before);
}

const volatile int *cli_interrupted(void) { return (const volatile int *)&interrupted; }
