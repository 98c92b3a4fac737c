import { createHash } from "node:crypto";
import type { Destination } from "@headwater/jobs/destinations/destination";
import type { WrittenFile } from "@headwater/jobs/files/fileStore";

/** Bytes that are buffered before they are sent. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Sends text to a destination outside as one file.
 * @param isStill asked before the file appears: false gives it up.
 * @returns undefined when it was given up.
 */
export async function sendProfile(
  destination: Destination,
  { name, text, isStill }: { name: string; text: AsyncIterable<string>; isStill: () => Promise<boolean> },
  signal: AbortSignal,
): Promise<WrittenFile | undefined> {
  const upload = await destination.open(name, signal);
  const sum = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of inChunks(text)) {
      sum.update(chunk);
      bytes += chunk.length;
      await upload.write(chunk);
    }
    if (!(await isStill())) {
      await upload.abort();
      return undefined;
    }
    await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
  return { bytes, sha256: sum.digest("hex") };
}

async function* inChunks(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let buffered: string[] = [];
  let characters = 0;
  for await (const part of text) {
    buffered.push(part);
    characters += part.length;
    if (characters < CHUNK_BYTES) continue;
    yield Buffer.from(buffered.join(""));
    buffered = [];
    characters = 0;
  }
  if (characters > 0) yield Buffer.from(buffered.join(""));
}
