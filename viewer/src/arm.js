// arm.js - one run in the scene: links, rigid bodies, motors, masses, springs, bushings, paths, ghost and frames.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { coil } from './coil.js';
import { boxesOf, boxGeometries, platesOf, plateGeometry } from './bodies.js';
import { addHold } from './holds.js';
import { addContact } from './contacts.js';
import { addJoint, addLoop } from './joints.js';
import { Paths } from './paths.js';
import { GAP, holdsOf, turned } from './structure.js';
import { Pose } from './pose.js';
import { Rail } from './rails.js';
import { circle, Skin } from './skin.js';
import { largestOfMode, Surface, thicknessOf } from './surface.js';
import { BUFFER, HIT, largestLength, PLANE } from './colour.js';

const AXES = ['#d55e00', '#009e73', '#0b84c8'];
const MODE_SWING = 0.08; // largest displacement of a mode, per size of the arm
const STEEL = 7800; // [kg/m^3] of spheres that stand for masses
const MOTOR = 5000; // [kg/m^3] of motors
const PART = 2000; // [kg/m^3] of gripped parts

export class Arm {
  // look: {colour, map: texture of the colour map, offset: draws runs at the same place apart}
  constructor(run, world, look) {
    this.run = run;
    this.world = world;
    this.pose = new Pose(run);
    this.ghostPose = new Pose(run.ghost ? { ...run, ...run.ghost } : run);
    this.tracer = new Pose(run); // of the tool path
    this.group = new Group();
    this.ghost = new Group();
    this.path = new Group();
    this.triads = new Group();
    this.group.add(this.path, this.triads);
    this.mode = 0;
    this.makeMaterials(look);
    this.radius = run.scene.links.map((l) => this.thickness(l));
    this.parts = []; // {mesh, place(pose)}: follow the pose
    this.skins = [];
    this.surfaces = []; // {surface, body, beams, geometry}
    this.rails = new Map();
    this.holds = holdsOf(run, world.size);
    this.plates = platesOf(run, this.holds, 0.02 * world.size);
    this.boxes = boxesOf(run.scene).filter(({ l }) => !this.plateOf(l));
    run.scene.links.forEach((l, i) => this.addLink(l, i));
    this.plates.forEach((p) => this.addPlate(p));
    this.boxes.forEach((b) => this.addBox(b));
    this.holds.forEach((h) => addHold(this, h));
    run.scene.joints.forEach((j) => addJoint(this, j));
    run.scene.masses?.forEach((m) => this.addMass(m));
    if (run.kind === 'simulate') run.scene.parts?.forEach((p) => this.addGripped(p));
    run.scene.motors?.forEach((m) => this.addMotor(m));
    run.scene.springs?.forEach((s) => this.addSpring(s));
    run.scene.bushings?.forEach((s) => this.addBushing(s));
    run.scene.loops?.forEach((l) => addLoop(this, l));
    this.contacts = (run.scene.contacts ?? []).map((c) => addContact(this, c));
    const held = [...(run.scene.masses ?? []), ...this.ends].filter(({ link }) => !this.surfaceOf(link));
    held.forEach(({ link, node, offset }) => node >= 0 && this.addStrut(node, this.root(link, node, offset), node, offset));
    run.scene.frames?.forEach((f) => this.addTriad(f));
    this.paths = new Paths(this);
  }

