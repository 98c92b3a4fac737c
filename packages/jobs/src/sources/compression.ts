import { Readable } from "node:stream";
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import { SourceRefused } from "./sourceRefused.ts";

export type Compression = "none" | "gzip" | "zstd";

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const PARQUET = Buffer.from("PAR1");
const GIB = 1024 ** 3;
/** Limit of what an import reads, after decompression. */
const PLAIN_BYTES_MAX = 10 * GIB;
/** A file that grows more than so many times once it is beyond the first bytes is a bomb; text of one repeated row grows less. */
export const GROWTH_MAX = 1_000;
const GROWTH_FROM_BYTES = 64 * 1024 * 1024;

/** Returns whether the bytes that were read of a file are more than any honest file becomes. */
export function isBomb(readBytes: number, fileBytes: number): boolean {
  return readBytes > GROWTH_FROM_BYTES && readBytes > GROWTH_MAX * fileBytes;
}
/** A window larger than this needs more memory than an import may have. */
const ZSTD_WINDOW_LOG_MAX = 27;

export function compressionOf(head: Buffer): Compression {
  if (head.subarray(0, GZIP.length).equals(GZIP)) return "gzip";
  return head.subarray(0, ZSTD.length).equals(ZSTD) ? "zstd" : "none";
}

export function isParquet(head: Buffer): boolean {
  return head.subarray(0, PARQUET.length).equals(PARQUET);
}

/**
 * Unpacks as it is read, so that nothing is held but a window.
 * @throws SourceRefused for what is damaged, cut short, or grows beyond the bounds.
 */
export async function* unpacked(
  bytes: AsyncIterable<Buffer>,
  { compression, packedBytes }: { readonly compression: Compression; readonly packedBytes: number },
): AsyncGenerator<Buffer> {
  let plainBytes = 0;
  for await (const chunk of plainOf(bytes, compression)) {
    plainBytes += chunk.length;
    if (plainBytes > PLAIN_BYTES_MAX)
      throw new SourceRefused(`The source exceeds ${PLAIN_BYTES_MAX} bytes when it is unpacked.`);
    if (isBomb(plainBytes, packedBytes))
      throw new SourceRefused(`The source grows more than ${GROWTH_MAX} times when it is unpacked.`);
    yield chunk;
  }
}

async function* plainOf(bytes: AsyncIterable<Buffer>, compression: Compression): AsyncGenerator<Buffer> {
  if (compression === "none") {
    yield* bytes;
    return;
  }
  const unpack =
    compression === "gzip"
      ? createGunzip()
      : createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } });
  const source = Readable.from(bytes, { objectMode: false });
  source.on("error", (error) => unpack.destroy(error));
  try {
    yield* source.pipe(unpack);
  } catch (error) {
    if (isDamage(error))
      throw new SourceRefused(`The source is not valid ${compression}, or is cut short.`, { cause: error });
    throw error;
  } finally {
    source.destroy();
    unpack.destroy();
  }
}

function isDamage(error: unknown): boolean {
  const code = error instanceof Error ? String(Reflect.get(error, "code") ?? "") : "";
  return code.startsWith("Z_") || code.startsWith("ZSTD_") || code.startsWith("ERR_ZSTD") || code === "ERR_ZLIB_ERROR";
}
