// units.js - numbers for people: units with SI prefixes, so that ticks stay short.

const PREFIX = { '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };

// First symbols that take a prefix, with the largest one in use: nobody says km/s or krad of an arm.
const LARGEST = { m: 0, rad: 0, s: 0, N: 9, Pa: 9, J: 9, W: 9, Hz: 9, V: 9, A: 3 };

// How to write numbers up to size in a unit: {factor, unit}, number in the new unit = factor * number.
export function scaleFor(unit, size, isStrain = false) {
  if (isStrain) return size < 0.02 ? { factor: 1e6, unit: 'µε' } : { factor: 100, unit: '%' };
  const first = /^(rad|[A-Za-z]+)(?!\^)/.exec(unit)?.[1];
  const largest = LARGEST[first];
  if (largest === undefined || !(size > 0)) return { factor: 1, unit: pretty(unit) };
  const near = size >= 0.1 && size < 1 ? 0 : 3 * Math.floor(Math.log10(size * 1.0001) / 3); // 0.5 m, not 500 mm
  const power = Math.min(largest, Math.max(-9, near));
  return { factor: 10 ** -power, unit: PREFIX[power] + pretty(unit) };
}

export function pretty(unit) {
  if (unit === '1') return '';
  return unit
    .replace(/\^-?\d/g, (p) =>
      p
        .slice(1)
        .replace(/-/, '⁻')
        .replace(/\d/, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]),
    )
    .replace(/(?<=\w)[ *](?=\w)/g, '·');
}

export const isStrainUnit = (unit, group) =>
  unit === 'strain' || ((unit === '1' || unit === '') && group === 'strains');

// About digits significant digits, without trailing zeros or needless exponents.
export function brief(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  const size = Math.abs(x);
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e7) ? x.toExponential(digits - 1) : String(+x.toPrecision(digits));
  return text.replace('-', '−');
}

export function withUnit(x, unit, digits = 4) {
  const { factor, unit: u } = scaleFor(unit, Math.abs(x));
  return `${brief(x * factor, digits)} ${u}`.trim();
}

// Digits after the point so that a step can be seen.
export function decimals(step) {
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(step))));
}
