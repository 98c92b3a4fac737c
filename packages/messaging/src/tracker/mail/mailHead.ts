import { mailLimits } from "./mailLimits.ts";

const NEWLINE = 0x0a;

/** Keeps the beginning of a mail, whatever its size: so many bytes, and so many lines. */
export class MailHead {
  readonly #kept: Buffer[] = [];
  #bytes = 0;
  #lines = 0;

  add(chunk: Buffer): void {
    const capacity = chunk.subarray(0, mailLimits.headBytes - this.#bytes);
    const part = capacity.subarray(0, this.#endOfLines(capacity));
    if (part.length === 0) return;
    this.#bytes += part.length;
    this.#kept.push(part);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Returns the position behind the last line that may still be kept. */
  #endOfLines(chunk: Buffer): number {
    let at = 0;
    while (this.#lines < mailLimits.headLines) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline === -1) return chunk.length;
      this.#lines += 1;
      at = newline + 1;
    }
    return at;
  }
}
