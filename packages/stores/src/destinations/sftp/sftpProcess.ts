import { buffer } from "node:stream/consumers";
import { fixedFolder, type SftpStorage } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { type AskHost, HostSocket, type Refusable, refusable, serveTasks } from "@headwater/sandbox/serve";
import type { ReadStream } from "ssh2";
import type SftpClient from "ssh2-sftp-client";
import { connectSftp, type SftpPorts } from "./sftpConnection.ts";
import { createSftpDestination, type SftpFolders } from "./sftpDestination.ts";

/** Result of a task; a refusal is what the server or the way to it is blamed for. */
export type SftpResult<Output> = Refusable<Output, Pick<HeadwaterError, "publicMessage" | "retriable">>;

interface Head {
  readonly storage: SftpStorage;
  readonly bytes: number;
}

interface File {
  readonly storage: SftpStorage;
  readonly folders: SftpFolders;
  readonly name: string;
}

/** The host ends the connection, and the process where that does not suffice. */
const { signal } = new AbortController();

const sftpTasks = {
  /** Signs in and finds the folder of a storage. */
  checkFolder: (storage: SftpStorage, ask: AskHost) =>
    calling(async () => {
      const fixed = fixedFolder(storage.path);
      await createSftpDestination(storage, { ...portsOf(ask), folder: fixed, fixed }).check(signal);
      return null;
    }),
  /** Signs in and reads the first bytes of a file. */
  readHead: ({ storage, bytes }: Head, ask: AskHost) =>
    calling(async () => {
      const { client, run, close } = await connectSftp(storage, portsOf(ask), signal);
      try {
        const { size } = await run(() => client.stat(storage.path));
        if (size === 0) return Buffer.alloc(0);
        return await run(() => buffer(readStreamOf(client, storage.path, { start: 0, end: bytes - 1 })));
      } finally {
        close();
      }
    }),
  /** Signs in and passes a file on to the host, which asks for no chunk before it has taken the last. */
  readFile: (storage: SftpStorage, ask: AskHost) =>
    calling(async () => {
      const { client, run, close } = await connectSftp(storage, portsOf(ask), signal);
      const passOn = async () => {
        for await (const chunk of readStreamOf(client, storage.path)) await ask("take", chunk);
        return null;
      };
      try {
        await run(() => client.stat(storage.path));
        return await run(passOn);
      } finally {
        close();
      }
    }),
  /** Writes a file of the chunks that the host gives, until it gives null. A question that fails ends the upload and removes the file. */
  upload: ({ storage, folders, name }: File, ask: AskHost) =>
    calling(async () => {
      const upload = await createSftpDestination(storage, { ...portsOf(ask), ...folders }).open(name, signal);
      try {
        for (;;) {
          const chunk = await ask("nextChunk", null);
          if (!(chunk instanceof Uint8Array)) break;
          await upload.write(Buffer.from(chunk));
        }
        await upload.finish();
      } catch (error) {
        await upload.abort();
        throw error;
      }
      return null;
    }),
  /** Signs in and removes what is left of an unfinished file. */
  discard: ({ storage, folders, name }: File, ask: AskHost) =>
    calling(async () => {
      await createSftpDestination(storage, { ...portsOf(ask), ...folders }).discard(name, signal);
      return null;
    }),
};

/** Tasks of the processes that speak SFTP. */
export type SftpTasks = typeof sftpTasks;

function readStreamOf(client: SftpClient, path: string, range: { start?: number; end?: number } = {}): ReadStream {
  const stream = client.createReadStream(path, range);
  // The answer to its close may be missing when the connection is closed: an error that nobody waits for any more.
  stream.on("error", () => undefined);
  return stream;
}

function portsOf(ask: AskHost): SftpPorts {
  return {
    outbound: { connect: async () => new HostSocket(ask) },
    hostKeys: {
      pin: async (server, fingerprint) => String(await ask("pin", { server, fingerprint })),
      replace: async (server, fingerprint) => void (await ask("replace", { server, fingerprint })),
    },
  };
}

function calling<Output>(run: () => Promise<Output>): Promise<SftpResult<Output>> {
  return refusable(run, (error) => {
    if (!(error instanceof HeadwaterError)) return undefined;
    const { publicMessage, retriable } = error;
    return { publicMessage, retriable };
  });
}

await serveTasks(sftpTasks);
