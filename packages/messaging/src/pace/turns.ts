import type { PaceLimit } from "./limits.ts";

/** Slices of a limit with the number of their places that are taken, the earliest slice first. */
export type TakenPositions = readonly (readonly [slice: number, count: number])[];

/** Limit whose messages are spread over its slices: each takes a place there. */
export interface SpreadLimit {
  readonly limit: PaceLimit;
  readonly taken: TakenPositions;
}

export interface Turns {
  /** Times of the turns, in milliseconds since 1970 and in order. */
  readonly turns: readonly number[];
  /** Time after which it is worth asking for more; 0 where all were given. */
  readonly waitMs: number;
  /** Places that are taken afterwards, by limit and in the order given. */
  readonly taken: readonly TakenPositions[];
}

/** Turns are given this long before they come: while one window waits for its turns, the intents of the next are stored. */
const AHEAD_MS = 500;
/** Places of later slices were taken before the clock was set back. */
const LATE_MS_MAX = 2_000;
/** The end of a slice has no places: a message that is somewhat late still counts where it was meant to. */
const SPREAD = 0.8;
/** A turn is searched for no further ahead than this. */
const CHECK_MS_MAX = 60_000;

/**
 * Takes the next turns, as many as wanted and not too far ahead. A turn takes a place of each limit in the slice where it lies, and is not before that
 * place. Where another limit makes it later, the places between stay free for others.
 */
export function takeTurns(limits: readonly SpreadLimit[], wanted: number, nowMs: number): Turns {
  const turns: number[] = [];
  const positions = limits.map((one) => new SlicePositions(one, nowMs));
  let atMs: number | undefined = nowMs;
  while (turns.length < wanted) {
    atMs = nextTurn(positions, turns.at(-1) ?? nowMs, nowMs + AHEAD_MS);
    if (atMs === undefined) break;
    turns.push(atMs);
    for (const one of positions) one.take(atMs);
  }
  const waitMs = atMs === undefined ? waitOf(positions, turns.at(-1) ?? nowMs, nowMs) : 0;
  return { turns, waitMs, taken: positions.map((one) => one.taken()) };
}

/** Half of what is given ahead is used up by then, so that each asking is worth its transaction. */
function waitOf(places: readonly SlicePositions[], fromMs: number, nowMs: number): number {
  const atMs = nextTurn(places, fromMs, nowMs + CHECK_MS_MAX) ?? nowMs + CHECK_MS_MAX;
  return Math.max(1, Math.ceil(atMs - nowMs - AHEAD_MS / 2));
}

/** Returns the earliest time from `fromMs` on at which all limits have a place; undefined when it is later than `untilMs`. */
function nextTurn(places: readonly SlicePositions[], fromMs: number, untilMs: number): number | undefined {
  for (let atMs = fromMs; atMs <= untilMs; ) {
    const latest = Math.max(atMs, ...places.map((one) => one.freeFrom(atMs, untilMs)));
    if (latest === atMs) return atMs;
    atMs = latest;
  }
  return undefined;
}

/** Places of a limit, as of a time: those that are over by then are no longer free. */
class SlicePositions {
  readonly #limit: PaceLimit;
  readonly #taken: Map<number, number>;
  readonly #now: number;

  constructor({ limit, taken }: SpreadLimit, nowMs: number) {
    this.#limit = limit;
    this.#now = nowMs / limit.sliceMs;
    const latest = (nowMs + LATE_MS_MAX) / limit.sliceMs;
    this.#taken = new Map(taken.filter(([slice]) => slice >= Math.floor(this.#now) && slice <= latest));
  }

  /** Returns the earliest time from `fromMs` on at which there is a place; infinity when it is later than `untilMs`. */
  freeFrom(fromMs: number, untilMs: number): number {
    const { sliceMs, allowed } = this.#limit;
    for (let slice = Math.floor(fromMs / sliceMs); slice * sliceMs <= untilMs; slice++) {
      const position = this.#placeIn(slice);
      if (position < allowed(slice)) return Math.max(fromMs, (slice + (SPREAD * position) / allowed(slice)) * sliceMs);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Takes the next place of the slice at `atMs`. */
  take(atMs: number): void {
    const slice = Math.floor(atMs / this.#limit.sliceMs);
    this.#taken.set(slice, this.#placeIn(slice) + 1);
  }

  taken(): TakenPositions {
    return [...this.#taken].toSorted(([one], [other]) => one - other);
  }

  /** Returns the first place of a slice that is neither taken nor over. */
  #placeIn(slice: number): number {
    const over = Math.floor(((this.#now - slice) * this.#limit.allowed(slice)) / SPREAD);
    return Math.max(0, over, this.#taken.get(slice) ?? 0);
  }
}
