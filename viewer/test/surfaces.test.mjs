// Surfaces of links from finite elements: without a browser against tubes in closed form, then in Chromium; with LIMBER set,
// also a report of that program.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factorFor, rangeOf } from '../src/colour.js';
import { readRun } from '../src/data.js';
import { Pose } from '../src/pose.js';
import { cornersOfSurface, largestOfMode, largestOnSurfaces, Surface } from '../src/surface.js';
import { makeWorld } from '../src/world.js';
import { makeMeshed, Numbers } from './fixture.mjs';
import { TUBE } from './mesh.mjs';
import { different, find, isLink, look, sag } from './pixels.mjs';
import { here, session, stateOf } from './session.mjs';

const made = session({ names: ['meshed', 'meshed-modes'] });
const { with_ } = made;
const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

function meshed(options) {
  const numbers = new Numbers();
  const run = makeMeshed(numbers, options);
  return readRun(run, numbers.bytes());
}

// Mean place of the vertices of the last ring, which is where the tip node is.
function endOf({ x }) {
  const sum = [0, 0, 0];
  for (let i = x.length - 3 * TUBE.around; i < x.length; i++) sum[i % 3] += x[i] / TUBE.around;
  return sum;
}

// --- without a browser ---

test('the end of the surface is where the tip node is drawn, however it is magnified', () => {
  const run = meshed();
  const pose = new Pose(run);
  for (const k of [1, 5, 40])
    for (const t of [0, 0.7, 3.3]) {
      pose.setTime(t);
      pose.draw(k);
      run.surfaces.forEach((s, l) => {
        const surface = new Surface(s, run.scene.links[l]);
        surface.update(pose, k);
        endOf(surface).forEach((x, c) => near(x, pose.x[(2 * l + 1) * 3 + c], (l ? 1e-3 : 2e-5) * k)); // it turns to first order
      });
    }
});

test('stress and strain are those of bending', () => {
  const run = meshed();
  const pose = new Pose(run);
  pose.setFrame(123);
  pose.draw(3);
  const surface = new Surface(run.surfaces[0], run.scene.links[0]);
  const kappa = run.surfaces[0].coordinates[123];
  const scale = { low: 0, high: TUBE.E * TUBE.r * Math.abs(kappa) };
  assert.equal(surface.update(pose, 3, scale, 'stress'), true);
  const { vertex } = run.surfaces[0];
  for (let v = 0; v < vertex.length / 3; v++) near(surface.value[v] / scale.high, Math.abs(vertex[3 * v + 1]) / TUBE.r, 1e-3);
  assert.ok(Math.max(...surface.uv) > 0.999, 'the largest is on top of the scale');
  surface.update(pose, 3, { low: -1, high: 1 }, 'strain');
  for (let v = 0; v < vertex.length / 3; v++) near(surface.value[v], -kappa * vertex[3 * v + 1], 1e-3 * TUBE.r * Math.abs(kappa));
  surface.update(pose, 3, { low: 0, high: 1 }, 'displacement');
  const last = vertex.length / 3 - 1;
  near(surface.value[last], (Math.abs(kappa) * 1) / 2, 3e-3 * Math.abs(kappa) + TUBE.r * Math.abs(kappa));
});

test('what sits between base and tip follows the surface, what is beyond the tip the tip', () => {
  const run = meshed({ links: 1 });
  const pose = new Pose(run);
  const p = { x: 0, y: 0, z: 0 };
  pose.setFrame(123);
  const kappa = run.surfaces[0].coordinates[123];
  const axes = pose.link; // turned about z
  for (const k of [1, 10]) {
    pose.draw(k);
    pose.point(p, 1, [-0.8, 0, 0]); // at x = 1.2 m of 2 m
    const sag = (k * kappa * 1.2 ** 2) / 2;
    near(p.x, axes[0] * 1.2 + axes[1] * sag, 1e-5 * k);
    near(p.y, axes[3] * 1.2 + axes[4] * sag, 1e-5 * k);
    pose.point(p, 1, [0.03, 0, 0]);
    near(p.x, pose.x[3] + 0.03 * pose.frame[9], 1e-9);
    near(p.y, pose.x[4] + 0.03 * pose.frame[10], 1e-9);
  }
});

test('what is rigid has its surface, and no colours', () => {
  const run = meshed();
  const rigid = { ...run.surfaces[0], n: 0, coordinates: null, shape: null, strain: null, shear: null };
  const pose = new Pose({ ...run, displacement: null, turn: null });
  pose.setFrame(7);
  pose.draw(1);
  const surface = new Surface(rigid, run.scene.links[0]);
  assert.equal(surface.update(pose, 1, { low: 0, high: 1 }, 'stress'), false);
  const first = [...surface.x.slice(0, 3)];
  const tip = endOf(surface);
  near(Math.hypot(...tip), 1, 1e-6);
  near(Math.hypot(...first), TUBE.r, 1e-6);
});

test('a tube is smooth around and sharp at no vertex; a cube has three sides at each', () => {
  const run = meshed();
  const tube = new Surface(run.surfaces[0], run.scene.links[0]);
  assert.equal(tube.of.length, run.surfaces[0].vertex.length / 3);
  const vertex = Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]));
  const triangle = Int32Array.from(
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
  const cube = new Surface({ link: 0, n: 0, vertex, triangle, edge: Int32Array.from([0, 1]) }, run.scene.links[0]);
  assert.equal(cube.of.length, 24);
  assert.deepEqual(cornersOfSurface({ vertex }).map((p) => p.join('')).sort(), ['000', '001', '010', '011', '100', '101', '110', '111']);
});

