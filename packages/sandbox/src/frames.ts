import type { Writable } from "node:stream";
import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** Returns a value as the bytes of one frame, without its length. */
export function encodeFrame(value: unknown): Buffer {
  return serialize(value);
}

/** Writes a frame with its length before it. */
export function writeFrame(stream: Writable, body: Buffer): void {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(body.length);
  stream.cork();
  stream.write(length);
  stream.write(body);
  stream.uncork();
}

/** A frame announces more bytes than its reader takes. */
export class FrameTooLarge extends Error {}

/** Puts frames together from the chunks of a stream. Both ends are of one program, so a frame is what its type says. */
export class FrameReader<Frame> {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @param bytesMax longest body of a frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes a chunk, and returns the values of the frames that it completes. @throws FrameTooLarge before any of the frame is kept. */
  read(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const values: Frame[] = [];
    for (let body = this.#next(); body !== undefined; body = this.#next()) values.push(deserialize(body));
    return values;
  }

  #next(): Buffer | undefined {
    if (this.#bytes < LENGTH_BYTES) return undefined;
    const length = this.#join(LENGTH_BYTES).readUInt32LE();
    if (length > this.#bytesMax) throw new FrameTooLarge(`A frame has ${length} bytes.`);
    const end = LENGTH_BYTES + length;
    if (this.#bytes < end) return undefined;
    const all = this.#join(end);
    this.#chunks = all.length > end ? [all.subarray(end)] : [];
    this.#bytes -= end;
    return all.subarray(LENGTH_BYTES, end);
  }

  /** Returns the first chunk once it holds so many bytes: chunks are joined only for a length, and for a frame that is complete. */
  #join(bytes: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= bytes) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}
