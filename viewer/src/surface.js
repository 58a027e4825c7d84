// surface.js - the surface of a link from finite elements: its mesh, bent by a few coordinates and coloured vertex by vertex.
//
// A vertex at X stands at X + s, s = sum eta_j shape_j, in the axes of the link. Magnified k times that is
// x + A X + B s with x and A = (I + k (Q - I)) R of the base (see pose.js), B = k Q R = A + (k - 1) R; of modes, which are
// first order, B = k R. Strains are sums over the coordinates as well; the stress of von Mises is 2 G sqrt(3/2 e:e) with
// their deviator e.
import { Pose } from './pose.js';

const SHARP = Math.cos(0.7); // edges turning more than 40 degrees stay sharp
const SAMPLES = 40; // frames looked at for the largest displacement
const THIRD = (2 * Math.PI) / 3;

export class Surface {
  // surface: of the run; link: of its scene
  constructor(surface, link) {
    this.surface = surface;
    this.link = link;
    const count = surface.vertex.length / 3;
    this.moved = new Float32Array(3 * count); // s
    this.strain = surface.strain ? new Float32Array(6 * count) : null;
    this.x = new Float64Array(3 * count); // drawn
    this.value = new Float32Array(count); // of the colour
    this.eta = new Float64Array(surface.n);
    this.split();
  }

  // Vertices on sharp edges are there once for each side: `of` is the vertex that each one drawn comes from.
  split() {
    const { vertex, triangle, edge } = this.surface;
    const count = vertex.length / 3;
    const sides = Array.from({ length: count }, () => []); // {at, normal}
    const of = [];
    const index = new Uint32Array(triangle.length);
    const add = (v, normal) => {
      sides[v].push({ at: of.length, normal });
      of.push(v);
      return sides[v][sides[v].length - 1];
    };
    for (let t = 0; t < triangle.length; t += 3) {
      const n = normalOf(vertex, triangle[t], triangle[t + 1], triangle[t + 2]);
      const l = Math.hypot(...n) || 1;
      for (let c = 0; c < 3; c++) {
        const v = triangle[t + c];
        const like = ({ normal: m }) => n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > SHARP * l * Math.hypot(...m);
        const side = sides[v].find(like) ?? add(v, [0, 0, 0]);
        for (let i = 0; i < 3; i++) side.normal[i] += n[i];
        index[t + c] = side.at;
      }
    }
    const alone = []; // edges of beams, which no triangle has
    const faces = [];
    for (let e = 0; e < edge.length; e += 2) {
      const ends = [edge[e], edge[e + 1]];
      const list = ends.every((v) => sides[v].length && sides[v][0].normal.some((x) => x !== 0)) ? faces : alone;
      list.push(...ends.map((v) => (sides[v][0] ?? add(v, [0, 0, 0])).at));
    }
    this.of = Uint32Array.from(of);
    this.index = index;
    this.edges = Uint32Array.from(faces);
    this.beams = Uint32Array.from(alone);
    this.position = new Float32Array(3 * of.length);
    this.normal = new Float32Array(3 * of.length);
    this.uv = new Float32Array(2 * of.length).fill(0.5); // x: place on the colour map
  }

  // In the mean.
  edgeLength() {
    const { vertex, edge } = this.surface;
    let sum = 0;
    for (let e = 0; e < edge.length; e += 2) {
      const [i, j] = [3 * edge[e], 3 * edge[e + 1]];
      sum += Math.hypot(vertex[i] - vertex[j], vertex[i + 1] - vertex[j + 1], vertex[i + 2] - vertex[j + 2]);
    }
    return edge.length ? (2 * sum) / edge.length : 0;
  }

  // Follows the pose, magnified k times. With a scale, colours by a quantity; false where that is not known.
  update(pose, k, scale = null, quantity = 'none') {
    readCoordinates(this.eta, this.surface, pose);
    combine(this.moved, this.surface.shape, this.eta);
    this.place(pose, k);
    const { of, position, uv, x } = this;
    for (let i = 0; i < of.length; i++) for (let c = 0; c < 3; c++) position[3 * i + c] = x[3 * of[i] + c];
    this.turnNormals();
    const known = scale !== null && this.values(quantity, pose, k);
    if (!known) return false;
    const wide = scale.high - scale.low || 1;
    for (let i = 0; i < of.length; i++) {
      const u = (this.value[of[i]] - scale.low) / wide;
      uv[2 * i] = u >= 0 ? Math.min(1, u) : 0;
    }
    return true;
  }

  place(pose, k) {
    const { surface, moved, x, link } = this;
    const { vertex } = surface;
    const maps = mapsOf(pose, surface.link, link.first, k);
    const [A, B, o] = maps;
    for (let i = 0; i < vertex.length; i += 3)
      for (let r = 0; r < 3; r++)
        x[i + r] =
          o[r] +
          A[r] * vertex[i] +
          A[3 + r] * vertex[i + 1] +
          A[6 + r] * vertex[i + 2] +
          B[r] * moved[i] +
          B[3 + r] * moved[i + 1] +
          B[6 + r] * moved[i + 2];
  }

