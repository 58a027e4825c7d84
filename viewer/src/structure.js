// structure.js - how links hang together: where each one is held by its parent, and along what a slide runs.
import { Vector3 } from 'three';
import { Pose } from './pose.js';

const SAMPLES = 60; // frames looked at

// Of every link: {parent, type, axis, from, to, node, along}: it is held between the points from and to (the same
// where its joint turns), in the axes of its parent (-1: the world), near the parent's node (-1: the world). axis is
// the joint's, in the same axes. along: 'child' where the link itself lies along its slide, as a quill does,
// 'parent' where the parent does, as a cylinder, else 'rail'.
export function holdsOf(run) {
  const pose = new Pose(run);
  const count = run.drawn === false ? 0 : Math.min(SAMPLES, run.time.length);
  const holds = run.scene.links.map((link, l) => {
    const joint = run.scene.joints.find((j) => j.link === l);
    return { link, l, parent: link.parent, type: joint?.type ?? 'fixed', own: joint?.axis ?? [1, 0, 0], low: null };
  });
  for (let s = 0; s < count; s++) {
    pose.setFrame(Math.round((s * (run.time.length - 1)) / Math.max(1, count - 1)));
    pose.draw(0);
    for (const h of holds) see(h, pose);
  }
  return holds.filter((h) => h.low !== null).map((h) => finish(h, pose, run.scene.links));
}

// The place of a link in its parent's axes; of slides the ends of their way.
function see(h, { link, x }) {
  const at = new Vector3().fromArray(h.type === 'prismatic' ? link : x, h.type === 'prismatic' ? h.l * 12 + 9 : h.link.first * 3);
  const axis = turn(link, h.l, new Vector3(...h.own));
  const here = h.parent < 0 ? at : back(link, h.parent, at.sub(origin(link, h.parent)));
  if (h.low === null) {
    h.first = here.clone();
    h.axis = (h.parent < 0 ? axis : back(link, h.parent, axis)).normalize();
    h.low = h.high = 0;
  }
  if (h.type !== 'prismatic') return;
  const way = here.sub(h.first).dot(h.axis);
  h.low = Math.min(h.low, way);
  h.high = Math.max(h.high, way);
}

function finish({ link, l, parent, type, axis, first, low, high }, pose, links) {
  const from = first.clone().addScaledVector(axis, low);
  const to = first.clone().addScaledVector(axis, high);
  const lies = (other) => other && Math.abs(directionOf(pose, other).dot(axis)) > 0.95;
  const own = new Vector3();
  if (type === 'prismatic') own.copy(turnBack(pose.link, l, parent, axis));
  const along =
    type === 'prismatic' && Math.abs(directionOf(pose, link).dot(own)) > 0.95
      ? 'child'
      : parent >= 0 && lies(links[parent])
        ? 'parent'
        : 'rail';
  return { l, parent, type, axis, from, to, along, node: nearest(pose, links[parent], from, to, along) };
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
