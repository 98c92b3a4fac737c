import { Socket } from "node:net";

/** More is not copied. */
const JOINED_BYTES_MAX = 16 * 1024;

/**
 * A socket that sends what is written in one turn of the event loop at once. The driver writes each statement by itself; a
 * transaction whose statements go out together then costs one call of the system and wakes the server once, not once for each.
 */
export function oneWriteATurn(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket);
  let isHeld = false;
  const send = () => {
    isHeld = false;
    socket.uncork();
  };
  const held = (...given: Parameters<typeof write>) => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      process.nextTick(send);
    }
    return write(...given);
  };
  joinSmallWrites(socket);
  // Node sets it back when it connects, and to another when the other end has closed.
  const property = { value: held, writable: true, configurable: true };
  socket.once("connect", () => Object.defineProperty(socket, "write", property));
  return socket;
}

interface Written {
  readonly chunk: unknown;
}

/** A statement is five messages of a few bytes: one buffer costs the system less than a list of them. */
function joinSmallWrites(socket: Socket): void {
  const [write, writeAll] = [socket._write.bind(socket), socket._writev?.bind(socket)];
  const value = (chunks: { chunk: unknown; encoding: BufferEncoding }[], done: (error?: Error | null) => void) => {
    const [joined, encoding] = [joinSmall(chunks), chunks[0]?.encoding];
    if (joined === undefined || encoding === undefined) writeAll?.(chunks, done);
    else write(joined, encoding, done);
  };
  Object.defineProperty(socket, "_writev", { value, writable: true, configurable: true });
}

function joinSmall(written: readonly Written[]): Buffer | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  for (const { chunk } of written) {
    if (!Buffer.isBuffer(chunk)) return undefined;
    length += chunk.length;
    if (length > JOINED_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
