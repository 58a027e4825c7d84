// fixture.mjs - synthetic reports: made-up arms in the built page, its blocks filled as the program fills them.
//
//   node test/fixture.mjs PAGE DIR      writes all of them, to look at
import { deflateSync } from 'node:zlib';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeCrane } from './crane.mjs';
import { withSurfaces } from './mesh.mjs';

// Numbers of a report: add() packs an array and returns its reference.
export class Numbers {
  constructor() {
    this.chunks = [];
    this.size = 0;
  }

  add(values, shape, type = 'f32') {
    const typed = { f32: Float32Array, f64: Float64Array, i32: Int32Array, i16: Int16Array }[type].from(values);
    const width = typed.BYTES_PER_ELEMENT;
    const from = new Uint8Array(typed.buffer);
    const to = new Uint8Array(from.length);
    for (let i = 0; i < typed.length; i++)
      for (let b = 0; b < width; b++) to[b * typed.length + i] = from[i * width + b];
    const ref = { at: this.size, type, shape };
    this.chunks.push(to);
    this.size += to.length;
    return ref;
  }

  bytes() {
    return Buffer.concat(this.chunks);
  }
}

// The page with its blocks filled.
export function fill(page, report, numbers) {
  const json = JSON.stringify(report).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  const blob = deflateSync(numbers.bytes()).toString('base64');
  const put = (text, start, content) => {
    const parts = text.split(`${start}</script>`);
    if (parts.length !== 2) throw new Error(`not once in the page: ${start}`);
    return parts.join(`${start}${content}</script>`);
  };
  const filled = put(page, '<script type="application/json" id="report">', json);
  return put(filled, '<script type="application/octet-stream" id="blob">', blob);
}

const ring = (r, n = 24) =>
  Array.from({ length: n }, (_, i) => [
    r * Math.cos((2 * Math.PI * i) / n),
    r * Math.sin((2 * Math.PI * i) / n),
  ]);
const box = (b, h) => [
  [-b / 2, -h / 2],
  [b / 2, -h / 2],
  [b / 2, h / 2],
  [-b / 2, h / 2],
];

const multiply = (A, B) =>
  A.map((row) => [0, 1, 2].map((c) => row[0] * B[0][c] + row[1] * B[1][c] + row[2] * B[2][c]));
const apply = (A, v) => A.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b, k = 1) => a.map((x, i) => x + k * b[i]);

function about(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return axis === 'z'
    ? [
        [c, -s, 0],
        [s, c, 0],
        [0, 0, 1],
      ]
    : [
        [c, 0, s],
        [0, 1, 0],
        [-s, 0, c],
      ];
}

function rotationVector(R) {
  const angle = Math.acos(Math.min(1, Math.max(-1, (R[0][0] + R[1][1] + R[2][2] - 1) / 2)));
  const v = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]];
  const l = Math.hypot(...v);
  return l < 1e-9 ? [0, 0, 0] : v.map((x) => (x / l) * angle);
}

// Angle of a joint: there and partly back.
const angleOf = (l, t, T) =>
  (l === 0 ? 0.5 : 0.35) * (1 - Math.cos((2 * Math.PI * t) / T)) * (l % 2 ? -1 : 1) + (l ? -0.25 : 0.6);

// Curvature of a link: swings and dies out [1/m].
const bendOf = (l, t, size) => size * Math.sin(9 * t + l) * Math.exp(-0.15 * t) - 0.4 * size;

