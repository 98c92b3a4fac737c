import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { withTimeout } from "@headwater/kernel";
import { ABORT_TIMEOUT_MS, type Upload } from "../destination.ts";
import { storageAway } from "../storageFailure.ts";
import type { SftpConnection } from "./sftpConnection.ts";

/** A server that takes nothing for so long is away, although its connection stands. */
const SILENCE_TIMEOUT_MS = 60_000;

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
  await run(() => Promise.race([failed, once(stream, "open")])).catch((error: unknown) => {
    stream.destroy();
    throw error;
  });
  return {
    async write(chunk) {
      bytes += chunk.length;
      if (!stream.write(chunk)) await run(() => Promise.race([failed, once(stream, "drain")]));
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
