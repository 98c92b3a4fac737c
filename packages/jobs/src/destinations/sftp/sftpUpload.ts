import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { withTimeout } from "@headwater/kernel";
import { ABORT_TIMEOUT_MS, type Upload } from "../destination.ts";
import { storageAway } from "../storageFailure.ts";
import type { SftpConnection } from "./sftpConnection.ts";

/** A server that takes nothing for so long is away, although its connection stands. */
const SILENCE_TIMEOUT_MS = 60_000;

/** Bytes that are written at a time; the library makes one packet or two of them. */
const PACKET_BYTES = 32 * 1024;
/** Time of giving up that what is on its way may take. */
const IN_FLIGHT_TIMEOUT_MS = 1_500;

/** Ends the names of unfinished files. */
export const PART = ".part";

/** Begins a file under a name of its own; `finish` renames it. */
export async function createSftpUpload(connection: SftpConnection, path: string): Promise<Upload> {
  const { client } = connection;
  const temporary = `${path}.${randomBytes(6).toString("hex")}${PART}`;
  const run = <Answer>(call: () => Promise<Answer>) => connection.run(() => inTime(call));
  const stream = client.createWriteStream(temporary, { flags: "w", autoClose: true });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  void Promise.allSettled([failed]);
  stream.on("error", reject);
  let bytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let isAborted = false;
  await run(() => Promise.race([failed, once(stream, "open")])).catch((error: unknown) => {
    stream.destroy();
    throw error;
  });
  return {
    async write(chunk) {
      bytes += chunk.length;
      for (let from = 0; from < chunk.length; from += PACKET_BYTES) {
        if (isAborted) throw storageAway("the upload was aborted");
        const written = Promise.withResolvers<unknown>();
        writing = written.promise;
        const isFull = !stream.write(chunk.subarray(from, from + PACKET_BYTES), written.resolve);
        if (isFull) await run(() => Promise.race([failed, once(stream, "drain")]));
      }
    },
    async finish() {
      const closed = once(stream, "close");
      stream.end();
      await run(() => Promise.race([failed, closed]));
      const { size } = await run(() => client.stat(temporary));
      if (size !== bytes) throw storageAway("size differs");
      await rename(connection, temporary, path);
      connection.close();
      return {};
    },
    async abort() {
      isAborted = true;
      // A server could write what is still on its way to a file that was removed.
      await Promise.allSettled([withTimeout(() => writing, IN_FLIGHT_TIMEOUT_MS)]);
      stream.destroy();
      await Promise.allSettled([
        withTimeout(() => connection.run(() => client.delete(temporary, true)), ABORT_TIMEOUT_MS),
      ]);
      connection.close();
    },
  };
}

async function inTime<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const { promise: silent, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(storageAway("timed out")), SILENCE_TIMEOUT_MS);
  try {
    return await Promise.race([silent, call()]);
  } finally {
    clearTimeout(timer);
  }
}

/** Renames in one step where the server can; else the file of an earlier attempt is removed before. */
async function rename({ client, run }: SftpConnection, from: string, to: string): Promise<void> {
  const renamed = await run(() => client.posixRename(from, to)).then(
    () => true,
    () => false,
  );
  if (renamed) return;
  if ((await run(() => client.exists(to))) !== false) await run(() => client.delete(to));
  await run(() => client.rename(from, to));
}
