// player.js - time goes on: play, pause, step, jump.
import { indexBefore, indexNearest } from './data.js';

export class Player {
  // frames: sorted times that stepping stops at
  constructor(state, frames) {
    this.state = state;
    this.frames = frames;
    this.last = 0;
    this.moment = { time: 0 }; // the same change, every tick
  }

  get still() {
    return this.state.end <= this.state.start;
  }

  get frame() {
    return indexNearest(this.frames, this.state.time);
  }

  play() {
    if (this.still || this.state.playing) return;
    if (this.state.time >= this.state.end) this.seek(this.state.start);
    this.last = 0;
    this.state.set({ playing: true });
    requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    if (this.state.playing) this.state.set({ playing: false });
  }

  toggle() {
    if (this.state.playing) this.pause();
    else this.play();
  }

  seek(time) {
    const { start, end } = this.state;
    this.moment.time = Math.min(end, Math.max(start, time));
    this.state.set(this.moment);
  }

  // Goes by whole frames, from the one shown or the one just passed.
  step(count) {
    this.pause();
    const at = indexBefore(this.frames, this.state.time + 1e-12);
    const between = this.frames[at] < this.state.time - 1e-9 * this.state.end && count < 0;
    const next = Math.min(this.frames.length - 1, Math.max(0, at + count + (between ? 1 : 0)));
    this.seek(this.frames[next]);
  }

  tick(now) {
    const { state } = this;
    if (!state.playing) return;
    const passed = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
    this.last = now;
    let time = state.time + passed * state.speed;
    if (time > state.end) {
      if (!state.loop) {
        this.seek(state.end);
        return this.pause();
      }
      time = state.start + ((time - state.start) % (state.end - state.start));
    }
    this.seek(time);
    requestAnimationFrame((t) => this.tick(t));
  }
}
