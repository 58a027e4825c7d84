// overlay.js - what lies over the scene: colour legend, axes of the world, names of frames.
import { Vector3 } from 'three';
import { gradientOf, QUANTITIES } from './colour.js';
import { byId, el, svg } from './dom.js';
import { brief, scaleFor } from './units.js';

export function connectOverlay({ state, stage, report }) {
  const showScale = () => {
    stage.setColour(state.colour);
    writeScale(
      state.colour,
      stage.scale,
      report.runs.every((r) => r.kind === 'modes'),
      report.runs.some((r) => r.surfaces.length),
    );
  };
  state.on((change) => {
    if ('colour' in change || 'visible' in change) showScale();
  });
  showScale();
  const moveGizmo = makeGizmo(byId('gizmo'), stage.camera);
  const moveLabels = makeLabels(byId('labels'), stage, state);
  stage.onDraw(() => {
    moveGizmo();
    moveLabels();
  });
}

function writeScale(quantity, range, relative, meshed) {
  byId('scale').hidden = quantity === 'none' || !range;
  if (byId('scale').hidden) return;
  const { unit, ...words } = QUANTITIES[quantity];
  const long = (meshed && words.meshed) || words.long;
  const s = relative ? { factor: 1 / range.high, unit: '' } : scaleFor(unit, range.high, unit === 'strain');
  byId('scale-title').textContent = relative ? `${long}, relative` : `${long} [${s.unit}]`;
  byId('scale-bar').style.background = gradientOf(quantity);
  const [low, middle, high] = byId('scale-ends').children;
  low.textContent = brief(range.low * s.factor, 3);
  middle.textContent = brief(((range.low + range.high) / 2) * s.factor, 3);
  high.textContent = brief(range.high * s.factor, 3);
}

// The axes of the world as the camera sees them.
function makeGizmo(host, camera) {
  const axes = ['x', 'y', 'z'].map((name, i) => {
    const line = svg('line', { class: `axis-${name}`, x1: 0, y1: 0 });
    const text = svg('text', { class: `axis-${name}` }, name);
    host.append(line, text);
    return { line, text, direction: new Vector3().setComponent(i, 1) };
  });
  const v = new Vector3();
  return () => {
    for (const { line, text, direction } of axes) {
      v.copy(direction).transformDirection(camera.matrixWorldInverse);
      line.setAttribute('x2', (v.x * 30).toFixed(1));
      line.setAttribute('y2', (-v.y * 30).toFixed(1));
      text.setAttribute('x', (v.x * 41).toFixed(1));
      text.setAttribute('y', (-v.y * 41).toFixed(1));
    }
  };
}

function makeLabels(host, stage, state) {
  const labels = stage.arms.flatMap((arm, r) =>
    (arm.run.scene.frames ?? []).map((frame, i) => {
      const node = el('span', {}, frame.name);
      host.append(node);
      return { node, mesh: arm.triads.children[i], r };
    }),
  );
  const v = new Vector3();
  return () => {
    host.hidden = !state.frames;
    if (!state.frames) return;
    for (const { node, mesh, r } of labels) {
      node.hidden = !state.visible[r];
      v.copy(mesh.position).project(stage.camera);
      const x = ((v.x + 1) / 2) * host.clientWidth;
      const y = ((1 - v.y) / 2) * host.clientHeight;
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  };
}
