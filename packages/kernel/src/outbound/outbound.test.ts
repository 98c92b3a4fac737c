import { createServer, get, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Resolve } from "./addressGuard.ts";
import { createOutbound, type Outbound } from "./outbound.ts";
import { isPublicAddress } from "./publicAddress.ts";
import { requestOutside } from "./requestOutside.ts";

const server = createServer((_, answer) => answer.end("reached"));
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server listens on a port");
  port = address.port;
});
afterAll(() => server.close());

/** Answers one address after the other, the last one for ever. */
function answering(...addresses: string[]): Resolve {
  let asked = 0;
  return (_name, _options, callback) => {
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? "";
    asked += 1;
    callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
  };
}

const signal = AbortSignal.timeout(10_000);
const read = async (outbound: Outbound, url: string) => {
  const { body } = await requestOutside(url, { method: "GET", headers: {}, outbound, signal });
  return text(body);
};
/** Every way out, each to a host and port; all resolve to the text that the host answers. */
const ways: Record<string, (outbound: Outbound, host: string) => Promise<string>> = {
  requestOutside: (outbound, host) => read(outbound, `http://${host}:${port}/`),
  "agent of node:http": (outbound, host) =>
    new Promise((resolve, reject) => {
      get(`http://${host}:${port}/`, { agent: outbound.httpAgent }, (answer) => {
        answer.setEncoding("utf8").on("data", resolve);
      }).on("error", reject);
    }),
  socket: async (outbound, host) => {
    const socket = await outbound.connect({ host: host.replace(/^\[|\]$/g, ""), port }, signal);
    socket.destroy();
    return "reached";
  },
};
const refused = { code: "OUTBOUND_REFUSED" };

describe.each(Object.entries(ways))("connections by %s", (_way, reach) => {
  test.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0"])("do not reach %s", async (host) => {
    const outbound = createOutbound({ allow: [] });
    await expect(reach(outbound, host)).rejects.toMatchObject(refused);
    await outbound.close();
  });

  test("reach what the operator allows", async () => {
    const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
    expect(await reach(outbound, "127.0.0.1")).toBe("reached");
    await outbound.close();
  });

  test("do not reach a name whose address changed after it was checked", async () => {
    const outbound = createOutbound({ allow: ["127.0.0.1"], resolve: answering("127.0.0.1", "127.0.0.2") });
    expect(await reach(outbound, "rebinding.example")).toBe("reached");
    outbound.httpAgent.destroy();
    const again = createOutbound({ allow: ["127.0.0.1"], resolve: answering("127.0.0.2") });
    await expect(reach(again, "rebinding.example")).rejects.toMatchObject(refused);
    await Promise.all([outbound.close(), again.close()]);
  });
});

test("an account whose requests hang holds all its connections to a host, and none of another account's", async () => {
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const held: ServerResponse[] = [];
  const hanging = createServer(({ url }, answer) => {
    if (url === "/hang") held.push(answer);
    else answer.end("reached");
  });
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  const address = hanging.address();
  if (typeof address !== "object" || address === null) throw new Error("the server listens on a port");
  const ask = (account: number, path: string) =>
    read(outbound.ofAccount(account), `http://127.0.0.1:${address.port}${path}`);
  const hung = Array.from({ length: 60 }, () => ask(1, "/hang").catch((error: unknown) => error));
  await vi.waitFor(() => expect(held).toHaveLength(32));
  expect(await ask(2, "/")).toBe("reached");
  expect(held).toHaveLength(32);
  await outbound.close();
  hanging.closeAllConnections();
  hanging.close();
  await Promise.all(hung);
});

test("connections of more accounts than are kept open are closed when they are idle", async () => {
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const { httpAgent } = outbound.ofAccount(0);
  const pending = read(outbound.ofAccount(0), `http://127.0.0.1:${port}/`);
  expect(outbound.ofAccount(0).httpAgent).toBe(httpAgent);
  for (let account = 1; account <= 256; account++) expect(outbound.ofAccount(account).httpAgent).not.toBe(httpAgent);
  expect(outbound.ofAccount(0).httpAgent).not.toBe(httpAgent);
  expect(await pending).toBe("reached");
  await vi.waitFor(() => expect(Object.keys({ ...httpAgent.sockets, ...httpAgent.freeSockets })).toStrictEqual([]));
  await outbound.close();
});

test("of a name's addresses those that are not public are left out", async () => {
  const outbound = createOutbound({ allow: [], resolve: answering("10.0.0.1") });
  await expect(outbound.connect({ host: "inner.example", port }, signal)).rejects.toMatchObject(refused);
  await outbound.close();
});

test.each([
  ["8.8.8.8", true],
  ["2606:4700::1111", true],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["255.255.255.255", false],
  ["224.0.0.1", false],
  ["::1", false],
  ["::", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fd00::1", false],
  ["fec0::1", false],
  ["::ffff:10.0.0.1", false],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::7f00:1", false],
  ["2002:7f00:1::", false],
  ["nonsense", false],
])("%s is public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
