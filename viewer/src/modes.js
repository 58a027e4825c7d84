// modes.js - the list of mode shapes; the chosen one swings once a second, whatever its frequency.
import { el } from './dom.js';
import { brief } from './units.js';

export function fillModes(host, runs, state) {
  runs.forEach((run, r) => {
    if (!run.modes.length) return;
    const rows = run.modes.map((mode, i) => row(mode, i, r, state));
    host.append(
      el(
        'fieldset',
        { class: 'modes' },
        el('legend', {}, runs.length > 1 ? run.label : 'Mode shapes'),
        el(
          'p',
          { class: 'hint' },
          'Shown at one swing per second; the largest displacement is 8 % of the arm.',
        ),
        el(
          'div',
          { class: 'mode head', 'aria-hidden': 'true' },
          el('span', {}, '#'),
          el('span', {}, 'frequency'),
          el('span', {}, 'damping'),
          el('span', {}, 'kind'),
        ),
        ...rows,
      ),
    );
  });
}

function row(mode, i, r, state) {
  const choose = () => {
    const chosen = state.mode.slice();
    chosen[r] = i;
    state.set({ mode: chosen });
  };
  return el(
    'label',
    { class: 'mode' },
    el(
      'span',
      {},
      el('input', { type: 'radio', name: `mode-${r}`, checked: i === 0, onchange: choose }),
      ` ${i + 1}`,
    ),
    el('span', { class: 'number' }, `${brief(mode.frequency)} Hz`),
    el(
      'span',
      { class: 'number' },
      mode.damping === null || mode.damping === undefined ? '–' : `${brief(100 * mode.damping, 3)} %`,
    ),
    el('span', {}, mode.kind ?? ''),
  );
}

// 'mode 2: 6.1 Hz, damping 1 %' of the first run shown that has modes.
export function modeCaption(runs, state) {
  const r = runs.findIndex((run, i) => run.modes.length && run.kind === 'modes' && state.visible[i]);
  if (r < 0) return '';
  const mode = runs[r].modes[state.mode[r]];
  const damping =
    mode.damping === null || mode.damping === undefined ? '' : `, damping ${brief(100 * mode.damping, 3)} %`;
  return `mode ${state.mode[r] + 1}: ${brief(mode.frequency)} Hz${damping}`;
}
