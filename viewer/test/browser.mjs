// browser.mjs - opens reports in headless Chromium ($CHROMIUM or Debian's), and notes what must not happen.
import { chromium } from 'playwright-core';
import { pathToFileURL } from 'node:url';

const QUIET = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Pages are put together without the graphics card, which software would only imitate: slower, and only the scene needs it.
export function launch({ webgl = true } = {}) {
  const gl = webgl ? ['--enable-unsafe-swiftshader'] : ['--disable-3d-apis'];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...QUIET, '--disable-gpu', ...gl],
  });
}

// A page showing the file, with page.errors (console and script) and page.requests (all but the file itself).
// viewport, colorScheme, reducedMotion: of the screen; script: run before those of the page; others: of the context.
// Pages without the last two are one page, which takes a second less to show another file than a new one does.
export async function open(browser, file, { viewport, colorScheme, reducedMotion, ...rest } = {}) {
  const own = Object.keys(rest).length > 0;
  browser.common ??= own ? null : newPage(browser, {});
  const page = await (own ? newPage(browser, rest) : browser.common);
  page.own = own;
  await page.mouse.move(0, 0);
  await page.setViewportSize(viewport ?? { width: 1100, height: 700 });
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: reducedMotion ?? 'reduce' });
  page.file = pathToFileURL(file).href;
  page.errors = [];
  page.requests = [];
  await page.goto(page.file);
  await page.evaluate(() => window.limber?.ready);
  return page;
}

// What it showed comes to an end, so that nothing of it works on.
export async function close(page) {
  if (page.own) await page.context().close();
  else await page.goto('about:blank');
}

async function newPage(browser, { script, ...options }) {
  const context = await browser.newContext(options);
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  page.on('console', (m) => m.type() === 'error' && page.errors.push(m.text()));
  page.on('pageerror', (e) => page.errors.push(String(e)));
  page.on('dialog', (d) => {
    page.errors.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === page.file || url.startsWith('blob:') || url.startsWith('data:')) return route.continue();
    page.requests.push(url);
    return route.abort();
  });
  return page;
}
