/** Joins ranges of several partitions, so that they are written together. */
export interface RangeBatcher<Range> {
  /** Announces a range that is being made: those that are ready wait for it a moment. */
  announce(): AnnouncedRange<Range>;
}

export interface AnnouncedRange<Range> {
  /** Writes the range with all that are ready. @returns false when the stored rows of its partition are to be read again. */
  write(range: Range): Promise<boolean>;
  /** Ends the announcement without a range; after `write` it changes nothing. */
  withdraw(): void;
}

export interface RangeBatcherOptions<Range> {
  /** Writes ranges of different partitions. All of them get what it returns or throws. */
  readonly write: (ranges: readonly Range[]) => Promise<boolean>;
  readonly bytesOf: (range: Range) => number;
}

/** Bytes that are written together at most; a single range may be larger. */
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
/** A range that is ready waits no longer for those that are announced. */
const WAIT_MS_MAX = 50;

interface Waiting<Range> {
  readonly range: Range;
  readonly written: PromiseWithResolvers<boolean>;
}

/**
 * Batches ranges while others are being written or made. Each insert makes a part, and merging many small parts is what costs ClickHouse
 * most; each claim is a commit. So the cost of writing is by the round, not by the partition.
 */
export function createRangeBatcher<Range>(options: RangeBatcherOptions<Range>): RangeBatcher<Range> {
  return new AnnouncedRangeBatcher(options);
}

class AnnouncedRangeBatcher<Range> implements RangeBatcher<Range> {
  readonly #options: RangeBatcherOptions<Range>;
  readonly #ready: Waiting<Range>[] = [];
  #announced = 0;
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RangeBatcherOptions<Range>) {
    this.#options = options;
  }

  announce(): AnnouncedRange<Range> {
    this.#announced += 1;
    let isOpen = true;
    const close = () => {
      if (isOpen) this.#announced -= 1;
      isOpen = false;
    };
    return {
      write: (range) => {
        close();
        const written = Promise.withResolvers<boolean>();
        this.#ready.push({ range, written });
        this.#timer ??= setTimeout(() => this.#begin(), WAIT_MS_MAX);
        this.#look();
        return written.promise;
      },
      withdraw: () => {
        close();
        this.#look();
      },
    };
  }

  #look(): void {
    // Partitions that were woken together announce their ranges in the same turn.
    setImmediate(() => {
      if (this.#announced === 0) this.#begin();
    });
  }

  #begin(): void {
    if (this.#isWriting || this.#ready.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWriting = true;
    void this.#writeNext();
  }

  async #writeNext(): Promise<void> {
    const batch = this.#ready.splice(0, this.#countOfNext());
    try {
      const isWritten = await this.#options.write(batch.map(({ range }) => range));
      for (const { written } of batch) written.resolve(isWritten);
    } catch (error) {
      for (const { written } of batch) written.reject(error);
    }
    this.#isWriting = false;
    // What became ready meanwhile has waited long enough.
    this.#begin();
  }

  /** Returns how many of the ready ranges fit into one round. */
  #countOfNext(): number {
    let bytes = 0;
    const end = this.#ready.findIndex(({ range }) => {
      bytes += this.#options.bytesOf(range);
      return bytes > BATCH_BYTES_MAX;
    });
    return end === -1 ? this.#ready.length : Math.max(1, end);
  }
}
