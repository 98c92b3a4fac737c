import { hash, randomBytes } from "node:crypto";

/** Number of records of a partition that the window looks back over. */
export const ACTIVITY_WINDOW_RECORDS = 500_000;
const KEY_BYTES = 16;

/**
 * Remembers which activities with a UID were applied within the last records of one partition, as keyed 53-bit hashes
 * in bounded memory. Rebuilt from the log when a partition is taken over, so that nothing is stored per event.
 */
export class ActivityWindow {
  readonly #seen = new Map<number, number>();
  readonly #offsets: { offset: number; recordsBefore: number }[] = [];
  readonly #records: number;
  readonly #hash = createHash53();
  #count = 0;

  constructor(records: number = ACTIVITY_WINDOW_RECORDS) {
    this.#records = records;
  }

  has(key: string): boolean {
    const at = this.#seen.get(this.#hash(key));
    return at !== undefined && at >= this.#count - this.#records;
  }

  /**
   * Counts the records of a batch and remembers its activities that were applied. All count as the last of the batch:
   * nothing is forgotten early.
   */
  advance(offset: number, recordCount: number, keys: Iterable<string>): void {
    this.#count += recordCount;
    let keyed = false;
    for (const key of keys) {
      const hashed = this.#hash(key);
      this.#seen.delete(hashed);
      this.#seen.set(hashed, this.#count);
      keyed = true;
    }
    if (keyed) this.#offsets.push({ offset, recordsBefore: this.#count });
    this.#forget();
  }

  /** The oldest offset that must be read again to rebuild the window; undefined when nothing is remembered. */
  get from(): number | undefined {
    return this.#offsets[0]?.offset;
  }

  #forget(): void {
    const oldest = this.#count - this.#records;
    while ((this.#offsets[0]?.recordsBefore ?? oldest) < oldest) this.#offsets.shift();
    for (const [hashed, at] of this.#seen) {
      if (at >= oldest) return;
      this.#seen.delete(hashed);
    }
  }
}

/** Bytes of a digest that a number holds exactly, less 3 bits of the first. */
const HASH_BYTES = 7;
const FIRST_BITS = 0x1f;

/**
 * The first 53 bits of SHA-256 over the key and the text. The key is random and never leaves the process, so that nobody can search for two
 * activities with one hash and have another account's taken for a repeat. It needs no store: the window is rebuilt at every start.
 */
function createHash53(): (text: string) => number {
  const key = randomBytes(KEY_BYTES).toString("hex");
  return (text) => {
    const digest = hash("sha256", key + text, "latin1");
    let number = digest.charCodeAt(0) & FIRST_BITS;
    for (let at = 1; at < HASH_BYTES; at++) number = number * 0x100 + digest.charCodeAt(at);
    return number;
  };
}
