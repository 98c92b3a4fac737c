import { buffer } from "node:stream/consumers";
import { fixedFolder, type SftpStorage } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { type AskHost, type Refusable, refusable, serveTasks } from "@headwater/sandbox/serve";
import { HostSocket } from "./hostSocket.ts";
import { connectSftp, type SftpPorts } from "./sftpConnection.ts";
import { createSftpDestination } from "./sftpDestination.ts";

/** Result of a task; a refusal is what the server or the way to it is blamed for. */
export type SftpResult<Output> = Refusable<Output, Pick<HeadwaterError, "publicMessage" | "retriable">>;

interface Head {
  readonly storage: SftpStorage;
  readonly bytes: number;
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
        const stream = client.createReadStream(storage.path, { start: 0, end: bytes - 1 });
        // The answer to its close may be missing when the connection is closed below: an error that nobody waits for any more.
        stream.on("error", () => undefined);
        return await run(() => buffer(stream));
      } finally {
        close();
      }
    }),
};

/** Tasks of the processes that speak SFTP. */
export type SftpTasks = typeof sftpTasks;

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
