import type { LogBatch } from "@headwater/intake/accounting/accounting";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import { MemoryRanges } from "./memoryRanges.ts";

interface CountedBatch extends LogBatch {
  readonly lastTime: number;
  readonly mark: OffsetMark | null;
  readonly dropBelow: number;
}

/** Counts of the log in memory: what Postgres keeps in `log_batches` and `stream_offsets`. It passes `logCountsContract`. */
export class MemoryCounts {
  /** Batches that are kept, in the order in which they were added. */
  batches: readonly LogBatch[] = [];
  /** Offsets of `state`. */
  state: readonly OpenOffset[] = [];
  readonly #progress = new MemoryRanges("accounting");

  open(at: { readonly topic: string; readonly partition: number; readonly low: number }): Promise<OpenOffset> {
    return this.#progress.open(at);
  }

  keyOf(at: { readonly topic: string; readonly partition: number }): OffsetKey {
    return this.#progress.keyOf(at);
  }

  async add(key: OffsetKey, batch: CountedBatch): Promise<number | undefined> {
    const { lastTime: greatestTime, mark, dropBelow, ...counted } = batch;
    const { firstOffset, nextOffset } = counted;
    if (!(await this.#progress.advance([{ key, from: firstOffset, to: { nextOffset, greatestTime, mark } }]))) {
      return (await this.#progress.read(key, 0)).nextOffset;
    }
    this.batches = [...this.batches, counted].filter((stored) => stored.nextOffset > dropBelow);
    return undefined;
  }

  async stateOffsets(): Promise<readonly OpenOffset[]> {
    return this.state;
  }

  held(at: { readonly topic: string; readonly partition: number }, why: string | undefined): Promise<void> {
    return this.#progress.held(at, why);
  }

  verified(at: { readonly topic: string; readonly partition: number }): Promise<void> {
    return this.#progress.verified(at);
  }
}
