import { Duplex } from "node:stream";
import { type AskHost, ByteChunks } from "@headwater/sandbox/serve";

/** Bytes that go to the host at a time. */
const SEND_BYTES_MAX = 1024 * 1024;

/** Answer of a host whose socket failed. */
export interface SocketFailure {
  readonly code: string;
}

/** Opens connections of the host: this process has no way out of its own. */
export type HostConnect = (to: { readonly host: string; readonly port: number }) => Promise<HostConnection>;

/** @returns what opens a connection. It rejects with the code of the host's failure. */
export function createHostConnect(ask: AskHost): HostConnect {
  return async ({ host, port }) => {
    const answer = await ask("connect", { host, port });
    if (typeof answer === "number") return new HostConnection(ask, answer);
    throw failureOf(answer);
  };
}

/** A connection whose socket the host holds. It has the methods that clients of HTTP call. */
export class HostConnection extends Duplex {
  readonly #ask: AskHost;
  readonly #connection: number;
  #silence: NodeJS.Timeout | undefined;

  /** @param connection number by which the host knows the socket. */
  constructor(ask: AskHost, connection: number) {
    super({ allowHalfOpen: false, highWaterMark: SEND_BYTES_MAX });
    this.#ask = ask;
    this.#connection = connection;
  }

  /** Emits `timeout` when nothing has moved for so long; 0 ends that. */
  setTimeout(ms: number, onTimeout?: () => void): this {
    clearTimeout(this.#silence);
    this.#silence = ms === 0 ? undefined : setTimeout(() => this.emit("timeout"), ms);
    if (onTimeout !== undefined && ms === 0) this.removeListener("timeout", onTimeout);
    if (onTimeout !== undefined && ms !== 0) this.once("timeout", onTimeout);
    return this;
  }

  /** Does nothing, like the three methods below: the host sends at once, and this process lives as long as its task. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    this.#ask("receive", this.#connection).then(
      (answer) => {
        this.#silence?.refresh();
        if (answer === null) this.push(null);
        else if (answer instanceof ByteChunks) for (const chunk of answer.chunks) this.push(chunk);
        else this.destroy(failureOf(answer));
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send([chunk]).then(() => done(), done);
  }

  override _writev(waiting: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(waiting.map(({ chunk }) => chunk)).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#silence);
    // A host whose task has ended has closed it already.
    void Promise.allSettled([this.#ask("close", this.#connection)]);
    done(error);
  }

  async #send(chunks: readonly Buffer[]): Promise<void> {
    for (const pieces of sendable(chunks)) {
      const answer = await this.#ask("send", new ByteChunks(pieces, this.#connection));
      this.#silence?.refresh();
      if (answer !== null) throw failureOf(answer);
    }
  }
}

/** Groups what is short, and cuts what is long. */
function* sendable(chunks: readonly Buffer[]): Generator<readonly Buffer[]> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks)
    for (let from = 0; from < chunk.length; from += SEND_BYTES_MAX) {
      const piece = chunk.subarray(from, from + SEND_BYTES_MAX);
      if (bytes + piece.length > SEND_BYTES_MAX) {
        yield pieces;
        [pieces, bytes] = [[], 0];
      }
      pieces.push(piece);
      bytes += piece.length;
    }
  if (bytes > 0) yield pieces;
}

function failureOf(answer: unknown): Error {
  const code = typeof answer === "object" && answer !== null ? Reflect.get(answer, "code") : undefined;
  return Object.assign(new Error("the connection failed"), { code: String(code) });
}
