// pixels.mjs - looks at screenshots. Decoding is left to the browser, on a page of its own.

const OVER = ['#views', '#gizmo', '#caption', '#scale']; // lies over the scene: painted black

// {width, height, data} of the element's picture.
export async function look(page, selector = '#view canvas') {
  await settle(page);
  const mask = OVER.map((o) => page.locator(o));
  const png = await page.locator(selector).screenshot({ animations: 'disabled', mask, maskColor: '#000' });
  const text = await page.helper.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const c = canvas.getContext('2d');
    c.drawImage(image, 0, 0);
    const { data } = c.getImageData(0, 0, image.width, image.height);
    let out = '';
    for (let i = 0; i < data.length; i += 8192) out += String.fromCharCode(...data.subarray(i, i + 8192));
    return JSON.stringify({ width: image.width, height: image.height, data: btoa(out) });
  }, png.toString('base64'));
  const { width, height, data } = JSON.parse(text);
  return { width, height, data: Buffer.from(data, 'base64') };
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
