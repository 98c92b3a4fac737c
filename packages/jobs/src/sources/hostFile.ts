import type { AskHost } from "@headwater/sandbox/serve";

/** Bytes that go to the host in one message, about. */
const WRITE_BYTES = 512 * 1024;

/** Reads a file that the process itself cannot open: it asks its host for every range. */
export class HostFile {
  readonly bytes: number;
  readonly #ask: AskHost;

  constructor(bytes: number, ask: AskHost) {
    this.bytes = bytes;
    this.#ask = ask;
  }

  /** Reads bytes in order; `end` is not included. The host decides how many come at a time. */
  async *read(start = 0, end = this.bytes): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const chunk = await this.#ask("read", { start: at, end });
      if (!(chunk instanceof Uint8Array) || chunk.length === 0) throw new Error("the host answered no bytes");
      at += chunk.length;
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    }
  }

  /** Reads a range as a whole; `end` is not included. */
  async slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const whole = new Uint8Array(end - start);
    let at = 0;
    for await (const chunk of this.read(start, end)) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}

/** Hands bytes to the host, which answers when it has space for more. */
export async function writeToHost(chunks: AsyncIterable<string | Uint8Array>, ask: AskHost): Promise<void> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    const joined = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    for (let at = 0; at < joined.length; at += WRITE_BYTES) await ask("write", joined.subarray(at, at + WRITE_BYTES));
  };
  for await (const chunk of chunks) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    parts.push(part);
    bytes += part.length;
    if (bytes >= WRITE_BYTES) await flush();
  }
  await flush();
}
