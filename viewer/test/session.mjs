// session.mjs - made-up reports in a folder of their own, opened in one browser, for all tests of a file.
import { after, before } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, launch, open } from './browser.mjs';
import { writeReports } from './fixture.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
export const page0 = process.env.PAGE ?? join(here, '../out/report.html'); // without data

// {folder, files: {name: path}, browser, with_}. names: of the reports, default all; webgl: whether the browser has it.
export function session({ names, webgl = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'limber-viewer-'));
  const made = { folder, files: writeReports(page0, folder, names), browser: null, with_ };
  before(async () => {
    made.browser = await launch({ webgl });
  });
  after(async () => {
    await made.browser?.close();
    rmSync(folder, { recursive: true });
  });

  // Opens a report for a check, after which nothing must have gone wrong.
  async function with_(name, options, check) {
    const page = await open(made.browser, made.files[name] ?? name, options);
    try {
      await check(page);
      assert.deepEqual(page.errors, [], 'no error on the console');
      assert.deepEqual(page.requests, [], 'no request leaves the page');
    } finally {
      await close(page);
    }
  }
  return made;
}

export const stateOf = (page) => page.evaluate(() => window.limber.state());
