// pose.js - where one run's nodes are at a time, and how they are drawn when the deformation is magnified.
//
// A point of the rigid arm at X with displacement u is drawn at X + k u. For the section at a node, whose points turn
// by Q = exp(turn), that is the map A = I + k (Q - I); its columns are made orthonormal again, so that k = 1 gives
// the true section and a large k never spins it. Mode shapes are first order: Q - I is [turn x].
import { indexBefore } from './data.js';
import { pointOf, seatOf } from './surface.js';

export const FRAME = 9; // numbers of a section frame: axes e1 (along the link), e2, e3

export class Pose {
  constructor(run) {
    const links = run.scene.links;
    const nodes = run.place.length / 3;
    this.run = run;
    this.nodes = nodes;
    this.frames = run.time.length;
    this.link = new Float64Array(links.length * 12); // rotation by rows, then position
    this.place = Float64Array.from(run.place); // of nodes in link axes, undeformed
    this.reference = run.reference ? new Float64Array(nodes * 3) : null; // in the world, where places move: see readPlaces
    this.displacement = new Float64Array(nodes * 3); // true size
    this.turn = new Float64Array(nodes * 3);
    this.x = new Float64Array(nodes * 3); // drawn
    this.map = new Float64Array(nodes * 9); // A R, by columns
    this.frame = new Float64Array(nodes * FRAME); // orthonormal e1, e2, e3
    this.value = new Float64Array(nodes); // of the colour
    this.first = 0; // between frames first and first + 1
    this.part = 0;
    this.k = 1; // magnification
    this.mode = null;
    this.amplitude = 0; // of the mode
    this.meshed = []; // surface of each node, of links that have one and bend
    for (const s of run.surfaces ?? [])
      for (let n = links[s.link].first; s.n && n < links[s.link].first + links[s.link].nodes; n++) this.meshed[n] = s;
  }

  // The recorded pose at a time, interpolated between frames.
  setTime(t) {
    const { time } = this.run;
    const i = Math.min(indexBefore(time, t), Math.max(0, time.length - 2));
    const span = time.length > 1 ? time[i + 1] - time[i] : 0;
    this.setFrame(i, span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0);
  }

  setFrame(i, part = 0) {
    this.mode = null;
    this.first = i;
    this.part = part;
    this.readLinks();
    this.readPlaces();
    this.read(this.displacement, this.run.displacement);
    this.read(this.turn, this.run.turn);
  }

  // The same for one node only, to follow it through all frames.
  setFrameOf(l, n, i) {
    this.mode = null;
    this.first = i;
    this.part = 0;
    this.readLink(l);
    this.readPlace(l, n);
    this.read(this.displacement, this.run.displacement, n * 3, n * 3 + 3);
    this.read(this.turn, this.run.turn, n * 3, n * 3 + 3);
  }

  // A mode shape about frame 0.
  setMode(mode, amplitude) {
    this.first = this.part = 0;
    this.mode = mode;
    this.amplitude = amplitude;
    this.readLinks();
    this.readPlaces();
    for (let i = 0; i < this.displacement.length; i++) {
      this.displacement[i] = amplitude * finite(mode.displacement[i]);
      this.turn[i] = amplitude * finite(mode.turn[i]);
    }
  }

  read(to, from, start = 0, end = to.length) {
    const { frames, first, part } = this;
    if (!from) return void to.fill(0, start, end);
    for (let i = start, at = start * frames + first; i < end; i++, at += frames) {
      const a = from[at];
      to[i] = finite(part > 0 ? a + part * (from[at + 1] - a) : a);
    }
  }

  readLinks() {
    for (let l = 0; l < this.link.length / 12; l++) this.readLink(l);
  }

  readLink(l) {
    const { frames, first, part, link } = this;
    const rigid = this.run.rigid ?? NOTHING;
    const at = l * 6 * frames + first;
    toQuaternion(qa, rigid[at + 3 * frames], rigid[at + 4 * frames], rigid[at + 5 * frames]);
    if (part > 0) {
      const to = at + 1;
      toQuaternion(qb, rigid[to + 3 * frames], rigid[to + 4 * frames], rigid[to + 5 * frames]);
      blend(qa, qb, part);
    }
    toMatrix(link, l * 12, qa);
    for (let c = 0; c < 3; c++) {
      const a = rigid[at + c * frames];
      link[l * 12 + 9 + c] = finite(part > 0 ? a + part * (rigid[at + c * frames + 1] - a) : a);
    }
  }

  // Nodes of a beam that slides through its joint have no fixed place in link axes: it follows from the rigid arm.
  readPlaces() {
    if (!this.reference) return;
    this.run.scene.links.forEach((link, l) => {
      for (let n = link.first; n < link.first + link.nodes; n++) this.readPlace(l, n);
    });
  }

