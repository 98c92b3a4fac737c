import { isDeepStrictEqual } from "node:util";

const DISPLAYED_MAX = 12;

/** Values that are not as they must be; a few of them are shown, all are counted. */
export class Differences {
  readonly #shown: string[] = [];
  #count = 0;
  #compared = 0;

  add(what: string): void {
    this.#count++;
    if (this.#shown.length < DISPLAYED_MAX) this.#shown.push(what);
  }

  /** Two values of one thing. */
  same(what: string, actual: unknown, expected: unknown): void {
    this.#compared++;
    if (isDeepStrictEqual(actual, expected)) return;
    this.add(`${what}: is ${show(actual)}, must be ${show(expected)}`);
  }

  /** Two sets of things by name: nothing missing, nothing too many, each the same. */
  sameMaps(what: string, actual: ReadonlyMap<string, unknown>, expected: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of expected) {
      if (actual.has(key)) this.same(`${what} ${JSON.stringify(key)}`, actual.get(key), value);
      else this.add(`${what} ${JSON.stringify(key)} is missing: ${show(value)}`);
    }
    for (const [key, value] of actual) {
      if (!expected.has(key)) this.add(`${what} ${JSON.stringify(key)} is too much: ${show(value)}`);
    }
  }

  /** Number of values compared: a comparison of nothing shows nothing. */
  get compared(): number {
    return this.#compared;
  }

  get lines(): readonly string[] {
    const more = this.#count - this.#shown.length;
    return more > 0 ? [...this.#shown, `and ${more} more`] : this.#shown;
  }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 300);
}