  makeMaterials({ colour, map, offset }) {
    const solid = {
      roughness: 0.55,
      metalness: 0.05,
      polygonOffset: offset !== 0,
      polygonOffsetFactor: offset,
      polygonOffsetUnits: 8 * offset,
    };
    this.plain = new MeshStandardMaterial({ ...solid, color: colour });
    this.coloured = new MeshStandardMaterial({
      ...solid,
      map,
      emissive: '#ffffff',
      emissiveMap: map,
      emissiveIntensity: 0.16,
      roughness: 0.8,
    });
    // of surfaces that may be open, and have lines on them
    const both = { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: offset + 1, polygonOffsetUnits: 8 * offset + 1 };
    this.plainSurface = this.plain.clone();
    this.colouredSurface = this.coloured.clone();
    for (const material of [this.plainSurface, this.colouredSurface]) material.setValues(both);
    this.plainLine = new LineBasicMaterial({ color: colour });
    this.colouredLine = new LineBasicMaterial({ map });
    this.dark = new MeshStandardMaterial({ ...solid, color: '#46505c', roughness: 0.5 });
    this.cup = new MeshStandardMaterial({ ...solid, color: '#46505c', roughness: 0.5, side: DoubleSide });
    this.bright = new MeshStandardMaterial({ ...solid, color: '#c3cad2', roughness: 0.3, metalness: 0.15 });
    this.mass = new MeshStandardMaterial({ ...solid, color: '#6c7682', roughness: 0.35, metalness: 0.3 });
    this.brass = new MeshStandardMaterial({ ...solid, color: '#b58a1f', roughness: 0.4, metalness: 0.15 });
    this.part = new MeshStandardMaterial({ ...solid, color: '#c0762d', roughness: 0.8 });
    this.rubber = new MeshStandardMaterial({
      color: '#a4508b',
      roughness: 0.9,
      transparent: true,
      opacity: 0.45,
      depthWrite: false,
    });
    this.faint = new MeshBasicMaterial({
      color: '#7d8794',
      transparent: true,
      opacity: 0.16,
      depthWrite: false,
    });
    this.buffer = new MeshStandardMaterial({ ...solid, color: BUFFER, roughness: 0.8 });
    this.hit = new MeshStandardMaterial({ ...solid, color: HIT, emissive: HIT, emissiveIntensity: 0.35, roughness: 0.6 });
    const clear = { transparent: true, depthWrite: false, side: DoubleSide };
    this.spot = new MeshBasicMaterial({ ...clear, color: HIT, opacity: 0.4 });
    this.over = new MeshBasicMaterial({ color: HIT, depthTest: false, transparent: true }); // also inside its body
    this.glass = new MeshBasicMaterial({ ...clear, color: PLANE, opacity: 0.14 });
    this.glassLine = new LineBasicMaterial({ ...clear, color: PLANE, opacity: 0.6 });
    this.trail = new LineMaterial({ color: '#d55e00', linewidth: 2.2 });
    this.whole = new LineBasicMaterial({ color: '#d55e00', transparent: true, opacity: 0.55 });
    this.drift = new LineBasicMaterial({ color: '#00917a', depthTest: false }); // also inside its body
    this.edge = new LineBasicMaterial({ color: '#2f3b48' });
    this.rigidLine = new LineBasicMaterial({ color: '#7d8794', transparent: true, opacity: 0.7 });
  }

  // Largest distance of the link's outlines from its centre line.
  thickness(link) {
    const most = (o) => o.outer.reduce((r, [y, z]) => Math.max(r, Math.hypot(y, z)), 0);
    const known = (link.outline ?? []).filter((o) => o !== null).map((o) => most(this.run.scene.outlines[o]));
    return known.length ? Math.max(...known) : 0.011 * this.world.size;
  }

  surfaceOf(l) {
    return this.run.surfaces?.find((s) => s.link === l && s.triangle.length);
  }

  addLink(link, i) {
    const meshed = this.run.surfaces?.find((s) => s.link === i);
    if (meshed) this.addSurface(meshed, link, i);
    if (this.surfaceOf(i)) return;
    if (link.beam && link.nodes > 1) this.addBeam(link);
    else if (link.nodes > 1 && !this.plateOf(i)) this.addBar(link, i);
  }

  plateOf(l) {
    return this.plates.find((p) => p.l === l);
  }

  // A rigid body that several links or loops hang on.
  addPlate(plate) {
    const { first } = this.run.scene.links[plate.l];
    const thick = 0.014 * this.world.size;
    const geometry = plateGeometry(plate, thick);
    const place = this.fixedTo(first, this.from(first, plate.centre).toArray(), plate.turn);
    this.radius[plate.l] = 0.5 * thick;
    this.addPart(geometry, this.plain, place);
    this.addPart(geometry, this.faint, place, true);
  }

  // A body that floats: the even box with its inertia.
  addBox({ l, box }) {
    const { first } = this.run.scene.links[l];
    const { solid, edges } = boxGeometries(box);
    const place = this.fixedTo(first, this.from(first, new Vector3(...box.com)).toArray(), box.turn);
    this.addPart(solid, this.plain, place);
    this.addPart(solid, this.faint, place, true);
    const lines = new LineSegments(edges, this.edge);
    this.group.add(lines);
    this.parts.push({ mesh: lines, place, ghost: false });
  }

  // A place in link axes, seen from a node of the link.
  from(node, p) {
    return p.clone().sub(new Vector3().fromArray(this.run.place, node * 3));
  }

  // Where a strut to a place near a node begins, seen from that node: in the middle of a plate, else at the node.
  root(l, node, offset) {
    const plate = this.plateOf(l);
    if (!plate) return [0, 0, 0];
    const at = new Vector3().fromArray(this.run.place, node * 3).add(new Vector3(...offset));
    return this.from(node, plate.flat(at)).toArray();
  }

