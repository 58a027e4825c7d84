// Without a browser: carriages on beams that bend, end stops, contacts, against a crane in closed form.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Vector3 } from 'three';
import { groupChannels } from '../src/channels.js';
import { largestForce, lookAt, patchOf, planeOf } from '../src/contacts.js';
import { notesOf } from '../src/controls.js';
import { readRun } from '../src/data.js';
import { Pose } from '../src/pose.js';
import { Rail } from '../src/rails.js';
import { channelOf, valueAt } from '../src/recorded.js';
import { beyondOf, positionsOf } from '../src/stops.js';
import { holdsOf } from '../src/structure.js';
import { makeWorld } from '../src/world.js';
import { CRANE, depthOf, makeCrane, tipOf } from './crane.mjs';
import { makeRun, Numbers } from './fixture.mjs';

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function crane(wanted) {
  const numbers = new Numbers();
  const made = makeCrane(numbers, makeRun(numbers), wanted);
  return readRun(made, numbers.bytes());
}

const nothing = () => false; // is recorded

test('a section of a rail is where the magnified beam has it, straight on beyond its ends', () => {
  const arm = crane();
  const pose = new Pose(arm);
  const rail = new Rail(arm, 0);
  const p = new Vector3();
  near(rail.length, 2);
  for (const k of [0, 1, 20]) {
    pose.setTime(1.3);
    pose.draw(k);
    for (const s of [0, 0.31, 0.5, 1.234, 2]) {
      rail.at(p, null, pose, s);
      near(p.x, s, 1e-4);
      near(p.y, k * CRANE.sag(s, 1.3), 2e-6 * (k + 1)); // the cubic has the parabola
      near(rail.nearest(pose, p), s, 1e-6);
    }
    rail.at(p, null, pose, 2.5);
    near(p.y, k * CRANE.sag(2, 1.3) + 0.5 * Math.sin(Math.atan(k * CRANE.slope(2, 1.3))), 1e-3 * (k + 1));
  }
});

test('a carriage stands on the magnified beam, at the position of its joint', () => {
  const arm = crane();
  const pose = new Pose(arm);
  const rail = new Rail(arm, 0);
  const [base, on] = [new Vector3(), new Vector3()];
  for (const k of [1, 5, 50])
    for (const t of [0, 1.7, 3.9]) {
      pose.setTime(t);
      pose.draw(k);
      pose.point(base, arm.scene.links[CRANE.carriage].first, arm.scene.joints[2].rail.offset);
      const s = rail.nearest(pose, base);
      rail.at(on, null, pose, s);
      near(on.distanceTo(base), 0, 2e-5 * k);
      near(s, CRANE.position(t), 1e-4 * k);
    }
});

test('positions of joints are found in the motion of what they join', () => {
  const arm = crane(nothing);
  const found = (joint) => positionsOf(arm, new Pose(arm), joint);
  const [travel, pivot] = [arm.scene.joints[2], arm.scene.joints[3]].map(found);
  arm.time.forEach((t, f) => {
    near(travel[f], CRANE.position(t), 2e-5);
    near(pivot[f], CRANE.angle(t), 1e-5);
  });
});

test('turns of a joint are counted on, a slide is measured along its axis', () => {
  const numbers = new Numbers();
  const arm = readRun(makeRun(numbers, { links: 1, nodes: 2, frames: 9, bend: 0 }), numbers.bytes());
  const on = { link: -1, node: -1, offset: [0, 0, 0.5], turn: [0, 0, 0.3] };
  const joint = { link: 0, type: 'revolute', axis: [0, 0, 1], stop: [-9, 9], on };
  const turn = (f) => 0.3 + f; // to 8 rad
  for (let f = 0; f < 9; f++) arm.rigid[5 * 9 + f] = turn(f) - 2 * Math.PI * Math.round(turn(f) / (2 * Math.PI));
  positionsOf(arm, new Pose(arm), joint).forEach((q, f) => near(q, f, 1e-5));
  const slide = { ...joint, type: 'prismatic', axis: [1, 0, 0] };
  for (let f = 0; f < 9; f++) {
    arm.rigid[f] = 0.1 * f * Math.cos(0.3); // along the axis of the turned frame
    arm.rigid[9 + f] = 0.1 * f * Math.sin(0.3);
    arm.rigid[2 * 9 + f] = 0.5;
  }
  positionsOf(arm, new Pose(arm), slide).forEach((q, f) => near(q, 0.1 * f, 1e-6));
});

test('a stop is hit where it presses, else where the position is beyond it', () => {
  for (const [wanted, what] of [
    [() => true, 'force and position'],
    [(name) => name.endsWith('position'), 'position'],
    [nothing, 'motion'],
  ]) {
    const arm = crane(wanted);
    const [travel, pivot] = [2, 3].map((j) => beyondOf({ run: arm, tracer: new Pose(arm) }, arm.scene.joints[j]));
    for (const t of [0, 0.1, 0.2, 1, 2, 3, 3.5, 3.7, 4]) {
      const [s, q] = [CRANE.position(t), CRANE.angle(t)];
      const should = [s < 0.5, s > 1.6, q < -0.5, q > 0.6];
      const is = [travel(0, t), travel(1, t), pivot(0, t), pivot(1, t)];
      assert.deepEqual(is, should, `${what} at ${t} s`);
    }
  }
});

