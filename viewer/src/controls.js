// controls.js - buttons and sliders around the scene, kept in step with the state.
import { BUFFER, HIT, PALETTE, PLANE, QUANTITIES } from './colour.js';
import { byId, el } from './dom.js';
import { modeCaption } from './modes.js';
import { brief, decimals, withUnit } from './units.js';
import { fileName, save } from './save.js';

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const PER_DECADE = 100; // steps of the magnification slider

export function connectControls(app) {
  connectTransport(app);
  connectDrawing(app);
  connectRuns(app);
}

function connectTransport({ state, player, report }) {
  const on = (id, fn) => byId(id).addEventListener('click', fn);
  on('first', () => player.seek(state.start));
  on('back', () => player.step(-1));
  on('play', () => player.toggle());
  on('next', () => player.step(1));
  on('loop', () => state.set({ loop: !state.loop }));
  const scrub = byId('scrub');
  scrub.min = state.start;
  scrub.max = state.end;
  scrub.addEventListener('input', () => {
    player.pause();
    player.seek(+scrub.value);
  });
  scrub.addEventListener('keydown', (e) => {
    // frames, as everywhere else
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key];
    if (!by || e.shiftKey) return;
    e.preventDefault();
    player.step(by);
  });
  const speed = byId('speed');
  speed.append(...SPEEDS.map((s) => el('option', { value: s, selected: s === 1 }, `${s}×`)));
  speed.addEventListener('change', () => state.set({ speed: +speed.value }));
  const modesOnly = report.runs.every((r) => r.kind !== 'simulate');
  byId('transport').classList.toggle('off', player.still);
  if (player.still)
    for (const c of byId('transport').querySelectorAll('button, input, select')) c.disabled = true;
  const digits = decimals((state.end - state.start) / Math.max(1, player.frames.length) || 1);
  const time = byId('time');
  const write = () => {
    scrub.value = state.time;
    const text = player.still
      ? 'static'
      : modesOnly
        ? `${Math.round(360 * state.time)}°`
        : `${state.time.toFixed(digits)} s`;
    time.textContent = text;
    scrub.setAttribute('aria-valuetext', text);
  };
  state.on((change) => {
    if ('time' in change) write();
    if ('playing' in change) {
      byId('play').classList.toggle('playing', state.playing);
      byId('play').setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
    }
    if ('loop' in change) byId('loop').setAttribute('aria-pressed', String(state.loop));
  });
  write();
}

function connectDrawing({ state, stage, report }) {
  const slider = byId('magnify');
  slider.addEventListener('input', () =>
    state.set({ magnification: roundFactor(10 ** (slider.value / PER_DECADE)) }),
  );
  const colour = byId('colour');
  const known = (q) => q === 'none' || q === 'displacement' || report.runs.some((r) => r[q]);
  colour.append(
    ...Object.entries(QUANTITIES)
      .filter(([q]) => known(q))
      .map(([q, { title }]) => el('option', { value: q }, title)),
  );
  colour.addEventListener('change', () => state.set({ colour: colour.value }));
  for (const name of ['ghost', 'path', 'frames'])
    byId(name).addEventListener('click', () => state.set({ [name]: !state[name] }));
  byId('picture').addEventListener('click', async () =>
    save(await stage.picture(), `${fileName(report.title, 'scene')}.png`),
  );
  for (const b of byId('views').children) b.addEventListener('click', () => stage.setView(b.dataset.view));
  if (!report.runs.some((r) => r.scene.frames?.length)) byId('frames').hidden = true;
  if (!stage?.arms.some((a) => a.path.children.length)) byId('path').hidden = true;
  const hear = (change) => {
    if ('magnification' in change) {
      slider.value = PER_DECADE * Math.log10(state.magnification);
      byId('magnification').textContent = `${brief(state.magnification, 3)}×`;
      slider.setAttribute('aria-valuetext', `${brief(state.magnification, 3)} times`);
    }
    if ('colour' in change) colour.value = state.colour;
    for (const name of ['ghost', 'path', 'frames'])
      if (name in change) byId(name).setAttribute('aria-pressed', String(state[name]));
    if ('mode' in change || 'visible' in change || 'magnification' in change) writeCaption(report, state, stage);
  };
  state.on(hear);
  hear(state);
}

function writeCaption(report, state, stage) {
  const k = state.magnification;
  const parts = [
    modeCaption(report.runs, state),
    k > 1 ? `deformation × ${brief(k, 3)}` : '',
    stage ? `grid ${brief(stage.cell)} m` : '',
  ];
  const notes = notesOf(report, state, stage?.world.force ?? 0);
  byId('caption').replaceChildren(...notes.map(writeNote), parts.filter(Boolean).join(' · '));
}

// A line of a note: words, each after a dot in its colour.
function writeNote(words) {
  const dot = (colour) => {
    const mark = el('span', { class: 'dot' });
    mark.style.background = colour;
    return mark;
  };
  return el('span', { class: 'note' }, ...words.flatMap(([colour, text]) => [dot(colour), el('span', {}, text)]));
}

// What is what, where it does not speak for itself: lines of [colour, words].
export function notesOf({ runs }, { visible }, force) {
  const shown = runs.filter((_, i) => visible[i]).map((r) => r.scene);
  const some = (test) => shown.some(test);
  const notes = [];
  if (some(({ joints }) => joints.some((j) => j.stop))) notes.push([[BUFFER, 'end stop'], [HIT, 'hit']]);
  if (some(({ contacts = [] }) => contacts.length)) {
    const arrow = force > 0 ? `, force up to ${withUnit(force, 'N', 3)}` : '';
    notes.push([[PLANE, 'contact plane'], [HIT, `contact${arrow}`]]);
  }
  return notes;
}

function connectRuns({ state, report }) {
  const host = byId('runs');
  if (report.runs.length < 2) return;
  host.hidden = false;
  report.runs.forEach((run, i) => {
    const dot = el('span', { class: 'dot' });
    dot.style.background = PALETTE[i % PALETTE.length];
    const button = el(
      'button',
      {
        class: 'run',
        'aria-pressed': 'true',
        title: `${run.kind}: ${run.label}`,
        onclick: () => state.set({ visible: state.visible.map((v, j) => (i === j ? !v : v)) }),
      },
      dot,
      el('span', { class: 'label' }, run.label),
    );
    const end = run.kind === 'simulate' ? run.time[run.time.length - 1] : Infinity;
    state.on((change) => {
      if ('time' in change) button.classList.toggle('ended', state.time > end + 1e-9);
      if ('visible' in change) button.setAttribute('aria-pressed', String(state.visible[i]));
    });
    host.append(button);
  });
}

// The slider's value without odd digits: 1, 1.02, ... 10, 10.2 -> at most three.
const roundFactor = (k) => +k.toPrecision(3);

// Steps 1, 2, 5, 10, ... for the keyboard.
export function nextFactor(k, direction) {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  return direction > 0
    ? (steps.find((s) => s > k * 1.001) ?? 1000)
    : (steps.findLast((s) => s < k * 0.999) ?? 1);
}
