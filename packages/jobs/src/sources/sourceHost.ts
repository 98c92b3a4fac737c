import type { Host } from "@headwater/sandbox";
import type { FileKey, FileStore } from "../files/fileStore.ts";
import { importFailed } from "./importError.ts";

export interface SourceHostOptions {
  readonly files: FileStore;
  readonly key: FileKey;
  readonly bytes: number;
  readonly signal: AbortSignal;
  /** Takes what the process writes; it is asked for the next bytes when this has resolved. */
  readonly write?: ((chunk: Uint8Array) => Promise<void>) | undefined;
}

interface Range {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

interface OpenRange {
  readonly bytes: AsyncIterator<Buffer>;
  at: number;
  readonly end: number;
}

/** Bytes that go to a process in one message, about. */
const READ_BYTES = 512 * 1024;
/** Time that the work on a file may take in all: a minute, and a second for every 256 KiB that are read or written. */
const WORK_MS_BASE = 60_000;
const WORK_BYTES_PER_MS = 256;

/** Answers a process that reads one file: it hands out bytes of it, takes bytes of its copy, and ends what takes too much time. */
export class SourceHost {
  readonly #options: SourceHostOptions;
  #open: OpenRange | undefined;
  #failure: { readonly error: unknown } | undefined;
  #answeredAt: number | undefined;
  #workedMs = 0;
  #movedBytes = 0;

  readonly answers: Host = {
    read: (range: Range) => this.#answer(() => this.#read(range)),
    write: (chunk: Uint8Array) => this.#answer(() => this.#write(chunk)),
  };

  constructor(options: SourceHostOptions) {
    this.#options = options;
  }

  /** Throws what failed on this side: a process sees of it only that it has no answer. */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async close(): Promise<void> {
    await this.#open?.bytes.return?.();
    this.#open = undefined;
  }

  async #answer<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      this.#options.signal.throwIfAborted();
      this.#countWork();
      return await work();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#answeredAt = performance.now();
    }
  }

  /** Counts the time since the last answer as the work of the process. */
  #countWork(): void {
    if (this.#answeredAt !== undefined) this.#workedMs += performance.now() - this.#answeredAt;
    if (this.#workedMs <= WORK_MS_BASE + this.#movedBytes / WORK_BYTES_PER_MS) return;
    throw importFailed("The source cannot be read: it takes more time than its size allows.");
  }

  /** Ranges that follow one another come from one reading of the file. */
  async #read({ start, end }: Range): Promise<Uint8Array> {
    const { files, key, bytes } = this.#options;
    if (!(start >= 0 && start < end && end <= bytes))
      throw new RangeError("a process asked for bytes that are not there");
    if (this.#open === undefined || this.#open.at !== start || this.#open.end !== end) {
      await this.close();
      this.#open = { bytes: files.read(key, { start, end: end - 1 })[Symbol.asyncIterator](), at: start, end };
    }
    const chunks: Buffer[] = [];
    let length = 0;
    while (length < READ_BYTES && this.#open.at < end) {
      const { done, value } = await this.#open.bytes.next();
      if (done === true) throw new Error("a file ends before its length");
      chunks.push(value);
      length += value.length;
      this.#open.at += value.length;
    }
    this.#movedBytes += length;
    return Buffer.concat(chunks);
  }

  async #write(chunk: Uint8Array): Promise<null> {
    const { write } = this.#options;
    if (write === undefined) throw new Error("nobody takes what this process writes");
    this.#movedBytes += chunk.length;
    await write(chunk);
    return null;
  }
}
