// contacts.js - spheres that touch planes: the sphere, a patch of the plane, and where they touch the point and the force.
import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  LineSegments,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { channelOf, framesOf } from './recorded.js';
import { turned } from './structure.js';
import { roundNumber } from './world.js';

const LEAST = { sphere: 0.011, patch: 0.3 }; // drawn at least, per size of the arm
const ARROW = 0.22; // the largest force, per size of the arm
const LINES = 60; // of a patch, in each direction, at most

// {corners, touches}: of the patch in the world, none where a link carries it; whether it touches at any time.
export function addContact(arm, contact) {
  const { size, base } = arm.world;
  const plane = planeOf(contact.plane, base.point);
  const seen = lookAt(arm, contact, plane);
  const inside = contact.centre.link < 0 ? 0 : 1.2 * arm.radius[contact.centre.link]; // of its link it would not be seen
  const r = Math.max(contact.radius, inside, LEAST.sphere * size);
  const depth = channelOf(arm.run, `${contact.name}.depth`) ?? framesOf(arm.run, seen.depth);
  const touches = () => depth.at(arm.time) > 0;
  const patch = patchOf(seen, r, size);
  addPatch(arm, plane, patch);
  const sphere = arm.fixedTo(contact.centre.node, contact.centre.offset);
  arm.addPart(new SphereGeometry(r, 28, 18), arm.bright, (mesh, pose) => {
    sphere(mesh, pose);
    mesh.material = touches() ? arm.hit : arm.bright;
  });
  addPoint(arm, contact, plane, r, touches);
  const force = forceOf(arm.run, contact);
  if (force && arm.world.force > 0) addForce(arm, contact, plane, touches, force);
  return { corners: plane.node < 0 ? cornersOf(plane, patch) : [], touches: depth.values().some((d) => d > 0) };
}

// {node, at, turn}: a point of the plane and its axes, z the normal, in those of the section at node. Of planes of the world
// the point is that below the base, as that of the ground's grid is.
export function planeOf({ node, offset, turn, point, normal }, base) {
  const own = turned(turn);
  const n = new Vector3(...normal).normalize();
  const u = Math.abs(n.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  u.addScaledVector(n, -u.dot(n)).normalize();
  const axes = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(u, n.clone().cross(u), n));
  const at = new Vector3(...point).applyQuaternion(own).add(new Vector3(...offset));
  n.applyQuaternion(own);
  if (node < 0) at.copy(base.clone().addScaledVector(n, at.sub(base).dot(n)));
  return { node, at: at.toArray(), turn: own.clone().multiply(axes) };
}

// In every frame: how deep the sphere is in the plane, and the places of its centre on it (u, v).
export function lookAt({ run, tracer }, { centre, radius, plane: { link } }, plane) {
  const count = run.drawn === false ? 0 : run.time.length;
  const [p, q] = [new Vector3(), new Quaternion()];
  const depth = new Float64Array(Math.max(1, count)).fill(-Infinity);
  const places = [];
  for (let f = 0; f < count; f++) {
    for (const [l, n] of [[centre.link, centre.node], [link, plane.node]])
      if (n >= 0) {
        tracer.setFrameOf(l, n, f);
        tracer.drawNode(l, n, 1);
      }
    axesAt(p, q, tracer, plane);
    const way = tracer.point(new Vector3(), centre.node, centre.offset).sub(p).applyQuaternion(q.invert());
    depth[f] = radius - way.z;
    places.push([way.x, way.y]);
  }
  return { depth, places };
}

// Where the plane's point is and how its axes are turned, in the world.
function axesAt(point, turn, pose, plane) {
  pose.point(point, plane.node, plane.at);
  if (plane.node < 0) return void turn.copy(plane.turn);
  const [x, y, z] = [0, 3, 6].map((c) => new Vector3().fromArray(pose.frame, plane.node * 9 + c));
  turn.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z)).multiply(plane.turn);
}

// --- patch ---

// {cell, low, high}: whole cells of a grid around all places, in the plane's axes.
export function patchOf({ places }, r, size) {
  const cell = roundNumber(size / 8); // as that of the ground
  const ends = [0, 1].map((c) => {
    const all = places.length ? places.map((p) => p[c]) : [0];
    const [low, high] = [all.reduce((a, b) => Math.min(a, b)) - 2 * r, all.reduce((a, b) => Math.max(a, b)) + 2 * r];
    const more = Math.max(0, LEAST.patch * size - (high - low)) / 2;
    return [Math.floor((low - more) / cell) * cell, Math.ceil((high + more) / cell) * cell];
  });
  return { cell, low: ends.map((e) => e[0]), high: ends.map((e) => e[1]) };
}

const cornersOf = ({ at, turn }, { low, high }) =>
  [low, [low[0], high[1]], high, [high[0], low[1]]].map(([u, v]) =>
    new Vector3(u, v, 0).applyQuaternion(turn).add(new Vector3(...at)),
  );

