// joints.js - joints and the loops that close chains: pins, blocks, sleeves, balls in sockets, crosses in forks, tables.
import { BoxGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { addShoe, halfShoe } from './rails.js';
import { addStops } from './stops.js';
import { onParent } from './structure.js';

const NOWHERE = [0, 0, 0];
const SAMPLES = 20; // frames looked at for where a socket opens
const CUP = 0.56; // of a half turn, that a socket covers

export function addJoint(arm, joint) {
  const { links } = arm.run.scene;
  const { parent } = links[joint.link];
  const radius = Math.max(arm.radius[joint.link], parent >= 0 ? arm.radius[parent] : 0);
  if (!joint.on && PARTED.includes(joint.type)) return; // of an older program, which knew no such joints
  const r = Math.max(1.12 * radius, 0.015 * arm.world.size);
  (joint.rail ? carriage : SHAPES[joint.type])?.(arm, joint, r);
  addStops(arm, joint, r);
}

const SHAPES = { revolute, prismatic, spherical, universal, cylindrical, planar }; // others are not to be seen
const PARTED = ['spherical', 'universal'];

function revolute(arm, joint, r) {
  addPin(arm, r, atBase(arm, joint));
}

function prismatic(arm, joint) {
  const g = arm.guide(joint.link);
  if (!addGuide(arm, joint, g)) arm.addPart(new BoxGeometry(2 * g, 3 * g, 2 * g), arm.dark, atBase(arm, joint));
}

// A shoe on the beam, and what reaches from there to the link.
function carriage(arm, { link, rail }) {
  const { first } = arm.run.scene.links[link];
  addShoe(arm, rail.link, { node: first, offset: rail.offset, to: NOWHERE }, halfShoe(arm, rail.link));
}

// A sleeve on a round rod, which the arm draws as what holds the link.
function cylindrical(arm, joint) {
  const g = arm.guide(joint.link);
  if (!addGuide(arm, joint, g))
    arm.addPart(new CylinderGeometry(1.3 * g, 1.3 * g, 3.2 * g, 28), arm.dark, atBase(arm, joint));
}

// A ball on the link in a socket on its parent.
function spherical(arm, joint, r) {
  const { first } = arm.run.scene.links[joint.link];
  addBall(arm, { link: joint.link, node: first, offset: NOWHERE }, joint.on, r);
}

// A cross, whose first axis is held by a fork on the parent and the second by one on the link.
function universal(arm, joint, r) {
  const { first } = arm.run.scene.links[joint.link];
  const base = { link: joint.link, node: first, offset: NOWHERE };
  const axes = [onParent(joint, joint.axes[0]), new Vector3(...joint.axes[1])];
  const out = towards(arm.run, base);
  const back = joint.on.node < 0 ? opening(arm, base, joint.on).negate() : towards(arm.run, joint.on);
  for (const [at, axis, way] of [
    [joint.on, axes[0], back],
    [base, axes[1], out],
  ]) {
    arm.addPart(new CylinderGeometry(0.42 * r, 0.42 * r, 3.5 * r, 20), arm.mass, arm.fixedTo(at.node, at.offset, axis.toArray()));
    arm.addPart(fork(r), arm.dark, arm.fixedTo(at.node, at.offset, across(axis, way)));
  }
}

// A puck on a table: see addHold of the arm.
function planar(arm, joint, r) {
  arm.addPart(new CylinderGeometry(1.5 * r, 1.7 * r, 0.8 * r, 32), arm.dark, atBase(arm, joint));
}

const atBase = (arm, { link, axis }) => arm.fixedTo(arm.run.scene.links[link].first, NOWHERE, axis);

export function addPin(arm, r, place) {
  arm.addPart(new CylinderGeometry(r, r, 2.5 * r, 28), arm.dark, place);
  arm.addPart(new CylinderGeometry(0.55 * r, 0.55 * r, 2.62 * r, 20), arm.mass, place);
}

// A sleeve about a link that slides through it, where its parent holds it. False: it does not.
function addGuide(arm, joint, g) {
  const hold = arm.holds.find((h) => h.l === joint.link);
  if (hold?.along !== 'child' || hold.node < 0) return false;
  const turned = arm.fixedTo(arm.run.scene.links[joint.link].first, NOWHERE, [1, 0, 0]);
  arm.addPart(new CylinderGeometry(1.15 * g, 1.15 * g, 3.2 * g, 28), arm.dark, (mesh, pose) => {
    turned(mesh, pose);
    pose.point(mesh.position, hold.node, NOWHERE);
  });
  return true;
}

// A ball and its socket at two places {link, node, offset}; the socket opens to where the ball's link mostly is.
function addBall(arm, ball, socket, r) {
  const open = opening(arm, ball, socket);
  arm.addPart(new SphereGeometry(1.15 * r, 28, 18), arm.bright, arm.fixedTo(ball.node, ball.offset));
  const cup = new SphereGeometry(1.42 * r, 28, 12, 0, 2 * Math.PI, 0, CUP * Math.PI);
  arm.addPart(cup, arm.cup, arm.fixedTo(socket.node, socket.offset, open.negate().toArray()));
}

// Two cheeks on the ends of a pin along x, joined along y.
function fork(r) {
  const block = (w, h, d, x, y) => new BoxGeometry(w, h, d).translate(x, y, 0);
  return mergeGeometries([
    block(0.5 * r, 2.6 * r, 1.3 * r, 1.35 * r, 0.65 * r),
    block(0.5 * r, 2.6 * r, 1.3 * r, -1.35 * r, 0.65 * r),
    block(3.2 * r, 0.5 * r, 1.3 * r, 0, 2.1 * r),
  ]);
}

// Turns x to an axis and y as near as can be to a way; to any way where that is along the axis or nowhere.
function across(axis, way) {
  const x = axis.clone().normalize();
  const rest = (v) => v.clone().addScaledVector(x, -v.dot(x));
  let y = rest(way);
  if (!(y.length() > 1e-6 * way.length())) y = rest(Math.abs(x.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0));
  y.normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, x.clone().cross(y)));
}

