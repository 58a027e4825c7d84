// plots.js - all plots, in groups that open and close; a plot is made when it first comes near the screen.
import { columnsOf, groupChannels } from './channels.js';
import { el } from './dom.js';
import { fileName, saveCsv } from './save.js';
import { Plot } from './plot.js';

const OPEN = 2; // groups open at the start
const VALUES_EVERY = 120; // [ms] between numbers in the legends while playing

export class Plots {
  constructor(host, runs, state, player, title) {
    this.state = state;
    this.runs = runs;
    this.title = title;
    this.plots = [];
    this.valuesAt = 0;
    this.seen = new IntersectionObserver((entries) => entries.forEach((e) => this.see(e)), {
      rootMargin: '200px',
    });
    this.sized = new ResizeObserver((entries) => entries.forEach((e) => e.target.plot.resize()));
    const shared = { runs, state, player, title };
    const groups = groupChannels(runs);
    if (groups.length) host.append(this.toolbar());
    groups.forEach((g, i) => host.append(this.makeGroup(g, i < OPEN, shared)));
    this.count = this.plots.length;
    state.on((change) => this.hear(change));
  }

  toolbar() {
    const zoom = (factor) => () => this.zoom(factor);
    const thinned = this.runs.some((r) => r.channels.thinned);
    this.reset = el(
      'button',
      {
        class: 'small',
        title: 'Show all times (double click in a plot)',
        onclick: () => this.state.set({ zoom: null }),
      },
      'All times',
    );
    return el(
      'div',
      { class: 'plots-bar' },
      el(
        'button',
        {
          class: 'small',
          'aria-label': 'Zoom in on the time cursor',
          title: 'Zoom in on the time cursor',
          onclick: zoom(0.5),
        },
        '+',
      ),
      el('button', { class: 'small', 'aria-label': 'Zoom out', title: 'Zoom out', onclick: zoom(2) }, '−'),
      this.reset,
      el(
        'span',
        { class: 'grow hint' },
        thinned ? 'Thinned for display; smallest and largest values are kept.' : '',
      ),
      el('button', { class: 'small', onclick: () => this.saveAll() }, 'All as CSV'),
    );
  }

  makeGroup({ name, plots }, open, shared) {
    const made = plots.map((spec) => new Plot(spec, shared));
    const count = this.runs.length > 1 ? plots.length : plots.reduce((n, p) => n + p.lines.length, 0);
    for (const plot of made) {
      plot.root.plot = plot.host.plot = plot;
      this.plots.push(plot);
      this.seen.observe(plot.root);
      this.sized.observe(plot.host);
    }
    return el(
      'details',
      { class: 'group', open },
      el(
        'summary',
        {},
        el('span', {}, name[0].toUpperCase() + name.slice(1)),
        el('span', { class: 'count' }, String(count)),
      ),
      ...made.map((p) => p.root),
    );
  }

  see({ target, isIntersecting }) {
    const { plot } = target;
    plot.near = isIntersecting;
    if (!isIntersecting) return;
    if (!plot.u || plot.stale) plot.rebuild();
    else plot.setTime(true);
    plot.stale = false;
  }

  hear(change) {
    if ('zoom' in change) for (const p of this.plots) p.setZoom();
    if ('visible' in change || 'theme' in change)
      for (const p of this.plots) {
        if (p.near) p.rebuild();
        else p.stale = true;
      }
    if ('zoom' in change || 'time' in change || 'playing' in change) this.moveCursor();
  }

  moveCursor() {
    const now = performance.now();
    const values = !this.state.playing || now - this.valuesAt > VALUES_EVERY;
    if (values) this.valuesAt = now;
    for (const p of this.plots) p.setTime(values);
  }

  zoom(factor) {
    const { start, end, time } = this.state;
    const [from, to] = this.state.zoom ?? [start, end];
    const next = [time - (time - from) * factor, time + (to - time) * factor];
    const whole = next[1] - next[0] >= end - start;
    this.state.set({ zoom: whole ? null : [Math.max(start, next[0]), Math.min(end, next[1])] });
  }

  saveAll() {
    const lines = this.plots.flatMap((p) => p.spec.lines);
    saveCsv(columnsOf(lines, this.runs), fileName(this.title, 'channels'));
  }
}
