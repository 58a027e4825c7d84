// coil.js - the coil of a spring: a thin tube wound about y, with straight ends on the axis.

const SIDES = 5; // of the wire
const STEPS = 9; // per turn
const STRAIGHT = 0.12; // part of the length at either end; the radius comes up within half a turn

// {position, normal, index} of a coil about y from -length / 2 to length / 2.
export function coil(length, radius, wire) {
  const turns = Math.min(14, Math.max(4, Math.round((0.5 * length) / radius)));
  const rings = turns * STEPS + 3;
  const position = new Float32Array(rings * SIDES * 3);
  const normal = new Float32Array(rings * SIDES * 3);
  const index = new Uint16Array((rings - 1) * SIDES * 6);
  const place = Array.from({ length: rings }, (_, i) => centreOf(i, rings, turns, length, radius));
  for (let i = 0; i < rings; i++) {
    const { angle, x, y, z } = place[i];
    const before = place[Math.max(0, i - 1)];
    const after = place[Math.min(rings - 1, i + 1)];
    const along = unit([after.x - before.x, after.y - before.y, after.z - before.z]);
    const out = [Math.cos(angle), 0, Math.sin(angle)];
    const d = out[0] * along[0] + out[2] * along[2];
    const e = unit(out.map((o, c) => o - d * along[c]));
    const f = cross(along, e);
    for (let s = 0; s < SIDES; s++) {
      const [cos, sin] = [Math.cos((2 * Math.PI * s) / SIDES), Math.sin((2 * Math.PI * s) / SIDES)];
      [x, y, z].forEach((centre, c) => {
        const n = cos * e[c] + sin * f[c];
        normal[(i * SIDES + s) * 3 + c] = n;
        position[(i * SIDES + s) * 3 + c] = centre + wire * n;
      });
    }
  }
  for (let i = 0, at = 0; i < rings - 1; i++)
    for (let s = 0; s < SIDES; s++) {
      const [p, q] = [i * SIDES + s, i * SIDES + ((s + 1) % SIDES)];
      for (const v of [p, q, p + SIDES, q, q + SIDES, p + SIDES]) index[at++] = v;
    }
  return { position, normal, index };
}

// Middle of the wire: the first and the last ring are the spring's ends.
function centreOf(i, rings, turns, length, radius) {
  const last = rings - 1;
  if (i === 0 || i === last)
    return { angle: i ? 2 * Math.PI * turns : 0, x: 0, y: (i ? 0.5 : -0.5) * length, z: 0 };
  const part = (i - 1) / (last - 2);
  const angle = 2 * Math.PI * turns * part;
  const r = radius * Math.min(1, 2 * turns * Math.min(part, 1 - part));
  const y = (part - 0.5) * (1 - 2 * STRAIGHT) * length;
  return { angle, x: r * Math.cos(angle), y, z: r * Math.sin(angle) };
}

function unit(v) {
  const l = Math.hypot(...v) || 1;
  return v.map((c) => c / l);
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
