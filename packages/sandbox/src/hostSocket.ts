import { Duplex } from "node:stream";
import type { AskHost } from "./protocol.ts";

/** A connection whose socket the host holds (`hostOfSocket`): this process has no way out of its own. */
export class HostSocket extends Duplex {
  readonly #ask: AskHost;

  constructor(ask: AskHost) {
    super();
    this.#ask = ask;
  }

  override _read(): void {
    this.#ask("receive", null).then(
      (chunk) => this.push(chunk instanceof Uint8Array ? Buffer.from(chunk) : null),
      (error: Error) => this.destroy(error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#ask("send", chunk).then(() => done(), done);
  }

  override _writev(waiting: readonly { readonly chunk: Buffer }[], done: (error?: Error) => void): void {
    const chunk = Buffer.concat(waiting.map((one) => one.chunk));
    this.#ask("send", chunk).then(() => done(), done);
  }
}
