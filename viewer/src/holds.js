// holds.js - what holds links: struts, rails and rods of slides, tables.
import { BoxGeometry, CylinderGeometry, Matrix4, Quaternion, Vector3 } from 'three';
import { GAP } from './structure.js';

const NOWHERE = [0, 0, 0];
const TABLE = 0.012; // thickness of a table, per size of the arm

// One of structure.js: a rail for a slide, a table for one in a plane, a strut where parent and link are apart.
export function addHold(arm, hold) {
  if (!hold.rail) (HOLDS[hold.type] ?? addStrut)(arm, hold); // the beam is the rail of a carriage
}

const HOLDS = { prismatic: addRail, cylindrical: addRail, planar: addTable, free: () => {} };

function addStrut(arm, { l, parent, from, node }) {
  const { first } = arm.run.scene.links[l];
  if (node >= 0 && !arm.surfaceOf(parent)) arm.addStrut(node, arm.root(parent, node, arm.from(node, from).toArray()), first, NOWHERE);
}

function addRail(arm, { l, type, axis, from, to, along, node }) {
  const { size } = arm.world;
  const { first } = arm.run.scene.links[l];
  const place = node < 0 ? new Vector3() : new Vector3().fromArray(arm.run.place, node * 3);
  if (along !== 'rail') {
    if (node < 0 || Number.isNaN(place.x)) return;
    arm.addStrut(node, NOWHERE, first, NOWHERE, along === 'child' ? 0.6 * arm.radius[l] : 0.009 * size, arm.mass);
    return;
  }
  const margin = Math.max(0.02 * size, 1.5 * arm.guide(l));
  const start = from.clone().addScaledVector(axis, -margin).sub(place);
  const end = to.clone().addScaledVector(axis, margin).sub(place);
  const aside = start.clone().cross(axis).length() > GAP * size;
  if (node >= 0 && !aside && start.dot(end) > 0) (start.lengthSq() < end.lengthSq() ? start : end).set(0, 0, 0); // from where it is held
  const middle = start.clone().add(end).multiplyScalar(0.5);
  const side = 0.009 * size;
  const long = start.distanceTo(end);
  const rail = type === 'cylindrical' ? new CylinderGeometry(side, side, long, 20) : new BoxGeometry(2 * side, long, side);
  arm.addPart(rail, arm.mass, arm.fixedTo(node, middle.toArray(), axis.toArray()));
  if (node < 0) return; // on posts: see the stage
  const near = start.lengthSq() < end.lengthSq() ? start : end;
  if (aside) arm.addStrut(node, NOWHERE, node, near.toArray(), side);
}

// Over the whole way, on the side where the link is not.
function addTable(arm, { l, axis, ways, from, to, node }) {
  const { run, world } = arm;
  if (ways.length < 2) return; // of an older program
  const { first, nodes } = run.scene.links[l];
  const tip = arm.from(first, new Vector3().fromArray(run.place, (first + nodes - 1) * 3));
  const own = run.scene.joints.find((j) => j.link === l).axis;
  const side = tip.dot(new Vector3(...own)) < 0 ? 1 : -1;
  const [w, h] = ways.map(({ long }) => long + 0.16 * world.size);
  const middle = from.clone().add(to).multiplyScalar(0.5).addScaledVector(axis, side * TABLE * world.size);
  const turn = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(ways[0].axis, ways[1].axis, axis));
  const offset = (node < 0 ? middle : arm.from(node, middle)).toArray();
  arm.addPart(new BoxGeometry(w, h, TABLE * world.size), arm.mass, arm.fixedTo(node, offset, turn));
  if (node >= 0) arm.addStrut(node, NOWHERE, node, offset);
}
