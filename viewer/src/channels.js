// channels.js - which plots there are: groups, one plot per unit; with several runs one plot per channel.
import uPlot from 'uplot';
import { DASHES, PALETTE } from './colour.js';

const ORDER = [
  'tool error',
  'tool',
  'joints',
  'efforts',
  'motors',
  'deflections',
  'strains',
  'sections',
  'reactions',
  'stops',
  'contacts',
  'energy',
  'frequencies',
  'other',
];

const SHOWN = 8; // lines of a plot at the start

// [{name, plots: [{title, unit, group, lines: [{label, run, channel, colour, dash, shown}]}]}]
export function groupChannels(runs) {
  const groups = new Map();
  runs.forEach((run, r) => {
    for (const channel of run.channels.list) {
      const name = groupOf(run, channel);
      if (!groups.has(name)) groups.set(name, new Map());
      const key = runs.length > 1 ? JSON.stringify([channel.name, channel.unit]) : channel.unit;
      const plots = groups.get(name);
      if (!plots.has(key)) plots.set(key, { title: channel.name, unit: channel.unit, group: name, lines: [] });
      const { lines } = plots.get(key);
      lines.push(runs.length > 1 ? ofRun(run, r, channel) : ofChannel(channel, lines.length));
    }
  });
  if (runs.length === 1)
    for (const plots of groups.values()) for (const p of plots.values()) p.title = quantities(p.lines);
  return ORDER.filter((n) => groups.has(n)).map((name) => ({ name, plots: [...groups.get(name).values()] }));
}

// A force is that of a contact where the scene has one of that name.
function groupOf({ scene }, { name, group }) {
  const owner = name.split('.').slice(0, -2).join('.');
  if (/\.force\.[xyz]$/.test(name) && scene?.contacts?.some((c) => c.name === owner)) return 'contacts';
  return ORDER.includes(group) ? group : 'other';
}

// What the lines are of: 'tip.error.x', 'tip.error.y' -> 'error'.
function quantities(lines) {
  const names = new Set(
    lines.map((l) =>
      l.channel.name
        .replace(/(?<=.)\.[xyz]$/, '')
        .split('.')
        .at(-1),
    ),
  );
  if (lines[0].channel.group === 'stops') return lines[0].channel.unit === 'N' ? 'force of stops' : 'torque of stops';
  return names.size > 3 ? lines[0].channel.group : [...names].join(', ');
}

function ofRun(run, r, channel) {
  return {
    label: run.label,
    run: r,
    channel,
    colour: PALETTE[r % PALETTE.length],
    dash: DASHES[r % DASHES.length],
    shown: true,
  };
}

function ofChannel(channel, i) {
  const dash = DASHES[Math.floor(i / PALETTE.length) % DASHES.length];
  return { label: channel.name, run: 0, channel, colour: PALETTE[i % PALETTE.length], dash, shown: i < SHOWN };
}

// Times and values of lines on one axis: [x, y, y, ...]; runs with times of their own are joined.
export function tableOf(lines, runs) {
  if (!lines.length) return [[]];
  const values = lines.map((l) => withGaps(l.channel.values()));
  const times = lines.map((l) => runs[l.run].channels.time);
  if (times.every((t) => sameTimes(t, times[0]))) return [times[0], ...values];
  const keepGaps = times.map(() => [1, 1]);
  return uPlot.join(
    times.map((t, i) => [t, values[i]]),
    keepGaps,
  );
}

function sameTimes(a, b) {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// uPlot takes null for a gap, not NaN.
function withGaps(values) {
  for (let i = 0; i < values.length; i++)
    if (!Number.isFinite(values[i])) return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
  return values;
}

// For the download of lines: time, then one column each.
export function columnsOf(lines, runs) {
  const [time, ...values] = tableOf(lines, runs);
  const head = (l) =>
    `${runs.length > 1 ? `${runs[l.run].label}: ` : ''}${l.channel.name}${l.channel.unit && l.channel.unit !== '1' ? ` [${l.channel.unit}]` : ''}`;
  return [{ head: 'time [s]', values: time }, ...lines.map((l, i) => ({ head: head(l), values: values[i] }))];
}
