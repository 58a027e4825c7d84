// world.js - the room the arms stand in: which way is up, how far they reach, where ground and pedestal are.
import { Box3, Vector3 } from 'three';
import { boxesOf, cornersOf } from './bodies.js';
import { Pose } from './pose.js';
import { cornersOfSurface } from './surface.js';

const SAMPLES = 60; // frames looked at for the reach
const FAR = { floating: 6, falling: 30 }; // a base that goes farther than this is followed, per size of the arm

export const PLATE = 0.025; // thickness of what a clamped arm is fixed to, per size of the arm

const PLANES = { xy: [0, 1, 2], xz: [0, 2, 1], yz: [1, 2, 0] }; // right, up, towards the reader

// {up, normal, lying, box, points, size, base, drifting, heavy, hanging, groundNormal, groundAt}: points are places of nodes
// through the motion and anchors, box goes around them; size is a length that all things drawn are measured by. Of an arm
// that floats far away (drifting), both are as one sees them who goes along with its base, at the base's first place.
export function makeWorld(runs) {
  const first = runs[0].scene;
  const gravity = new Vector3(...(first.gravity ?? [0, 0, 0]));
  const plane = PLANES[first.planar] ?? null;
  const heavy = gravity.length() > 1e-9;
  const up = heavy ? gravity.normalize().negate() : axis(plane ? plane[1] : 2);
  snap(up);
  const normal = plane ? axis(plane[2]) : null;
  if (plane && plane[2] === 1) normal.negate(); // xz is read with y going into the page
  const base = baseOf(runs[0]);
  const whole = reach(runs);
  const size = sizeOf(runs, new Box3().setFromArray(whole));
  const drifting = base.floats && driftOf(runs[0], base) > (heavy ? FAR.falling : FAR.floating) * size;
  const points = drifting ? reach(runs, true) : whole;
  const box = new Box3().setFromArray(points);
  const lying = !heavy && normal !== null; // a planar arm without weight lies on its plane
  const all = heavy ? whole : points; // what falls comes down to the ground; elsewhere that goes along
  const ground = lying ? layPlane(box, base, normal, size) : layGround(all, base, up, size, floorsOf(first, up));
  return { up, normal, lying, box, points, size, base, drifting, heavy, ...ground };
}

const axis = (i) => new Vector3().setComponent(i, 1);

function snap(v) {
  for (let i = 0; i < 3; i++)
    if (Math.abs(v.getComponent(i)) > 1 - 1e-9)
      v.set(0, 0, 0).setComponent(i, Math.sign(v.getComponent(i)) || 1);
}

// Poses of a run at some of its frames.
function* looks(run) {
  const pose = new Pose(run);
  const count = Math.min(SAMPLES, run.time.length);
  for (let s = 0; s < count; s++) {
    pose.setFrame(Math.round((s * (run.time.length - 1)) / Math.max(1, count - 1)));
    pose.draw(1);
    yield pose;
  }
}

// Places of all nodes and corners of boxes and of what is around surfaces at some frames, and where springs and bushings hold on to the world. along:
// less what the first link has moved.
function reach(runs, along = false) {
  const points = [];
  const p = new Vector3();
  for (const run of runs) {
    const count = run.time.length;
    const root = rootOf(run);
    const corners = boxesOf(run.scene).flatMap(({ l, box }) => cornersOf(box).map((c) => ({ l, at: c.toArray() })));
    for (const s of run.surfaces ?? []) corners.push(...cornersOfSurface(s).map((at) => ({ l: s.link, at })));
    let first = null;
    for (const pose of looks(run)) {
      const base = new Vector3().fromArray(pose.x, run.scene.links[root].first * 3);
      first ??= base;
      const add = (x) => points.push(...(along ? p.copy(x).sub(base).add(first) : x));
      for (let n = 0; n < pose.nodes; n++) add(new Vector3().fromArray(pose.x, n * 3));
      for (const { l, at } of corners) add(pose.point(new Vector3(), run.scene.links[l].first, at));
    }
    const { springs = [], bushings = [] } = run.scene;
    for (const { ends } of [...springs, ...bushings])
      for (const { node, offset } of ends) if (node < 0 && count) points.push(...offset);
  }
  return Float64Array.from(points);
}

