import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { filesUnavailable } from "./filesUnavailable.ts";

/** Names one file; both are 24 hex characters, so that no path can be made of them. */
export interface FileKey {
  readonly accountId: string;
  readonly id: string;
}

export interface WrittenFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** A file that is being written; whoever began it ends it with `finish` or `abort`. */
export interface FileUpload {
  write(chunk: Uint8Array): Promise<void>;
  /** The file is there under its name, on the disk. Rejects when another writer has begun it since. */
  finish(): Promise<void>;
  /** Nothing of it is left. */
  abort(): Promise<void>;
}

/** Files on a disk that worker and service share, or in a bucket. */
export interface FileStore {
  /**
   * Writes a whole file: under another name first, and under its own when the disk has it, so that nobody reads half of one. A
   * file of that name is replaced. Throws FileTooLarge beyond the bound (default 1 GiB). What breaks off leaves nothing new.
   */
  write(
    key: FileKey,
    chunks: AsyncIterable<string | Uint8Array>,
    options?: { readonly bytesMax?: number },
  ): Promise<WrittenFile>;
  /**
   * Begins a file of any size. Several writers never share one unfinished file: what another left unfinished is removed, and that one
   * cannot finish any more.
   * @param signal ends what is on its way to another host.
   */
  open(key: FileKey, signal?: AbortSignal): Promise<FileUpload>;
  /** Bytes from `start` to `end`, both included; none of an empty file, whose end is -1. */
  read(key: FileKey, range: { readonly start: number; readonly end: number }): AsyncIterable<Buffer>;
  /** Removes what writers left of a file that they did not finish. */
  discard(key: FileKey): Promise<void>;
  /** No error when it is not there. */
  remove(key: FileKey): Promise<void>;
}

export class FileTooLarge extends Error {}

/** Limit of files that are made of text in this process; those that are opened have none. */
export const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const ID = /^[0-9a-f]{24}$/;
const PART = ".part";

export function createFileStore({ folder }: { readonly folder: string }): FileStore {
  const folderOf = ({ accountId }: FileKey) => join(folder, checked(accountId));
  const pathOf = (key: FileKey) => join(folderOf(key), checked(key.id));
  return {
    async write(key, chunks, { bytesMax = FILE_BYTES_MAX } = {}) {
      return writeAll(await beginFile(folderOf(key), checked(key.id)), chunks, bytesMax);
    },
    async open(key) {
      await removeParts(folderOf(key), checked(key.id));
      return beginFile(folderOf(key), checked(key.id));
    },
    read: (key, { start, end }) => (end < start ? noBytes() : createReadStream(pathOf(key), { start, end })),
    discard: (key) => removeParts(folderOf(key), checked(key.id)),
    remove: async (key) => {
      await rm(pathOf(key), { force: true });
      await removeParts(folderOf(key), checked(key.id));
    },
  };
}

/** Bytes of a file without any. */
export async function* noBytes(): AsyncGenerator<Buffer> {
  yield* [];
}

async function beginFile(folder: string, id: string): Promise<FileUpload> {
  const part = join(folder, `${id}.${randomBytes(6).toString("hex")}${PART}`);
  const file = await whereCapacity(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(part, "w", 0o600);
  });
  return {
    write: (chunk) =>
      whereCapacity(async () => {
        for (let from = 0; from < chunk.length; ) from += (await file.write(chunk, from)).bytesWritten;
      }),
    finish: () =>
      whereCapacity(async () => {
        await file.sync();
        await file.close();
        await rename(part, join(folder, id));
        await syncFolder(folder);
      }),
    async abort() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}

const NO_CAPACITY: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** A full disk passes, as a store that is away does. */
async function whereCapacity<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Error) || !NO_CAPACITY.has(Reflect.get(error, "code"))) throw error;
    throw filesUnavailable("The disk of the store of files is full. Retry later.", error);
  }
}

/** Removes unfinished files of the name, of writers that were killed. */
async function removeParts(folder: string, id: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const parts = names.filter((name) => name.startsWith(`${id}.`) && name.endsWith(PART));
  await Promise.all(parts.map((name) => rm(join(folder, name), { force: true })));
}

/** Writes chunks to a file that was begun, and ends it. */
export async function writeAll(
  upload: FileUpload,
  chunks: AsyncIterable<string | Uint8Array>,
  bytesMax: number,
): Promise<WrittenFile> {
  const sum = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      const block = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      bytes += block.length;
      if (bytes > bytesMax) throw new FileTooLarge(`a file has at most ${bytesMax} bytes`);
      sum.update(block);
      await upload.write(block);
    }
  } catch (error) {
    await upload.abort();
    throw error;
  }
  await upload.finish();
  return { bytes, sha256: sum.digest("hex") };
}

/** The new name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @throws RangeError for an id of which a path could be made. */
export function checked(id: string): string {
  if (!ID.test(id)) throw new RangeError("files are named by 24 hex characters");
  return id;
}
