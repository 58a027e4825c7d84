// structure.js - how links hang together: where each one is held by its parent, and along what a slide runs.
import { Quaternion, Vector3 } from 'three';
import { Pose } from './pose.js';

const SAMPLES = 60; // frames looked at

const NEAR = 0.5; // end stops farther from the way are not drawn, per size of the arm

export const GAP = 0.012; // things farther apart are joined by a strut, per size of the arm

const SLIDES = ['prismatic', 'cylindrical', 'planar']; // joints that carry their link along

// Of every link: {parent, type, axis, ways, from, to, node, along}: it is held between the points from and to (the same
// where its joint turns), in the axes of its parent (-1: the world), near the parent's node (-1: the world). axis is
// the joint's, in the same axes; ways: of slides [{axis, long}], each about the middle of from and to. along: 'child'
// where the link itself lies along its slide, as a quill does, 'parent' where the parent does, as a cylinder, else 'rail'.
// rail: it runs on its parent's beam. stops: of slides, which of their end stops are near the way, that then reaches them.
export function holdsOf(run, size = Infinity) {
  const pose = new Pose(run);
  const count = run.drawn === false ? 0 : Math.min(SAMPLES, run.time.length);
  const holds = run.scene.links.map((link, l) => {
    const joint = run.scene.joints.find((j) => j.link === l);
    return { link, l, parent: link.parent, type: joint?.type ?? 'fixed', joint, own: joint?.axis ?? [1, 0, 0], ways: null };
  });
  for (let s = 0; s < count; s++) {
    pose.setFrame(Math.round((s * (run.time.length - 1)) / Math.max(1, count - 1)));
    pose.draw(0);
    for (const h of holds) see(h, pose);
  }
  return holds.filter((h) => h.ways !== null).map((h) => finish(h, pose, run.scene.links, size));
}

// The place of a link in its parent's axes; of slides the ends of their ways.
function see(h, { link, x }) {
  const slides = SLIDES.includes(h.type);
  const at = new Vector3().fromArray(slides ? link : x, slides ? h.l * 12 + 9 : h.link.first * 3);
  const axis = turn(link, h.l, new Vector3(...h.own));
  const here = h.parent < 0 ? at : back(link, h.parent, at.sub(origin(link, h.parent)));
  if (h.ways === null) {
    h.first = here.clone();
    h.axis = (h.parent < 0 ? axis : back(link, h.parent, axis)).normalize();
    const axes = h.type === 'planar' && h.joint.on ? h.joint.axes.slice(0, 2).map((e) => onParent(h.joint, e)) : [h.axis];
    h.ways = axes.map((e) => ({ axis: e, low: 0, high: 0 }));
  }
  if (!slides) return;
  here.sub(h.first);
  for (const w of h.ways) {
    w.low = Math.min(w.low, here.dot(w.axis));
    w.high = Math.max(w.high, here.dot(w.axis));
  }
}

// A direction in the frame of a joint with several freedoms, in the axes of what holds it.
export const onParent = (joint, e) => new Vector3(...e).applyQuaternion(turned(joint.on.turn));

// The rotation with a rotation vector.
export const turned = (v) => new Quaternion().setFromAxisAngle(new Vector3(...v).normalize(), Math.hypot(...v));

// The way of a slide reaches its end stops, unless they are far.
function reachStops({ joint, type, axis, first, ways }, { place }, size) {
  if (type !== 'prismatic' || !joint.stop || joint.rail) return null;
  const { node, offset } = joint.on;
  const start = new Vector3(...offset);
  if (node >= 0) start.add(new Vector3().fromArray(place, node * 3));
  const [low, high] = joint.stop.map((q) => q - first.clone().sub(start).dot(axis)); // seen from where it is first
  const near = [ways[0].low - low <= NEAR * size, high - ways[0].high <= NEAR * size];
  if (near[0]) ways[0].low = Math.min(ways[0].low, low);
  if (near[1]) ways[0].high = Math.max(ways[0].high, high);
  return near;
}

function finish(hold, pose, links, size) {
  const { link, l, parent, type, axis, first, ways } = hold;
  const stops = reachStops(hold, pose, size);
  const from = first.clone();
  const to = first.clone();
  for (const w of ways) {
    from.addScaledVector(w.axis, w.low);
    to.addScaledVector(w.axis, w.high);
  }
  const lies = (other) => other && Math.abs(directionOf(pose, other).dot(axis)) > 0.95;
  const line = type === 'prismatic' || type === 'cylindrical';
  const own = new Vector3();
  if (line) own.copy(turnBack(pose.link, l, parent, axis));
  const along =
    line && Math.abs(directionOf(pose, link).dot(own)) > 0.95
      ? 'child'
      : parent >= 0 && lies(links[parent])
        ? 'parent'
        : 'rail';
  const long = ways.map((w) => ({ axis: w.axis, long: w.high - w.low }));
  const rail = Boolean(hold.joint?.rail);
  return { l, parent, type, axis, ways: long, from, to, along, rail, stops, node: nearest(pose, links[parent], from, to, along) };
}

// The node of a link that is nearest to the way, or to its line where a part slides through.
function nearest({ place }, link, from, to, along) {
  if (!link) return -1;
  const way = to.clone().sub(from);
  const p = new Vector3();
  let best = link.first;
  let least = Infinity;
  for (let n = link.first; n < link.first + link.nodes; n++) {
    p.fromArray(place, n * 3).sub(from);
    const part = way.lengthSq() > 0 ? p.dot(way) / way.lengthSq() : 0;
    const d = p.addScaledVector(way, -(along === 'child' ? part : Math.min(1, Math.max(0, part)))).length();
    if (d < least - 1e-9) [best, least] = [n, d];
  }
  return best;
}

// From base to tip in link axes, length 1; 0 where both are one.
function directionOf({ place }, link) {
  const a = new Vector3().fromArray(place, link.first * 3);
  return new Vector3().fromArray(place, (link.first + link.nodes - 1) * 3).sub(a).normalize();
}

const origin = (link, l) => new Vector3().fromArray(link, l * 12 + 9);

function turn(link, l, v) {
  const R = l * 12;
  return new Vector3(
    ...[0, 3, 6].map((r) => link[R + r] * v.x + link[R + r + 1] * v.y + link[R + r + 2] * v.z),
  );
}

function back(link, l, v) {
  const R = l * 12;
  return new Vector3(...[0, 1, 2].map((c) => link[R + c] * v.x + link[R + 3 + c] * v.y + link[R + 6 + c] * v.z));
}

// A direction in the parent's axes, in those of the link.
const turnBack = (link, l, parent, v) => back(link, l, parent < 0 ? v : turn(link, parent, v));
