import type { SftpStorage } from "@headwater/contracts";
import type { ReadStream } from "ssh2";
import type SftpClient from "ssh2-sftp-client";
import type { StoragePorts, StorageProtocol } from "../sandbox/storageProtocol.ts";
import { connectSftp } from "./sftpConnection.ts";
import { createSftpDestination } from "./sftpDestination.ts";

/** Creates what calls an SFTP server; each file has a connection of its own. */
export function createSftpProtocol(storage: SftpStorage, ports: StoragePorts): StorageProtocol {
  return {
    destination: (folders) => createSftpDestination(storage, { ...ports, ...folders }),
    async *read(signal) {
      const { client, run, close } = await connectSftp(storage, ports, signal);
      try {
        await run(() => client.stat(storage.path));
        const chunks = readStreamOf(client, storage.path)[Symbol.asyncIterator]();
        for (;;) {
          const { done, value } = await run(() => chunks.next());
          if (done === true) return;
          yield value;
        }
      } finally {
        close();
      }
    },
  };
}

function readStreamOf(client: SftpClient, path: string): ReadStream {
  const stream = client.createReadStream(path);
  // The answer to its close may be missing when the connection is closed: an error that nobody waits for any more.
  stream.on("error", () => undefined);
  return stream;
}
