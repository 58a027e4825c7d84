// dom.js - makes elements. Text goes in as text, never as markup: names come from model files.

// el('button', {class: 'x', onclick: fn, 'aria-label': '...'}, 'text', child)
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const byId = (id) => document.getElementById(id);

// A short line in a colour and dash, as in the plots.
export function swatch(colour, dash = []) {
  const line = svg('line', {
    x1: 1,
    y1: 5,
    x2: 21,
    y2: 5,
    stroke: colour,
    'stroke-width': 2.5,
    'stroke-dasharray': dash.map((d) => d * 0.6).join(' '),
  });
  return svg('svg', { viewBox: '0 0 22 10', class: 'swatch', 'aria-hidden': 'true' }, line);
}
