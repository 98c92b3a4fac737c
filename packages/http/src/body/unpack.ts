import { constants, createGunzip } from "node:zlib";
import type { BodyCharge } from "./bodyBudget.ts";

export type Unpacked =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "notGzip" }
  | { readonly kind: "noMemory" };

export interface Unpacking {
  readonly bytesMax: number;
  /** Charged chunk by chunk, before the next one is unpacked. */
  readonly charge: BodyCharge;
}

const LARGE_BYTES = 16 * 1024;
const LARGE_CHUNK = 64 * 1024;

/** Unpacks gzip up to a bound; what is charged for a body that is given back is its length. */
export function unpack(compressed: Buffer, { bytesMax, charge }: Unpacking): Promise<Unpacked> {
  const { promise, resolve } = Promise.withResolvers<Unpacked>();
  const gunzip = createGunzip(compressed.length > LARGE_BYTES ? { chunkSize: LARGE_CHUNK } : {});
  const chunks: Buffer[] = [];
  let length = 0;
  let charged = 0;
  const giveUp = (why: Unpacked) => {
    gunzip.destroy();
    charge.remove(charged);
    charged = 0;
    resolve(why);
  };
  gunzip.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > bytesMax) return giveUp({ kind: "tooLarge" });
    if (!charge.add(chunk.length)) return giveUp({ kind: "noMemory" });
    charged += chunk.length;
    chunks.push(chunk);
  });
  gunzip.once("error", () => giveUp({ kind: "notGzip" }));
  gunzip.once("end", () => resolve({ kind: "bytes", bytes: joined(chunks, length) }));
  gunzip.end(compressed);
  return promise;
}

/** The beginning of what is in a gzip that may be cut off; nothing of what is no gzip. */
export function unpackBeginning(compressed: Buffer, bytesMax: number): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => {
    gunzip.destroy();
    resolve(joined(chunks, length).subarray(0, bytesMax));
  };
  gunzip.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytesMax) finish();
  });
  gunzip.once("error", finish);
  gunzip.once("end", finish);
  gunzip.end(compressed);
  return promise;
}

export function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [first = Buffer.alloc(0)] = chunks;
  return chunks.length > 1 ? Buffer.concat(chunks, length) : first;
}