// The first link.
const rootOf = (run) =>
  Math.max(
    0,
    run.scene.links.findIndex((l) => l.parent < 0),
  );

// How far the first link goes from where it was.
function driftOf(run, base) {
  let most = 0;
  for (const pose of looks(run))
    most = Math.max(most, base.point.distanceTo(new Vector3().fromArray(pose.x, base.node * 3)));
  return most;
}

// The longest chain of links and boxes, or the box where that says nothing.
function sizeOf(runs, box) {
  let most = 0;
  for (const { scene, place, surfaces = [] } of runs) {
    let sum = boxesOf(scene).reduce((all, { box: { sides } }) => all + Math.hypot(...sides), 0);
    scene.links.forEach((l, i) => {
      const a = l.first * 3;
      const b = (l.first + l.nodes - 1) * 3;
      const long = Math.hypot(place[b] - place[a], place[b + 1] - place[a + 1], place[b + 2] - place[a + 2]);
      sum += Math.max(long, ...surfaces.filter((s) => s.link === i).map(diagonalOf));
    });
    most = Math.max(most, sum);
  }
  const diagonal = box.getSize(new Vector3()).length();
  return Math.max(Math.min(most, diagonal) || diagonal || most, 1e-6);
}

function diagonalOf(surface) {
  const corners = cornersOfSurface(surface);
  return Math.hypot(...corners[7].map((x, c) => x - corners[0][c]));
}

function baseOf(run) {
  const pose = new Pose(run);
  pose.setFrame(0);
  pose.draw(0);
  const root = rootOf(run);
  const { first } = run.scene.links[root];
  const is = (...types) => run.scene.joints.some((j) => j.link === root && types.includes(j.type));
  return {
    node: first,
    point: new Vector3().fromArray(pose.x, first * 3),
    along: new Vector3().fromArray(pose.frame, first * 9),
    clamped: !run.scene.joints.some((j) => j.link === root && j.type !== 'fixed'),
    slides: (is('prismatic', 'cylindrical') && run.scene.links.length > 1) || is('planar'),
    floats: is('free'),
  };
}

// Heights of level planes of the world that the arm can touch from above.
const floorsOf = ({ contacts = [] }, up) =>
  contacts
    .filter(({ plane }) => plane.link < 0 && new Vector3(...plane.normal).normalize().dot(up) > 1 - 1e-9)
    .map(({ plane }) => new Vector3(...plane.point).dot(up));

// Ground below everything, or the floor that it touches; an arm that mostly hangs is held from above, a frame stands on
// its plate.
function layGround(points, base, up, size, floors) {
  const box = new Box3().setFromArray(points);
  const heights = [box.min, box.max].map((p) => p.dot(up)).sort((a, b) => a - b);
  const at = base.point.dot(up);
  const hanging =
    !base.floats &&
    at - heights[0] > 0.3 * size &&
    at - heights[0] > heights[1] - at &&
    at - meanHeight(points, up) > 0.15 * size; // not only its tool
  const standing = base.clamped && base.along.dot(up) > 0.7 && heights[0] > at - 1e-6 * size;
  const room = base.floats ? 0.08 : 0.14; // for a pedestal
  const floor = floors.find((h) => h < at && h < heights[0] + 0.05 * size && h > heights[0] - 0.5 * size);
  const low = floor ?? (standing ? at - PLATE * size : Math.min(heights[0] - 0.08 * size, at - room * size));
  return { hanging, groundNormal: up.clone(), groundAt: low };
}

function meanHeight(points, up) {
  const p = new Vector3();
  let sum = 0;
  for (let i = 0; i < points.length; i += 3) sum += p.fromArray(points, i).dot(up);
  return (3 * sum) / points.length;
}

function layPlane(box, base, normal, size) {
  const low = Math.min(box.min.dot(normal), box.max.dot(normal), base.point.dot(normal));
  return { hanging: false, groundNormal: normal.clone(), groundAt: low - 0.09 * size };
}

// A round number near x: 1, 2 or 5 times a power of ten.
export function roundNumber(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const m = x / power;
  return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}
