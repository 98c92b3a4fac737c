/** Token before the next character of a level that was not read yet. */
export type Path = "empty" | "afterElement" | "afterComma";

const PATHS: readonly Path[] = ["empty", "afterElement", "afterComma"];
const NONE = -1;
const LEVELS_FIRST = 64;

const IS_OBJECT = 1;
const IS_FREE_FORM = 2;

/** The objects and arrays that are open, as numbers: a text of ten million brackets takes 14 bytes for each. */
export class OpenLevels {
  #depth = 0;
  #flags = new Uint8Array(LEVELS_FIRST);
  #places = new Uint8Array(LEVELS_FIRST);
  #starts = new Int32Array(LEVELS_FIRST);
  #froms = new Int32Array(LEVELS_FIRST);
  #commas = new Int32Array(LEVELS_FIRST).fill(NONE);

  get depth(): number {
    return this.#depth;
  }

  push(start: number, isObject: boolean): void {
    this.#depth += 1;
    if (this.#depth === this.#flags.length) this.#grow();
    this.#flags[this.#depth] = isObject ? IS_OBJECT : 0;
    this.#starts[this.#depth] = start;
    this.#commas[this.#depth] = NONE;
  }

  pop(): void {
    this.#depth -= 1;
  }

  /** Remembers the last comma of the innermost level. */
  comma(at: number): void {
    this.#commas[this.#depth] = at;
  }

  /** Says that a level is read from its bracket on; its last comma stays known. */
  begin(level: number): void {
    this.#froms[level] = this.start(level) + 1;
    this.#places[level] = 0;
  }

  /** Says how far a level was read. */
  move(level: number, from: number, path: Path): void {
    this.#froms[level] = from;
    this.#places[level] = PATHS.indexOf(path);
    this.#commas[level] = NONE;
  }

  markFreeForm(level: number): void {
    this.#flags[level] = (this.#flags[level] ?? 0) | IS_FREE_FORM;
  }

  isObject(level: number): boolean {
    return ((this.#flags[level] ?? 0) & IS_OBJECT) !== 0;
  }

  /** True at any depth under a member whose own members are the sender's. */
  isFreeForm(level: number): boolean {
    return ((this.#flags[level] ?? 0) & IS_FREE_FORM) !== 0;
  }

  /** Position of the bracket that opened the level. */
  start(level: number): number {
    return this.#starts[level] ?? 0;
  }

  /** Position up to which the level was read. */
  from(level: number): number {
    return this.#froms[level] ?? 0;
  }

  place(level: number): Path {
    return PATHS[this.#places[level] ?? 0] ?? "empty";
  }

  /** Position of the level's last comma that was not read yet; negative without one. */
  lastComma(level: number): number {
    return this.#commas[level] ?? NONE;
  }

  #grow(): void {
    const length = this.#flags.length * 2;
    const grown = <Numbers extends Uint8Array | Int32Array>(from: Numbers, to: Numbers): Numbers => {
      to.set(from);
      return to;
    };
    this.#flags = grown(this.#flags, new Uint8Array(length));
    this.#places = grown(this.#places, new Uint8Array(length));
    this.#starts = grown(this.#starts, new Int32Array(length));
    this.#froms = grown(this.#froms, new Int32Array(length));
    this.#commas = grown(this.#commas, new Int32Array(length));
  }
}
