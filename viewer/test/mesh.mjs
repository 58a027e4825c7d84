// mesh.mjs - a made-up arm whose links are round tubes from finite elements, in closed form: they bend by a curvature kappa
// about z (u_x = -kappa x y, u_y = kappa x^2/2, strain -kappa y along x), and breathe where they vibrate.
export const TUBE = { r: 0.06, E: 70e9, nu: 0.3, around: 16, along: 20 };
const { r, E, nu, around, along } = TUBE;

const quantised = (numbers, rows, wide) => {
  const scale = rows.map((row) => row.reduce((m, x) => Math.max(m, Math.abs(x)), 0) / 32767 || 1);
  const values = rows.flatMap((row, j) => row.map((x) => Math.round(x / scale[j])));
  return {
    values: numbers.add(values, [rows.length, rows[0].length / wide, wide], 'i16'),
    scale: numbers.add(scale, [rows.length]),
  };
};

// {vertex, triangle, edge} of a tube along x, quads of elements cut in two.
function tubeOf(length) {
  const vertex = [];
  const triangle = [];
  const edge = [];
  for (let i = 0; i <= along; i++)
    for (let k = 0; k < around; k++) {
      const a = (2 * Math.PI * k) / around;
      vertex.push((length * i) / along, r * Math.cos(a), r * Math.sin(a));
      const [p, q] = [i * around + k, i * around + ((k + 1) % around)];
      edge.push(p, q);
      if (i === along) continue;
      edge.push(p, p + around);
      triangle.push(p, q, q + around, p, q + around, p + around);
    }
  return { vertex, triangle, edge };
}

// Put into a made-up run whose links have two nodes. kappa(l, f): curvature of a link in a frame; modes: [kappa, breath].
export function withSurfaces(numbers, run, { links = 2, frames, kappa, modes = [] }) {
  const length = 2 / links;
  const { vertex, triangle, edge } = tubeOf(length);
  const points = Array.from({ length: vertex.length / 3 }, (_, v) => vertex.slice(3 * v, 3 * v + 3));
  const bends = points.flatMap(([x, y]) => [-x * y, (x * x) / 2, 0]);
  const breathes = points.flatMap(([x, y, z]) => [0, y / r, z / r].map((u) => u * Math.sin((Math.PI * x) / length)));
  const strains = points.flatMap(([, y]) => [-y, nu * y, nu * y, 0, 0, 0]);
  run.surfaces = run.scene.links.map((_, l) => {
    const eta = Array.from({ length: frames }, (__, f) => kappa(l, f));
    return {
      link: l,
      vertex: numbers.add(vertex, [points.length, 3]),
      triangle: numbers.add(triangle, [triangle.length / 3, 3], 'i32'),
      edge: numbers.add(edge, [edge.length / 2, 2], 'i32'),
      coordinates: numbers.add([...eta, ...Array(frames).fill(0)], [2, frames]),
      shape: quantised(numbers, [bends, breathes], 3),
      strain: quantised(numbers, [strains, strains.map(() => 0)], 6),
      shear: numbers.add(points.map(() => E / (2 * (1 + nu))), [points.length]),
    };
  });
  for (const l of run.scene.links) Object.assign(l, { beam: false, outline: null });
  const most = (sign) =>
    numbers.add(
      run.scene.links.flatMap((_, l) => [0, 1].flatMap(() => Array.from({ length: frames }, (__, f) => sign * r * Math.abs(kappa(l, f))))),
      [2 * links, frames],
    );
  run.stress = run.stress && most(E);
  run.strain = run.strain && most(1);
  run.modes = modes.map(([bent, breath], i) => ({
    frequency: 10 * (i + 1),
    damping: 0.01,
    kind: 'made up',
    displacement: numbers.add(run.scene.links.flatMap((_, l) => [0, 0, 0, 0, l ? 0 : (bent * length ** 2) / 2, 0]), [2 * links, 3]),
    turn: numbers.add(run.scene.links.flatMap((_, l) => [0, 0, 0, 0, 0, l ? 0 : bent * length]), [2 * links, 3]),
    coordinates: Object.fromEntries(run.scene.links.map((_, l) => [l, numbers.add(l ? [0, 0] : [bent, breath], [2])])),
  }));
  return run;
}
