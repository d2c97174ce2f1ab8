/**
 * Short sounds, made by oscillators when they are wanted: there are no files.
 *
 * @import { LogEvent, Picture } from './mirror.js'
 *
 * @typedef {'line' | 'box' | 'turn' | 'won' | 'ended'} SoundName
 */

import { isToMove, seatsOf } from './mirror.js';

/**
 * The tones of each sound: frequency in Hz, start and length in seconds.
 *
 * @type {Record<SoundName, [number, number, number][]>}
 */
const TONES = {
  line: [[440, 0, 0.06]],
  box: [
    [523, 0, 0.1],
    [784, 0.08, 0.14],
  ],
  turn: [
    [587, 0, 0.1],
    [880, 0.11, 0.16],
  ],
  won: [
    [523, 0, 0.14],
    [659, 0.13, 0.14],
    [784, 0.26, 0.14],
    [1047, 0.39, 0.4],
  ],
  ended: [
    [392, 0, 0.18],
    [330, 0.17, 0.35],
  ],
};
/** Volume of a tone at its loudest, from 0 to 1. */
const LOUDNESS = 0.12;
/** Time for which no other sound begins, as many moves may come at once. */
const APART_S = 0.08;

/**
 * Return the sound of an event for member `me`; null for events without one.
 *
 * @type {(event: LogEvent, before: Picture, after: Picture, me: ?string) => ?SoundName}
 */
export function soundOf(event, before, after, me) {
  if (event.type === 'ended') {
    const mine = me === null ? [] : seatsOf(after, me);
    return event.winners.some((seat) => mine.includes(seat)) ? 'won' : 'ended';
  }
  if (turnHasCome(before, after, me)) return 'turn';
  if (event.type !== 'played' || event.by === 'opening') return null;
  return event.taken.length ? 'box' : 'line';
}

/**
 * Return whether the turn has come to `me`, and not from another of their own seats.
 *
 * @type {(before: Picture, after: Picture, me: ?string) => boolean}
 */
export function turnHasCome(before, after, me) {
  return isToMove(after, me) && !isToMove(before, me);
}

/** The sounds of a page; the browser lets them be heard after the first press on it. */
export class Sounds {
  /** @type {?AudioContext} */
  #context = null;
  #lastAt = -Infinity;

  /** @param {SoundName} name */
  play(name) {
    this.#context ??= new AudioContext();
    const { currentTime } = this.#context;
    if (currentTime - this.#lastAt < APART_S) return;
    this.#lastAt = currentTime;
    void this.#context.resume();
    for (const tone of TONES[name]) ring(this.#context, currentTime, tone);
  }
}

/** @type {(context: AudioContext, now: number, tone: [number, number, number]) => void} */
function ring(context, now, [frequency, after, length]) {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.frequency.value = frequency;
  volume.gain.setValueAtTime(LOUDNESS, now + after);
  volume.gain.exponentialRampToValueAtTime(0.001, now + after + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(now + after);
  oscillator.stop(now + after + length);
}