  readPlace(l, n) {
    const { link, reference } = this;
    if (!reference || !Number.isNaN(this.run.place[n * 3])) return;
    this.read(reference, this.run.reference, n * 3, n * 3 + 3);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let r = 0; r < 3; r++) sum += link[l * 12 + r * 3 + c] * (reference[n * 3 + r] - link[l * 12 + 9 + r]);
      this.place[n * 3 + c] = sum;
    }
  }

  // Drawn places and section frames with the deformation magnified k times; 0 is the rigid arm.
  draw(k) {
    this.k = k;
    const { links } = this.run.scene;
    for (let l = 0; l < links.length; l++)
      for (let n = links[l].first; n < links[l].first + links[l].nodes; n++) this.drawNode(l, n, k);
  }

  drawNode(l, n, k) {
    const { link, x, place, displacement: u, map, frame } = this;
    this.k = k;
    const R = l * 12;
    const p = n * 3;
    for (let c = 0; c < 3; c++)
      x[p + c] =
        link[R + 9 + c] +
        link[R + c * 3] * place[p] +
        link[R + c * 3 + 1] * place[p + 1] +
        link[R + c * 3 + 2] * place[p + 2] +
        k * u[p + c];
    if (this.mode) toSkew(D, this.turn, p);
    else toRotationLessOne(D, this.turn, p);
    // map = (I + k D) R, by columns c
    for (let c = 0; c < 3; c++)
      for (let r = 0; r < 3; r++)
        map[n * 9 + c * 3 + r] =
          link[R + r * 3 + c] +
          k * (D[r * 3] * link[R + c] + D[r * 3 + 1] * link[R + 3 + c] + D[r * 3 + 2] * link[R + 6 + c]);
    for (let i = 0; i < 6; i++) frame[n * 9 + i] = map[n * 9 + i];
    orthonormal(frame, n * 9);
  }

  // The world place of a point fixed to a node's section; node -1 is the world.
  // Between base and tip of a link with a surface it follows that.
  point(out, node, offset) {
    if (node < 0) return set(out, offset[0], offset[1], offset[2]);
    const seat = this.meshed[node] ? seatOf(this.meshed[node], this, node, offset) : null;
    if (seat) return pointOf(out, seat, this.meshed[node], this, this.run.scene.links[this.meshed[node].link].first);
    const { x, frame: f } = this;
    const p = node * 3;
    const a = node * 9;
    return set(
      out,
      x[p] + f[a] * offset[0] + f[a + 3] * offset[1] + f[a + 6] * offset[2],
      x[p + 1] + f[a + 1] * offset[0] + f[a + 4] * offset[1] + f[a + 7] * offset[2],
      x[p + 2] + f[a + 2] * offset[0] + f[a + 5] * offset[1] + f[a + 8] * offset[2],
    );
  }

  // Values that colour the nodes; false where the run has none.
  readValue(name) {
    if (name === 'displacement') {
      const u = this.displacement;
      for (let n = 0; n < this.nodes; n++) this.value[n] = Math.hypot(u[n * 3], u[n * 3 + 1], u[n * 3 + 2]);
      return true;
    }
    const from = this.mode ? null : this.run[name];
    if (from) this.read(this.value, from);
    return Boolean(from);
  }
}

// Makes the axes e1, e2 at a[at] orthonormal, keeping e1's direction, and e3 = e1 x e2.
export function orthonormal(a, at) {
  const l = 1 / (Math.hypot(a[at], a[at + 1], a[at + 2]) || 1);
  for (let i = 0; i < 3; i++) a[at + i] *= l;
  const d = a[at] * a[at + 3] + a[at + 1] * a[at + 4] + a[at + 2] * a[at + 5];
  for (let i = 0; i < 3; i++) a[at + 3 + i] -= d * a[at + i];
  const m = 1 / (Math.hypot(a[at + 3], a[at + 4], a[at + 5]) || 1);
  for (let i = 0; i < 3; i++) a[at + 3 + i] *= m;
  a[at + 6] = a[at + 1] * a[at + 5] - a[at + 2] * a[at + 4];
  a[at + 7] = a[at + 2] * a[at + 3] - a[at] * a[at + 5];
  a[at + 8] = a[at] * a[at + 4] - a[at + 1] * a[at + 3];
}

const NOTHING = new Float64Array(0);
const qa = new Float64Array(4);
const qb = new Float64Array(4);
const D = new Float64Array(9);

const finite = (x) => (Number.isFinite(x) ? x : 0);

function set(out, x, y, z) {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

function toQuaternion(q, x, y, z) {
  const angle = Math.hypot(x, y, z);
  const s = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  q[0] = finite(s * x);
  q[1] = finite(s * y);
  q[2] = finite(s * z);
  q[3] = Number.isFinite(angle) ? Math.cos(angle / 2) : 1;
}

// a becomes the rotation part of the way from a to b, the short way.
function blend(a, b, part) {
  const side = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  let l = 0;
  for (let i = 0; i < 4; i++) {
    a[i] += part * (side * b[i] - a[i]);
    l += a[i] * a[i];
  }
  l = 1 / Math.sqrt(l);
  for (let i = 0; i < 4; i++) a[i] *= l;
}

function toMatrix(m, at, q) {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  m[at] = 1 - 2 * (y * y + z * z);
  m[at + 1] = 2 * (x * y - z * w);
  m[at + 2] = 2 * (x * z + y * w);
  m[at + 3] = 2 * (x * y + z * w);
  m[at + 4] = 1 - 2 * (x * x + z * z);
  m[at + 5] = 2 * (y * z - x * w);
  m[at + 6] = 2 * (x * z - y * w);
  m[at + 7] = 2 * (y * z + x * w);
  m[at + 8] = 1 - 2 * (x * x + y * y);
}

function toSkew(m, v, at) {
  m[0] = m[4] = m[8] = 0;
  m[1] = -v[at + 2];
  m[2] = v[at + 1];
  m[3] = v[at + 2];
  m[5] = -v[at];
  m[6] = -v[at + 1];
  m[7] = v[at];
}

function toRotationLessOne(m, v, at) {
  toQuaternion(qb, v[at], v[at + 1], v[at + 2]);
  toMatrix(m, 0, qb);
  m[0] -= 1;
  m[4] -= 1;
  m[8] -= 1;
}