  // A link from finite elements: its surface with the edges of its elements; beams among these are lines.
  addSurface(meshed, link, i) {
    const { size } = this.world;
    const surface = new Surface(meshed, link);
    const geometry = follower({ position: surface.position, normal: surface.normal, uv: surface.uv });
    const add = (Kind, index, material) => {
      const own = new BufferGeometry();
      for (const name in geometry.attributes) own.setAttribute(name, geometry.attributes[name]);
      own.setIndex(new BufferAttribute(index, 1));
      const mesh = new Kind(own, material);
      mesh.frustumCulled = false; // its bounds change with every frame
      this.group.add(mesh);
      return mesh;
    };
    const body = add(Mesh, surface.index, this.plainSurface);
    body.castShadow = true;
    const opacity = Math.min(0.4, 0.08 + (12 * surface.edgeLength()) / size); // many lines would darken it
    const wire = new LineBasicMaterial({ color: '#141b24', transparent: true, opacity, depthWrite: false });
    add(LineSegments, surface.edges, wire);
    const beams = add(LineSegments, surface.beams, this.plainLine);
    this.surfaces.push({ surface, body, beams, geometry });
    const still = new BufferGeometry();
    still.setAttribute('position', new BufferAttribute(meshed.vertex, 3));
    still.setIndex(new BufferAttribute(Uint32Array.from(meshed.triangle), 1));
    this.addPart(still, this.faint, this.fixedTo(link.first, this.from(link.first, new Vector3()).toArray()), true);
    const tip = this.from(link.first, new Vector3().fromArray(this.run.place, (link.first + link.nodes - 1) * 3));
    this.radius[i] = Math.min(0.04 * size, Math.max(0.011 * size, 0.75 * thicknessOf(meshed, tip.toArray(), 0.03 * size)));
  }

  // Some places on the surfaces as they are drawn.
  *surfacePoints() {
    for (const { surface } of this.surfaces) {
      const count = surface.x.length / 3;
      const step = Math.max(1, Math.floor(count / 300));
      for (let v = 0; v < count; v += step) yield* surface.x.subarray(3 * v, 3 * v + 3);
    }
  }

  addBeam(link) {
    const round = { outer: circle(0.011 * this.world.size), inner: null }; // a section of unknown shape
    const outlines = Array.from(
      { length: link.nodes },
      (_, n) => this.run.scene.outlines[link.outline?.[n] ?? -1] ?? round,
    );
    const add = (ghost) => {
      const skin = new Skin(link, outlines);
      const body = new Mesh(
        follower({ position: skin.position, normal: skin.normal, uv: skin.uv }),
        ghost ? this.faint : this.plain,
      );
      body.geometry.setIndex(new BufferAttribute(skin.index, 1));
      const line = new Line(
        follower({ position: skin.line, uv: skin.lineUv }),
        ghost ? this.rigidLine : this.plainLine,
      );
      body.castShadow = !ghost;
      for (const mesh of [body, line]) {
        mesh.frustumCulled = false; // its bounds change with every frame
        mesh.renderOrder = ghost ? 1 : 0;
        (ghost ? this.ghost : this.group).add(mesh);
      }
      this.skins.push({ skin, body, line, ghost });
    };
    add(false);
    add(true);
  }

  // A rigid link: a tapered bar from node to node.
  addBar(link, i) {
    const r = 0.017 * this.world.size;
    const geometry = new CylinderGeometry(0.72 * r, r, 1, 20);
    const place = (mesh, pose) => {
      a.fromArray(pose.x, link.first * 3);
      b.fromArray(pose.x, (link.first + link.nodes - 1) * 3);
      this.stretch(mesh, 1);
    };
    this.radius[i] = r;
    this.addPart(geometry, this.plain, place);
    this.addPart(geometry, this.faint, place, true);
  }

  // The beam of a link, along which something runs.
  rail(l) {
    if (!this.rails.has(l)) this.rails.set(l, new Rail(this.run, l));
    return this.rails.get(l);
  }

  // Puts a thing of this length along its y between two points, the second of which is used up.
  stretch(mesh, own, from = a, to = b) {
    mesh.position.addVectors(from, to).multiplyScalar(0.5);
    const length = to.sub(from).length();
    mesh.visible = length > 1e-9 * this.world.size;
    if (!mesh.visible) return;
    mesh.quaternion.setFromUnitVectors(Y, to.divideScalar(length));
    mesh.scale.set(1, length / own, 1);
  }

