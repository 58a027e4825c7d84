// build.mjs OUT - bundle src/ into one HTML file: script and style inline, allowed by their hashes and nothing else.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) throw new Error('usage: node build.mjs OUT');

const LIMIT = 1.5e6; // bytes of a page without data
const BLOCKS = [
  '<script type="application/json" id="report"></script>',
  '<script type="application/octet-stream" id="blob"></script>',
];

async function bundle(entry, options) {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none', // whole licences go into the banner
    logLevel: 'warning',
    ...options,
  });
  return outputFiles[0].text.trim();
}

async function licences(names) {
  const texts = await Promise.all(names.map((n) => readFile(join(here, 'node_modules', n, 'LICENSE'), 'utf8')));
  return names.map((n, i) => `/*! ${n}\n${texts[i].trim()}\n*/`).join('\n');
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('src/main.js', {
  format: 'iife',
  target: 'es2021',
  banner: { js: await licences(['three', 'uplot']) },
});
const style = await bundle('src/style.css', {});
if (/<\/?script|<!--/i.test(script)) throw new Error('the script would end its own block');
if (/<\/style/i.test(style)) throw new Error('the style would end its own block');

const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:`;
const parts = { POLICY: policy, STYLE: style, SCRIPT: script };
const template = await readFile(join(here, 'src/index.html'), 'utf8');
const page = template.replace(/\{\{(POLICY|STYLE|SCRIPT)\}\}/g, (_, name) => parts[name]);

for (const block of BLOCKS)
  if (page.split(block).length !== 2) throw new Error(`the page must hold once: ${block}`);
if (Buffer.byteLength(page) > LIMIT)
  throw new Error(`the page has ${Buffer.byteLength(page)} bytes, more than ${LIMIT}`);

await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
