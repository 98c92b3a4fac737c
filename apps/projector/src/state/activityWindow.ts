/** How many records of a partition the window looks back over. */
export const ACTIVITY_WINDOW_RECORDS = 500_000;

/**
 * Remembers which activities with a UID were applied within the last records of one partition, as 53-bit hashes in
 * bounded memory. Rebuilt from the log when a partition is taken over, so that nothing is stored per event.
 */
export class ActivityWindow {
  readonly #seen = new Map<number, number>();
  readonly #offsets: { offset: number; recordsBefore: number }[] = [];
  readonly #records: number;
  #count = 0;

  constructor(records: number = ACTIVITY_WINDOW_RECORDS) {
    this.#records = records;
  }

  has(key: string): boolean {
    const at = this.#seen.get(hash53(key));
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
      const hash = hash53(key);
      this.#seen.delete(hash);
      this.#seen.set(hash, this.#count);
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
    for (const [hash, at] of this.#seen) {
      if (at >= oldest) return;
      this.#seen.delete(hash);
    }
  }
}

/** Two rounds of FNV-1a with different seeds, 53 bits together. */
function hash53(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x9dc5811c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 0x200000 + (low & 0x1fffff);
}