function addPatch(arm, plane, { cell, low, high }) {
  const middle = new Vector3((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0);
  const offset = middle.clone().applyQuaternion(plane.turn).add(new Vector3(...plane.at));
  const place = arm.fixedTo(plane.node, offset.toArray(), plane.turn);
  const [w, h] = [high[0] - low[0], high[1] - low[1]];
  arm.addPart(new PlaneGeometry(w, h), arm.glass, place);
  const lines = new BufferGeometry();
  lines.setAttribute('position', new BufferAttribute(new Float32Array(gridOf(w, h, cell)), 3));
  const grid = new LineSegments(lines, arm.glassLine);
  arm.group.add(grid);
  arm.parts.push({ mesh: grid, place, ghost: false });
}

// Lines across a patch about its middle, a cell apart, or five where they were too many.
function gridOf(w, h, cell) {
  const points = [];
  const step = Math.max(w, h) / cell > LINES ? 5 * cell : cell;
  const steps = (long) => [...Array(Math.min(LINES, Math.floor(long / step + 1e-6))).keys()].map((i) => i * step - long / 2);
  for (const u of [...steps(w), w / 2]) points.push(u, -h / 2, 0, u, h / 2, 0);
  for (const v of [...steps(h), h / 2]) points.push(-w / 2, v, 0, w / 2, v, 0);
  return points;
}

// --- where it touches ---

// The point of the plane below the sphere's centre, as drawn.
function below(out, pose, { centre }, plane) {
  const [p, q] = [new Vector3(), new Quaternion()];
  axesAt(p, q, pose, plane);
  const n = new Vector3(0, 0, 1).applyQuaternion(q);
  pose.point(out, centre.node, centre.offset);
  out.addScaledVector(n, p.sub(out).dot(n));
  return q;
}

// A disc on the plane, and a line to the sphere where the magnified pose has taken that away.
function addPoint(arm, contact, plane, r, touches) {
  const { size } = arm.world;
  const [at, centre] = [new Vector3(), new Vector3()];
  arm.addPart(new CircleGeometry(1.9 * r, 40), arm.spot, (mesh, pose) => {
    mesh.quaternion.copy(below(mesh.position, pose, contact, plane));
    mesh.visible = touches();
  });
  arm.addPart(new SphereGeometry(0.45 * r, 16, 12), arm.over, (mesh, pose) => {
    below(mesh.position, pose, contact, plane);
    mesh.visible = touches();
  });
  arm.addPart(new CylinderGeometry(0.002 * size, 0.002 * size, 1, 8), arm.hit, (mesh, pose) => {
    below(at, pose, contact, plane);
    pose.point(centre, contact.centre.node, contact.centre.offset);
    arm.stretch(mesh, 1, at, centre);
    mesh.visible &&= touches();
  });
}

// x, y and z of the force on the sphere [N, world]; null where they were not recorded.
function forceOf(run, { name }) {
  const parts = ['x', 'y', 'z'].map((c) => channelOf(run, `${name}.force.${c}`));
  return parts.includes(null) ? null : parts;
}

// Of all contacts and runs; 0 where none was recorded.
export function largestForce(runs) {
  let most = 0;
  for (const run of runs)
    for (const contact of run.scene.contacts ?? []) {
      const [x, y, z] = forceOf(run, contact)?.map((p) => p.values()) ?? [[]];
      for (let i = 0; i < x.length; i++) most = Math.max(most, Math.hypot(x[i], y[i], z[i]) || 0);
    }
  return most;
}

// An arrow from the point along the force on the sphere, over everything.
function addForce(arm, contact, plane, touches, force) {
  const { size } = arm.world;
  const head = 0.05 * size;
  const [from, to] = [new Vector3(), new Vector3()];
  const arrow = (pose) => {
    const f = new Vector3(...force.map((p) => p.at(arm.time))).multiplyScalar((ARROW * size) / arm.world.force);
    below(from, pose, contact, plane);
    to.copy(from).add(f);
    return touches() && f.length() > 1e-6 * size ? f : null;
  };
  arm.addPart(new CylinderGeometry(0.006 * size, 0.006 * size, 1, 16), arm.over, (mesh, pose) => {
    const f = arrow(pose);
    mesh.visible = f !== null;
    if (f) arm.stretch(mesh, 1, from, to.addScaledVector(f, -Math.min(1, head / f.length()) / 2)); // into the head
  });
  arm.addPart(new ConeGeometry(0.018 * size, head, 24), arm.over, (mesh, pose) => {
    const f = arrow(pose);
    mesh.visible = f !== null;
    if (!f) return;
    const small = Math.min(1, f.length() / head);
    mesh.scale.setScalar(small);
    mesh.quaternion.setFromUnitVectors(Y, f.normalize());
    mesh.position.copy(to).addScaledVector(f, (-small * head) / 2);
  });
}

const Y = new Vector3(0, 1, 0);
