import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Host } from "./childProcess.ts";

interface SocketLimits {
  /** Bytes that the other side may send; default any number. */
  readonly receivedBytesMax?: number | undefined;
}

/** Answers a process that uses a socket of ours by its `HostSocket`: passes on bytes that it does not read. */
export function hostOfSocket(socket: Socket, { receivedBytesMax = Number.POSITIVE_INFINITY }: SocketLimits = {}): Host {
  const chunks = socket[Symbol.asyncIterator]();
  let received = 0;
  return {
    async receive(): Promise<Uint8Array | null> {
      const { done, value } = await chunks.next();
      if (done === true || !(value instanceof Uint8Array)) return null;
      received += value.length;
      if (received > receivedBytesMax) throw new Error("the server sent too much");
      return value;
    },
    send: (chunk: unknown) => passOn(socket, chunk),
  };
}

/** Writes a chunk of a process to a stream. Resolves when the stream has passed it on. */
function passOn(stream: Writable, chunk: unknown): Promise<null> {
  if (!(chunk instanceof Uint8Array)) throw new TypeError("a process passes on bytes");
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve(null)));
  });
}
