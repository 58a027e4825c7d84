// bodies.js - rigid bodies: the plate that several things hang on, and the box with the inertia of one that floats.
import { BoxGeometry, EdgesGeometry, ExtrudeGeometry, Matrix4, Quaternion, Shape, Vector2, Vector3 } from 'three';

const ROUND = 12; // corners of a rounded corner, all around
const THIN = 0.03; // least side of a box, per largest

// --- box ---

// {sides, com, turn} of the even box with a body's mass and inertia, in link axes: side i has
// a_i^2 = 6 (I_j + I_k - I_i)/m. null where it has no size.
export function boxOf({ mass, com, inertia }) {
  const { values, axes } = principal(inertia);
  const sum = values[0] + values[1] + values[2];
  const square = values.map((v) => (6 * (sum - 2 * v)) / mass);
  const sides = square.map((s) => Math.sqrt(Math.max(0, s)));
  const most = Math.max(...sides);
  if (!(mass > 0 && Number.isFinite(most) && most > 0)) return null;
  const turn = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(...axes));
  return { sides: sides.map((s) => Math.max(s, THIN * most)), com, turn };
}

// Principal inertias and axes (right-handed) of [xx, yy, zz, xy, xz, yz], by Jacobi's rotations.
export function principal([xx, yy, zz, xy, xz, yz]) {
  const A = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const V = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  for (let sweep = 0; sweep < 30; sweep++)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      rotate(A, V, p, q);
  return { values: [A[0][0], A[1][1], A[2][2]], axes: V };
}

// Turns axes p and q so that A[p][q] becomes 0.
function rotate(A, V, p, q) {
  const small = 1e-14 * (Math.abs(A[0][0]) + Math.abs(A[1][1]) + Math.abs(A[2][2]));
  if (Math.abs(A[p][q]) <= small) return;
  const angle = 0.5 * Math.atan2(2 * A[p][q], A[p][p] - A[q][q]);
  const near = angle > Math.PI / 4 ? angle - Math.PI / 2 : angle < -Math.PI / 4 ? angle + Math.PI / 2 : angle;
  const [c, s] = [Math.cos(near), Math.sin(near)];
  for (let k = 0; k < 3; k++) [A[k][p], A[k][q]] = [c * A[k][p] + s * A[k][q], c * A[k][q] - s * A[k][p]];
  for (let k = 0; k < 3; k++) [A[p][k], A[q][k]] = [c * A[p][k] + s * A[q][k], c * A[q][k] - s * A[p][k]];
  const P = V[p].clone();
  V[p].multiplyScalar(c).addScaledVector(V[q], s);
  V[q].multiplyScalar(c).addScaledVector(P, -s);
}

// The eight corners of a box, in link axes.
export function cornersOf({ sides, com, turn }) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    new Vector3(...sides.map((s, c) => (i & (1 << c) ? s : -s) / 2)).applyQuaternion(turn).add(new Vector3(...com)),
  );
}

// Of links that float and are neither beam nor plate: {l, box}.
export function boxesOf({ links, joints }) {
  const floats = (l) => joints.some((j) => j.link === l && j.type === 'free');
  return links
    .map((link, l) => ({ l, box: !link.beam && link.body && floats(l) ? boxOf(link.body) : null }))
    .filter(({ box }) => box);
}

export function boxGeometries({ sides }) {
  const solid = new BoxGeometry(...sides);
  return { solid, edges: new EdgesGeometry(solid) };
}

// --- plate ---

// The plates of a run: {l, centre, turn, hull, flat}, for every rigid link that two or more links and loops hang on, with
// three places not in line: hull is the outline around them, rounded with radius r, in axes turned by `turn` (z across)
// about centre, in link axes; flat(p) the point of the plate's middle below p. One that floats is a plate of its loops only.
export function platesOf(run, holds, r) {
  const { links, joints = [], loops = [] } = run.scene;
  const meshed = new Set((run.surfaces ?? []).map((s) => s.link)); // drawn as they are
  return links
    .map((link, l) => {
      if (link.beam || !link.nodes || meshed.has(l)) return null;
      const floats = joints.some((j) => j.link === l && j.type === 'free');
      const ends = loops.flatMap((loop) => loop.ends).filter((e) => e.link === l);
      const points = ends.map(({ node, offset }) => placeOf(run, node).add(new Vector3(...offset)));
      if (!floats) points.push(...holds.filter((h) => h.parent === l).map((h) => h.from.clone()));
      if (points.length < 2) return null;
      if (!floats) points.push(placeOf(run, link.first));
      return plateOf(l, points, r);
    })
    .filter((p) => p);
}

const placeOf = (run, node) => new Vector3().fromArray(run.place, node * 3);

function plateOf(l, points, r) {
  const normal = normalOf(points);
  if (!normal || normal.length() < r * r) return null; // in line
  normal.normalize();
  const centre = points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
  const back = turn.clone().invert();
  const around = [];
  for (const p of points) {
    const { x, y } = p.clone().sub(centre).applyQuaternion(back);
    for (let i = 0; i < ROUND; i++) {
      const angle = (2 * Math.PI * i) / ROUND;
      around.push(new Vector2(x + r * Math.cos(angle), y + r * Math.sin(angle)));
    }
  }
  const flat = (p) => p.clone().addScaledVector(normal, centre.clone().sub(p).dot(normal));
  return { l, centre, turn, hull: hullOf(around), flat };
}

// Across the largest triangle of the points, twice its area long.
function normalOf(points) {
  let best = null;
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        const n = points[j].clone().sub(points[i]).cross(points[k].clone().sub(points[i]));
        if (!best || n.lengthSq() > best.lengthSq()) best = n;
      }
  return best;
}

// The convex hull of points in a plane, counter-clockwise.
export function hullOf(points) {
  const sorted = [...points].sort((p, q) => p.x - q.x || p.y - q.y);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turnOf(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turnOf = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

export function plateGeometry({ hull }, thick) {
  const geometry = new ExtrudeGeometry(new Shape(hull), { depth: thick, bevelEnabled: false });
  return geometry.translate(0, 0, -thick / 2);
}
