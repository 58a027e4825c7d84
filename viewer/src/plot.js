// plot.js - one plot: axes with units, a legend of buttons, the time cursor, downloads.
import uPlot from 'uplot';
import { indexNearest } from './data.js';
import { columnsOf, tableOf } from './channels.js';
import { el, swatch } from './dom.js';
import { brief, isStrainUnit, scaleFor } from './units.js';
import { fileName, save, saveCsv } from './save.js';

export class Plot {
  // spec: see groupChannels; shared: {runs, state, player, title}
  constructor(spec, shared) {
    this.spec = spec;
    this.shared = shared;
    this.table = null; // of the lines shown
    this.u = null;
    this.near = false; // on the screen
    this.host = el('div', { class: 'plot-host' });
    this.legend = el('div', { class: 'legend', role: 'group', 'aria-label': 'Lines shown' });
    this.now = el('div', { class: 'now' });
    this.axis = el('span', { class: 'plot-unit' });
    const name = spec.title;
    this.name = fileName(shared.title, spec.group, name);
    this.root = el(
      'figure',
      { class: 'plot' },
      el(
        'figcaption',
        {},
        el('span', { class: 'plot-title' }, name),
        this.axis,
        el('span', { class: 'grow' }),
        el(
          'button',
          {
            class: 'small',
            'aria-label': `Download ${name} as CSV`,
            title: 'Download the lines shown as CSV',
            onclick: () => this.saveTable(),
          },
          'CSV',
        ),
        el(
          'button',
          {
            class: 'small',
            'aria-label': `Download ${name} as PNG`,
            title: 'Download this plot as PNG',
            onclick: () => this.savePicture(),
          },
          'PNG',
        ),
      ),
      this.host,
      this.legend,
    );
    this.makeLegend();
  }

  makeLegend() {
    const { lines } = this.spec;
    this.items = lines.map((line) => {
      const value = el('span', { class: 'value' }, '');
      const button = el(
        'button',
        {
          class: 'line',
          'aria-pressed': String(line.shown),
          title: line.label,
          onclick: () => this.toggle(line),
        },
        swatch(line.colour, line.dash),
        el('span', { class: 'label' }, line.label),
        value,
      );
      return { line, button, value };
    });
    if (lines.length > 8) {
      const all = (shown) => () => {
        for (const l of lines) l.shown = shown;
        this.rebuild();
      };
      this.legend.append(
        el(
          'span',
          { class: 'some' },
          el('button', { class: 'small', onclick: all(true) }, `all ${lines.length}`),
          el('button', { class: 'small', onclick: all(false) }, 'none'),
        ),
      );
    }
    this.legend.style.setProperty('--longest', `${Math.max(...lines.map((l) => l.label.length))}ch`);
    this.legend.append(...this.items.map((i) => i.button));
  }

  toggle(line) {
    line.shown = !line.shown;
    this.rebuild();
  }

  // Lines in the plot: switched on here, and their run switched on.
  get shown() {
    return this.spec.lines.filter((l) => l.shown && this.shared.state.visible[l.run]);
  }

  // Makes the drawing when it first comes near the screen, and again when its lines change.
  rebuild() {
    const { runs, state } = this.shared;
    for (const { line, button } of this.items) {
      button.setAttribute('aria-pressed', String(line.shown));
      button.hidden = !state.visible[line.run];
    }
    this.u?.destroy();
    this.u = null;
    const lines = this.shown;
    this.lines = lines;
    this.table = tableOf(lines, runs);
    this.scale = scaleFor(this.spec.unit, largest(this.table), isStrainUnit(this.spec.unit, this.spec.group));
    this.axis.textContent = this.scale.unit ? `[${this.scale.unit}]` : '';
    this.host.classList.toggle('empty', !lines.length);
    const font = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.u = new uPlot(this.options(lines, font), this.table, this.host);
    this.u.over.append(this.now);
    this.follow(this.u.over);
    this.setZoom();
    this.setTime(true);
  }

