// rails.js - beams that carry something along: where their sections are, and the shoes that run on them.
import { CylinderGeometry, ExtrudeGeometry, Matrix4, Path, Shape, Vector2, Vector3 } from 'three';
import { hullOf } from './bodies.js';
import { circle, sectionAt } from './skin.js';
import { GAP } from './structure.js';

const SAMPLES = 4; // of an element, looked at for the nearest section
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const NARROWINGS = 30; // of that look, each to 0.62

// The beam of a link as it is drawn: bent and magnified, the cubic of its skin between nodes.
export class Rail {
  constructor({ scene, place }, l) {
    const { first, nodes } = scene.links[l];
    const base = new Vector3().fromArray(place, first * 3);
    this.first = first;
    this.along = Array.from({ length: nodes }, (_, n) => new Vector3().fromArray(place, (first + n) * 3).distanceTo(base));
    this.length = this.along[nodes - 1];
  }

  // Centre and axes (x along it) of the section at this distance from its base, undeformed; beyond its ends straight on.
  at(position, quaternion, pose, s) {
    const on = Math.min(this.length, Math.max(0, s));
    let e = 0;
    while (e < this.along.length - 2 && this.along[e + 1] < on) e++;
    const { centre, axes } = sectionAt(pose, this.first + e, (on - this.along[e]) / (this.along[e + 1] - this.along[e]));
    for (let c = 0; c < 3; c++) position.setComponent(c, centre[c] + (s - on) * axes[c]);
    quaternion?.setFromRotationMatrix(
      matrix.makeBasis(x.fromArray(axes, 0), y.fromArray(axes, 3), z.fromArray(axes, 6)),
    );
  }

  // The distance from its base of the section nearest to a point.
  nearest(pose, point) {
    const far = (s) => {
      this.at(here, null, pose, s);
      return here.distanceToSquared(point);
    };
    const step = this.length / (SAMPLES * (this.along.length - 1));
    let best = 0;
    for (let i = 1, least = far(0); i * step < this.length + step / 2; i++) {
      const d = far(i * step);
      if (d < least) [best, least] = [i * step, d];
    }
    let [low, high] = [Math.max(0, best - step), Math.min(this.length, best + step)];
    for (let i = 0; i < NARROWINGS; i++) {
      const reach = GOLDEN * (high - low);
      if (far(high - reach) < far(low + reach)) high = low + reach;
      else low = high - reach;
    }
    return (low + high) / 2;
  }
}

const here = new Vector3();
const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
const matrix = new Matrix4();

// --- shoes ---

// Half the length of a shoe on a beam.
export const halfShoe = (arm, l) => Math.max(1.6 * arm.radius[l], 0.018 * arm.world.size);

// A collar around all sections of a link's beam, x along it. wall: its thickness.
export function collar(arm, l, long, wall) {
  const { scene } = arm.run;
  const known = (scene.links[l].outline ?? []).filter((o) => o !== null).map((o) => scene.outlines[o].outer);
  const hull = hullOf((known.length ? known : [circle(arm.radius[l])]).flat().map(([u, v]) => new Vector2(u, v)));
  const gap = 0.08 * arm.radius[l];
  const shape = new Shape(wider(hull, gap + wall));
  shape.holes.push(new Path(wider(hull, gap)));
  const solid = new ExtrudeGeometry(shape, { depth: long, bevelEnabled: false, curveSegments: 1 });
  return solid.translate(0, 0, -long / 2).applyMatrix4(new Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1));
}

// A hull stretched so that each of its sides is this much farther out.
function wider(hull, by) {
  const size = (c) => {
    const all = hull.map((p) => p[c]);
    return { middle: (Math.max(...all) + Math.min(...all)) / 2, half: (Math.max(...all) - Math.min(...all)) / 2 };
  };
  const [u, v] = [size('x'), size('y')];
  const far = ({ middle, half }, p) => middle + (p - middle) * (1 + by / half);
  return hull.map((p) => new Vector2(far(u, p.x), far(v, p.y)));
}

// A shoe on the beam of a link, where that is nearest to a point fixed to a node; a strut from there to another, where
// they are apart.
export function addShoe(arm, l, { node, offset, to = offset }, half) {
  const rail = arm.rail(l);
  const [centre, held, end] = [new Vector3(), new Vector3(), new Vector3()];
  arm.addPart(collar(arm, l, 2 * half, 0.5 * half), arm.dark, (mesh, pose) => {
    pose.point(held, node, offset);
    rail.at(mesh.position, mesh.quaternion, pose, rail.nearest(pose, held));
    centre.copy(mesh.position);
  });
  const r = 0.008 * arm.world.size;
  arm.addPart(new CylinderGeometry(r, r, 1, 14), arm.dark, (mesh, pose) => {
    pose.point(end, node, to);
    const apart = centre.distanceTo(end) > GAP * arm.world.size;
    arm.stretch(mesh, 1, centre, end);
    mesh.visible &&= apart;
  });
}
