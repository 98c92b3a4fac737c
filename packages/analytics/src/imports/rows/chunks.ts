import type { FrameEntry } from "@headwater/topics";

/** Limits of one partition in one chunk: what a frame takes, so that a chunk is in a partition whole or not at all. */
const PARTITION_RECORDS_MAX = 500;
const PARTITION_BYTES_MAX = 480 * 1024;
const CHUNK_BYTES_MAX = 1024 * 1024;

/**
 * Records that are written together. A chunk is acknowledged before the next one is written, and its records of a partition are one frame:
 * so the rows of an import stand in order in every partition, and none is missing below the greatest.
 */
export class Chunk {
  readonly #entries: FrameEntry[] = [];
  readonly #records = new Map<number, number>();
  readonly #bytes = new Map<number, number>();
  #total = 0;

  get entries(): readonly FrameEntry[] {
    return this.#entries;
  }

  /** @returns false when there is no room for it. */
  add(entry: FrameEntry): boolean {
    const bytes = Buffer.byteLength(entry.text) + 1;
    const records = (this.#records.get(entry.partition) ?? 0) + 1;
    const ofPartition = (this.#bytes.get(entry.partition) ?? 0) + bytes;
    const isTooMuch =
      records > PARTITION_RECORDS_MAX || ofPartition > PARTITION_BYTES_MAX || this.#total + bytes > CHUNK_BYTES_MAX;
    if (isTooMuch && this.#entries.length > 0) return false;
    this.#entries.push(entry);
    this.#records.set(entry.partition, records);
    this.#bytes.set(entry.partition, ofPartition);
    this.#total += bytes;
    return true;
  }
}
