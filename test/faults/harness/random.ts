/** Random numbers that a seed repeats: a failed run is replayed by the seed it printed. */
export interface Random {
  /** Draws a number from 0 up to 1, excluded. */
  next(): number;
  /** A whole number from 0 up to `below`, excluded. */
  int(below: number): number;
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A stream of its own, the same for the same name: what one part draws changes nothing for another. */
  fork(name: string): Random;
}

/** Mulberry32. Source: Tommy Ettinger's public domain generator of 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    between: (min, max) => min + int(max - min + 1),
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)] ?? items[0],
    fork: (name) => createRandom(seedOf(`${seed} ${name}`)),
  };
}

function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
