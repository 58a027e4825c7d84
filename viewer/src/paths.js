// paths.js - lines through a run's whole motion: the path of its tool, and the ways of links that float.
import { BufferAttribute, BufferGeometry, Line, LineSegments, Vector3 } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { boxGeometries } from './bodies.js';
import { indexBefore } from './data.js';

export class Paths {
  constructor(arm) {
    const { run } = arm;
    this.arm = arm;
    this.tool = null;
    if (run.kind !== 'simulate' || run.time.length < 2) return;
    this.tool = run.scene.frames?.[run.scene.tool ?? -1] ?? null;
    if (this.tool) this.addTool();
    for (const joint of run.scene.joints) if (joint.type === 'free') this.addDrift(joint.link);
  }

  addTool() {
    const { run, whole, rigidLine, trail, path, ghostPose } = this.arm;
    this.trail = new LineGeometry();
    this.deformed = new Float32Array(run.time.length * 3);
    this.whole = this.addLine(this.deformed, whole);
    const rigid = new Float32Array(run.time.length * 3);
    this.addLine(rigid, rigidLine);
    const mesh = new Line2(this.trail, trail);
    mesh.frustumCulled = false;
    path.add(mesh);
    trace(rigid, ghostPose, 0, this.tool);
    this.madeFor = -1; // magnification
  }

  // The way of a link's centre of mass, and the outline of its box where it began.
  addDrift(link) {
    const { run, tracer, drift, boxes, path } = this.arm;
    const { first: node, body } = run.scene.links[link];
    const offset = body ? this.arm.from(node, new Vector3(...body.com)).toArray() : [0, 0, 0];
    const way = new Float32Array(run.time.length * 3);
    trace(way, tracer, 1, { link, node, offset });
    this.addLine(way, drift);
    const box = boxes.find(({ l }) => l === link)?.box;
    if (!box) return;
    const start = new LineSegments(boxGeometries(box).edges, this.arm.rigidLine);
    tracer.setFrame(0);
    tracer.draw(1);
    this.arm.fixedTo(node, offset, box.turn)(start, tracer);
    path.add(start);
  }

  addLine(array, material) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(array, 3));
    const mesh = new Line(geometry, material);
    mesh.frustumCulled = false;
    this.arm.path.add(mesh);
    return geometry;
  }

  update(k, time) {
    const { run, tracer } = this.arm;
    if (!this.tool) return;
    if (this.madeFor !== k) {
      trace(this.deformed, tracer, k, this.tool);
      this.whole.attributes.position.needsUpdate = true;
      this.trail.setPositions(this.deformed);
      this.madeFor = k;
    }
    const done = Math.min(indexBefore(run.time, time), run.time.length - 2);
    this.trail.instanceCount = time > run.time[0] ? done + 1 : 0;
  }
}

// Where a point of a link is in every frame.
function trace(out, pose, k, { link, node, offset }) {
  const p = new Vector3();
  const { first } = pose.run.scene.links[link];
  for (let f = 0; f < pose.frames; f++) {
    for (const n of pose.meshed[node] ? [first, node] : [node]) {
      pose.setFrameOf(link, n, f);
      pose.drawNode(link, n, k);
    }
    pose.point(p, node, offset).toArray(out, f * 3);
  }
}
