// Without a browser: reading numbers, poses, skins, units, downloads.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { fromBase64, indexBefore, indexNearest, inflate, readRun, unpack } from '../src/data.js';
import { coil } from '../src/coil.js';
import { Pose } from '../src/pose.js';
import { circle, Skin } from '../src/skin.js';
import { brief, pretty, scaleFor } from '../src/units.js';
import { csv, fileName } from '../src/save.js';
import { groupChannels, tableOf } from '../src/channels.js';
import { factorFor } from '../src/colour.js';
import { boxOf, cornersOf, hullOf, platesOf, principal } from '../src/bodies.js';
import { holdsOf } from '../src/structure.js';
import { makeWorld } from '../src/world.js';
import { makeRun, Numbers } from './fixture.mjs';

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function run(options) {
  const numbers = new Numbers();
  const made = makeRun(numbers, options);
  return readRun(made, numbers.bytes());
}

test('packed numbers come back', async () => {
  const numbers = new Numbers();
  const refs = [numbers.add([1, -2.5, NaN], [3]), numbers.add([Math.PI, 1e-300], [2], 'f64')];
  const bytes = await inflate(fromBase64(deflateSync(numbers.bytes()).toString('base64')));
  assert.deepEqual([...unpack(bytes, refs[0])], [1, -2.5, NaN]);
  assert.deepEqual([...unpack(bytes, refs[1])], [Math.PI, 1e-300]);
});

test('numbers that are missing are refused', () => {
  assert.throws(() => unpack(new Uint8Array(7), { at: 0, type: 'f32', shape: [2] }), /cut off/);
});

test('indices of times', () => {
  const t = [0, 1, 2, 4];
  assert.deepEqual(
    [-1, 0, 0.9, 1, 3.9, 9].map((x) => indexBefore(t, x)),
    [0, 0, 0, 1, 2, 3],
  );
  assert.deepEqual(
    [0.4, 0.6, 3.5].map((x) => indexNearest(t, x)),
    [0, 1, 3],
  );
});

test('drawn place is rigid place plus k times displacement', () => {
  const arm = run({ links: 3, spatial: true });
  const pose = new Pose(arm);
  pose.setTime(1.2345);
  const drawn = [0, 1, 50].map((k) => (pose.draw(k), Float64Array.from(pose.x)));
  for (let i = 0; i < drawn[0].length; i++) {
    near(drawn[1][i], drawn[0][i] + pose.displacement[i], 1e-12);
    near(drawn[2][i], drawn[0][i] + 50 * pose.displacement[i], 1e-12);
  }
});

test('section frames stay orthonormal and are true at 1x', () => {
  const pose = new Pose(run({ bend: 0.4 }));
  pose.setTime(0.7);
  for (const k of [0, 1, 1000]) {
    pose.draw(k);
    for (let n = 0; n < pose.nodes; n++)
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const dot = [0, 1, 2].reduce(
            (s, c) => s + pose.frame[n * 9 + a * 3 + c] * pose.frame[n * 9 + b * 3 + c],
            0,
          );
          near(dot, a === b ? 1 : 0, 1e-9);
        }
  }
  pose.draw(1);
  const last = pose.nodes - 1;
  const angle = Math.atan2(pose.frame[last * 9 + 1], pose.frame[last * 9]);
  const rigid = Math.atan2(pose.link[12 + 3], pose.link[12]);
  near(angle - rigid, pose.turn[last * 3 + 2], 1e-6);
});

test('between frames the pose is between', () => {
  const arm = run({ frames: 5 });
  const pose = new Pose(arm);
  const at = (t) => (pose.setTime(t), pose.draw(1), pose.displacement[(pose.nodes - 1) * 3 + 1]);
  near(at(0.5), (at(0) + at(1)) / 2, 1e-7);
  near(at(99), at(4), 0);
});