  options(lines, font) {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    const small = Math.max(11, Math.round(0.78 * font)); // [CSS px]: whole, uPlot scales no other sizes to the screen
    const axis = {
      stroke: get('--muted'),
      font: `${small}px system-ui, sans-serif`,
      labelFont: `${small}px system-ui, sans-serif`,
      grid: { stroke: get('--rule'), width: 1 },
      ticks: { show: false },
      gap: 0.35 * font,
    };
    const { factor, unit } = this.scale;
    const tick = (v) => (v === null ? '' : brief(v * factor, 6));
    return {
      width: this.host.clientWidth || 300,
      height: this.host.clientHeight || 180,
      padding: [0.5 * font, 0.8 * font, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        x: false,
        points: { size: 0.45 * font },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => this.shared.state.set({ zoom: null }) },
      },
      scales: { x: { time: false }, y: { range: padded } },
      axes: [
        {
          ...axis,
          label: 'time [s]',
          labelSize: 1.1 * font,
          size: 1.7 * font,
          labelGap: 0,
          values: (u, v) => v.map((t) => brief(t, 6)),
        },
        {
          ...axis,
          label: unit || 'value',
          labelSize: 1.2 * font,
          labelGap: 0,
          size: (u, values) =>
            Math.max(3, ...(values ?? []).map((v) => 0.6 * v.length + 0.7)) * small + 0.4 * font,
          values: (u, v) => v.map(tick),
          space: 2.2 * font,
        },
      ],
      series: [
        {},
        ...lines.map((l) => ({
          label: l.label,
          stroke: l.colour,
          dash: l.dash,
          width: font / 9,
          points: { show: false },
        })),
      ],
      hooks: { setSelect: [(u) => this.select(u)], draw: [() => this.setTime(false)] }, // new scales, new places
    };
  }

  // A dragged range becomes the zoom of all plots.
  select(u) {
    const { left, width } = u.select;
    if (width < 4) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.shared.state.set({ zoom: [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')] });
  }

  // The pointer sets the time: moving while paused, clicking always, a finger by sliding.
  follow(over) {
    const { state, player } = this.shared;
    const seek = (event) => {
      const left = event.clientX - over.getBoundingClientRect().left;
      player.seek(this.u.posToVal(left, 'x'));
    };
    over.addEventListener('pointermove', (e) => {
      const touch = e.pointerType === 'touch';
      if (touch || (!state.playing && e.buttons === 0)) seek(e);
    });
    let down = 0;
    over.addEventListener('pointerdown', (e) => {
      down = e.clientX;
    });
    over.addEventListener('click', (e) => Math.abs(e.clientX - down) < 4 && seek(e)); // not at the end of a drag
  }

  setZoom() {
    if (!this.u) return;
    const { zoom, start, end } = this.shared.state;
    const x = this.table[0];
    const [min, max] = zoom ?? [Math.min(start, x[0] ?? start), Math.max(end, x[x.length - 1] ?? end)];
    this.u.setScale('x', { min, max: max > min ? max : min + 1 });
  }

  // Moves the cursor line; with values, writes the numbers at the cursor too.
  setTime(values) {
    if (!this.u || !this.near) return;
    const { time } = this.shared.state;
    const { min, max } = this.u.scales.x;
    this.now.hidden = !(time >= min && time <= max);
    if (!this.now.hidden) this.now.style.transform = `translateX(${this.u.valToPos(time, 'x').toFixed(1)}px)`;
    if (values) this.writeValues(time);
  }

  writeValues(time) {
    const { runs } = this.shared;
    for (const { line, value } of this.items) {
      const t = runs[line.run].channels.time;
      const past = time > t[t.length - 1] + 1e-9;
      const text =
        line.shown && t.length
          ? brief(past ? NaN : line.channel.values()[indexNearest(t, time)] * this.scale.factor)
          : '';
      if (value.textContent !== text) value.textContent = text;
    }
  }

  resize() {
    if (this.u && this.host.clientWidth)
      this.u.setSize({ width: this.host.clientWidth, height: this.host.clientHeight });
  }

  saveTable() {
    saveCsv(columnsOf(this.shown, this.shared.runs), this.name);
  }

  // The plot with title and legend on one canvas.
  savePicture() {
    if (!this.u) this.rebuild();
    const { canvas } = this.u.ctx;
    const style = getComputedStyle(document.documentElement);
    const px = canvas.width / this.host.clientWidth;
    const font = 13 * px;
    const picture = el('canvas');
    const c = picture.getContext('2d');
    const rows = this.lines.length;
    picture.width = canvas.width;
    picture.height = canvas.height + (2.4 + 1.5 * rows) * font;
    c.fillStyle = style.getPropertyValue('--card').trim();
    c.fillRect(0, 0, picture.width, picture.height);
    c.drawImage(canvas, 0, 2 * font);
    c.fillStyle = style.getPropertyValue('--text').trim();
    c.font = `600 ${font}px system-ui, sans-serif`;
    c.fillText(`${this.shared.title}: ${this.spec.title}`, font, 1.4 * font, picture.width - 2 * font);
    c.font = `${font}px system-ui, sans-serif`;
    this.lines.forEach((line, i) => {
      const y = canvas.height + (2.9 + 1.5 * i) * font;
      c.fillText(line.label, 4 * font, y, picture.width - 5 * font);
      c.strokeStyle = line.colour;
      c.lineWidth = 2 * px;
      c.setLineDash(line.dash.map((d) => d * px * 0.6));
      c.beginPath();
      c.moveTo(font, y - 0.35 * font);
      c.lineTo(3.4 * font, y - 0.35 * font);
      c.stroke();
    });
    picture.toBlob((blob) => save(blob, `${this.name}.png`), 'image/png');
  }
}

function largest([, ...columns]) {
  let most = 0;
  for (const column of columns)
    for (let i = 0; i < column.length; i++) {
      const size = Math.abs(column[i] ?? 0);
      if (size > most) most = size;
    }
  return most;
}

// Range of the y axis with some air; a constant line lies in the middle.
function padded(u, min, max) {
  if (min === null || max === null || min === undefined) return [0, 1];
  const span = max - min;
  if (!(span > 0)) return min === 0 ? [-1, 1] : [min - 0.1 * Math.abs(min), max + 0.1 * Math.abs(max)];
  return [min - 0.06 * span, max + 0.06 * span];
}
