import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutbound } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStorageSandbox } from "../destinations/sandbox/storageSandbox.ts";
import { readSource, type SourceTimes } from "./openSource.ts";

const storages = createStorageSandbox();
const outbound = createOutbound({ allow: ["127.0.0.1"] });
const hostKeys = { pin: async (_: unknown, key: string) => key, replace: async () => undefined };
const server = createServer((request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  if (pathname === "/file") return answer.end("a,b\r\n1,2\r\n");
  if (pathname === "/to") return answer.writeHead(302, { location: searchParams.get("url") ?? "" }).end();
  if (pathname === "/broken") return answer.writeHead(500).end();
  if (pathname === "/cut") {
    answer.writeHead(200, { "content-length": "100" }).write("begun");
    return setTimeout(() => answer.destroy(), 20);
  }
  if (pathname === "/trickle") {
    const timer = setInterval(() => answer.write("x"), 20);
    return answer.on("close", () => clearInterval(timer));
  }
  if (pathname === "/silence") return answer.write("begun");
  return answer.writeHead(404).end();
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  server.close();
  await storages.close();
  await outbound.close();
});

async function read(path: string, times: Partial<SourceTimes> = {}): Promise<string> {
  const chunks: Buffer[] = [];
  const source = { type: "http" as const, url: path.startsWith("http") ? path : `${base}${path}` };
  for await (const chunk of readSource(
    source,
    { account: 1, outbound, hostKeys, storages, times },
    AbortSignal.timeout(20_000),
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const failed = (retriable: boolean) => ({ code: "STORAGE_CONNECTION_ERROR", retriable });

test("a link is read byte by byte, behind redirects too", async () => {
  expect(await read("/file")).toBe("a,b\r\n1,2\r\n");
  expect(await read(`/to?url=${encodeURIComponent("/file")}`)).toBe("a,b\r\n1,2\r\n");
});

test("a redirect to a private address, to another protocol or for ever is refused", async () => {
  for (const url of ["http://127.0.0.2:1/", "http://[::1]/", "http://169.254.169.254/", "file:///etc/passwd", ""]) {
    await expect(read(`/to?url=${encodeURIComponent(url)}`)).rejects.toMatchObject(failed(false));
  }
  await expect(read("http://localhost.localdomain.invalid/")).rejects.toMatchObject(failed(false));
});

test("what is not there is refused; an error of the server and a body that ends early are tried again", async () => {
  await expect(read("/nowhere")).rejects.toMatchObject(failed(false));
  await expect(read("/broken")).rejects.toMatchObject(failed(true));
  await expect(read("/cut")).rejects.toMatchObject(failed(true));
});

test("a link that sends a byte at a time is ended, one that falls silent is tried again, and none takes longer than all of its time", async () => {
  const slow = { bytesPerSecond: 10_000, behindMs: 1_500 };
  const saying = (text: string) => ({ ...failed(false), publicMessage: expect.stringContaining(text) });
  await expect(read("/trickle", slow)).rejects.toMatchObject(saying("too slow"));
  await expect(read("/silence", slow)).rejects.toMatchObject(failed(true));
  await expect(read("/trickle", { bytesPerSecond: 1, totalMs: 300 })).rejects.toMatchObject(saying("four hours"));
});
