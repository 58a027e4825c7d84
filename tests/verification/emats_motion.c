// explore
#include "emats_fixture.h"

static emats_log log_;
static void explore(const char*const*set, const char *const*each, double w) {
  emats_run(&log_, set, each);
  lim_model *m = emats_model(set, each);
  lim_system *s = NULL; lim_error err = {0};
  assert_int_equal(lim_system_new(&s, m, true, &err), LIM_OK);
  double x[8], v[8]={0};
  memcpy(x, log_.at[0].ref, sizeof x);
  double off=0, offp=0, offs=0, el=0, d=0, over=0, lag=0, lagp=0;
  for (int i = 1; i < log_.n; i++) {
    const emats_record *a=&log_.at[i-1], *b=&log_.at[i];
    int N=100; double h=(b->t-a->t)/N;
    for (int k=0;k<8;k++) for (int j=0;j<N;j++) {
      double r=a->ref[k]+(b->ref[k]-a->ref[k])*(j+.5)/N;
      double acc=w*w*(r-x[k])-2*w*v[k];
      v[k]+=h*acc; x[k]+=h*v[k];
    }
    double p[3]; emats_tool(p, s, x);
    off=fmax(off,emats_off(b->tip)); offp=fmax(offp,emats_off(p)); offs=fmax(offs,emats_off(b->stiff));
    double e=0,dd=0; for(int c=0;c<3;c++){e+=pow(b->tip[c]-b->stiff[c],2);dd+=pow(p[c]-b->stiff[c],2);}
    el=fmax(el,sqrt(e)); d=fmax(d,sqrt(dd)); over=fmax(over,b->tip[0]-GOAL[0]);
    lag=fmax(lag,b->reference[0]-b->tip[0]); lagp=fmax(lagp,b->reference[0]-p[0]);
    if(i%100==0) printf("%g: tip %g %g  pred %g %g | stiff %g %g | x %g %g\n", b->t,(b->tip[1]-GOAL[1])*1e3,(b->tip[2]-GOAL[2])*1e3,(p[1]-GOAL[1])*1e3,(p[2]-GOAL[2])*1e3,(b->stiff[1]-GOAL[1])*1e3,(b->stiff[2]-GOAL[2])*1e3,b->tip[0]-b->reference[0],p[0]-b->reference[0]);
  }
  printf("off tip %g joints %g predicted %g elastic %g, path diff %g; overshoot %g; lag %g pred %g\n", off, offs, offp, el, d, over,lag,lagp);
  lim_system_free(s); lim_model_free(m);
}
static void t1(void **state){(void)state; explore(NULL,NULL,6);
 explore(NULL,(const char*[]){"control.gains=scheduled",NULL},6);
 explore(NULL,(const char*[]){"control.bandwidth=30 rad/s",NULL},30);
}
int main(void){ const struct CMUnitTest tests[]={cmocka_unit_test(t1)}; return cmocka_run_group_tests(tests,NULL,NULL);}
