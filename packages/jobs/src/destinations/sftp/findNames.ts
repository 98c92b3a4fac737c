import { promisify } from "node:util";
import { storageRefused } from "../storageFailure.ts";
import type { SftpConnection } from "./sftpConnection.ts";

/** Entries of a folder that are read: a server may list names without end. */
export const FOLDER_ENTRIES_MAX = 100_000;

/** Status of SFTP at the end of a folder. */
const END_OF_FILE = 1;

/**
 * Returns the names in a folder that fit, reading it part by part.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR` for a folder of more than `entriesMax`.
 */
export async function findNames(
  { sftp, run }: Pick<SftpConnection, "sftp" | "run">,
  { folder, fits, entriesMax = FOLDER_ENTRIES_MAX }: SoughtNames,
): Promise<string[]> {
  const open = promisify<string, Buffer>(sftp.opendir.bind(sftp));
  const read = promisify<Buffer, readonly Entry[]>(sftp.readdir.bind(sftp));
  const close = promisify<Buffer, void>(sftp.close.bind(sftp));
  const handle = await run(() => open(folder));
  const found: string[] = [];
  for (let entries = 0; ; ) {
    const part = await run(() => read(handle).catch(unlessAtEnd));
    if (part === undefined) break;
    // A part without entries counts, too: there may be parts without end.
    entries += Math.max(1, part.length);
    if (entries > entriesMax) throw storageRefused("tooManyFiles");
    found.push(...part.flatMap(({ filename }) => (fits(filename) ? filename : [])));
  }
  await run(() => close(handle));
  return found;
}

export interface SoughtNames {
  readonly folder: string;
  readonly fits: (name: string) => boolean;
  readonly entriesMax?: number;
}

interface Entry {
  readonly filename: string;
}

function unlessAtEnd(error: unknown): undefined {
  if (error instanceof Error && Reflect.get(error, "code") === END_OF_FILE) return undefined;
  throw error;
}
