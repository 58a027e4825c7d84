// keys.js - the keyboard, and the dialog that lists it.
import { el } from './dom.js';

const TURN = 0.12; // [rad] a press

// rows: [keys, what the help says, action(app, event)]
const KEYS = [
  [[' '], 'Space', 'play or pause', ({ player }) => player.toggle()],
  [['ArrowRight'], '→', 'next frame', ({ player }) => player.step(1)],
  [['ArrowLeft'], '←', 'previous frame', ({ player }) => player.step(-1)],
  [['Home'], 'Home', 'first frame', ({ player, state }) => player.seek(state.start)],
  [['End'], 'End', 'last frame', ({ player, state }) => player.seek(state.end)],
  [['+', '='], '+', 'deformation larger', ({ magnify }) => magnify(1)],
  [['-', '_'], '−', 'deformation smaller', ({ magnify }) => magnify(-1)],
  [
    ['1', '2', '3', '4', '5'],
    '1 … 5',
    'view: iso, front, top, side, fit',
    ({ stage }, e) => stage?.setView(['iso', 'front', 'top', 'side', 'fit'][e.key - 1]),
  ],
  [
    ['Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowDown'],
    'Shift + arrows',
    'turn the view',
    ({ stage }, e) =>
      stage?.orbit(
        { ArrowLeft: -TURN, ArrowRight: TURN }[e.key] ?? 0,
        { ArrowUp: TURN, ArrowDown: -TURN }[e.key] ?? 0,
      ),
  ],
  [['i'], 'i', 'zoom in', ({ stage }) => stage?.zoom(1 / 1.15)],
  [['o'], 'o', 'zoom out', ({ stage }) => stage?.zoom(1.15)],
  [['g'], 'g', 'ghost of the rigid arm', ({ state }) => state.set({ ghost: !state.ghost })],
  [['p'], 'p', 'tool path', ({ state }) => state.set({ path: !state.path })],
  [['f'], 'f', 'frames', ({ state }) => state.set({ frames: !state.frames })],
  [['c'], 'c', 'next colouring', ({ nextColour }) => nextColour()],
  [['t'], 't', 'light or dark', ({ toggleTheme }) => toggleTheme()],
  [['?'], '?', 'this list', ({ help }) => help()],
];

const OWN = {
  // keys that a focused element keeps for itself
  INPUT: /^(Arrow|Home|End|Page)/,
  SELECT: /./,
  TEXTAREA: /./,
  BUTTON: /^( |Enter)$/,
  SUMMARY: /^( |Enter)$/,
};

// Space plays although a button has the focus: one that the pointer pressed, or a tab that is shown already.
const playsOn = (button, pointed) => pointed || button.matches('#tabs [aria-pressed="true"]');

export function listenToKeys(app) {
  let pointed = false; // the focus came with the pointer
  let played = false; // by the last Space
  document.addEventListener('pointerdown', () => (pointed = true), true);
  document.addEventListener('keyup', (e) => e.key === ' ' && played && e.preventDefault()); // no click of the button
  document.addEventListener('keydown', (event) => {
    played = false;
    if (event.key === 'Tab') pointed = false;
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const own = !name.startsWith('Shift+') && OWN[event.target.tagName]?.test(event.key);
    played = event.key === ' ' && event.target.tagName !== 'SELECT' && (!own || playsOn(event.target, pointed));
    if (own && !played) return;
    const row = KEYS.find(([keys]) => keys.includes(name));
    if (!row) return;
    event.preventDefault();
    row[3](app, event);
  });
}

export function fillHelp(host) {
  host.append(...KEYS.flatMap(([, keys, what]) => [el('dt', {}, el('kbd', {}, keys)), el('dd', {}, what)]));
}