  // Ends of what joins links.
  get ends() {
    const { springs = [], bushings = [], loops = [] } = this.run.scene;
    return [...springs, ...bushings, ...loops].flatMap((s) => s.ends);
  }

  // A thin bar between two points of sections, where they are apart.
  addStrut(node, offset, other, otherOffset, r = 0.008 * this.world.size, material = this.plain) {
    const place = (mesh, pose) => {
      pose.point(a, node, offset);
      pose.point(b, other, otherOffset);
      const apart = a.distanceTo(b) > GAP * this.world.size;
      this.stretch(mesh, 1);
      mesh.visible &&= apart;
    };
    this.addPart(new CylinderGeometry(r, r, 1, 14), material, place);
  }

  // Half the width of what guides a link that slides: as large as what goes through it needs.
  guide(l) {
    const { beam, nodes } = this.run.scene.links[l];
    return beam && nodes > 1 ? 1.35 * this.radius[l] : 0.015 * this.world.size;
  }

  // A part that a program grips: it waits where it is taken, and stays where it is set down.
  addGripped({ node, offset, mass, from, to }) {
    const side = Math.min(0.1, Math.max(0.025, Math.cbrt((mass || 1) / PART) / this.world.size)) * this.world.size;
    const follow = this.fixedTo(node, offset);
    const at = (time) => {
      const still = new Mesh();
      this.tracer.setTime(time);
      this.tracer.draw(1);
      follow(still, this.tracer);
      return still;
    };
    const taken = at(from);
    const left = to === null || to === undefined ? null : at(to);
    this.addPart(new BoxGeometry(side, side, side), this.part, (mesh, pose) => {
      const still = this.time < from ? taken : left && this.time > to ? left : null;
      if (!still) return follow(mesh, pose);
      mesh.position.copy(still.position);
      mesh.quaternion.copy(still.quaternion);
    });
  }

  addMass({ node, offset, mass }) {
    const r = Math.cbrt((3 * mass) / (4 * Math.PI * STEEL));
    const shown = Math.min(0.09, Math.max(0.014, r / this.world.size)) * this.world.size;
    this.addPart(new SphereGeometry(shown, 28, 18), this.mass, this.fixedTo(node, offset));
  }

  addMotor({ node, offset, axis, mass }) {
    const r = Math.cbrt((mass || 1) / (MOTOR * 2.4 * Math.PI));
    const shown = Math.min(0.07, Math.max(0.018, r / this.world.size)) * this.world.size;
    this.addPart(
      new CylinderGeometry(shown, shown, 2.4 * shown, 28),
      this.dark,
      this.fixedTo(node, offset, axis),
    );
  }