// Signed volume inside a surface, by the divergence theorem: wrong windings would spoil it.
function volume({ position: p, index }) {
  let sum = 0;
  for (let i = 0; i < index.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((j) => [0, 1, 2].map((x) => p[index[i + j] * 3 + x]));
    sum +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

test('skin of a straight hollow beam holds area times length', () => {
  const arm = run({ links: 1, nodes: 4, bend: 0 });
  const outline = {
    outer: [
      [-0.02, -0.03],
      [0.02, -0.03],
      [0.02, 0.03],
      [-0.02, 0.03],
    ],
    inner: [
      [-0.01, -0.02],
      [0.01, -0.02],
      [0.01, 0.02],
      [-0.01, 0.02],
    ],
  };
  const skin = new Skin(arm.scene.links[0], Array(4).fill(outline), arm.place);
  const pose = new Pose(arm);
  pose.setTime(1);
  pose.draw(1);
  skin.update(pose);
  near(volume(skin), (0.04 * 0.06 - 0.02 * 0.04) * 2, 1e-8);
});

test('skin of a coarse beam follows the bent centre line between nodes', () => {
  const arm = run({ links: 1, nodes: 3, bend: 0.2 });
  const skin = new Skin(arm.scene.links[0], Array(3).fill({ outer: circle(1e-6), inner: null }), arm.place);
  const pose = new Pose(arm);
  pose.setTime(0);
  pose.draw(1);
  skin.update(pose);
  const bent = 0.2 * (0 - 0.4); // curvature of the fixture at time 0
  const angle = Math.atan2(pose.link[3], pose.link[0]);
  const middle = skin.strips[0].at + Math.round(skin.sub / 2) * skin.strips[0].a.y.length;
  const x = skin.position[middle * 3];
  const y = skin.position[middle * 3 + 1];
  const across = -Math.sin(angle) * x + Math.cos(angle) * y;
  near(across, (bent * 0.5 ** 2) / 2, 3e-4); // at 0.5 m; a chord would give twice that
});

test('tapered beams lose volume evenly', () => {
  const arm = run({ links: 1, nodes: 2, bend: 0 });
  const skin = new Skin(
    arm.scene.links[0],
    [circle(0.04, 64), circle(0.02, 64)].map((outer) => ({ outer, inner: null })),
    arm.place,
  );
  const pose = new Pose(arm);
  pose.setTime(0);
  pose.draw(1);
  skin.update(pose);
  const part = (64 / (2 * Math.PI)) * Math.sin((2 * Math.PI) / 64); // polygon against circle
  near(volume(skin), (part * Math.PI * 2 * (0.04 ** 2 + 0.04 * 0.02 + 0.02 ** 2)) / 3, 2e-6);
});

test('the coil of a spring spans its length, few vertices, normals of length one', () => {
  for (const length of [0.04, 0.5, 3]) {
    const { position, normal, index } = coil(length, 0.015, 0.003);
    const y = position.filter((_, i) => i % 3 === 1);
    near(Math.min(...y), -length / 2, 1e-3);
    near(Math.max(...y), length / 2, 1e-3);
    assert.ok(position.length / 3 < 1000, `${position.length / 3} vertices`);
    assert.ok(Math.max(...index) < position.length / 3);
    let volume = 0; // outward faces
    for (let i = 0; i < index.length; i += 3) {
      const [p, q, r] = [0, 1, 2].map((k) => position.subarray(index[i + k] * 3, index[i + k] * 3 + 3));
      volume +=
        (p[0] * (q[1] * r[2] - q[2] * r[1]) +
          p[1] * (q[2] * r[0] - q[0] * r[2]) +
          p[2] * (q[0] * r[1] - q[1] * r[0])) /
        6;
    }
    assert.ok(volume > 0, `volume ${volume}`);
    for (let i = 0; i < normal.length; i += 3) near(Math.hypot(...normal.subarray(i, i + 3)), 1, 1e-5);
  }
});

test('units get prefixes that keep ticks short', () => {
  assert.deepEqual(scaleFor('m', 0.0031), { factor: 1e3, unit: 'mm' });
  assert.deepEqual(scaleFor('m', 0.5), { factor: 1, unit: 'm' });
  assert.deepEqual(scaleFor('m', 5000), { factor: 1, unit: 'm' });
  assert.equal(scaleFor('Pa', 3.2e7).unit, 'MPa');
  assert.equal(scaleFor('N m', 4200).unit, 'kN·m');
  assert.equal(scaleFor('rad/s^2', 0.002).unit, 'mrad/s²');
  assert.equal(scaleFor('m^2', 1e-6).unit, 'm²');
  assert.equal(scaleFor('kg', 1e-3).unit, 'kg');
  assert.equal(scaleFor('1', 1e-4, true).unit, 'µε');
  assert.equal(pretty('1/s'), '1/s');
  assert.deepEqual(
    [0, 1234567, 0.1 + 0.2, -2, NaN, 1e-9].map((x) => brief(x)),
    ['0', '1235000', '0.3', '−2', '–', '1.000e−9'],
  );
});

test('downloads have safe names and cells', () => {
  assert.equal(fileName('</script><img src=x>', '../../etc', 'a b'), 'script-img-src-x-etc-a-b');
  assert.equal(fileName('', '..'), 'limber');
  assert.equal(
    csv([
      { head: 'a,"b"', values: [1, NaN] },
      { head: '=1+1', values: [null, 2] },
    ]),
    `"a,""b""",'=1+1\r\n1,\r\n,2\r\n`,
  );
});

test('channels group by unit, and by channel where there are several runs', () => {
  const one = groupChannels([run({ rows: 3 })]);
  assert.deepEqual(
    one.map((g) => g.name),
    ['tool error', 'tool', 'joints', 'efforts', 'strains', 'energy'],
  );
  assert.deepEqual(
    one[1].plots.map((p) => [p.unit, p.lines.length]),
    [
      ['m', 3],
      ['m/s', 3],
    ],
  );
  assert.equal(one[4].plots[0].lines.filter((l) => l.shown).length, 8);
  const runs = [run({ rows: 3 }), run({ rows: 4, label: 'b' })];
  const two = groupChannels(runs);
  assert.deepEqual(
    two[0].plots.map((p) => p.lines.length),
    [2, 2, 2],
  );
  const [time, a, b] = tableOf(two[0].plots[0].lines, runs);
  assert.equal(time.length, 5); // 0, 4/3, 2, 8/3, 4
  assert.equal([...a].filter((v) => v !== undefined).length, 3);
  assert.equal([...b].filter((v) => v !== undefined).length, 4);
});

// A slide along z in the world, one along x on it, then a pin on an arm of it: bodies without length, as in a gantry.
function gantry() {
  const frames = 3;
  const arm = run({ links: 3, nodes: 2, frames, bend: 0 });
  arm.place.fill(0);
  arm.scene.links.forEach((l) => Object.assign(l, { beam: false, outline: null }));
  Object.assign(arm.scene.joints[0], { type: 'prismatic', axis: [0, 0, 1] });
  Object.assign(arm.scene.joints[1], { type: 'prismatic', axis: [1, 0, 0] });
  arm.rigid.fill(0);
  for (let f = 0; f < frames; f++) {
    const [x, z] = [1 + f / 2, 0.5 + f / 4];
    arm.rigid[2 * frames + f] = z;
    arm.rigid.set([x], 6 * frames + f);
    arm.rigid.set([z], 8 * frames + f);
    arm.rigid.set([x], 12 * frames + f);
    arm.rigid.set([0.3], 13 * frames + f);
    arm.rigid.set([z], 14 * frames + f);
  }
  return arm;
}

test('slides run on rails over their whole way, in the axes of what carries them', () => {
  const [lift, carriage, pin] = holdsOf(gantry());
  const at = (v) => v.toArray().map((x) => +x.toFixed(6));
  assert.deepEqual([lift.parent, lift.along, at(lift.from), at(lift.to)], [-1, 'rail', [0, 0, 0.5], [0, 0, 1]]);
  assert.deepEqual([carriage.parent, carriage.along], [0, 'rail']);
  assert.deepEqual([at(carriage.from), at(carriage.to)], [[1, 0, 0], [2, 0, 0]]);
  assert.deepEqual([pin.node, at(pin.from), at(pin.to)], [2, [0, 0.3, 0], [0, 0.3, 0]]);
});

test('a link that lies along its slide is a quill, one that slides along its parent a ram', () => {
  const quill = run({ links: 2, bend: 0 });
  Object.assign(quill.scene.joints[1], { type: 'prismatic', axis: [1, 0, 0] });
  assert.equal(holdsOf(quill)[1].along, 'child');
  quill.place.fill(0, 11 * 3); // a body without length
  assert.equal(holdsOf(quill)[1].along, 'parent');
});

test('the first magnification shows the deformation; none where nothing bends', () => {
  const k = (bend) => factorFor([run({ bend })], 2);
  assert.equal(k(0), 1);
  assert.equal(k(1e-9), 1);
  assert.ok(k(0.01) > 1 && k(0.01) < 100, `${k(0.01)}`);
  assert.equal(k(2), 1, 'large as it is');
  assert.ok(k(1e-4) > k(0.01));
});

test('an arm hangs where most of it is below its base, not only its tool; a clamped frame stands on its plate', () => {
  const along = (heights) => {
    const arm = run({ links: 2, nodes: 2, frames: 1, bend: 0 });
    arm.scene.planar = null;
    arm.rigid.fill(0);
    arm.place.fill(0);
    heights.forEach((h, n) => arm.place.set([0.5 * (n % 2), h, 0], n * 3)); // gravity along -y
    return makeWorld([arm]);
  };
  assert.equal(along([0, -1, -1, -2]).hanging, true);
  assert.equal(along([0, 0.05, 0.05, -0.3]).hanging, false, 'a SCARA stands');
  const frame = makeWorld([upright(true)]);
  assert.ok(frame.groundAt > -0.1, `the ground is ${-frame.groundAt} m below the frame`);
  assert.ok(makeWorld([upright(false)]).groundAt < -0.2, 'a pedestal has room');
});

// One link that stands upright.
function upright(clamped) {
  const arm = run({ links: 1, nodes: 2, frames: 1, bend: 0 });
  arm.rigid.fill(0);
  arm.rigid[5] = Math.PI / 2;
  if (clamped) arm.scene.joints[0].type = 'fixed';
  return arm;
}

// The inertia of an even box with these sides and unit mass, turned by Q (rows).
function inertiaOf([a, b, c], Q) {
  const own = [b * b + c * c, a * a + c * c, a * a + b * b].map((x) => x / 12);
  const at = (i, j) => [0, 1, 2].reduce((s, k) => s + Q[i][k] * own[k] * Q[j][k], 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

test('the box of a body has its inertia, however it is turned', () => {
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const turns = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    [[c * c, -s, c * s], [s * c, c, s * s], [-s, 0, c]], // about y, then about z
  ];
  for (const sides of [[1, 2, 3], [1, 1, 2], [2, 2, 2]])
    for (const Q of turns) {
      const box = boxOf({ mass: 1, com: [5, 6, 7], inertia: inertiaOf(sides, Q) });
      assert.deepEqual([...box.sides].sort().map((x) => x.toFixed(9)), sides.map((x) => x.toFixed(9)));
      const { axes } = principal(inertiaOf(sides, Q));
      near(axes[0].clone().cross(axes[1]).dot(axes[2]), 1, 1e-12);
      const corners = cornersOf(box);
      const mean = (f) => corners.reduce((sum, p) => sum + f(p), 0) / 8;
      near(mean((p) => p.x), 5, 1e-9);
      for (const [i, f] of [(p) => p.x - 5, (p) => p.y - 6, (p) => p.z - 7].entries()) {
        const square = [0, 1, 2].reduce((sum, k) => sum + (Q[i][k] * sides[k]) ** 2, 0) / 4; // of corners, along an axis
        near(mean((p) => f(p) ** 2), square, 1e-9);
      }
    }
  assert.equal(boxOf({ mass: 0, com: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] }), null);
  assert.equal(boxOf({ mass: 3, com: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] }), null);
  assert.ok(Math.min(...boxOf({ mass: 1, com: [0, 0, 0], inertia: [1, 1, 2, 0, 0, 0] }).sides) > 0, 'a thin plate');
});

// Twice the area of a polygon.
const twice = (hull) => hull.reduce((sum, p, i) => sum + p.x * hull[(i + 1) % hull.length].y - p.y * hull[(i + 1) % hull.length].x, 0);

test('a hull goes around its points once, counter-clockwise', () => {
  const points = [[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5, 0], [1, 1]].map(([x, y]) => ({ x, y }));
  const hull = hullOf(points);
  assert.equal(hull.length, 4);
  near(twice(hull), 2, 1e-12);
});

// A platform of two nodes, closed by loops at these places of its own axes.
function platform(places, change = {}) {
  const arm = run({ links: 1, nodes: 2, frames: 1, bend: 0 });
  arm.place.set([0, 0, 0, 0.5, 0.5, 0]);
  Object.assign(arm.scene.links[0], { beam: false, outline: null, ...change });
  const world = { link: -1, node: -1, offset: [0, 0, 0] };
  arm.scene.loops = places.map((p) => ({
    type: 'spherical',
    axis: [0, 0, 1],
    ends: [{ link: 0, node: 1, offset: p.map((x, i) => x - arm.place[3 + i]) }, world],
  }));
  return arm;
}

test('a rigid body that several loops hang on is a plate around their places and its own joint', () => {
  const r = 0.01;
  const arm = platform([[1, 0, 0], [1, 1, 0], [0, 1, 0]]);
  const [plate] = platesOf(arm, holdsOf(arm), r);
  near(twice(plate.hull) / 2, 1 + 4 * r + Math.PI * r * r, 1e-3); // a square, rounded
  assert.deepEqual(plate.flat(plate.centre.clone().setZ(0.3)).toArray().map((x) => +x.toFixed(9)), [0.5, 0.5, 0]);
  for (const [what, other] of [
    ['in line', platform([[1, 0, 0], [0.3, 0, 0]])],
    ['one loop', platform([[1, 0.5, 0]])],
    ['a beam', platform([[1, 0, 0], [1, 1, 0], [0, 1, 0]], { beam: true })],
  ])
    assert.deepEqual(platesOf(other, holdsOf(other), r), [], what);
  Object.assign(arm.scene.joints[0], { type: 'free' });
  near(twice(platesOf(arm, holdsOf(arm), r)[0].hull) / 2, 0.5 + (2 + Math.SQRT2) * r + Math.PI * r * r, 1e-3); // its joint holds nothing
});

test('a sleeve has its way on a rod, a table lies under the whole of its ways', () => {
  const at = (v) => v.toArray().map((x) => +x.toFixed(6));
  const arm = gantry();
  const on = { link: -1, node: -1, offset: [0, 0, 0], turn: [0, 0, Math.PI / 2] };
  Object.assign(arm.scene.joints[0], { type: 'cylindrical' });
  Object.assign(arm.scene.joints[1], { type: 'planar', axis: [0, 0, 1], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], on });
  const [lift, table] = holdsOf(arm);
  assert.deepEqual([lift.along, at(lift.from), at(lift.to)], ['rail', [0, 0, 0.5], [0, 0, 1]]);
  assert.deepEqual(table.ways.map((w) => at(w.axis)), [[0, 1, 0], [-1, 0, 0]], 'in the axes of what carries it');
  assert.deepEqual(table.ways.map((w) => +w.long.toFixed(6)), [0, 1]);
});

test('an arm that floats far away is seen from its base; one that falls, on its ground', () => {
  const go = (far, gravity) => {
    const arm = run({ links: 1, nodes: 2, frames: 2, bend: 0 });
    arm.rigid.fill(0);
    arm.rigid[5] = far; // z, at the end
    Object.assign(arm.scene, { planar: null, gravity });
    arm.scene.joints[0].type = 'free';
    return makeWorld([arm]);
  };
  const near0 = go(4, [0, 0, 0]);
  assert.deepEqual([near0.drifting, near0.base.floats, near0.hanging], [false, true, false]);
  near(near0.box.max.z, 4);
  const away = go(40, [0, 0, 0]);
  assert.equal(away.drifting, true);
  near(away.box.max.z, 0);
  near(away.size, 2, 0.1);
  const fallen = go(-100, [0, 0, -9.81]);
  assert.equal(fallen.drifting, true);
  assert.ok(fallen.groundAt < -100 && fallen.groundAt > -101, `${fallen.groundAt}`);
  assert.equal(go(-40, [0, 0, -9.81]).drifting, false, 'a fall is seen whole for longer');
});
