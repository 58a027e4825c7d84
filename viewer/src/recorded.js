// recorded.js - numbers of a run at a time: of its channels, and of what was found in its frames.
import { indexBefore } from './data.js';

// Between two records in line; the first and the last hold on.
export function valueAt(times, values, time) {
  const i = indexBefore(times, time);
  if (i + 1 >= times.length || !(time > times[i])) return values[i];
  return values[i] + ((time - times[i]) / (times[i + 1] - times[i])) * (values[i + 1] - values[i]);
}

// A channel as a function of time, with its largest size; null where it was not recorded.
export function channelOf({ channels }, name) {
  const channel = channels.list.find((c) => c.name === name);
  if (!channel || !channels.time.length) return null;
  return { at: (time) => valueAt(channels.time, channel.values(), time), values: channel.values };
}

// The same of numbers that are known of every frame.
export const framesOf = ({ time }, values) => ({ at: (t) => valueAt(time, values, t), values: () => values });
