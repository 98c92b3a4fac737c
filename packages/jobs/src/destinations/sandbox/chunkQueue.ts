/** Bytes of a file that wait for a process, or in it for its host. */
export const CHUNKS_BYTES_MAX = 1024 * 1024;

/** Chunks on their way from a writer to a reader, which take turns. */
export class ChunkQueue {
  readonly #bytesMax: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  /** @param bytesMax bytes with which a writer waits for the reader. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Resolves when the next chunk may be written. @throws the error of `fail`. */
  async write(chunk: Uint8Array): Promise<void> {
    this.throwIfFailed();
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#change();
    while (this.#bytes >= this.#bytesMax) await this.#wait();
  }

  /** Resolves to all chunks that wait, and to none at the end. @throws the error of `fail`, whatever waits. */
  async read(): Promise<readonly Uint8Array[]> {
    this.throwIfFailed();
    while (this.#chunks.length === 0 && !this.#isEnded) await this.#wait();
    const chunks = this.#chunks;
    [this.#chunks, this.#bytes] = [[], 0];
    this.#change();
    return chunks;
  }

  /** Nothing follows. */
  end(): void {
    this.#isEnded = true;
    this.#change();
  }

  /** Ends both sides with an error; the first one counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#change();
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #wait(): Promise<void> {
    await this.#changed.promise;
    this.throwIfFailed();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
