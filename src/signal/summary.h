// summary.h - final value, peak and root mean square of every channel of a run, gathered moment by moment.
#ifndef LIM_SIGNAL_SUMMARY_H
#define LIM_SIGNAL_SUMMARY_H

typedef struct {
  double final;     // last value
  double peak;      // largest absolute value
  double peak_time; // when it was first reached, up to rounding [s]
  double reached;   // absolute value then
  double square;    // integral of its square
  double scale;     // factor of all values, from the start on; 1 unless changed
} lim_summary_entry;

typedef struct {
  int count;                // channels
  long moments;             // recorded so far
  double start, end;        // of the recorded moments [s]
  lim_summary_entry *entry; // (count)
} lim_summary;

lim_summary *lim_summary_new(int count); // NULL: out of memory
void lim_summary_free(lim_summary *s);

// The next moment. A value that is not a number makes everything about its channel so. value (count)
void lim_summary_add(lim_summary *s, double t, const double *value);

double lim_summary_final(const lim_summary *s, int channel);
double lim_summary_peak(const lim_summary *s, int channel);

// sqrt(1/T integral x^2 dt), x^2 linear between moments.
double lim_summary_rms(const lim_summary *s, int channel);

#endif
