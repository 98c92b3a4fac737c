import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

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

/** Files on a disk that worker and service share. */
export interface FileStore {
  /**
   * Writes a whole file: under another name first, and under its own when the disk has it, so that nobody reads half of one. A
   * file of that name is replaced. Throws FileTooLarge beyond the bound.
   */
  write(key: FileKey, chunks: AsyncIterable<string>): Promise<WrittenFile>;
  /** Bytes from `start` to `end`, both included. */
  read(key: FileKey, range: { readonly start: number; readonly end: number }): AsyncIterable<Buffer>;
  /** No error when it is not there. */
  remove(key: FileKey): Promise<void>;
}

export class FileTooLarge extends Error {}

const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const ID = /^[0-9a-f]{24}$/;

export function createFileStore({ folder }: { readonly folder: string }): FileStore {
  const folderOf = ({ accountId }: FileKey) => join(folder, checked(accountId));
  const pathOf = (key: FileKey) => join(folderOf(key), checked(key.id));
  return {
    async write(key, chunks) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      const path = pathOf(key);
      const temporary = `${path}.part`;
      const written = await writeAll(temporary, chunks);
      await rename(temporary, path);
      await syncFolder(folderOf(key));
      return written;
    },
    read: (key, { start, end }) => createReadStream(pathOf(key), { start, end }),
    remove: async (key) => {
      await rm(pathOf(key), { force: true });
      await rm(`${pathOf(key)}.part`, { force: true });
    },
  };
}

async function writeAll(path: string, chunks: AsyncIterable<string>): Promise<WrittenFile> {
  const sum = createHash("sha256");
  let bytes = 0;
  const file = await open(path, "w", 0o600);
  try {
    for await (const chunk of chunks) {
      const block = Buffer.from(chunk);
      bytes += block.length;
      if (bytes > FILE_BYTES_MAX) throw new FileTooLarge(`a file has at most ${FILE_BYTES_MAX} bytes`);
      sum.update(block);
      await file.write(block);
    }
    await file.sync();
  } finally {
    await file.close();
  }
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

function checked(id: string): string {
  if (!ID.test(id)) throw new RangeError("files are named by 24 hex characters");
  return id;
}