test('the beam is the rail of a carriage; a rail reaches the end stops of a slide, unless they are far', () => {
  assert.deepEqual(holdsOf(crane()).map((h) => h.rail), [false, false, true, false]);
  const slide = (stop) => {
    const numbers = new Numbers();
    const arm = readRun(makeRun(numbers, { links: 1, nodes: 2, frames: 2, bend: 0 }), numbers.bytes());
    arm.rigid.fill(0);
    arm.rigid.set([0.2, 0.6], 2); // y
    Object.assign(arm.scene.joints[0], { type: 'prismatic', axis: [0, 1, 0], stop, on: { node: -1, offset: [0, 0.1, 0], turn: [0, 0, 0] } });
    return holdsOf(arm, 1)[0];
  };
  const near0 = slide([0, 0.8]);
  assert.deepEqual(near0.stops, [true, true]);
  near(near0.from.y, 0.1);
  near(near0.to.y, 0.9);
  const far = slide([-50, 0.4]); // the upper one is passed
  assert.deepEqual(far.stops, [false, true]);
  near(far.from.y, 0.2);
  near(far.to.y, 0.6);
});

test('the depth of a contact is radius - n.(p - point), also on a plane that a link carries', () => {
  const arm = crane(nothing);
  const look = (contact) => lookAt({ run: arm, tracer: new Pose(arm) }, contact, planeOf(contact.plane, new Vector3(7, 8, 9)));
  const [floor, wall] = arm.scene.contacts.map(look);
  arm.time.forEach((t, f) => {
    near(floor.depth[f], depthOf(t), 2e-6);
    near(wall.depth[f], CRANE.arm * Math.sin(CRANE.angle(t)) - 0.35, 1e-5); // the plane stands on the carriage and turns with it, as the link does
  });
});

test('a patch holds the whole way of the sphere, in whole cells of the grid', () => {
  const arm = crane();
  const [contact] = arm.scene.contacts;
  const base = new Vector3(0, 0, 0);
  const plane = planeOf(contact.plane, base);
  const { cell, low, high } = patchOf(lookAt({ run: arm, tracer: new Pose(arm) }, contact, plane), 0.05, 2);
  near(plane.at[0] + plane.at[2], 0);
  near(plane.at[1], CRANE.floor);
  for (const t of arm.time) {
    const [x] = tipOf(t);
    assert.ok(x > low[0] + 0.09 && x < high[0] - 0.09, `${x} between ${low[0]} and ${high[0]}`);
  }
  for (const end of [...low, ...high]) near(end / cell, Math.round(end / cell), 1e-9);
  assert.ok(high[1] - low[1] >= 0.6, 'it is seen where the way is short');
  const still = patchOf({ places: [] }, 0.05, 2);
  assert.ok(still.high[0] > still.low[0], 'also of a run without frames');
});

test('a floor that the arm touches is the ground; one above its base or far below is not', () => {
  const arm = crane();
  const ground = (y, normal = [0, 1, 0]) => {
    Object.assign(arm.scene.contacts[0].plane, { point: [0.3, y, 0], normal });
    return makeWorld([arm]).groundAt;
  };
  near(ground(CRANE.floor), CRANE.floor);
  near(ground(-1.3), -1.3);
  for (const [y, normal] of [[0.5], [-9], [-1.1, [0, -1, 0]], [-1.1, [1, 0, 0]]]) assert.ok(ground(y, normal) < -1.12, `${y}`);
});

test('channels of stops and contacts have groups and titles of their own', () => {
  const groups = groupChannels([crane()]);
  const of = (name) => groups.find((g) => g.name === name).plots.map((p) => `${p.title} [${p.unit}]`);
  assert.deepEqual(of('stops'), ['force of stops [N]']);
  assert.deepEqual(of('contacts'), ['depth [m]', 'force [N]']);
  assert.equal(groups.some((g) => g.name === 'reactions'), false);
  const other = crane();
  other.scene.contacts = [];
  assert.ok(groupChannels([other]).some((g) => g.name === 'reactions'), 'a force of a joint');
});

test('the largest force, and what the caption says of it', () => {
  const arm = crane();
  const most = Math.max(...arm.channels.time.map((t) => Math.hypot(1, 0.2) * 4e3 * Math.max(0, depthOf(t))));
  near(largestForce([arm]), most, 1e-9 * most);
  assert.equal(largestForce([crane(nothing)]), 0);
  const words = (scene, force) => notesOf({ runs: [{ scene }] }, { visible: [true] }, force).flat().map(([, text]) => text);
  assert.deepEqual(words(arm.scene, 1234), ['end stop', 'hit', 'contact plane', 'contact, force up to 1.23 kN']);
  assert.deepEqual(words(arm.scene, 0).at(-1), 'contact');
  assert.deepEqual(words({ joints: [{}] }, 0), []);
  assert.deepEqual(notesOf({ runs: [arm] }, { visible: [false] }, 0), []);
});

test('values between records', () => {
  assert.deepEqual([-1, 0, 0.5, 1, 3, 9].map((t) => valueAt([0, 1, 3], [2, 4, 0], t)), [2, 2, 3, 4, 0, 0]);
  assert.equal(valueAt([0], [7], 0.4), 7);
  assert.equal(channelOf(crane(nothing), 'floor.depth'), null);
});
