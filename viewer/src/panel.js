// panel.js - the words: banner, what was run, warnings, tables, the model file.
import { el } from './dom.js';
import { PALETTE } from './colour.js';
import { brief } from './units.js';

const ENDED = {
  failed: 'The run failed',
  interrupted: 'The run was interrupted',
  unfinished: 'The run did not finish: its program was stopped',
};

// One line for every run that did not end well.
export function fillBanner(host, runs) {
  for (const run of runs.filter((r) => r.status !== 'done')) {
    const reached = run.kind === 'simulate' ? timeReached(run) : null;
    const where = reached === null ? '' : ` at ${brief(reached, 5)} s`;
    const whose = runs.length > 1 ? `${run.label}: ` : '';
    host.append(
      el(
        'p',
        { class: run.status === 'failed' ? 'bad' : 'odd' },
        el('strong', {}, `${whose}${ENDED[run.status] ?? `The run ended as ${run.status}`}${where}.`),
        run.message ? ` ${run.message.replace(/(?<![.!?])$/, '.')}` : '',
        reached === null ? '' : ' Results up to that time are shown.',
      ),
    );
  }
  host.hidden = !host.childElementCount;
}

function timeReached(run) {
  const rows = run.channels.time;
  return Math.max(run.time[run.time.length - 1] ?? 0, rows[rows.length - 1] ?? 0);
}

export function fillDetails(host, report) {
  report.runs.forEach((run, i) => host.append(aboutRun(run, i, report.runs.length > 1)));
  host.append(
    el(
      'p',
      { class: 'hint' },
      `Made by limber ${report.limber}. Works without a network; drawn with three.js and uPlot.`,
    ),
  );
}

function aboutRun(run, i, several) {
  const mark = el('span', { class: 'dot' });
  mark.style.background = PALETTE[i % PALETTE.length];
  const root = el(
    'section',
    { class: 'about' },
    el('h2', {}, several ? mark : null, several ? run.label : run.name),
  );
  if (several && run.name !== run.label) root.append(el('p', { class: 'hint' }, run.name));
  if (run.warnings?.length) root.append(list('Warnings', run.warnings, 'warnings'));
  if (run.about?.length)
    root.append(el('dl', {}, ...run.about.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])));
  for (const t of run.tables ?? []) root.append(table(t));
  if (run.overrides?.length) root.append(list('Changed on the command line', run.overrides, 'overrides'));
  if (run.model)
    root.append(
      el('details', { class: 'model' }, el('summary', {}, 'Model file'), el('pre', { tabindex: 0 }, run.model)),
    );
  return root;
}

function list(title, items, kind) {
  return el('div', { class: kind }, el('h3', {}, title), el('ul', {}, ...items.map((w) => el('li', {}, w))));
}

// A column of texts, which may be broken, of lists, which may be broken between numbers, or of single words.
function kindOf(rows, i) {
  const has = (test) => rows.some((r) => test(r[i] ?? ''));
  if (has((c) => c.length > 8 && /\p{L}{2}/u.test(c))) return 'text';
  if (has((c) => c.includes(', '))) return 'list';
  return rows.length && !has((c) => /\d/.test(c)) ? 'word' : null;
}

// Tables that are wider than their place show the cells of a row one after the other, each below its heading.
const stacking = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.dataset.width === String(target.clientWidth)) continue;
    target.dataset.width = target.clientWidth;
    target.classList.remove('stacked');
    target.classList.toggle('stacked', target.scrollWidth > target.clientWidth + 1);
  }
});

function table({ title, head, rows }) {
  const kinds = head.map((_, i) => kindOf(rows, i));
  const cell = (c, i) =>
    i
      ? el('td', { class: kinds[i], 'data-head': head[i] }, c ?? '–')
      : el('th', { scope: 'row' }, c ?? '–');
  const wide = el(
    'div',
    { class: 'wide', tabindex: 0, role: 'region', 'aria-label': title },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...head.map((h, i) => el('th', { scope: 'col', class: i ? kinds[i] : null }, h)))),
      el('tbody', {}, ...rows.map((r) => el('tr', {}, ...r.map(cell)))),
    ),
  );
  stacking.observe(wide);
  return el('div', { class: 'table' }, el('h3', {}, title), wide);
}
