// scene.js - the stage: renderer, camera, light, ground, views. Draws only when something changed.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  BoxGeometry,
  DataTexture,
  DirectionalLight,
  Group,
  HemisphereLight,
  LinearFilter,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShadowMaterial,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Arm } from './arm.js';
import { PALETTE, pixelsOf, rangeOf } from './colour.js';
import { largestForce } from './contacts.js';
import { makeWorld, PLATE, roundNumber } from './world.js';

const ALONE = '#5f88ad'; // links of a single run
const FIELD = 30; // of view, degrees
const LINES = 400; // of the grid, on each side, at most

export class NoWebGL extends Error {}

export class Stage {
  // host: element that holds the canvas. Throws where there is no WebGL.
  constructor(host, runs, state) {
    this.host = host;
    this.runs = runs;
    this.state = state;
    this.world = { ...makeWorld(runs), force: largestForce(runs) };
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', {
      antialias: true,
      alpha: false,
      powerPreference: 'high-performance',
    });
    if (!context) throw new NoWebGL();
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.canvas = canvas;
    this.canvas.setAttribute('aria-label', 'The arm. Drag turns, right drag or two fingers move, wheel zooms.');
    this.canvas.setAttribute('role', 'img');
    host.prepend(this.canvas);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(FIELD, 1, this.world.size * 0.005, this.world.size * 200);
    this.camera.up.copy(this.world.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('start', () => { this.moved = true; }); // by hand: then it stays
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());
    this.listeners = [];
    this.feet = []; // of posts, and corners of contact planes
    this.waiting = false;
    this.drawn = 0;
    this.stone = new MeshStandardMaterial({ roughness: 0.75 });
    this.addLight();
    this.addGround();
    this.addPedestal();
    this.addArms();
    this.addPosts();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.setView(this.world.normal ? 'front' : 'iso');
  }

  addLight() {
    const { world, scene } = this;
    scene.add(new HemisphereLight('#ffffff', '#b8c1cb', 2.3));
    this.sun = new DirectionalLight('#ffffff', 2.0);
    const side = this.sideways();
    const centre = world.box.getCenter(new Vector3());
    const away = world.groundNormal
      .clone()
      .multiplyScalar(1.6)
      .addScaledVector(side.right, -0.55)
      .addScaledVector(side.front, 0.8);
    if (world.lying) away.addScaledVector(world.up, 0.8);
    const reach = Math.max(world.size, world.box.getSize(new Vector3()).length());
    this.sun.position.copy(centre).addScaledVector(away.normalize(), 2.5 * reach);
    this.sun.target.position.copy(centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 3;
    this.sun.shadow.normalBias = 0.004 * world.size;
    Object.assign(this.sun.shadow.camera, {
      left: -1.2 * reach,
      right: 1.2 * reach,
      top: 1.2 * reach,
      bottom: -1.2 * reach,
      near: 0.1 * reach,
      far: 6 * reach,
    });
    scene.add(this.sun, this.sun.target);
  }

  // Directions of the standing reader: right and front (towards the reader), both level.
  sideways() {
    const { up, normal } = this.world;
    const front = normal && Math.abs(normal.dot(up)) < 0.5 ? normal.clone() : new Vector3(0, 0, 1);
    if (Math.abs(front.dot(up)) > 0.5) front.set(0, -1, 0);
    front.addScaledVector(up, -front.dot(up)).normalize();
    return { front, right: new Vector3().crossVectors(up, front) };
  }

  addGround() {
    const { world } = this;
    const cell = roundNumber(world.size / 8);
    this.cell = cell;
    const reach = Math.max(world.size, world.box.getSize(new Vector3()).length());
    const half = Math.min(LINES, Math.ceil((1.6 * reach) / cell));
    const fine = [];
    const coarse = [];
    for (let i = -half; i <= half; i++) {
      const to = i % 5 === 0 ? coarse : fine;
      to.push(
        i * cell,
        -half * cell,
        0,
        i * cell,
        half * cell,
        0,
        -half * cell,
        i * cell,
        0,
        half * cell,
        i * cell,
        0,
      );
    }
    const lines = (points) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, depthWrite: false }));
    };
    this.fine = lines(fine);
    this.coarse = lines(coarse);
    this.shade = new Mesh(
      new PlaneGeometry(2 * half * cell, 2 * half * cell),
      new ShadowMaterial({ opacity: 0.16, depthWrite: false }),
    );
    this.shade.receiveShadow = true;
    const ground = new Group();
    ground.add(this.shade, this.fine, this.coarse);
    ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), world.groundNormal);
    const foot = world.base.point;
    ground.position
      .copy(foot)
      .addScaledVector(world.groundNormal, world.groundAt - foot.dot(world.groundNormal));
    this.ground = ground;
    this.groundPoint = ground.position.clone();
    this.scene.add(ground);
  }

  // What holds the arm: a column on the ground, a wall for a clamped beam; for a hanging arm see addPlate.
  addPedestal() {
    const { base, size, groundNormal, groundAt, hanging } = this.world;
    const add = (geometry, direction, shift) => {
      const mesh = new Mesh(geometry, this.stone);
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), direction);
      mesh.position.copy(base.point).addScaledVector(direction, shift);
      mesh.castShadow = mesh.receiveShadow = true;
      this.scene.add(mesh);
    };
    if (base.slides || base.floats) return; // on posts, or on nothing
    if (base.clamped) {
      const t = PLATE * size;
      return add(new BoxGeometry(0.16 * size, t, 0.16 * size), base.along.clone(), -t / 2);
    }
    if (hanging) return;
    const deep = base.point.dot(groundNormal) - groundAt;
    const height = deep - 0.008 * size; // ends inside the first joint
    add(new CylinderGeometry(0.022 * size, 0.045 * size, height, 36), groundNormal, height / 2 - deep);
    add(new CylinderGeometry(0.075 * size, 0.08 * size, 0.014 * size, 40), groundNormal, 0.007 * size - deep);
  }

  // An upright round bar, its foot at the point.
  addColumn(foot, height, top, bottom) {
    const up = this.world.groundNormal;
    const mesh = new Mesh(new CylinderGeometry(top, bottom, height, 40), this.stone);
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
    mesh.position.copy(foot).addScaledVector(up, height / 2);
    mesh.castShadow = mesh.receiveShadow = true;
    this.scene.add(mesh);
  }

  // Posts from the ground to the rails and further pins that the world holds, of the first run; a plate from which they hang.
  addPosts() {
    const { size, groundNormal: up, groundAt, base, hanging } = this.world;
    const post = (point, r) => {
      const high = point.dot(up) - groundAt;
      if (high < 0.02 * size) return;
      const foot = point.clone().addScaledVector(up, -high);
      this.feet.push(...foot);
      this.addColumn(foot, high, r, 1.5 * r);
    };
    const pins = [];
    for (const h of this.arms[0].holds.filter((held) => held.parent < 0)) {
      if ((h.type === 'prismatic' || h.type === 'cylindrical') && h.along === 'rail') {
        const upright = Math.abs(h.axis.dot(up)) > 0.7;
        const ends = upright ? [h.from.dot(up) < h.to.dot(up) ? h.from : h.to] : [h.from, h.to];
        for (const end of ends) post(end, 0.014 * size);
      } else if (h.type === 'free') continue;
      else if (h.type === 'planar') post(h.from.clone().add(h.to).multiplyScalar(0.5).addScaledVector(up, -0.012 * size), 0.02 * size);
      else if (hanging) pins.push(h.from);
      else if (h.from.distanceTo(base.point) > 0.05 * size) post(h.from, 0.016 * size);
    }
    if (pins.length && !base.clamped) this.addPlate(pins);
  }

  // One plate above all pins; rods reach down to those that are lower.
  addPlate(pins) {
    const { size, groundNormal: up } = this.world;
    const level = (p) => p.dot(up);
    const top = Math.max(...pins.map(level)) + 0.03 * size;
    const centre = pins.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(pins.length);
    centre.addScaledVector(up, top - level(centre));
    const lift = (p) => p.clone().addScaledVector(up, top - level(p));
    const r = Math.max(...pins.map((p) => lift(p).distanceTo(centre))) + (pins.length > 1 ? 0.04 : 0.07) * size;
    this.addColumn(centre, 0.03 * size, r, r);
    for (const p of pins) this.addColumn(p, top - level(p), 0.016 * size, 0.012 * size);
  }

  addArms() {
    this.map = new DataTexture(pixelsOf('stress'), 256, 1);
    this.map.colorSpace = SRGBColorSpace;
    this.map.minFilter = this.map.magFilter = LinearFilter;
    this.map.needsUpdate = true;
    this.arms = this.runs.map((run, i) => {
      const colour = this.runs.length > 1 ? PALETTE[i % PALETTE.length] : ALONE;
      const arm = new Arm(run, this.world, { colour, map: this.map, offset: i });
      if (this.runs.length > 1) {
        arm.trail.color.set(colour);
        arm.whole.color.set(colour);
      }
      for (const { corners } of arm.contacts) this.feet.push(...corners.flatMap((p) => p.toArray()));
      this.scene.add(arm.group, arm.ghost);
      return arm;
    });
  }

  // Colours of the theme, from the style sheet.
  setTheme() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => new Color().setStyle(style.getPropertyValue(name).trim());
    this.scene.background = get('--stage');
    this.fine.material.color = get('--grid');
    this.coarse.material.color = get('--grid');
    this.fine.material.opacity = 0.45;
    this.stone.color = get('--stone');
    this.shade.material.opacity = style.colorScheme === 'dark' ? 0.5 : 0.17;
    this.invalidate();
  }

  setColour(quantity) {
    if (quantity === 'none') this.scale = null;
    else {
      this.map.image.data.set(pixelsOf(quantity));
      this.map.needsUpdate = true;
      this.scale = this.rangeOf(quantity);
    }
    this.invalidate();
  }

  // Range of a quantity over the runs that are shown.
  rangeOf(quantity) {
    const shown = this.runs.filter((_, i) => this.state.visible[i]);
    const modes = quantity === 'displacement' && shown.some((r) => r.kind === 'modes');
    const range = rangeOf(
      quantity,
      shown.filter((r) => r.kind !== 'modes'),
    );
    if (!modes) return range;
    return { low: 0, high: Math.max(range?.high ?? 0, this.arms[0].swing) };
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.host;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (this.drawn && !this.moved) this.setView('fit');
    this.invalidate();
  }

  // Looks from a preset direction and fits the arm; 'fit' keeps the direction.
  setView(name) {
    const { up } = this.world;
    const { front, right } = this.sideways();
    const from = new Vector3();
    if (name === 'front') from.copy(front);
    else if (name === 'top') from.copy(up).addScaledVector(front, 1e-4);
    else if (name === 'side') from.copy(right);
    else if (name === 'iso') from.copy(front).addScaledVector(right, 0.75).addScaledVector(up, 0.6);
    else from.subVectors(this.camera.position, this.controls.target);
    if (this.drawn) this.pose(); // as is asked for now
    this.moved = false;
    this.fit(from.normalize());
  }

  // Puts the camera in this direction, as near as shows the arm through its whole motion and as it is drawn now.
  fit(from) {
    const { points, size, base, up } = this.world;
    const x = new Vector3().crossVectors(up, from).normalize();
    const axes = [x, new Vector3().crossVectors(from, x), from];
    const foot = base.point.clone().addScaledVector(this.world.groundNormal, -0.1 * size);
    const now = this.arms.filter((arm) => this.drawn && arm.group.visible).flatMap((arm) => [...arm.pose.x, ...arm.surfacePoints()]);
    const gone = this.gone ?? new Vector3();
    for (let i = 0; i < now.length; i += 3) ['x', 'y', 'z'].forEach((c, n) => { now[i + n] -= gone[c]; });
    const all = [...points, ...(base.floats ? [] : foot), ...this.feet, ...now];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const p = new Vector3();
    for (let i = 0; i < all.length; i += 3)
      axes.forEach((axis, c) => {
        const d = p.fromArray(all, i).dot(axis);
        low[c] = Math.min(low[c], d - 0.06 * size);
        high[c] = Math.max(high[c], d + 0.06 * size);
      });
    low[1] -= this.covered() * (high[1] - low[1]);
    const centre = new Vector3();
    axes.forEach((axis, c) => centre.addScaledVector(axis, (low[c] + high[c]) / 2));
    centre.add(gone);
    const tan = Math.tan((FIELD * Math.PI) / 360);
    const wide = Math.max((high[0] - low[0]) / this.camera.aspect, high[1] - low[1]) / (2 * tan);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(from, 1.15 * wide + 0.35 * (high[2] - low[2]));
    this.controls.update();
    this.invalidate();
  }

  // Height that the colour legend covers, per height of what is left.
  covered() {
    const legend = this.host.querySelector('#scale').offsetHeight; // 0 where it is hidden
    return Math.min(0.4, (1.3 * legend) / Math.max(1, this.host.clientHeight - legend));
  }

  // Turns about the target by angles to the right and upward, for the keyboard.
  orbit(right, upward) {
    const arm = new Vector3().subVectors(this.camera.position, this.controls.target);
    const { up } = this.world;
    arm.applyQuaternion(new Quaternion().setFromAxisAngle(up, right));
    const polar = arm.angleTo(up);
    const next = Math.min(Math.PI - 0.01, Math.max(0.01, polar - upward));
    const axis = new Vector3().crossVectors(up, arm).normalize();
    arm.applyQuaternion(new Quaternion().setFromAxisAngle(axis, next - polar));
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor) {
    const arm = new Vector3().subVectors(this.camera.position, this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.invalidate();
  }

  // Draws with the next frame of the screen, once, unless it is drawn before.
  invalidate() {
    this.stale = true;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.stale) this.render();
    });
  }

  // Puts the arms where the state wants them.
  pose() {
    const { state } = this;
    let ghost = state.ghost;
    for (let i = 0; i < this.arms.length; i++) {
      const arm = this.arms[i];
      const shown = state.visible[i] && arm.run.drawn;
      arm.group.visible = shown;
      arm.ghost.visible = shown && ghost;
      arm.path.visible = state.path;
      arm.triads.visible = state.frames;
      if (!shown) continue;
      arm.mode = state.mode[i];
      arm.update(state, this.scale ?? null, arm.ghost.visible);
      ghost = false; // one ghost is enough
    }
    if (this.world.drifting) this.goAlong();
  }

  // Takes camera, light and ground along with an arm that floats away; the ground by whole cells of its grid, and at the
  // same distance where nothing falls.
  goAlong() {
    const { base } = this.world;
    const now = new Vector3().fromArray(this.arms[0].pose.x, base.node * 3).sub(base.point);
    const step = now.clone().sub(this.gone ?? new Vector3());
    this.gone = now;
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.sun.position.add(step);
    this.sun.target.position.add(step);
    const cells = now.clone().applyQuaternion(this.ground.quaternion.clone().invert());
    const { z } = cells;
    cells.set(...cells.toArray().map((x) => Math.round(x / (5 * this.cell)) * 5 * this.cell)).setZ(this.world.heavy ? 0 : z);
    this.ground.position.copy(this.groundPoint).add(cells.applyQuaternion(this.ground.quaternion));
    this.controls.update();
  }

  render() {
    this.stale = false;
    this.pose();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    for (const listener of this.listeners) listener();
  }

  onDraw(listener) {
    this.listeners.push(listener);
  }

  // The picture as a PNG blob.
  picture() {
    this.render();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }
}
