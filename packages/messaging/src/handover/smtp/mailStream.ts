import { Readable } from "node:stream";

export interface MailStreamEvents {
  /** The server takes data now. Return false to give the mail up before its final dot. */
  readonly onData: () => boolean;
  /** The last block is taken and the final dot comes next. Return false to give the mail up. */
  readonly onLastBlock: () => boolean;
  /** A block was taken. */
  readonly onBlock: () => void;
  /** The final dot goes out from now on. */
  readonly onDot: () => void;
}

const BLOCK_BYTES = 65_536;

/**
 * A mail as the connection reads it, block by block. `readableEnded` is false as long as the final dot cannot be out: the
 * connection writes the dot when the stream ends.
 */
export class MailStream extends Readable {
  readonly #mail: Buffer;
  readonly #events: MailStreamEvents;
  #at = 0;
  #hasBegun = false;

  constructor(mail: Buffer, events: MailStreamEvents) {
    super({ highWaterMark: BLOCK_BYTES });
    this.#mail = mail;
    this.#events = events;
    this.once("end", events.onDot);
  }

  /** True once the server took DATA: before, nothing of the mail went out. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  override _read(): void {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#goOnIf(this.#events.onData());
    }
    if (this.destroyed) return;
    this.#events.onBlock();
    if (this.#at < this.#mail.length) this.#pushBlock();
    else if (this.#goOnIf(this.#events.onLastBlock())) this.push(null);
  }

  #pushBlock(): void {
    const block = this.#mail.subarray(this.#at, this.#at + BLOCK_BYTES);
    this.#at += block.length;
    this.push(block);
  }

  #goOnIf(isWanted: boolean): boolean {
    if (!isWanted) this.destroy(new Error("The mail was given up before its final dot."));
    return isWanted;
  }
}
