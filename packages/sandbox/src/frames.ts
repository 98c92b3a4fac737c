import type { Writable } from "node:stream";
import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;
const LENGTHS_BYTES = 2 * LENGTH_BYTES;

/**
 * Bytes that go between processes as they are: without a copy, and not in the pieces that were sent. As what a task asks, or as what its host
 * answers.
 */
export class ByteChunks<About = null> {
  readonly chunks: readonly Uint8Array[];
  readonly about: About;

  /** @param about goes with them. */
  constructor(chunks: readonly Uint8Array[], about: About) {
    this.chunks = chunks;
    this.about = about;
  }
}

/** A frame as it is written: a value, and bytes after it. */
export interface EncodedFrame {
  readonly value: Buffer;
  readonly attached: readonly Uint8Array[];
}

export function encodeFrame(value: unknown, attached: readonly Uint8Array[] = []): EncodedFrame {
  return { value: serialize(value), attached };
}

/** Writes a frame with its lengths before it. */
export function writeFrame(stream: Writable, { value, attached }: EncodedFrame): void {
  const lengths = Buffer.allocUnsafe(LENGTHS_BYTES);
  lengths.writeUInt32LE(value.length);
  lengths.writeUInt32LE(
    attached.reduce((bytes, { length }) => bytes + length, 0),
    LENGTH_BYTES,
  );
  stream.cork();
  stream.write(lengths);
  stream.write(value);
  for (const bytes of attached) stream.write(bytes);
  stream.uncork();
}

/** A frame announces more bytes than its reader takes. */
export class FrameTooLarge extends Error {}

/** A frame that was read, with the bytes that followed its value. */
export interface DecodedFrame<Frame> {
  readonly frame: Frame;
  readonly attached: readonly Buffer[];
}

/** Puts frames together from the chunks of a stream. Both ends are of one program, so a frame is what its type says. */
export class FrameReader<Frame> {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Lengths of the frame that is being read. */
  #lengths: readonly [value: number, attached: number] | undefined;

  /** @param bytesMax longest body of a frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes a chunk, and returns the frames that it completes. @throws FrameTooLarge before any of the frame is stored. */
  read(chunk: Buffer): DecodedFrame<Frame>[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const frames: DecodedFrame<Frame>[] = [];
    for (let next = this.#next(); next !== undefined; next = this.#next()) frames.push(next);
    return frames;
  }

  #next(): DecodedFrame<Frame> | undefined {
    if (this.#lengths === undefined) {
      if (this.#bytes < LENGTHS_BYTES) return undefined;
      const lengths = joined(this.#take(LENGTHS_BYTES));
      this.#lengths = [lengths.readUInt32LE(), lengths.readUInt32LE(LENGTH_BYTES)];
    }
    const [valueBytes, attachedBytes] = this.#lengths;
    const length = valueBytes + attachedBytes;
    if (length > this.#bytesMax) throw new FrameTooLarge(`A frame has ${length} bytes.`);
    if (this.#bytes < length) return undefined;
    this.#lengths = undefined;
    return { frame: deserialize(joined(this.#take(valueBytes))), attached: this.#take(attachedBytes) };
  }

  /** Takes so many bytes, in the chunks in which they came. */
  #take(bytes: number): Buffer[] {
    this.#bytes -= bytes;
    const parts: Buffer[] = [];
    let taken = 0;
    for (let missing = bytes; missing > 0; ) {
      const chunk = this.#chunks[taken];
      if (chunk === undefined) throw new RangeError("the chunks hold what was counted");
      const part = chunk.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      if (part.length === chunk.length) taken += 1;
      else this.#chunks[taken] = chunk.subarray(part.length);
    }
    this.#chunks.splice(0, taken);
    return parts;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
