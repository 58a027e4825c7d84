// pixels.mjs - looks at screenshots.
import { inflateSync } from 'node:zlib';

const OVER = ['#views', '#gizmo', '#caption', '#scale']; // lies over the scene: painted black

// {width, height, data} of the element's picture.
export async function look(page, selector = '#view canvas') {
  await settle(page);
  const mask = OVER.map((o) => page.locator(o));
  const png = await page.locator(selector).screenshot({ animations: 'disabled', mask, maskColor: '#000' });
  return decode(png);
}

// {width, height, data: bytes r g b a} of a PNG with 8 bits a channel and no palette, as browsers write them.
export function decode(png) {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const [width, height, depth, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  const each = { 2: 3, 6: 4 }[type]; // bytes of a pixel
  if (depth !== 8 || !each || png[28]) throw new Error('a PNG of another kind');
  const from = inflateSync(Buffer.concat(parts));
  const data = Buffer.alloc(4 * width * height, 255);
  const row = width * each;
  let above = Buffer.alloc(row);
  for (let y = 0; y < height; y++) {
    const filter = from[y * (row + 1)];
    const line = from.subarray(y * (row + 1) + 1, (y + 1) * (row + 1));
    unfilter(filter, line, above, each);
    for (let x = 0, to = 4 * y * width; x < row; x += each, to += 4) {
      data[to] = line[x];
      data[to + 1] = line[x + 1];
      data[to + 2] = line[x + 2];
      if (each === 4) data[to + 3] = line[x + 3];
    }
    above = line;
  }
  return { width, height, data };
}

// Adds what a line was written without: the bytes left, above, their mean, or the one of them nearest to left + above - corner.
function unfilter(filter, line, above, each) {
  if (filter === 0) return;
  for (let i = 0; i < line.length; i++) {
    const left = i < each ? 0 : line[i - each];
    const up = above[i];
    if (filter === 1) line[i] += left;
    else if (filter === 2) line[i] += up;
    else if (filter === 3) line[i] += (left + up) >> 1;
    else {
      const corner = i < each ? 0 : above[i - each];
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      line[i] += a <= b && a <= c ? left : b <= c ? up : corner;
    }
  }
}

// Waits until the scene has drawn what was asked for.
export async function settle(page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))),
  );
}

// Places of pixels for which is(r, g, b).
export function find({ width, data }, is) {
  const places = [];
  for (let i = 0; i < data.length; i += 4)
    if (is(data[i], data[i + 1], data[i + 2])) places.push([(i / 4) % width, Math.floor(i / 4 / width)]);
  return places;
}

export function different(a, b, by = 24) {
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if (
      Math.abs(a.data[i] - b.data[i]) +
        Math.abs(a.data[i + 1] - b.data[i + 1]) +
        Math.abs(a.data[i + 2] - b.data[i + 2]) >
      by
    )
      count++;
  return count / (a.data.length / 4);
}

// Links of a single run are blue.
export const isLink = (r, g, b) => b - r > 45 && b > g;

// Springs are brass.
export const isSpring = (r, g, b) => r - b > 45 && r > g && g - b > 20;

export function centre(places) {
  const sum = places.reduce(([x, y], p) => [x + p[0], y + p[1]], [0, 0]);
  return sum.map((s) => s / places.length);
}

// How much a stroke of pixels is curved: the sag of a parabola through it, as a part of its length.
export function sag(places) {
  const [cx, cy] = centre(places);
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of places) {
    xx += (x - cx) ** 2;
    xy += (x - cx) * (y - cy);
    yy += (y - cy) ** 2;
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const along = places.map(([x, y]) => (x - cx) * Math.cos(angle) + (y - cy) * Math.sin(angle));
  const across = places.map(([x, y]) => (y - cy) * Math.cos(angle) - (x - cx) * Math.sin(angle));
  const half = along.reduce((m, a) => Math.max(m, Math.abs(a)), 0);
  const mean = (list) => list.reduce((s, v) => s + v, 0) / list.length;
  const inner = mean(across.filter((_, i) => Math.abs(along[i]) < 0.3 * half));
  const outer = mean(across.filter((_, i) => Math.abs(along[i]) > 0.75 * half));
  return Math.abs(inner - outer) / (2 * half);
}