// A run of an arm with equal links. change: fields of the run to put over the made ones.
export function makeRun(
  numbers,
  {
    links = 2,
    nodes = 11,
    frames = 400,
    duration = 4,
    bend = 0.02,
    spatial = false,
    label = 'nonlinear',
    rows = 1001,
    channels = null,
    names = (n) => n,
    kind = 'simulate',
    ...change
  } = {},
) {
  const length = 2 / links;
  const total = links * nodes;
  const place = [];
  for (let n = 0; n < total; n++) place.push((length * (n % nodes)) / (nodes - 1), 0, 0);
  const time = Array.from({ length: frames }, (_, f) => (frames > 1 ? (duration * f) / (frames - 1) : 0));
  const rigid = new Float32Array(links * 6 * frames);
  const displacement = new Float32Array(total * 3 * frames);
  const turn = new Float32Array(total * 3 * frames);
  const stress = new Float32Array(total * frames);
  const strain = new Float32Array(total * frames);
  const tip = [];
  for (let f = 0; f < frames; f++) {
    let R = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    let [p, u, w] = [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (let l = 0; l < links; l++) {
      R = multiply(R, about(spatial && l % 2 ? 'y' : 'z', angleOf(l, time[f], duration)));
      [...p, ...rotationVector(R)].forEach((x, c) => {
        rigid[(l * 6 + c) * frames + f] = x;
      });
      const bent = bendOf(l, time[f], bend);
      const axis = apply(R, [0, 0, 1]);
      for (let n = 0; n < nodes; n++) {
        const s = place[(l * nodes + n) * 3];
        const here = plus(plus(u, cross(w, apply(R, [s, 0, 0]))), apply(R, [0, 1, 0]), (bent * s * s) / 2);
        const turned = plus(w, axis, bent * s);
        const at = l * nodes + n;
        for (let c = 0; c < 3; c++) {
          displacement[(at * 3 + c) * frames + f] = here[c];
          turn[(at * 3 + c) * frames + f] = turned[c];
        }
        strain[at * frames + f] = 0.02 * bent * (1 - s / length);
        stress[at * frames + f] = 70e9 * Math.abs(strain[at * frames + f]);
        if (n === nodes - 1) [u, w] = [here, turned];
      }
      p = plus(p, apply(R, [length, 0, 0]));
    }
    tip.push(u);
  }
  const rowTime = Array.from({ length: rows }, (_, r) => (duration * r) / Math.max(1, rows - 1));
  const list = channels ?? defaultChannels(links, duration, bend);
  const last = total - 1;
  return {
    label,
    kind,
    name: 'made-up arm',
    status: 'done',
    message: null,
    warnings: [],
    about: [
      ['mode', label],
      ['method', 'generalized-alpha'],
      ['step', '1 ms'],
      ['duration', `${duration} s`],
      ['elements', String(links * (nodes - 1))],
    ],
    model: 'limber: 1\nname: made-up arm\ngravity: [0, -9.81, 0]\nplanar: xy\n',
    overrides: ['solver.step=1 ms'],
    tables: [
      {
        title: 'Energy balance',
        head: ['', 'J'],
        rows: [
          ['work of the joints', '12.41'],
          ['kinetic', '0.02'],
          ['strain', '0.31'],
          ['lost to damping', '0.88'],
          ['imbalance', '1.2e-9'],
        ],
      },
    ],
    scene: {
      gravity: [0, -9.81, 0],
      planar: spatial ? null : 'xy',
      outlines: [
        { outer: ring(0.03), inner: ring(0.024) },
        { outer: box(0.03, 0.05), inner: box(0.022, 0.042) },
      ],
      links: Array.from({ length: links }, (_, l) => ({
        name: names(`link ${l + 1}`),
        beam: true,
        parent: l - 1,
        first: l * nodes,
        nodes,
        outline: Array(nodes).fill(l % 2),
      })),
      joints: Array.from({ length: links }, (_, l) => ({
        name: names(`joint ${l + 1}`),
        type: 'revolute',
        link: l,
        axis: spatial && l % 2 ? [0, 1, 0] : [0, 0, 1],
      })),
      masses: [{ name: names('payload'), link: links - 1, node: last, offset: [0.03, 0, 0], mass: 1.5 }],
      motors: [],
      frames: [
        { name: names('tip'), link: links - 1, node: last, offset: [0, 0, 0], turn: [0, 0, 0] },
        { name: names('elbow'), link: 0, node: nodes - 1, offset: [0, 0, 0], turn: [0, 0, 0.4] },
      ],
      tool: 0,
      springs: [],
      bushings: [],
      loops: [],
    },
    place: numbers.add(place, [total, 3]),
    time: numbers.add(time, [frames], 'f64'),
    rigid: numbers.add(rigid, [links, 6, frames]),
    displacement: numbers.add(displacement, [total, 3, frames]),
    turn: numbers.add(turn, [total, 3, frames]),
    stress: numbers.add(stress, [total, frames]),
    strain: numbers.add(strain, [total, frames]),
    modes: [],
    channels: {
      thinned: false,
      rows,
      time: numbers.add(rowTime, [rows], 'f64'),
      list: list.map(({ value, ...c }) => ({
        ...c,
        name: names(c.name),
        values: numbers.add(rowTime.map(value), [rows], 'f64'),
      })),
    },
    ...change,
  };
}

function defaultChannels(links, T, bend) {
  const list = [];
  const add = (name, unit, group, value) => list.push({ name, unit, group, value });
  ['x', 'y', 'z'].forEach((c, i) =>
    add(`tip.error.${c}`, 'm', 'tool error', (t) => bend * Math.sin(9 * t + i) * Math.exp(-0.15 * t)),
  );
  ['x', 'y', 'z'].forEach((c, i) =>
    add(`tip.position.${c}`, 'm', 'tool', (t) => 1 + 0.5 * Math.cos((6.28 * t) / T + i)),
  );
  ['x', 'y', 'z'].forEach((c, i) =>
    add(`tip.velocity.${c}`, 'm/s', 'tool', (t) => -0.7 * Math.sin((6.28 * t) / T + i)),
  );
  for (let l = 0; l < links; l++) {
    add(`joint ${l + 1}.position`, 'rad', 'joints', (t) => angleOf(l, t, T));
    add(`joint ${l + 1}.effort`, 'N m', 'efforts', (t) => 40 * Math.sin(2 * t + l) + 5 * Math.sin(31 * t));
  }
  for (let g = 0; g < 12; g++)
    add(`gauge ${g + 1}.strain`, '1', 'strains', (t) => 4e-4 * Math.sin(9 * t + 0.3 * g));
  for (const [i, e] of ['kinetic', 'strain', 'gravity', 'work'].entries())
    add(`energy.${e}`, 'J', 'energy', (t) => 20 * Math.sin(t + i));
  return list;
}

function makeModes(numbers, count = 5, nodes = 11, links = 2) {
  const total = nodes * links;
  return Array.from({ length: count }, (_, m) => {
    const shape = (n) => Math.sin(((m + 0.5) * Math.PI * n) / (total - 1)) * (n / (total - 1));
    const slope = (n) =>
      (shape(Math.min(total - 1, n + 0.5)) - shape(Math.max(0, n - 0.5))) / (2 / (total - 1));
    const most = Math.max(...Array.from({ length: total }, (_, n) => Math.abs(shape(n))));
    const displacement = Array.from({ length: total }, (_, n) => [
      (-0.5 * shape(n)) / most,
      (0.8 * shape(n)) / most,
      0,
    ]).flat();
    const turn = Array.from({ length: total }, (_, n) => [0, 0, slope(n) / most]).flat();
    return {
      frequency: 3.1 * (m + 1) ** 2,
      damping: m === 3 ? null : 0.01 * (m + 1),
      kind: 'bending y',
      displacement: numbers.add(displacement, [total, 3]),
      turn: numbers.add(turn, [total, 3]),
    };
  });
}

// Links that are tubes from finite elements, bent as those of makeRun; still: of kind modes.
export function makeMeshed(numbers, { links = 2, frames = 400, duration = 4, bend = 0.02, modes = null, ...change } = {}) {
  const count = modes ? 1 : frames;
  const empty = modes ? { kind: 'modes', rows: 0, channels: [], stress: null, strain: null } : {};
  const run = makeRun(numbers, { links, nodes: 2, frames: count, duration, bend: modes ? 0 : bend, ...empty, ...change });
  const kappa = (l, f) => (modes ? 0 : bendOf(l, (duration * f) / (count - 1), bend));
  return withSurfaces(numbers, run, { links, frames: count, kappa, modes: modes ?? [] });
}

// A table, a sleeve, a cross and a ball between links of equal length; the second link stands across its slide.
export function withJoints(run) {
  const [nodes, { joints }] = [run.scene.links[0].nodes, run.scene];
  const on = (l) => ({ link: l - 1, node: l * nodes - 1, offset: [0, 0, 0], turn: [0, 0, 0] });
  const [x, y, z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  Object.assign(joints[0], { type: 'planar', axis: z, axes: [x, y, z] });
  Object.assign(joints[1], { type: 'cylindrical', axis: y, axes: [y, y] });
  Object.assign(joints[2], { type: 'universal', axis: y, axes: [z, y] });
  Object.assign(joints[3], { type: 'spherical', axis: z, axes: [x, y, z] });
  joints.slice(0, 4).forEach((j, l) => Object.assign(j, { on: on(l) }));
  return run;
}

const HOSTILE = '</script><img src=x onerror=alert(1)>';

const wrap = (title, runs) => ({ format: 1, limber: '0.0.0', title, runs });

// Every kind of report: name -> page.
export function makeReports(page, wanted = null) {
  const all = describeReports((title, build) => () => {
    const numbers = new Numbers();
    return fill(page, wrap(title, build(numbers)), numbers);
  });
  const names = Object.keys(all).filter((n) => !wanted || wanted.includes(n));
  return Object.fromEntries(names.map((n) => [n, all[n]()]));
}

function describeReports(make) {
  const hostile = (n) => `${HOSTILE} ${n}`;
  return {
    'two-link': make('two-link arm', (n) => [
      makeRun(n, { warnings: ['link 1: axial force is 12 % of the critical one'] }),
    ]),
    bonds: make('spring, bushing and loop', (n) => {
      const run = makeRun(n);
      const end = (link, node) => ({ link, node, offset: [0, 0, 0], turn: [0, 0, 0] });
      const world = { link: -1, node: -1, offset: [1.2, 0.8, 0], turn: [0, 0, 0] };
      Object.assign(run.scene, {
        springs: [{ name: 'spring', ends: [end(0, 4), end(1, 17)] }], // over the elbow
        bushings: [{ name: 'mount', ends: [end(0, 2), end(0, 2)] }],
        loops: [{ name: 'pin', ends: [end(1, 18), world], type: 'revolute', axis: [0, 0, 1] }],
      });
      return [run];
    }),
    'long-names': make('names that differ at their ends', (n) => [
      makeRun(n, {
        names: (name) => `second gripper of the left arm.${name}`,
        tables: [
          {
            title: 'Program',
            head: ['line', 'time [s]', 'command', 'what was asked'],
            rows: [
              ['23', '0.512 … 1.204', 'movel', 'x 0.8000 m, y -0.4000 m, z 0.2500 m, orientation free, blend 0.1 m, in table'],
              ['27', '1.204', 'grip', `cube_${'of_the_first_pallet_'.repeat(4)}: 2 kg at tip`],
            ],
          },
          {
            title: 'Joints',
            head: ['joint', 'effort [N m or N]', ...['Fx', 'Fy', 'Fz'].map((f) => `${f} [N]`), 'Mx [N m]', 'My [N m]', 'Mz [N m]'],
            rows: [['shoulder', ...Array(7).fill('-0.00012345')]],
          },
          { title: 'Energy', head: ['', 'J'], rows: [['work', '1']] },
        ],
      }),
    ]),
    gripping: make('an arm that grips', (n) => {
      const run = makeRun(n, { bend: 0.001 });
      run.scene.masses = [];
      run.scene.parts = [{ name: 'cube', link: 1, node: 21, offset: [0, 0, 0], mass: 3, from: 1, to: 2 }];
      return [run];
    }),
    lagging: make('an arm that lags', (n) => {
      const run = makeRun(n, { links: 1, frames: 2, bend: 0 });
      const turns = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]; // [6][frame] of the commanded arm: it is 0.4 rad ahead
      run.ghost = { rigid: n.add(turns, [1, 6, 2]) };
      return [run];
    }),
    'eight-link': make('eight-link arm, 10 s', (n) => [
      makeRun(n, { links: 8, frames: 2000, duration: 10, bend: 0.01, spatial: true, rows: 10001 }),
    ]),
    'many-channels': make('many channels', (n) => [
      makeRun(n, {
        rows: 501,
        channels: Array.from({ length: 160 }, (_, i) => ({
          name: `node ${i}.moment`,
          unit: i % 2 ? 'N m' : 'N',
          group: i < 120 ? 'sections' : 'energy',
          value: (t) => Math.sin(t * (1 + 0.02 * i)),
        })),
      }),
    ]),
    modes: make('modes', (n) => [
      makeRun(n, {
        kind: 'modes',
        frames: 1,
        rows: 0,
        channels: [],
        stress: null,
        strain: null,
        modes: makeModes(n),
      }),
    ]),
    static: make('loaded arm', (n) => [
      makeRun(n, { kind: 'static', frames: 1, bend: 0.3, rows: 0, channels: [] }),
    ]),
    compare: make('three ways', (n) => [
      makeRun(n),
      makeRun(n, { label: 'linear', bend: 0.03, rows: 801, duration: 3 }),
      makeRun(n, { label: 'quasi-static', bend: 0.01, frames: 200 }),
    ]),
    mixed: make('mixed kinds', (n) => [
      makeRun(n),
      makeRun(n, {
        label: 'modes',
        kind: 'modes',
        frames: 1,
        rows: 0,
        channels: [],
        stress: null,
        strain: null,
        modes: makeModes(n),
      }),
      makeRun(n, { label: 'static', kind: 'static', frames: 1, bend: 0.2, rows: 0, channels: [] }),
    ]),
    failed: make('failed run', (n) => [
      makeRun(n, {
        duration: 1.25,
        frames: 120,
        status: 'failed',
        message: 'step 1250: the explicit step is too long for the stiffest mode',
      }),
    ]),
    'failed-at-once': make('failed at once', (n) => [
      makeRun(n, { frames: 0, rows: 0, status: 'failed', message: 'no static equilibrium' }),
    ]),
    cantilever: make('one link', (n) => [makeRun(n, { links: 1 })]),
    interrupted: make('interrupted run', (n) => [makeRun(n, { duration: 2, status: 'interrupted' })]),
    rigid: make('rigid arm', (n) => {
      const run = makeRun(n, { nodes: 2, bend: 0, stress: null, strain: null });
      for (const l of run.scene.links) Object.assign(l, { beam: false, outline: null });
      Object.assign(run.scene.joints[1], { type: 'prismatic', axis: [1, 0, 0] });
      run.scene.motors = [{ name: 'm', link: -1, node: -1, offset: [0, 0, 0.08], axis: [0, 0, 1], mass: 4 }];
      return [run];
    }),
    joints: make('joints with several freedoms', (n) => [withJoints(makeRun(n, { links: 5, bend: 0.001 }))]),
    stiff: make('the same, held', (n) => {
      const run = withJoints(makeRun(n, { links: 5, bend: 0.001 }));
      for (const j of run.scene.joints.slice(1)) j.type = 'fixed';
      return [run];
    }),
    meshed: make('finite elements', (n) => [makeMeshed(n)]),
    'meshed-modes': make('modes of finite elements', (n) => [
      makeMeshed(n, { modes: [[1, 0], [0, 1]] }),
    ]),
    crane: make('rails, stops and contacts', (n) => [makeCrane(n, makeRun(n))]),
    floating: make('a body that floats away', (n) => {
      const at = [0, 40, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0]; // [6][frame]
      const run = makeRun(n, { links: 1, nodes: 2, frames: 2, bend: 0, stress: null, strain: null, place: n.add(Array(6).fill(0), [2, 3]) });
      run.rigid = n.add(at, [1, 6, 2]);
      Object.assign(run.scene, { gravity: [0, 0, 0], planar: null, masses: [] });
      Object.assign(run.scene.links[0], { beam: false, outline: null, body: { mass: 12, com: [0, 0, 0], inertia: [1, 2, 2.5, 0, 0, 0] } });
      Object.assign(run.scene.joints[0], { type: 'free', axes: [], on: { link: -1, node: -1, offset: [0, 0, 0], turn: [0, 0, 0] } });
      return [run];
    }),
    hostile: make(HOSTILE, (n) => [
      makeRun(n, {
        names: hostile,
        label: `${HOSTILE} a`,
        name: HOSTILE,
        status: 'failed',
        message: HOSTILE,
        warnings: [HOSTILE],
        model: HOSTILE,
        overrides: [HOSTILE],
        about: [[HOSTILE, HOSTILE]],
        tables: [{ title: HOSTILE, head: [HOSTILE], rows: [[HOSTILE]] }],
      }),
      makeRun(n, { names: hostile, label: `${HOSTILE} b` }),
    ]),
  };
}

// wanted: names of reports; all where it is missing.
export function writeReports(page, folder, wanted = null) {
  mkdirSync(folder, { recursive: true });
  const files = {};
  for (const [name, text] of Object.entries(makeReports(readFileSync(page, 'utf8'), wanted))) {
    files[name] = join(folder, `${name}.html`);
    writeFileSync(files[name], text);
  }
  return files;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href && process.argv.length > 3)
  writeReports(process.argv[2], process.argv[3]);
