// picture.mjs - pictures of the 3-D scenes of reports, for the gallery: node docs/picture.mjs < list. A line of the list:
// report.html, picture.png, time (s; of modes: part of a swing), view; separated by blanks. Prints the magnification of each.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { close, launch, open } from '../viewer/test/browser.mjs';

const SIZE = { width: 480, height: 320 };
const SAME = 0.002;        // part of the pixels that may differ: renderers are not exact to the bit

// A screenshot that no longer changes.
async function stillness(page) {
  for (let before = null, tries = 0; ; tries++) {
    await page.waitForTimeout(400);
    const now = await page.screenshot();
    if (tries === 20 || (before && now.equals(before))) return now;
    before = now;
  }
}

// Part of the pixels in which two PNG files differ visibly.
async function different(browser, a, b) {
  const page = await browser.newPage();
  const part = await page.evaluate(async (both) => {
    const [p, q] = await Promise.all(both.map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen.drawImage(image, 0, 0);
      return pen.getImageData(0, 0, image.width, image.height).data;
    }));
    if (p.length !== q.length) return 1;
    let count = 0;
    for (let i = 0; i < p.length; i += 4)
      if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 24) count++;
    return count / (p.length / 4);
  }, [a.toString('base64'), b.toString('base64')]);
  await page.close();
  return part;
}

// Draws the scene as the report opens, at this time, and says how much it is magnified.
async function picture(browser, report, file, time, view) {
  const page = await open(browser, report, { viewport: SIZE, colorScheme: 'light' });
  await page.evaluate(() => {                              // the scene alone, over the whole page
    for (const id of ['views', 'caption', 'labels', 'gizmo', 'scale']) document.getElementById(id).style.display = 'none';
    Object.assign(document.getElementById('view').style, { position: 'fixed', inset: '0', width: '100%', height: '100%', zIndex: 9 });
  });
  while (!await page.evaluate(() => {                      // it hears of its new size
    const { clientWidth, clientHeight } = document.querySelector('#view canvas');
    return clientWidth === innerWidth && clientHeight === innerHeight;
  })) await page.waitForTimeout(50);
  await page.evaluate(({ time, view }) => {
    const byId = (id) => document.getElementById(id);
    const set = (id, value) => {
      byId(id).value = value;
      byId(id).dispatchEvent(new Event('input', { bubbles: true }));
    };
    if (!byId('scrub').disabled) set('scrub', time);
    if (byId('ghost').getAttribute('aria-pressed') === 'false') byId('ghost').click();
    document.querySelector(`#views [data-view=${view}]`).click();
  }, { time, view });
  const png = await stillness(page);
  if (!existsSync(file) || (await different(browser, png, readFileSync(file))) > SAME) writeFileSync(file, png);
  for (const error of page.errors) console.error(`${report}: ${error}`);
  console.log(await page.evaluate(() => window.limber.state().magnification));
  await close(page);
}

const browser = await launch();
for await (const line of createInterface({ input: process.stdin })) {
  const [report, file, time, view] = line.split(/\s+/);
  await picture(browser, report, file, +time, view);
}
await browser.close();
