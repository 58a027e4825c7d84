// state.js - what the reader has chosen, and who wants to know when it changes.

export function makeState(report) {
  const listeners = [];
  const times = report.runs.filter((r) => r.kind === 'simulate').map((r) => r.time);
  const state = {
    time: 0, // [s]
    start: times.length ? Math.min(...times.map((t) => t[0])) : 0,
    end: times.length
      ? Math.max(...times.map((t) => t[t.length - 1]))
      : report.runs.some((r) => r.kind === 'modes')
        ? 1
        : 0,
    playing: false,
    speed: 1,
    loop: true,
    magnification: 1,
    colour: 'none',
    ghost: false,
    path: true,
    frames: false,
    visible: report.runs.map(() => true), // of runs
    mode: report.runs.map(() => 0), // chosen, of runs
    zoom: null, // [from, to] of the plots' time axis
  };
  state.time = state.start;
  // fn(changed) hears of every change; changed is an object with the new values.
  state.on = (fn) => listeners.push(fn);
  state.set = (change) => {
    Object.assign(state, change);
    for (const fn of listeners) fn(change);
  };
  return state;
}