// From a place on a link to the middle of its nodes, in link axes; 0 where that says nothing.
export function towards({ scene, place }, { link, node, offset }) {
  const { first, nodes } = scene.links[link];
  const sum = new Vector3();
  for (let n = first; n < first + nodes; n++) sum.add(new Vector3().fromArray(place, n * 3));
  sum.divideScalar(nodes).sub(new Vector3().fromArray(place, node * 3)).sub(new Vector3(...offset));
  return Number.isFinite(sum.x) ? sum : new Vector3();
}

// Where the link of one place mostly is, seen from another place, in the axes of the latter; length 1.
export function opening(arm, ball, socket) {
  const { run, tracer } = arm;
  const sum = new Vector3();
  const [way, at] = [new Vector3(), new Quaternion()];
  const [own, sign] = ball.link >= 0 ? [ball, 1] : [socket, -1];
  const out = towards(run, own);
  for (let s = 0; s < SAMPLES; s++) {
    tracer.setFrame(Math.round((s * (tracer.frames - 1)) / (SAMPLES - 1)));
    tracer.draw(0);
    way.copy(out).applyQuaternion(arm.turnOf(at, tracer, own.node)).normalize();
    sum.addScaledVector(way.applyQuaternion(arm.turnOf(at, tracer, socket.node).invert()), sign);
  }
  if (sum.length() < 1e-3 * SAMPLES && socket.link >= 0) sum.copy(towards(run, socket)).negate();
  return sum.length() > 0 ? sum.normalize() : new Vector3(0, 1, 0);
}

// A pin, ball or block at the first frame; a shoe on a rail; what slides along the first frame's axis is drawn where the second one is.
export function addLoop(arm, { type, ends, axis }) {
  if (type === 'rail') return addShoe(arm, ends[1].link, ends[0], 0.7 * halfShoe(arm, ends[1].link));
  const r = Math.max(1.12 * arm.widest(ends), 0.015 * arm.world.size);
  const place = arm.fixedTo(ends[0].node, ends[0].offset, axis);
  if (type === 'revolute') return addPin(arm, r, place);
  if (type === 'spherical') return addBall(arm, ends[0], ends[1], r);
  if (type === 'fixed') return arm.addPart(new BoxGeometry(2 * r, 2 * r, 2 * r), arm.dark, place);
  return arm.addPart(new BoxGeometry(2 * r, 3 * r, 2 * r), arm.dark, (mesh, pose) => {
    place(mesh, pose);
    pose.point(mesh.position, ends[1].node, ends[1].offset);
  });
}
