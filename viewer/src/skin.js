// skin.js - the surface of a beam: its sections swept along the deformed centre line, in buffers made once.
//
// Between two nodes the centre line is the cubic with the nodes' places and the directions of their sections, so
// that few elements already look bent. Each element owns its rings, which lets the section change from one to the next.
import { ShapeUtils, Vector2 } from 'three';
import { FRAME, orthonormal } from './pose.js';

const RINGS = 40; // about so many along a link
const SHARP = Math.cos(0.7); // edges turning more than 40 degrees stay sharp

// The outline as a wall: two vertices per edge, with normals in the section's plane. side -1: an inner wall.
export function wallOf(points, side = 1) {
  const n = points.length;
  const normals = points.map(([y, z], i) => {
    const [y2, z2] = points[(i + 1) % n];
    const l = Math.hypot(y2 - y, z2 - z) || 1;
    return [(z2 - z) / l, (y - y2) / l];
  });
  const wall = { y: [], z: [], ny: [], nz: [], side };
  const add = (point, own, other) => {
    const smooth = own[0] * other[0] + own[1] * other[1] > SHARP;
    const ny = smooth ? own[0] + other[0] : own[0];
    const nz = smooth ? own[1] + other[1] : own[1];
    const l = side / (Math.hypot(ny, nz) || 1);
    wall.y.push(point[0]);
    wall.z.push(point[1]);
    wall.ny.push(ny * l);
    wall.nz.push(nz * l);
  };
  for (let i = 0; i < n; i++) {
    add(points[i], normals[i], normals[(i + n - 1) % n]);
    add(points[(i + 1) % n], normals[i], normals[(i + 1) % n]);
  }
  return wall;
}

export function circle(radius, count = 24) {
  return Array.from({ length: count }, (_, i) => {
    const a = (2 * Math.PI * i) / count;
    return [radius * Math.cos(a), radius * Math.sin(a)];
  });
}

export class Skin {
  // outlines: {outer, inner} of each node of the link.
  constructor(link, outlines) {
    this.link = link;
    const elements = link.nodes - 1;
    this.sub = Math.min(12, Math.max(2, Math.ceil(RINGS / elements)));
    this.strips = [];
    this.caps = [];
    let vertices = 0;
    const index = [];
    const addStrip = (element, from, to, side) => {
      const a = wallOf(from, side);
      const b = to.length === from.length ? wallOf(to, side) : a;
      this.strips.push({ element, a, b, at: vertices });
      const n = a.y.length;
      for (let s = 0; s < this.sub; s++)
        for (let v = 0; v < n; v += 2) quad(index, vertices + s * n + v, n, side);
      vertices += n * (this.sub + 1);
    };
    const addCap = (node, side) => {
      const { outer, inner } = outlines[node];
      const points = [...outer, ...(inner ?? [])];
      const to2 = (list) => list.map(([y, z]) => new Vector2(y, z));
      for (const [a, b, c] of ShapeUtils.triangulateShape(to2(outer), inner ? [to2(inner)] : []))
        index.push(vertices + a, vertices + (side > 0 ? b : c), vertices + (side > 0 ? c : b));
      this.caps.push({ node, points, side, at: vertices });
      vertices += points.length;
    };
    for (let e = 0; e < elements; e++) {
      const [a, b] = [outlines[e], outlines[e + 1]];
      addStrip(e, a.outer, b.outer, 1);
      if (a.inner) addStrip(e, a.inner, b.inner ?? a.inner, -1);
    }
    addCap(0, -1);
    addCap(elements, 1);
    this.index = vertices > 65535 ? new Uint32Array(index) : new Uint16Array(index);
    this.position = new Float32Array(vertices * 3);
    this.normal = new Float32Array(vertices * 3);
    this.uv = new Float32Array(vertices * 2).fill(0.5); // x: place on the colour map
    const points = elements * this.sub + 1; // of the centre line, seen where the beam is thinner than a pixel
    this.line = new Float32Array(points * 3);
    this.lineUv = new Float32Array(points * 2).fill(0.5);
  }

  // Follows the pose. With a scale, colours by its values: place on the map = (value - scale.low) / (high - low).
  update(pose, scale = null) {
    for (const strip of this.strips) this.sweep(strip, pose, scale);
    for (const cap of this.caps) this.close(cap, pose, scale);
  }