  // A coil, made for the spring's length at first and stretched from then on.
  addSpring({ ends }) {
    const { size } = this.world;
    this.pose.setFrame(0);
    this.pose.draw(1);
    this.pose.point(a, ends[0].node, ends[0].offset);
    this.pose.point(b, ends[1].node, ends[1].offset);
    const own = Math.max(a.distanceTo(b), 0.04 * size);
    const [from, to] = b.y < a.y ? [ends[1], ends[0]] : ends; // far from where the turn out of y jumps
    const { position, normal, index } = coil(own, Math.min(0.014 * size, 0.2 * own), 0.0026 * size);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('normal', new BufferAttribute(normal, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    this.addPart(geometry, this.brass, (mesh, pose) => {
      pose.point(a, from.node, from.offset);
      pose.point(b, to.node, to.offset);
      this.stretch(mesh, own);
    });
  }

  // A block between the frames, in the axes of the second.
  addBushing({ ends }) {
    const side = Math.max(2.9 * this.widest(ends), 0.05 * this.world.size);
    const follow = this.fixedTo(ends[1].node, ends[1].offset);
    const own = turned(ends[1].turn);
    this.addPart(new BoxGeometry(side, side, side), this.rubber, (mesh, pose) => {
      follow(mesh, pose);
      mesh.quaternion.multiply(own);
      pose.point(a, ends[0].node, ends[0].offset);
      mesh.position.add(a).multiplyScalar(0.5);
    });
  }

  // Of the links that meet.
  widest(ends) {
    return Math.max(...ends.map(({ link }) => (link >= 0 ? this.radius[link] : 0)));
  }

  addTriad(frame) {
    const l = 0.09 * this.world.size;
    const geometry = new BufferGeometry();
    geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array([0, 0, 0, l, 0, 0, 0, 0, 0, 0, l, 0, 0, 0, 0, 0, 0, l]), 3),
    );
    const colours = AXES.flatMap((c) => [...new Color(c).toArray(), ...new Color(c).toArray()]);
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colours), 3));
    const mesh = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    mesh.renderOrder = 3;
    const own = turned(frame.turn);
    const follow = this.fixedTo(frame.node, frame.offset);
    this.triads.add(mesh);
    this.parts.push({
      mesh,
      place: (m, pose) => {
        follow(m, pose);
        m.quaternion.multiply(own);
      },
      ghost: false,
    });
  }

  addPart(geometry, material, place, ghost = false) {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = !ghost && !material.transparent;
    if (ghost) mesh.renderOrder = 1;
    (ghost ? this.ghost : this.group).add(mesh);
    this.parts.push({ mesh, place, ghost });
  }

  // Placer of a thing fixed to a node's section (node -1: to the world), its own y along the axis; or turned by a quaternion.
  fixedTo(node, offset, axis = null) {
    const own = axis?.isQuaternion
      ? axis
      : axis
        ? new Quaternion().setFromUnitVectors(Y, new Vector3(...axis).normalize())
        : new Quaternion();
    return (mesh, pose) => {
      pose.point(mesh.position, node, offset);
      mesh.quaternion.identity();
      if (node >= 0) mesh.quaternion.setFromRotationMatrix(axesOf(pose, node));
      mesh.quaternion.multiply(own);
    };
  }

  // How the section of a node is turned; not at all where that is the world.
  turnOf(out, pose, node) {
    return node < 0 ? out.identity() : out.setFromRotationMatrix(axesOf(pose, node));
  }

  // Amplitude of the mode in hand at full swing [m].
  get swing() {
    return MODE_SWING * this.world.size;
  }

  update({ time, magnification: k, colour, path }, scale, ghost) {
    this.time = time;
    const mode = this.run.kind === 'modes' ? this.run.modes[this.mode] : null;
    if (mode) {
      this.unit ??= new Map();
      if (!this.unit.has(mode)) this.unit.set(mode, Math.max(largestLength(mode.displacement, 1), largestOfMode(this.run, mode)) || 1);
      this.pose.setMode(mode, (this.swing / this.unit.get(mode)) * Math.sin(2 * Math.PI * time));
    } else this.pose.setTime(time);
    this.pose.draw(k);
    const coloured = colour !== 'none' && scale !== null && this.pose.readValue(colour);
    if (path) this.paths.update(k, time);
    if (ghost) {
      if (mode) this.ghostPose.setFrame(0);
      else this.ghostPose.setTime(time);
      this.ghostPose.draw(0);
    }
    for (const { skin, body, line, ghost: isGhost } of this.skins) {
      if (isGhost && !ghost) continue;
      skin.update(isGhost ? this.ghostPose : this.pose, coloured && !isGhost ? scale : null);
      for (const name in body.geometry.attributes) body.geometry.attributes[name].needsUpdate = true;
      for (const name in line.geometry.attributes) line.geometry.attributes[name].needsUpdate = true;
      if (isGhost) continue;
      body.material = coloured ? this.coloured : this.plain;
      line.material = coloured ? this.colouredLine : this.plainLine;
    }
    for (const { surface, body, beams, geometry } of this.surfaces) {
      const known = surface.update(this.pose, k, coloured ? scale : null, colour);
      for (const name in geometry.attributes) geometry.attributes[name].needsUpdate = true;
      body.material = known ? this.colouredSurface : this.plainSurface;
      beams.material = known ? this.colouredLine : this.plainLine;
    }
    for (const { mesh, place, ghost: isGhost } of this.parts)
      if (ghost || !isGhost) place(mesh, isGhost ? this.ghostPose : this.pose);
  }
}

const a = new Vector3();
const b = new Vector3();
const Y = new Vector3(0, 1, 0);
const matrix = new Matrix4();

// A geometry whose arrays are written again for every picture.
function follower(arrays) {
  const geometry = new BufferGeometry();
  for (const [name, array] of Object.entries(arrays))
    geometry.setAttribute(name, new BufferAttribute(array, name === 'uv' ? 2 : 3).setUsage(DynamicDrawUsage));
  return geometry;
}

function axesOf({ frame: f }, node) {
  const i = node * 9;
  return matrix.set(
    f[i],
    f[i + 3],
    f[i + 6],
    0,
    f[i + 1],
    f[i + 4],
    f[i + 7],
    0,
    f[i + 2],
    f[i + 5],
    f[i + 8],
    0,
    0,
    0,
    0,
    1,
  );
}
