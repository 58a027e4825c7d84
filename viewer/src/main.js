// main.js - reads the report and puts the page together.
import { readReport } from './data.js';
import { factorFor, largestSize } from './colour.js';
import { byId, el } from './dom.js';
import { connectControls, nextFactor } from './controls.js';
import { connectOverlay } from './overlay.js';
import { fillBanner, fillDetails } from './panel.js';
import { fillHelp, listenToKeys } from './keys.js';
import { fillModes } from './modes.js';
import { makeState } from './state.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { NoWebGL, Stage } from './scene.js';

async function start() {
  const report = await readReport(document);
  if (!report) return say('This page holds no report.');
  document.title = `${report.title} – limber`;
  byId('title').textContent = report.title;
  byId('title').title = report.title;
  const state = makeState(report);
  const player = new Player(state, framesOf(report, state));
  const made = { report, state, player, stage: makeStage(report, state) };
  if (report.runs.every((r) => r.kind !== 'simulate')) {
    state.ghost = true; // the shape against the unloaded arm
  }
  chooseDrawing(made);
  connectActions(made);
  connectControls(made);
  if (made.stage) connectScene(made);
  fillBanner(byId('banner'), report.runs);
  fillHelp(byId('help-keys'));
  listenToKeys(made);
  made.stage?.render();
  await new Promise((drawn) => requestAnimationFrame(drawn));
  performance.mark('limber-first-picture');
  fillModes(byId('modes'), report.runs, state);
  fillDetails(byId('details'), report);
  const plots = new Plots(byId('plots'), report.runs, state, player, report.title);
  makeTabs(report, plots);
  greet(made);
  return made;
}

// Times of the run with most frames; a swing of a mode has 60.
function framesOf(report, state) {
  const times = report.runs.filter((r) => r.kind === 'simulate').map((r) => r.time);
  if (times.length) return times.reduce((a, b) => (b.length > a.length ? b : a));
  return Float64Array.from({ length: 61 }, (_, i) => state.start + ((state.end - state.start) * i) / 60);
}

// What the page opens with: the deformation large enough to be seen, and where it strains. Runs that are compared
// keep their own colours.
function chooseDrawing({ report, state, stage }) {
  const modesOnly = report.runs.every((r) => r.kind === 'modes');
  const touches = stage?.arms.some((arm) => arm.contacts.some((c) => c.touches)); // magnified, it would not
  if (stage && !touches) state.magnification = factorFor(report.runs, stage.world.size);
  const strained = report.runs.some((r) => r.stress && largestSize(r.stress) > 0);
  if (report.runs.length > 1 && !modesOnly) return;
  if (strained) state.colour = 'stress';
  else if (report.runs.some((r) => r.modes.length) || state.magnification > 1) state.colour = 'displacement';
}

function makeStage(report, state) {
  try {
    return new Stage(byId('view'), report.runs, state);
  } catch (error) {
    if (!(error instanceof NoWebGL)) {
      console.error(error);
      byId('no-webgl').textContent = `The scene cannot be drawn: ${error.message}.`;
    }
    byId('stage').classList.add('flat');
    byId('no-webgl').hidden = false;
    return null;
  }
}

function connectScene({ stage, state, report }) {
  stage.setTheme();
  connectOverlay({ stage, state, report });
  stage.setView(stage.world.normal ? 'front' : 'iso'); // with room for the legend
  state.on(() => stage.invalidate());
}

function connectActions(made) {
  const { state } = made;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const themed = () => {
    made.stage?.setTheme();
    state.set({ theme: document.documentElement.dataset.theme ?? 'system' });
  };
  made.toggleTheme = () => {
    const { dataset } = document.documentElement;
    dataset.theme = (dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
    themed();
  };
  dark.addEventListener('change', themed);
  made.magnify = (direction) => state.set({ magnification: nextFactor(state.magnification, direction) });
  made.nextColour = () => {
    const all = [...byId('colour').options].map((o) => o.value);
    state.set({ colour: all[(all.indexOf(state.colour) + 1) % all.length] });
  };
  made.help = () => byId('help').showModal();
  byId('theme').addEventListener('click', made.toggleTheme);
  byId('help-open').addEventListener('click', made.help);
}

function makeTabs(report, plots) {
  const side = byId('side');
  const tabs = [
    ['modes', 'Modes', report.runs.some((r) => r.modes.length)],
    ['plots', 'Plots', plots.count > 0],
    ['details', 'Details', true],
  ].filter(([, , there]) => there);
  const warnings = report.runs.reduce((n, r) => n + (r.warnings?.length ?? 0), 0);
  const choose = (name) => {
    side.dataset.tab = name;
    for (const b of byId('tabs').children) b.setAttribute('aria-pressed', String(b.dataset.tab === name));
  };
  byId('tabs').append(
    ...tabs.map(([name, title]) =>
      el(
        'button',
        { 'data-tab': name, onclick: () => choose(name) },
        title,
        name === 'details' && warnings
          ? el('span', { class: 'badge', title: 'warnings' }, String(warnings))
          : null,
      ),
    ),
  );
  for (const name of ['modes', 'plots']) byId(name).classList.toggle('none', !tabs.some(([n]) => n === name));
  const first = report.runs.some((r) => r.kind === 'simulate') && plots.count ? 'plots' : tabs[0][0];
  choose(first);
}

// Modes swing by themselves, unless the reader prefers stillness; a static shape is shown under load at once.
function greet({ report, state, player }) {
  const modesOnly = report.runs.every((r) => r.kind !== 'simulate') && !player.still;
  if (!modesOnly) return;
  player.seek(0.25);
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
}

function say(text) {
  const banner = byId('banner');
  banner.hidden = false;
  banner.append(el('p', { class: 'bad' }, text));
}

let app = null;
const ready = start().then(
  (started) => {
    app = started ?? null;
  },
  (error) => {
    console.error(error);
    say(`The report cannot be read: ${error.message}.`);
  },
);

// For tests: what is shown, as plain data.
window.limber = Object.freeze({ ready, state: () => app && lookAt(app) });

function lookAt({ state, player, stage, report }) {
  const { time, playing, speed, magnification, colour, ghost, path, frames, zoom } = state;
  return {
    time,
    playing,
    speed,
    magnification,
    colour,
    ghost,
    path,
    frames,
    zoom,
    frame: player.frame,
    drawn: stage?.drawn ?? 0,
    webgl: Boolean(stage),
    runs: report.runs.map((r, i) => ({
      label: r.label,
      kind: r.kind,
      visible: state.visible[i],
      mode: state.mode[i],
    })),
  };
}
