// colour.js - palettes that colour-blind readers can tell apart, and the colour maps of the scene.
import { largestOnSurfaces } from './surface.js';

// Okabe and Ito (2008); the yellow last, it is faint on white.
export const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8a8f98', '#c9b800'];
export const DASHES = [[], [9, 4], [2, 4], [10, 4, 2, 4], [16, 5]];

export const BUFFER = '#9aa3ad'; // end stops
export const HIT = '#d1201a'; // those and contacts that press
export const PLANE = '#3f7f8c'; // of contacts

// Control points of the maps, evenly spaced. Viridis by Smith and van der Walt; vik-like blue to red for signs.
const VIRIDIS = [
  '#440154',
  '#482878',
  '#3e4989',
  '#31688e',
  '#26828e',
  '#1f9e89',
  '#35b779',
  '#6ece58',
  '#b5de2b',
  '#fde725',
];
const SIGNED = [
  '#053061',
  '#2166ac',
  '#4393c3',
  '#92c5de',
  '#e6e9ec',
  '#f4a582',
  '#d6604d',
  '#b2182b',
  '#67001f',
];

// What the arm can be coloured by. signed: the range is symmetric about zero.
export const QUANTITIES = {
  none: { title: 'None' },
  stress: { title: 'Stress', unit: 'Pa', long: 'von Mises stress' },
  strain: { title: 'Strain', unit: 'strain', long: 'axial strain', meshed: 'axial or principal strain', signed: true },
  displacement: { title: 'Displacement', unit: 'm', long: 'elastic displacement' },
};

export const mapOf = (quantity) => (QUANTITIES[quantity].signed ? SIGNED : VIRIDIS);

export const gradientOf = (quantity, direction = 'to right') =>
  `linear-gradient(${direction}, ${mapOf(quantity).join(', ')})`;

// 256 RGBA pixels of a map.
export function pixelsOf(quantity) {
  const stops = mapOf(quantity).map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const pixels = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const x = (i / 255) * (stops.length - 1);
    const s = Math.min(stops.length - 2, Math.floor(x));
    for (let c = 0; c < 3; c++) pixels[i * 4 + c] = stops[s][c] + (x - s) * (stops[s + 1][c] - stops[s][c]);
    pixels[i * 4 + 3] = 255;
  }
  return pixels;
}

// Range of a quantity over all frames of the runs; null where none has it.
export function rangeOf(quantity, runs) {
  let high = 0;
  let known = false;
  for (const run of runs) {
    const values = run[quantity];
    if (!values) continue;
    known = true;
    high = Math.max(
      high,
      quantity === 'displacement' ? largestDisplacement(run) : largestSize(values),
    );
  }
  if (!known) return null;
  return { low: QUANTITIES[quantity].signed ? -high : 0, high };
}

const SHOWN = 0.06; // deformation that is seen at first sight, per size of the arm
const FACTORS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

// The magnification to begin with: one that shows the deformation, 1 where even the largest would not (it is
// rounding, or as good as rigid).
export function factorFor(runs, size) {
  const most = Math.max(
    0,
    ...runs.filter((r) => r.kind !== 'modes' && r.displacement).map(largestDisplacement),
  );
  if (!(most * FACTORS.at(-1) > 0.02 * SHOWN * size)) return 1;
  return FACTORS.findLast((k) => k * most <= SHOWN * size) ?? 1;
}

// Of nodes and surfaces.
const largestDisplacement = (run) =>
  Math.max(largestLength(run.displacement, run.time.length), largestOnSurfaces(run));

export function largestSize(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]) > most) most = Math.abs(values[i]);
  return most;
}

// Of vectors [..][3][frames].
export function largestLength(values, frames) {
  let most = 0;
  for (let n = 0; n < values.length; n += 3 * frames)
    for (let f = 0; f < frames; f++) {
      const l = values[n + f] ** 2 + values[n + frames + f] ** 2 + values[n + 2 * frames + f] ** 2;
      if (l > most) most = l;
    }
  return Math.sqrt(most);
}
