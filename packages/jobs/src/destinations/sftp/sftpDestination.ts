import { promisify } from "node:util";
import type { SftpStorage } from "@headwater/contracts";
import type { Destination } from "../destination.ts";
import type { StorageFolders } from "../sandbox/storageProtocol.ts";
import { storageRefused } from "../storageFailure.ts";
import { connectSftp, type SftpConnection, type SftpPorts } from "./sftpConnection.ts";
import { createSftpUpload, PART } from "./sftpUpload.ts";

/** Entries of a folder that are read: a server may list names without end. */
const FOLDER_ENTRIES_MAX = 100_000;

/** Status of SFTP at the end of a folder. */
const END_OF_FILE = 1;

/** Creates a destination in a folder of an SFTP server. Each file has a connection of its own. */
export function createSftpDestination(
  storage: SftpStorage,
  { folder, fixed, ...ports }: SftpPorts & StorageFolders,
): Destination {
  return {
    async check(signal) {
      const connection = await connectSftp(storage, ports, signal);
      try {
        await expectFolder(connection, fixed);
      } finally {
        connection.close();
      }
    },
    async open(name, signal) {
      const connection = await connectSftp(storage, ports, signal);
      try {
        await expectFolder(connection, fixed);
        await createFolder(connection, folder);
        await removeParts(connection, folder, name);
        return await createSftpUpload(connection, join(folder, name));
      } catch (error) {
        connection.close();
        throw error;
      }
    },
    async discard(name, signal) {
      const connection = await connectSftp(storage, ports, signal);
      try {
        await removeParts(connection, folder, name);
      } finally {
        connection.close();
      }
    },
  };
}

/** Returns the path of a name in a folder; no folder is the one that the server shows first. */
function join(folder: string, name: string): string {
  if (folder === "") return name;
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

async function expectFolder({ client, run }: SftpConnection, folder: string): Promise<void> {
  if ((await run(() => client.exists(folder === "" ? "." : folder))) !== "d") throw storageRefused("notThere");
}

/** Removes unfinished files of the name: a writer that slept meanwhile goes on writing to one that nobody sees, and cannot rename it. */
async function removeParts(connection: SftpConnection, folder: string, name: string): Promise<void> {
  const { client, run } = connection;
  const at = folder === "" ? "." : folder;
  if ((await run(() => client.exists(at))) !== "d") return;
  const fits = (found: string) => found.startsWith(`${name}.`) && found.endsWith(PART);
  const parts = await findNames(connection, { folder: at, fits });
  for (const part of parts) await run(() => client.delete(join(folder, part), true));
}

async function createFolder({ client, run }: SftpConnection, folder: string): Promise<void> {
  if (folder === "" || (await run(() => client.exists(folder))) === "d") return;
  await run(() => client.mkdir(folder, true));
}

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

interface SoughtNames {
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