  turnNormals() {
    const { index, position: p, normal } = this;
    normal.fill(0);
    for (let t = 0; t < index.length; t += 3) {
      const n = normalOf(p, index[t], index[t + 1], index[t + 2]);
      for (let c = 0; c < 3; c++) for (let i = 0; i < 3; i++) normal[3 * index[t + c] + i] += n[i];
    }
    for (let i = 0; i < normal.length; i += 3) {
      const l = 1 / (Math.hypot(normal[i], normal[i + 1], normal[i + 2]) || 1);
      for (let c = 0; c < 3; c++) normal[i + c] *= l;
    }
  }

  values(quantity, pose, k) {
    const { surface, value } = this;
    if (quantity === 'displacement') {
      displacements(value, this.x, surface, pose, k);
      return true;
    }
    if (pose.mode || !this.strain || (quantity === 'stress' && !surface.shear)) return false;
    combine(this.strain, surface.strain, this.eta);
    const of = quantity === 'stress' ? (e, i, v) => surface.shear[v] * mises(e, i) : principal;
    for (let v = 0; v < value.length; v++) value[v] = of(this.strain, 6 * v, v);
    return true;
  }
}

// Half its length across, near its base: for what is drawn there.
export function thicknessOf({ vertex }, tip, near) {
  const l = Math.hypot(...tip) || 1;
  let most = 0;
  for (let i = 0; i < vertex.length; i += 3) {
    const p = [vertex[i], vertex[i + 1], vertex[i + 2]];
    const along = (p[0] * tip[0] + p[1] * tip[1] + p[2] * tip[2]) / l;
    if (Math.abs(along) < near) most = Math.max(most, Math.sqrt(Math.max(0, p.reduce((s, x) => s + x * x, -along * along))));
  }
  return most;
}

// The eight corners of the box around it, undeformed.
export function cornersOfSurface({ vertex }) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertex.length; i++) {
    low[i % 3] = Math.min(low[i % 3], vertex[i]);
    high[i % 3] = Math.max(high[i % 3], vertex[i]);
  }
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => low.map((x, c) => (i & (1 << c) ? high[c] : x)));
}

const most = new WeakMap();

// Largest displacement of the surfaces of a run, in some of its frames.
export function largestOnSurfaces(run) {
  if (!most.has(run)) most.set(run, run.drawn === false || !run.surfaces?.length ? 0 : findLargest(run));
  return most.get(run);
}

function findLargest(run) {
  const count = Math.min(SAMPLES, run.time.length);
  const pose = new Pose(run);
  const surfaces = run.surfaces.map((s) => new Sample(s, run.scene.links[s.link]));
  let high = 0;
  for (let s = 0; s < count; s++) {
    pose.setFrame(Math.round((s * (run.time.length - 1)) / Math.max(1, count - 1)));
    pose.draw(1);
    for (const sample of surfaces) high = Math.max(high, sample.largest(pose));
  }
  return high;
}

// Of a mode at amplitude 1.
export function largestOfMode(run, mode) {
  if (!run.surfaces?.length) return 0;
  const pose = new Pose(run);
  pose.setMode(mode, 1);
  pose.draw(1);
  return Math.max(...run.surfaces.map((s) => new Sample(s, run.scene.links[s.link]).largest(pose)));
}

// A surface of which only the displacements are asked.
class Sample {
  constructor(surface, link) {
    Object.assign(this, { surface, link, moved: new Float32Array(surface.vertex.length) });
    this.x = new Float64Array(surface.vertex.length);
    this.value = new Float32Array(surface.vertex.length / 3);
    this.eta = new Float64Array(surface.n);
  }

  largest(pose) {
    readCoordinates(this.eta, this.surface, pose);
    combine(this.moved, this.surface.shape, this.eta);
    Surface.prototype.place.call(this, pose, 1);
    displacements(this.value, this.x, this.surface, pose, 1);
    return this.value.reduce((a, b) => Math.max(a, b), 0);
  }
}

const seats = new WeakMap(); // of surfaces

// Where a thing sits on a surface: {at: place in link axes, rows: mean displacement there by each coordinate [n][3]}; null
// where it is nearer to a node of its link than to any vertex, and moves with that.
export function seatOf(surface, pose, node, offset) {
  if (!seats.has(surface)) seats.set(surface, new Map());
  const known = seats.get(surface);
  const key = `${node} ${offset.join(' ')}`;
  if (!known.has(key)) known.set(key, findSeat(surface, pose, node, offset));
  return known.get(key);
}

// The vertices around it are those hardly farther than the nearest: all of a bore in whose middle it is.
function findSeat({ vertex, shape, n }, { place }, node, offset) {
  const at = [0, 1, 2].map((c) => place[node * 3 + c] + offset[c]);
  const far = (v) => Math.hypot(vertex[3 * v] - at[0], vertex[3 * v + 1] - at[1], vertex[3 * v + 2] - at[2]);
  const all = Array.from({ length: vertex.length / 3 }, (_, v) => v);
  const least = all.reduce((m, v) => Math.min(m, far(v)), Infinity);
  if (!(least < 0.999 * Math.hypot(...offset))) return null;
  const near = all.filter((v) => far(v) <= 1.05 * least);
  const mean = (j, c) => near.reduce((s, v) => s + shape.values[j * vertex.length + 3 * v + c], 0) / near.length;
  return { at, rows: Array.from({ length: n }, (_, j) => [0, 1, 2].map((c) => shape.scale[j] * mean(j, c))) };
}

