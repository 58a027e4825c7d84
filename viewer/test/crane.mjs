// crane.mjs - a made-up crane, in closed form: a carriage on a beam that sags, with a shoe on a second beam beside it; on the
// carriage a link that swings between stops over a floor, which the sphere at its tip touches.

const NODES = 9; // of a beam
const LENGTH = 2; // of the rails [m]
const DURATION = 4;
const FRAMES = 161;

export const CRANE = {
  rails: 2,
  carriage: 2, // links
  swing: 3,
  apart: 0.8, // of the rails
  travel: [0.5, 1.6], // where its stops are
  turn: [-0.5, 0.6],
  floor: -1.1,
  radius: 0.03,
  drop: 0.5, // of the carriage
  arm: 0.6, // length of the link that swings
  position: (t) => 0.45 + 0.32 * t, // of the carriage: on its lower stop, on its upper at last
  angle: (t) => 0.75 * Math.sin(2 * t), // of the link
  sag: (s, t) => -sharp(t) * s * s,
  slope: (s, t) => -2 * sharp(t) * s,
};

const sharp = (t) => 0.004 * (1 + 0.5 * Math.sin(6 * t));

// Where the tip is: the carriage stands on the section and turns with it.
export function tipOf(t) {
  const { position, sag, slope, drop, arm, angle } = CRANE;
  const s = position(t);
  const turn = slope(s, t);
  const [x, y] = [arm * Math.sin(angle(t)), -drop - arm * Math.cos(angle(t))]; // below the section
  return [s + x * Math.cos(turn) - y * Math.sin(turn), sag(s, t) + x * Math.sin(turn) + y * Math.cos(turn), 0];
}

export const depthOf = (t) => CRANE.radius - (tipOf(t)[1] - CRANE.floor);

// {links: [{first, nodes, place(n), pose(t), moved(p, t)}]}: pose is [x, y, z, turn about z] of the rigid link.
function parts() {
  const { position, sag, slope, drop, arm, angle, apart } = CRANE;
  const rail = (z) => ({
    nodes: NODES,
    place: (n) => (LENGTH * n) / (NODES - 1),
    pose: () => [0, 0, z, 0],
    moved: ([x, y, w], t) => ({ to: [x, y + sag(x, t), w], turn: slope(x, t) }),
  });
  const moved = ([x, y, z], t) => {
    const s = position(t);
    const turn = slope(s, t);
    const [c, n] = [Math.cos(turn), Math.sin(turn)];
    return { to: [s + c * (x - s) - n * y, sag(s, t) + n * (x - s) + c * y, z], turn };
  };
  return [
    rail(0),
    rail(apart),
    { nodes: 2, place: (n) => drop * n, pose: (t) => [position(t), 0, 0, -Math.PI / 2], moved },
    { nodes: NODES, place: (n) => (arm * n) / (NODES - 1), pose: (t) => [position(t), -drop, 0, angle(t) - Math.PI / 2], moved },
  ];
}

function shapesOf(numbers) {
  const time = Array.from({ length: FRAMES }, (_, f) => (DURATION * f) / (FRAMES - 1));
  const links = parts();
  const total = links.reduce((n, l) => n + l.nodes, 0);
  const [place, rigid] = [[], new Float64Array(links.length * 6 * FRAMES)];
  const [displacement, turn] = [new Float64Array(total * 3 * FRAMES), new Float64Array(total * 3 * FRAMES)];
  links.forEach((link, l) => {
    for (let n = 0; n < link.nodes; n++) {
      const at = place.length / 3;
      place.push(link.place(n), 0, 0);
      time.forEach((t, f) => {
        const [x, y, z, angle] = link.pose(t);
        const from = [x + link.place(n) * Math.cos(angle), y + link.place(n) * Math.sin(angle), z];
        const { to, turn: turned } = link.moved(from, t);
        for (let c = 0; c < 3; c++) displacement[(at * 3 + c) * FRAMES + f] = to[c] - from[c];
        turn[(at * 3 + 2) * FRAMES + f] = turned;
        [x, y, z, 0, 0, angle].forEach((v, c) => (rigid[(l * 6 + c) * FRAMES + f] = v));
      });
    }
  });
  return {
    place: numbers.add(place, [total, 3]),
    time: numbers.add(time, [FRAMES], 'f64'),
    rigid: numbers.add(rigid, [links.length, 6, FRAMES]),
    displacement: numbers.add(displacement, [total, 3, FRAMES]),
    turn: numbers.add(turn, [total, 3, FRAMES]),
  };
}