  sweep({ element, a, b, at }, pose, scale) {
    const n0 = this.link.first + element;
    const count = a.y.length;
    startCubic(pose, n0, pose.place);
    for (let s = 0; s <= this.sub; s++) {
      const w = s / this.sub;
      ringAt(w, pose, n0);
      const u = scale ? onMap(pose.value[n0] + w * (pose.value[n0 + 1] - pose.value[n0]), scale) : 0.5;
      if (a.side > 0) this.mark(element * this.sub + s, u);
      for (let v = 0, to = at + s * count; v < count; v++, to++) {
        this.put(to, a.y[v] + w * (b.y[v] - a.y[v]), a.z[v] + w * (b.z[v] - a.z[v]));
        const ny = a.ny[v] + w * (b.ny[v] - a.ny[v]);
        const nz = a.nz[v] + w * (b.nz[v] - a.nz[v]);
        for (let c = 0; c < 3; c++) this.normal[to * 3 + c] = ny * axes[3 + c] + nz * axes[6 + c];
        this.uv[to * 2] = u;
      }
    }
  }

  close({ node, points, side, at }, pose, scale) {
    const n = this.link.first + node;
    for (let c = 0; c < 3; c++) centre[c] = pose.x[n * 3 + c];
    for (let i = 0; i < FRAME; i++) axes[i] = pose.frame[n * FRAME + i];
    const u = scale ? onMap(pose.value[n], scale) : 0.5;
    for (let v = 0; v < points.length; v++) {
      this.put(at + v, points[v][0], points[v][1]);
      for (let c = 0; c < 3; c++) this.normal[(at + v) * 3 + c] = side * axes[c];
      this.uv[(at + v) * 2] = u;
    }
  }

  mark(to, u) {
    for (let c = 0; c < 3; c++) this.line[to * 3 + c] = centre[c];
    this.lineUv[to * 2] = u;
  }

  put(to, y, z) {
    for (let c = 0; c < 3; c++) this.position[to * 3 + c] = centre[c] + y * axes[3 + c] + z * axes[6 + c];
  }
}

const p0 = new Float64Array(3);
const p1 = new Float64Array(3);
const m0 = new Float64Array(3);
const m1 = new Float64Array(3);
const centre = new Float64Array(3);
const axes = new Float64Array(FRAME);

function onMap(value, { low, high }) {
  const u = (value - low) / (high - low || 1);
  return u >= 0 ? Math.min(1, u) : 0; // also for NaN
}

// Two triangles between vertices v, v + 1 of a ring and of the next one.
function quad(index, v, ring, side) {
  const [a, b, c, d] = side > 0 ? [v, v + 1, v + ring, v + ring + 1] : [v + 1, v, v + ring + 1, v + ring];
  index.push(a, b, d, a, d, c);
}

// Centre and axes of the section at w in 0..1 between nodes n0 and n0 + 1, as the skin has them; good until the next call.
export function sectionAt(pose, n0, w) {
  startCubic(pose, n0, pose.place);
  ringAt(w, pose, n0);
  return { centre, axes };
}

// Ends of the cubic between nodes n0 and n0 + 1: places, and the mapped undeformed step as end directions.
function startCubic(pose, n0, place) {
  const i = n0 * 3;
  const [dx, dy, dz] = [place[i + 3] - place[i], place[i + 4] - place[i + 1], place[i + 5] - place[i + 2]];
  const A = n0 * 9;
  for (let c = 0; c < 3; c++) {
    p0[c] = pose.x[i + c];
    p1[c] = pose.x[i + 3 + c];
    m0[c] = pose.map[A + c] * dx + pose.map[A + 3 + c] * dy + pose.map[A + 6 + c] * dz;
    m1[c] = pose.map[A + 9 + c] * dx + pose.map[A + 12 + c] * dy + pose.map[A + 15 + c] * dz;
  }
}

// Centre and axes of the section at w in 0..1 of the element.
function ringAt(w, pose, n0) {
  const h01 = w * w * (3 - 2 * w);
  const h10 = w * (1 - w) * (1 - w);
  const h11 = w * w * (w - 1);
  const d01 = 6 * w * (1 - w);
  const d10 = (1 - w) * (1 - 3 * w);
  const d11 = w * (3 * w - 2);
  const f = n0 * FRAME;
  for (let c = 0; c < 3; c++) {
    centre[c] = p0[c] + h01 * (p1[c] - p0[c]) + h10 * m0[c] + h11 * m1[c];
    axes[c] = d01 * (p1[c] - p0[c]) + d10 * m0[c] + d11 * m1[c];
    axes[3 + c] = pose.frame[f + 3 + c] + w * (pose.frame[f + FRAME + 3 + c] - pose.frame[f + 3 + c]);
  }
  orthonormal(axes, 0);
}