// Where it is drawn.
export function pointOf(out, { at, rows }, surface, pose, first) {
  const eta = new Float64Array(surface.n);
  readCoordinates(eta, surface, pose);
  const s = [0, 1, 2].map((c) => rows.reduce((sum, row, j) => sum + eta[j] * row[c], 0));
  const [P, Q, from] = mapsOf(pose, surface.link, first, pose.k);
  const x = [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, c) => sum + P[c * 3 + r] * at[c] + Q[c * 3 + r] * s[c], from[r]));
  [out.x, out.y, out.z] = x;
  return out;
}

function readCoordinates(eta, { link, coordinates }, pose) {
  const shape = pose.mode?.coordinates?.[link];
  if (!pose.mode) return pose.read(eta, coordinates);
  for (let j = 0; j < eta.length; j++) eta[j] = shape ? pose.amplitude * shape[j] : 0;
}

// sum eta_j row_j
function combine(out, rows, eta) {
  out.fill(0);
  if (!rows) return;
  const { values, scale } = rows;
  const size = out.length;
  for (let j = 0; j < eta.length; j++) {
    const factor = eta[j] * scale[j];
    if (factor === 0) continue;
    for (let i = 0, at = j * size; i < size; i++, at++) out[i] += factor * values[at];
  }
}

const A = new Float64Array(9); // by columns
const B = new Float64Array(9);
const o = new Float64Array(3);

// [A, B, o] of a link: a vertex is drawn at o + A X + B s.
function mapsOf(pose, l, first, k) {
  const R = l * 12;
  for (let c = 0; c < 3; c++)
    for (let r = 0; r < 3; r++) {
      const a = pose.map[first * 9 + c * 3 + r];
      const own = pose.link[R + r * 3 + c];
      A[c * 3 + r] = a;
      B[c * 3 + r] = pose.mode ? k * own : a + (k - 1) * own;
    }
  for (let r = 0; r < 3; r++) {
    o[r] = pose.x[first * 3 + r];
    for (let c = 0; c < 3; c++) o[r] -= A[c * 3 + r] * pose.place[first * 3 + c];
  }
  return [A, B, o];
}

// How far drawn vertices are from the rigid link, per k.
function displacements(out, x, { link, vertex }, pose, k) {
  const R = pose.link.subarray(link * 12, link * 12 + 12);
  for (let v = 0, i = 0; v < out.length; v++, i += 3) {
    let sum = 0;
    for (let r = 0; r < 3; r++)
      sum +=
        (x[i + r] - R[9 + r] - R[r * 3] * vertex[i] - R[r * 3 + 1] * vertex[i + 1] - R[r * 3 + 2] * vertex[i + 2]) ** 2;
    out[v] = Math.sqrt(sum) / k;
  }
}

const n3 = [0, 0, 0];

// Across a triangle, twice its area long; good until the next call.
function normalOf(p, a, b, c) {
  const [i, j, k] = [3 * a, 3 * b, 3 * c];
  const [ux, uy, uz] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
  const [vx, vy, vz] = [p[k] - p[i], p[k + 1] - p[i + 1], p[k + 2] - p[i + 2]];
  n3[0] = uy * vz - uz * vy;
  n3[1] = uz * vx - ux * vz;
  n3[2] = ux * vy - uy * vx;
  return n3;
}

// e:e of the deviator of a strain (xx yy zz xy xz yz, shears as gamma).
function deviator(e, i) {
  const m = (e[i] + e[i + 1] + e[i + 2]) / 3;
  const square = (x) => x * x;
  const shear = square(e[i + 3]) + square(e[i + 4]) + square(e[i + 5]);
  return square(e[i] - m) + square(e[i + 1] - m) + square(e[i + 2] - m) + shear / 2;
}

// Stress of von Mises by shear modulus.
const mises = (e, i) => 2 * Math.sqrt(1.5 * deviator(e, i));

// The principal strain that is largest in size.
function principal(e, i) {
  const m = (e[i] + e[i + 1] + e[i + 2]) / 3;
  const r = Math.sqrt(deviator(e, i) / 6);
  if (!(r > 0)) return m;
  const [x, y, z, xy, xz, yz] = [e[i] - m, e[i + 1] - m, e[i + 2] - m, e[i + 3] / 2, e[i + 4] / 2, e[i + 5] / 2];
  const det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const a = Math.acos(Math.max(-1, Math.min(1, det / (2 * r * r * r)))) / 3;
  const high = m + 2 * r * Math.cos(a);
  const low = m + 2 * r * Math.cos(a + THIRD);
  return high >= -low ? high : low;
}
