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

export function launch({ webgl = true } = {}) {
  const gl = webgl
    ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
    : ['--disable-gpu', '--disable-3d-apis'];
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...QUIET, ...gl],
  });
}

// A page showing the file, with page.errors (console and script) and page.requests (all but the file itself).
// options: of the context; script: run before those of the page.
export async function open(browser, file, { script, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1100, height: 700 },
    reducedMotion: 'reduce',
    ...options,
  });
  if (script) await context.addInitScript(script);
  const page = await context.newPage();
  browser.helper ??= browser.newPage(); // blank, to decode pictures on; one for all
  page.helper = await browser.helper;
  page.errors = [];
  page.requests = [];
  const own = pathToFileURL(file).href;
  page.on('console', (m) => m.type() === 'error' && page.errors.push(m.text()));
  page.on('pageerror', (e) => page.errors.push(String(e)));
  page.on('dialog', (d) => {
    page.errors.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === own || url.startsWith('blob:') || url.startsWith('data:')) return route.continue();
    page.requests.push(url);
    return route.abort();
  });
  await page.goto(own);
  await page.evaluate(() => window.limber?.ready);
  return page;
}
