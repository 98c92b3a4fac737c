/**
 * Buffers the bytes of one part while the part before it is on its way, in two buffers that take turns: a file of any size takes the memory
 * of two parts, and leaves no garbage behind.
 */
export class PartBuffers {
  readonly #partBytes: number;
  #current: Buffer | undefined;
  #other: Buffer | undefined;
  #bytes = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes === this.#partBytes;
  }

  /** Copies as much as there is space for. @returns what is left of it. */
  add(chunk: Uint8Array): Uint8Array {
    this.#current ??= Buffer.allocUnsafeSlow(this.#partBytes);
    const taken = chunk.subarray(0, this.#partBytes - this.#bytes);
    this.#current.set(taken, this.#bytes);
    this.#bytes += taken.length;
    return chunk.subarray(taken.length);
  }

  /** Returns the part. It holds until `take` is called again: by then it must have been sent. */
  take(): Buffer {
    const part = (this.#current ?? Buffer.alloc(0)).subarray(0, this.#bytes);
    [this.#current, this.#other] = [this.#other, this.#current];
    this.#bytes = 0;
    return part;
  }
}
