import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Storage } from "@headwater/contracts";
import { createOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDestination } from "./createDestination.ts";
import { createSftpSandbox } from "./sftp/sftpSandbox.ts";

const sftp = createSftpSandbox();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const BLOCK = Buffer.alloc(64 * 1024, " ");
let sent = 0;
/** Answers every request without end, as fast as it is read. */
const server = createServer((request, answer) => {
  request.resume();
  answer.writeHead(200, { "content-type": "application/xml" });
  const write = () => {
    while (!answer.destroyed) {
      sent += BLOCK.length;
      if (!answer.write(BLOCK)) return void answer.once("drain", write);
    }
  };
  write();
});
let endpoint: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  endpoint = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await sftp.close();
  await outbound.close();
  server.close();
});

const storages: Record<string, () => Storage> = {
  s3: () => ({
    type: "s3",
    aws_bucket: "lake",
    aws_endpoint: endpoint,
    aws_access_key_id: "id",
    aws_secret_access_key: "secret",
  }),
  azureblob: () => ({ type: "azureblob", account: "lake", container: "lake", accountKey: "c2VjcmV0", endpoint }),
};

test.each(Object.entries(storages))("a storage whose answer has no end is refused: %s", async (_type, storage) => {
  sent = 0;
  const destination = createDestination(storage(), { account: 1, outbound, hostKeys, sftp });
  await expect(destination.check(AbortSignal.timeout(20_000))).rejects.toMatchObject({
    code: "STORAGE_CONNECTION_ERROR",
    retriable: false,
    publicMessage: expect.stringContaining("longer than 1 MiB"),
  });
  // Sockets buffer some more.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});
