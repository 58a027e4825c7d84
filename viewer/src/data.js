// data.js - the report's two blocks: JSON that says what is shown, and the numbers it refers to (see README.md).

// Reads both blocks of the page; null where they are empty.
export async function readReport(doc) {
  const text = doc.getElementById('report').textContent;
  if (!text.trim()) return null;
  const report = JSON.parse(text);
  if (report.format !== 1) throw new Error(`this page reads format 1, the report has format ${report.format}`);
  const block = doc.getElementById('blob');
  const bytes = await inflate(fromBase64(block.textContent.trim()));
  block.textContent = ''; // not needed twice
  return { ...report, runs: report.runs.map((run) => readRun(run, bytes)) };
}

// The run with every array of the scene unpacked; channels stay packed until they are drawn.
export function readRun(run, bytes) {
  const get = (ref) => (ref ? unpack(bytes, ref) : null);
  const channels = run.channels ?? { thinned: false, rows: 0, time: null, list: [] };
  return {
    ...run,
    place: get(run.place),
    time: run.time?.shape[0] ? get(run.time) : new Float64Array(1), // a run without frames stands still
    drawn: Boolean(run.rigid && run.time?.shape[0]),
    rigid: get(run.rigid),
    ghost: run.ghost ? { rigid: get(run.ghost.rigid), reference: get(run.ghost.reference) } : null, // where it lags
    reference: get(run.reference), // where nodes have no fixed place in their link
    displacement: get(run.displacement),
    turn: get(run.turn),
    stress: get(run.stress),
    strain: get(run.strain),
    surfaces: (run.surfaces ?? []).map((s) => readSurface(s, get)),
    modes: (run.modes ?? []).map((m) => ({
      ...m,
      displacement: get(m.displacement),
      turn: get(m.turn),
      coordinates: mapValues(m.coordinates ?? {}, get),
    })),
    channels: {
      ...channels,
      time: get(channels.time) ?? new Float64Array(0),
      list: channels.list.map((c) => ({ ...c, values: once(() => get(c.values)) })),
    },
  };
}

// n: its coordinates; 0 where it is rigid.
function readSurface(surface, get) {
  const rows = (r) => (r ? { values: get(r.values), scale: get(r.scale) } : null);
  return {
    link: surface.link,
    n: surface.coordinates?.shape[0] ?? 0,
    vertex: get(surface.vertex),
    triangle: get(surface.triangle),
    edge: get(surface.edge),
    coordinates: get(surface.coordinates),
    shape: rows(surface.shape),
    strain: rows(surface.strain),
    shear: get(surface.shear),
  };
}

const mapValues = (object, fn) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, fn(value)]));

const TYPES = { f32: Float32Array, f64: Float64Array, i32: Int32Array, i16: Int16Array };

// Bytes of an array stand sorted by their place in a number: all first bytes, then all second bytes, ...
export function unpack(bytes, ref) {
  const Type = TYPES[ref.type];
  const width = Type.BYTES_PER_ELEMENT;
  const count = ref.shape.reduce((a, b) => a * b, 1);
  if (ref.at + count * width > bytes.length) throw new Error('the report is cut off: numbers are missing');
  const out = new Uint8Array(count * width);
  for (let b = 0; b < width; b++) {
    const from = ref.at + b * count;
    for (let i = 0, to = b; i < count; i++, to += width) out[to] = bytes[from + i];
  }
  return new Type(out.buffer);
}

export async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const chars = atob(text);
  const out = new Uint8Array(chars.length);
  for (let i = 0; i < chars.length; i++) out[i] = chars.charCodeAt(i);
  return out;
}

function once(make) {
  let value;
  return () => (value ??= make());
}

// Largest index i with sorted[i] <= x; 0 where x lies before all.
export function indexBefore(sorted, x) {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Index of the number in sorted that is nearest to x.
export function indexNearest(sorted, x) {
  const i = indexBefore(sorted, x);
  return i + 1 < sorted.length && sorted[i + 1] - x < x - sorted[i] ? i + 1 : i;
}
