// stops.js - end stops: buffers on rails and axes, pegs beside pins; red while the joint is beyond its limit.
import { BoxGeometry, CylinderGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { towards } from './joints.js';
import { collar, halfShoe, Rail } from './rails.js';
import { channelOf, framesOf } from './recorded.js';
import { turned } from './structure.js';

const NOWHERE = [0, 0, 0];
const PRECISION = 1e-5; // of positions that are found in frames, per range of the joint
const FINGER = 0.35; // half a finger, and the radius of a peg, per radius of the pin

export function addStops(arm, joint, r) {
  if (!joint.stop) return;
  const beyond = beyondOf(arm, joint);
  [0, 1].forEach((side) => {
    const place = (joint.rail ? onRail : joint.type === 'revolute' ? onPin : onAxis)(arm, joint, side, r);
    if (!place) return;
    arm.addPart(place.geometry, arm.buffer, (mesh, pose) => {
      place.follow(mesh, pose);
      mesh.material = beyond(side, arm.time) ? arm.hit : arm.buffer;
    });
  });
}

// --- where the joint is ---

// Whether the joint is beyond its lower or upper limit (0, 1): where the stop presses, else by its position.
export function beyondOf({ run, tracer }, joint) {
  const [low, high] = joint.stop;
  const force = channelOf(run, `${joint.name}.stop`);
  const position = channelOf(run, `${joint.name}.position`) ?? framesOf(run, positionsOf(run, tracer, joint));
  return (side, time) => {
    const q = position.at(time);
    if (force) return force.at(time) !== 0 && q > (low + high) / 2 === (side === 1);
    return (side ? q - high : low - q) > PRECISION * (high - low);
  };
}

// The position of a joint in every frame, from the motion of what it joins.
export function positionsOf(run, pose, joint) {
  const find = joint.rail ? alongRail : joint.type === 'revolute' ? angle : alongAxis;
  const values = new Float64Array(run.drawn === false ? 1 : run.time.length);
  let before = (joint.stop[0] + joint.stop[1]) / 2; // turns are counted from here
  for (let f = 0; f < values.length; f++) {
    pose.setFrame(f);
    pose.draw(1);
    const q = find(run, pose, joint);
    values[f] = joint.type === 'revolute' ? q + 2 * Math.PI * Math.round((before - q) / (2 * Math.PI)) : q;
    before = values[f];
  }
  return values;
}

function alongRail({ scene }, pose, { link, rail }) {
  const centre = pose.point(new Vector3(), scene.links[link].first, rail.offset);
  return new Rail(pose.run, rail.link).nearest(pose, centre);
}

function alongAxis(run, pose, joint) {
  const { on } = joint;
  const from = pose.point(new Vector3(), on.node, on.offset);
  const axis = onSection(joint, joint.axis).applyQuaternion(sectionTurn(pose, on.node));
  return pose.point(new Vector3(), movingNode(run, joint), NOWHERE).sub(from).dot(axis);
}

// Of the link about its axis, out of the frame in which the joint starts.
function angle({ scene }, pose, joint) {
  const start = sectionTurn(pose, joint.on.node).multiply(turned(joint.on.turn));
  const turn = start.invert().multiply(sectionTurn(pose, scene.links[joint.link].first));
  return 2 * Math.atan2(new Vector3(turn.x, turn.y, turn.z).dot(new Vector3(...joint.axis).normalize()), turn.w);
}

// What a slide moves: the link's base, of a beam that slides through its joint the tip.
function movingNode({ scene, place }, { link }) {
  const { first, nodes } = scene.links[link];
  return Number.isNaN(place[first * 3]) || Number.isNaN(place[(first + nodes - 1) * 3]) ? first + nodes - 1 : first;
}

// A direction in the frame in which a joint starts, in the axes of the section that carries it.
const onSection = ({ on }, e) => new Vector3(...e).normalize().applyQuaternion(turned(on.turn));

function sectionTurn({ frame }, node) {
  if (node < 0) return new Quaternion();
  const [x, y, z] = [0, 3, 6].map((c) => new Vector3().fromArray(frame, node * 9 + c));
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}

// --- what is drawn ---

// A collar on the beam, which the carriage meets with its shoe.
function onRail(arm, { rail: { link }, stop }, side) {
  const rail = arm.rail(link);
  const half = halfShoe(arm, link);
  const long = 0.6 * half;
  const s = stop[side] + (side ? 1 : -1) * (half + long / 2);
  const follow = (mesh, pose) => rail.at(mesh.position, mesh.quaternion, pose, s);
  return { geometry: collar(arm, link, long, 0.7 * half), follow };
}

// A block on the axis, where it meets the block or the end of the link; none far from the way of the joint.
function onAxis(arm, joint, side) {
  const hold = arm.holds.find((h) => h.l === joint.link);
  if (!hold?.stops?.[side]) return null;
  const g = arm.guide(joint.link);
  const long = 0.9 * g;
  const block = hold.along === 'rail' && movingNode(arm.run, joint) === arm.run.scene.links[joint.link].first ? 1.5 * g : 0;
  const axis = onSection(joint, joint.axis);
  const at = new Vector3(...joint.on.offset).addScaledVector(axis, joint.stop[side] + (side ? 1 : -1) * (block + long / 2));
  return { geometry: new BoxGeometry(2.9 * g, long, 2.9 * g), follow: arm.fixedTo(joint.on.node, at.toArray(), axis.toArray()) };
}

// A peg beside the pin, which the link meets with its side; one along its axis meets it with a finger.
function onPin(arm, joint, side, r) {
  const { link } = joint;
  const { first } = arm.run.scene.links[link];
  const axis = new Vector3(...joint.axis).normalize();
  const out = towards(arm.run, { link, node: first, offset: NOWHERE });
  const level = out.clone().addScaledVector(axis, -out.dot(axis));
  const fingers = !(level.length() > 0.3 * out.length());
  if (fingers) level.copy(axis).cross(Math.abs(axis.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0));
  const far = 2.7 * r;
  if (fingers && side === 0) addFinger(arm, first, level.normalize(), axis, r, far);
  const wide = Math.asin(Math.min(0.9, ((fingers ? FINGER * r : arm.radius[link]) + FINGER * r) / far));
  const turn = new Quaternion().setFromAxisAngle(axis, joint.stop[side] + (side ? wide : -wide));
  const way = level.normalize().applyQuaternion(turn);
  const own = turned(joint.on.turn).multiply(basis(way, axis));
  return { geometry: peg(r, far), follow: arm.fixedTo(joint.on.node, joint.on.offset, own) };
}

function addFinger(arm, node, way, axis, r, far) {
  const block = new BoxGeometry(far, 0.6 * r, 2 * FINGER * r).translate(far / 2, 0, 0);
  arm.addPart(block, arm.dark, arm.fixedTo(node, NOWHERE, basis(way, axis)));
}

// x along the way, y along the axis.
const basis = (way, axis) =>
  new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(way, axis, way.clone().cross(axis)));

// Along y at this distance from it, on two arms that reach it from the ends of the pin.
function peg(r, far) {
  const reach = (y) => new BoxGeometry(far, 0.25 * r, 0.6 * r).translate(far / 2, y * r, 0);
  return mergeGeometries([
    new CylinderGeometry(FINGER * r, FINGER * r, 3.1 * r, 20).translate(far, 0, 0),
    reach(1.42),
    reach(-1.42),
  ]);
}
