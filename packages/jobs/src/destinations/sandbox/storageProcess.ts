import type { Storage } from "@headwater/contracts";
import { type AskHost, ByteChunks, type Refusable, refusable, serveTasks } from "@headwater/sandbox/serve";
import type { Destination, Upload } from "../destination.ts";
import type { HostKeys } from "../sftp/hostKeys.ts";
import { connectionFailure, storageAway } from "../storageFailure.ts";
import { CHUNKS_BYTES_MAX, ChunkQueue } from "./chunkQueue.ts";
import { createHostAgents } from "./hostAgents.ts";
import { createHostConnect } from "./hostConnection.ts";
import type { StorageFolders, StoragePorts, StorageProtocol } from "./storageProtocol.ts";

/** Refusal that a storage, or the way to it, is blamed for. */
export interface StorageRefusal {
  readonly publicMessage: string;
  readonly retriable: boolean;
  /** A short name, for logs. */
  readonly cause: string | undefined;
}

export type StorageResult<Output> = Refusable<Output, StorageRefusal>;

interface Folder {
  readonly storage: Storage;
  readonly folders: StorageFolders;
}

interface File extends Folder {
  readonly name: string;
}

interface Head {
  readonly storage: Storage;
  readonly bytes: number;
}

const storageTasks = {
  /** Signs in and finds out whether files can be written to a folder. */
  check: ({ storage, folders }: Folder, ask: AskHost) =>
    calling(storage, ask, async (protocol, signal) => {
      await protocol.destination(folders).check(signal);
      return null;
    }),
  /** Reads the first bytes of the file at the storage's path. */
  readHead: ({ storage, bytes }: Head, ask: AskHost) =>
    calling(storage, ask, async (protocol, signal) => {
      const head: Uint8Array[] = [];
      let read = 0;
      for await (const chunk of protocol.read(signal)) {
        head.push(chunk);
        read += chunk.length;
        if (read >= bytes) break;
      }
      return Buffer.concat(head).subarray(0, bytes);
    }),
  /** Passes the file at the storage's path on to the host, which takes some chunks after the other, while the next ones are read. */
  readFile: (storage: Storage, ask: AskHost) =>
    calling(storage, ask, async (protocol, signal) => {
      const read = new ChunkQueue(CHUNKS_BYTES_MAX);
      const reading = fill(read, protocol.read(signal));
      try {
        for (let chunks = await read.read(); chunks.length > 0; chunks = await read.read())
          await ask("take", new ByteChunks(chunks, null));
      } catch (error) {
        read.fail(error);
        throw error;
      } finally {
        await reading;
      }
      return null;
    }),
  /** Writes a file of the chunks that the host gives, until it gives none. Nothing is left of a file that the host stops, or fails to give. */
  upload: ({ storage, folders, name }: File, ask: AskHost) =>
    calling(storage, ask, async (protocol, signal) => {
      const upload = await open(protocol.destination(folders), name, signal);
      let aborted: Promise<void> | undefined;
      const abort = () => {
        aborted ??= upload.abort();
        return aborted;
      };
      signal.addEventListener("abort", abort, { once: true });
      try {
        signal.throwIfAborted();
        for (let coming = ask("nextChunks", null); ; ) {
          const next = await coming;
          if (!(next instanceof ByteChunks)) break;
          // The host gives the next ones while these are written.
          coming = ask("nextChunks", null);
          void Promise.allSettled([coming]);
          for (const chunk of next.chunks) await upload.write(chunk);
        }
        await upload.finish();
      } catch (error) {
        await abort();
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
      }
      return null;
    }),
  /** Removes what is left of an unfinished file. */
  discard: ({ storage, folders, name }: File, ask: AskHost) =>
    calling(storage, ask, async (protocol, signal) => {
      await protocol.destination(folders).discard(name, signal);
      return null;
    }),
};

/** Tasks of the processes that call storages. */
export type StorageTasks = typeof storageTasks;

/** Writes all chunks to a queue. The reader of the queue hears of a failure. */
async function fill(queue: ChunkQueue, chunks: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) await queue.write(chunk);
    queue.end();
  } catch (error) {
    queue.fail(error);
  }
}

/** Opens a file. The signal ends that alone: an upload that is stopped removes its parts over the connections that it has. */
async function open(destination: Destination, name: string, signal: AbortSignal): Promise<Upload> {
  const opening = new AbortController();
  const stop = () => opening.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await destination.open(name, opening.signal);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Calls a storage, until the host answers `stopped`. */
async function calling<Output>(
  storage: Storage,
  ask: AskHost,
  call: (protocol: StorageProtocol, signal: AbortSignal) => Promise<Output>,
): Promise<StorageResult<Output>> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(storageAway("stopped"));
  ask("stopped", null).then(stop, stop);
  const connect = createHostConnect(ask);
  const agents = createHostAgents(connect);
  const hostKeys: HostKeys = {
    pin: async (_, fingerprint) => String(await ask("pin", fingerprint)),
    replace: async (_, fingerprint) => void (await ask("replace", fingerprint)),
  };
  try {
    return await refusable(
      async () => call(await speak(storage, { outbound: { connect }, agents, hostKeys }), stopping.signal),
      refusalOf,
    );
  } finally {
    agents.httpAgent.destroy();
    agents.httpsAgent.destroy();
  }
}

/** Loads the library of the storage's type: a process has those that it was asked for. */
async function speak(storage: Storage, ports: StoragePorts): Promise<StorageProtocol> {
  switch (storage.type) {
    case "s3":
      return (await import("../s3/s3Protocol.ts")).createS3Protocol(storage, ports);
    case "azureblob":
      return (await import("../azure/azureProtocol.ts")).createAzureProtocol(storage, ports);
    case "sftp":
      return (await import("../sftp/sftpProtocol.ts")).createSftpProtocol(storage, ports);
  }
}

/** Memory that was refused is no fault of the storage. */
function refusalOf(error: unknown): StorageRefusal | undefined {
  if (error instanceof RangeError) return undefined;
  const { publicMessage, retriable, cause } = connectionFailure(error);
  return { publicMessage, retriable, cause: cause instanceof Error ? cause.message : undefined };
}

await serveTasks(storageTasks);