function sceneOf() {
  const { travel, turn, floor, radius, drop, apart, carriage, swing } = CRANE;
  const links = parts();
  const first = links.map((_, l) => links.slice(0, l).reduce((n, { nodes }) => n + nodes, 0));
  const frame = (link, node, offset = [0, 0, 0], turned = [0, 0, 0]) => ({ link, node, offset, turn: turned });
  const tip = frame(swing, first[swing] + NODES - 1);
  const beam = (name, l, parent) => ({ name, beam: true, parent, first: first[l], nodes: NODES, outline: Array(NODES).fill(l === swing ? 1 : 0) });
  const rectangle = (b, h) => ({ outer: [[-b, -h], [b, -h], [b, h], [-b, h]], inner: null });
  return {
    gravity: [0, -9.81, 0],
    planar: null,
    outlines: [rectangle(0.04, 0.02), rectangle(0.015, 0.015)],
    links: [
      beam('rail', 0, -1),
      beam('second rail', 1, -1),
      { name: 'carriage', beam: false, parent: 0, first: first[carriage], nodes: 2, outline: null },
      beam('swing', swing, carriage),
    ],
    joints: [
      { name: 'held', type: 'fixed', link: 0, axis: [0, 0, 1] },
      { name: 'held too', type: 'fixed', link: 1, axis: [0, 0, 1] },
      { name: 'travel', type: 'prismatic', link: carriage, axis: [0, 1, 0], rail: { link: 0, offset: [0, 0, 0] }, stop: travel },
      { name: 'pivot', type: 'revolute', link: swing, axis: [0, 0, 1], stop: turn, on: frame(carriage, first[carriage] + 1) },
    ],
    masses: [],
    motors: [],
    frames: [{ name: 'tip', ...tip }],
    tool: 0,
    springs: [],
    bushings: [],
    loops: [{ name: 'shoe', type: 'rail', axis: [0, 0, 1], ends: [frame(carriage, first[carriage], [0, 0, apart]), frame(1, first[1])] }],
    contacts: [
      { name: 'floor', centre: tip, radius, plane: { ...frame(-1, -1), point: [0.3, floor, 0], normal: [0, 1, 0] } },
      { name: 'wall', centre: tip, radius: 0, plane: { ...frame(carriage, first[carriage], [0, 0, 0], [0, 0, Math.PI / 2]), point: [0.35, drop, 0], normal: [-1, 0, 0] } },
    ],
  };
}

// wanted: which of its channels are recorded.
export function makeCrane(numbers, base, wanted = () => true) {
  const rows = 801;
  const time = Array.from({ length: rows }, (_, r) => (DURATION * r) / (rows - 1));
  const push = (t) => 4e3 * Math.max(0, depthOf(t));
  const list = [
    ['travel.position', 'm', 'joints', CRANE.position],
    ['pivot.position', 'rad', 'joints', CRANE.angle],
    ['travel.stop', 'N', 'stops', (t) => 1e4 * (Math.max(0, CRANE.travel[0] - CRANE.position(t)) - Math.max(0, CRANE.position(t) - CRANE.travel[1]))],
    ['floor.depth', 'm', 'contacts', depthOf],
    ['floor.force.x', 'N', 'reactions', (t) => -0.2 * push(t)],
    ['floor.force.y', 'N', 'reactions', push],
    ['floor.force.z', 'N', 'reactions', () => 0],
  ].filter(([name]) => wanted(name));
  return {
    ...base,
    name: 'crane',
    scene: sceneOf(),
    ...shapesOf(numbers),
    stress: null,
    strain: null,
    channels: {
      thinned: false,
      rows,
      time: numbers.add(time, [rows], 'f64'),
      list: list.map(([name, unit, group, value]) => ({ name, unit, group, values: numbers.add(time.map(value), [rows], 'f64') })),
    },
  };
}