test('edges of beams, which no triangle has, are lines of their own', () => {
  const vertex = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5]);
  const surface = new Surface(
    { link: 0, n: 0, vertex, triangle: Int32Array.from([0, 1, 2]), edge: Int32Array.from([0, 1, 0, 3]) },
    { first: 0, nodes: 2 },
  );
  assert.deepEqual([...surface.edges].map((i) => surface.of[i]), [0, 1]);
  assert.deepEqual([...surface.beams].map((i) => surface.of[i]), [0, 3]);
});

test('view, magnification and colours take surfaces into account', () => {
  const run = meshed({ links: 1 });
  const { box } = makeWorld([run]);
  assert.ok(box.max.z > 0.99 * TUBE.r, 'the box goes around the tube');
  const still = { ...run, displacement: run.displacement.map(() => 0) }; // as if the nodes did not tell
  assert.ok(largestOnSurfaces(still) > 0.01);
  assert.ok(factorFor([still], 2) > 1);
  assert.ok(rangeOf('displacement', [still]).high > 0.01);
});

test('a mode that only breathes is drawn as large as one that bends', () => {
  const run = meshed({ modes: [[2, 0], [0, 1]] });
  near(largestOfMode(run, run.modes[0]), 1, 0.02);
  near(largestOfMode(run, run.modes[1]), 1, 1e-3);
});

// --- in a browser ---

const setRange = (page, id, value) =>
  page.locator(id).evaluate((e, v) => {
    e.value = v;
    e.dispatchEvent(new Event('input'));
  }, value);

// Pixels of the middle and of the end of the colour map for stress: green and yellow.
const isGreen = (r, g, b) => g - r > 40 && g > b;
const isYellow = (r, g, b) => r > 150 && g > 150 && b < 110;

test('the surface is drawn, bends, moves and is coloured by its stress', async () => {
  await with_('meshed', {}, async (page) => {
    assert.equal((await stateOf(page)).colour, 'stress');
    assert.match(await page.locator('#scale-title').textContent(), /von Mises stress/);
    const high = parseFloat(await page.locator('#scale-ends span').last().textContent());
    near(high, 1e-6 * TUBE.E * TUBE.r * 0.028, 12);
    await page.locator('[data-view=iso]').click();
    await setRange(page, '#scrub', 0.52);
    const coloured = await look(page);
    assert.ok(find(coloured, isGreen).length + find(coloured, isYellow).length > 300, 'stressed parts are green and yellow');
    await page.locator('#colour').selectOption('none');
    await setRange(page, '#magnify', 0);
    const plain = await look(page);
    const places = find(plain, isLink);
    assert.ok(places.length > 4000, `${places.length} pixels of tubes`);
    await setRange(page, '#scrub', 2);
    assert.ok(different(plain, await look(page)) > 0.02, 'it moves');
    await page.locator('#colour').selectOption('strain');
    assert.match(await page.locator('#scale-title').textContent(), /principal strain/);
    await page.locator('#ghost').click();
    await look(page);
  });
});

test('the surface vibrates in its modes', async () => {
  await with_('meshed-modes', {}, async (page) => {
    await page.locator('#colour').selectOption('none');
    await page.locator('#ghost').click();
    await setRange(page, '#scrub', 0);
    const still = await look(page);
    await setRange(page, '#scrub', 0.25);
    assert.ok(different(still, await look(page)) > 0.005, 'it bends');
    await page.locator('.mode input').nth(1).check();
    const wide = await look(page);
    assert.ok(find(wide, isLink).length > 1.1 * find(still, isLink).length, 'it breathes');
  });
});

if (process.env.LIMBER)
  test('a tube of the program is drawn as its surface', async () => {
    const models = join(here, '../../models/fe');
    const folder = join(made.folder, 'tube');
    const files = ['stiffness: tube.sti', 'mass: tube.mas', 'dofs: tube.dof', 'nodes: tube.inp'];
    const frames = 'frames: {base: {nodes: ROOT}, tip: {nodes: TIP, coupling: mean}}';
    const text = `limber: 1\nname: tube\ngravity: [0, 0, -9.81]\nlinks:\n  - name: tube\n    joint: {type: fixed}\n    fe: {${files
      .map((f) => f.replace(': ', `: ${models}/`))
      .join(', ')}, ${frames}}\n    basis: {type: craig-bampton, count: 4}\n    masses: [{mass: 20, at: tip}]\n`;
    mkdirSync(folder);
    writeFileSync(join(folder, 'tube.yaml'), text);
    for (const command of ['static', 'modes'])
      execFileSync(process.env.LIMBER, [command, join(folder, 'tube.yaml'), '-o', join(folder, command), '--allow', models, '--quiet'], { stdio: 'pipe' });
    await with_(join(folder, 'static/report.html'), {}, async (page) => {
      assert.equal((await stateOf(page)).colour, 'stress');
      await page.locator('#colour').selectOption('none');
      await page.locator('#ghost').click();
      await page.locator('[data-view=front]').click();
      await setRange(page, '#magnify', 0);
      const straight = find(await look(page), isLink);
      assert.ok(straight.length > 2000, `${straight.length} pixels of the tube`);
      await setRange(page, '#magnify', 170);
      const bent = find(await look(page), isLink);
      assert.ok(sag(straight) < 0.003 && sag(bent) > 0.01, `sag ${sag(straight)}, magnified ${sag(bent)}`);
    });
    await with_(join(folder, 'modes/report.html'), {}, async (page) => {
      await page.locator('#colour').selectOption('none');
      await setRange(page, '#scrub', 0);
      const still = await look(page);
      await setRange(page, '#scrub', 0.25);
      assert.ok(different(still, await look(page)) > 0.003, 'it vibrates');
    });
  });
