import { randomBytes } from "node:crypto";
import type { Storage } from "@headwater/contracts";
import { createDestination } from "@headwater/jobs/destinations/createDestination";
import { createStorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import type { HostKeys } from "@headwater/jobs/destinations/sftp/hostKeys";
import { readSource } from "@headwater/jobs/sources/openSource";
import { createOutbound } from "@headwater/kernel";
import { createTcpProxy, type TcpProxy } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type StorageWorld, worlds } from "./storageServers.ts";

const MIB = 1024 * 1024;
// A test calls for one account twice at once, and one process is left to others.
const storages = createStorageSandbox({ processes: 3 });
const loopback = createOutbound({ allow: ["127.0.0.0/8"] });
afterAll(async () => {
  await storages.close();
  await loopback.close();
});

/** Pins in memory, as a new account does. */
function newHostKeys(pinned = new Map<string, string>()): HostKeys {
  const nameOf = ({ server, port }: { server: string; port: number }) => `${server}:${port}`;
  return {
    async pin(server, fingerprint) {
      const stored = pinned.get(nameOf(server)) ?? fingerprint;
      pinned.set(nameOf(server), stored);
      return stored;
    },
    replace: async (server, fingerprint) => void pinned.set(nameOf(server), fingerprint),
  };
}

const facts = { jobId: "65f0c0ffee65f0c0ffee0001", name: "buyers", createdAt: Date.UTC(2026, 0, 9) };
const to = (storage: Storage, outbound = loopback, hostKeys = newHostKeys()) =>
  createDestination(storage, { account: 1, outbound, hostKeys, storages, facts });
const soon = (ms = 55_000) => AbortSignal.timeout(ms);
const refused = (text: string) => ({
  code: "STORAGE_CONNECTION_ERROR",
  status: 422,
  retriable: false,
  publicMessage: expect.stringContaining(text),
});
const away = { code: "STORAGE_CONNECTION_ERROR", retriable: true };

/** The storage whose path is that of a file, as sources have it. */
function fileOf(storage: Storage, name: string): Storage {
  if (storage.type === "s3") return { ...storage, aws_path: `${storage.aws_path}/${name}` };
  return { ...storage, path: `${storage.path}/${name}` };
}

async function put(storage: Storage, name: string, ...chunks: Buffer[]): Promise<void> {
  const upload = await to(storage).open(name, soon());
  for (const chunk of chunks) await upload.write(chunk);
  await upload.finish();
}

describe.each(Object.entries(worlds))("a destination of type %s", (_type, startWorld) => {
  let world: StorageWorld;
  let proxy: TcpProxy;
  beforeAll(async () => {
    world = await startWorld();
    proxy = await createTcpProxy({ host: "127.0.0.1", port: world.port });
  });
  afterEach(() => proxy.setMode("forward"));
  afterAll(async () => {
    await proxy.close();
    await world.stop();
  });

  test("is checked without leaving anything behind", async () => {
    await to(world.storage).check(soon());
    expect([...(await world.files()).keys()]).toEqual([]);
    expect(await world.unfinished()).toBe(0);
  });

  test("is checked without anything left of a check that was killed", async () => {
    proxy.setMode("swallowAnswers");
    await expect(to(world.through(proxy.port)).check(soon(1_500))).rejects.toThrow();
    proxy.setMode("forward");
    await to(world.storage).check(soon());
    expect(await world.unfinished()).toBe(0);
    expect([...(await world.files()).keys()]).toEqual([]);
  });

  test("refuses a wrong secret and what is not there, at the check and when a file is begun", async () => {
    await expect(to(world.wrongSecret).check(soon())).rejects.toMatchObject(refused("credentials"));
    await expect(to(world.notThere).check(soon())).rejects.toMatchObject(refused("does not exist"));
    await expect(put(world.wrongSecret, "a.csv", Buffer.from("x"))).rejects.toMatchObject(refused("credentials"));
    await expect(put(world.notThere, "a.csv", Buffer.from("x"))).rejects.toMatchObject(refused("does not exist"));
  });

  test("is not reached at a private address", async () => {
    const outbound = createOutbound({ allow: [] });
    await expect(to(world.storage, outbound).check(soon())).rejects.toMatchObject(refused("HEADWATER_OUTBOUND_ALLOW"));
    await expect(
      to(world.storage, outbound)
        .open("a.csv", soon())
        .then((upload) => upload.finish()),
    ).rejects.toMatchObject(refused("HEADWATER_OUTBOUND_ALLOW"));
    await outbound.close();
  });

  test("gets empty, small and large files byte by byte, and replaces one of an earlier attempt", async () => {
    const large = [randomBytes(7 * MIB), randomBytes(10 * MIB), randomBytes(3)];
    await put(world.storage, "empty.csv");
    await put(world.storage, "small.csv", Buffer.from("first"));
    await put(world.storage, "small.csv", Buffer.from("second"));
    await put(world.storage, "large.csv", ...large);
    const files = await world.files();
    expect([...files.keys()].sort()).toEqual(["empty.csv", "large.csv", "small.csv"]);
    expect(files.get("empty.csv")?.length).toBe(0);
    expect(files.get("small.csv")?.toString()).toBe("second");
    expect(files.get("large.csv")?.equals(Buffer.concat(large))).toBe(true);
    expect(await world.unfinished()).toBe(0);
  });

  test("gives a file back as a source, and refuses one that is not there", async () => {
    const bytes = randomBytes(3 * MIB);
    await put(world.storage, "source.csv", bytes);
    const ports = { account: 1, outbound: loopback, hostKeys: newHostKeys(), storages };
    const read = async (name: string) => {
      const chunks: Buffer[] = [];
      for await (const chunk of readSource(fileOf(world.storage, name), ports, soon())) chunks.push(chunk);
      return Buffer.concat(chunks);
    };
    expect((await read("source.csv")).equals(bytes)).toBe(true);
    await expect(read("nowhere.csv")).rejects.toMatchObject(refused("does not exist"));
  });

  test("shows nothing of a file before its end, and nothing of one that was given up", async () => {
    const upload = await to(world.storage).open("given-up.csv", soon());
    await upload.write(randomBytes(17 * MIB));
    expect((await world.files()).has("given-up.csv")).toBe(false);
    await upload.abort();
    expect((await world.files()).has("given-up.csv")).toBe(false);
    expect(await world.unfinished()).toBe(0);
  });

  test("gets a file whole after an attempt that was killed in the middle", async () => {
    const killed = await to(world.through(proxy.port)).open("again.csv", soon());
    await killed.write(randomBytes(17 * MIB));
    proxy.setMode("refuse");
    await expect(killed.finish()).rejects.toMatchObject(away);
    await put(world.storage, "again.csv", Buffer.from("whole"));
    expect((await world.files()).get("again.csv")?.toString()).toBe("whole");
    expect(await world.unfinished()).toBe(0);
  });

  test("is away, not wrong, when it does not answer", async () => {
    proxy.setMode("silent");
    const startedAt = Date.now();
    await expect(to(world.through(proxy.port)).check(soon(700))).rejects.toThrow();
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });
});

test("a file in a bucket whose upload is gone at its end is one to write again, not a refusal", async () => {
  const world = await worlds.s3();
  const upload = await to(world.storage).open("twice.csv", soon());
  await upload.write(randomBytes(MIB));
  await to(world.storage).discard("twice.csv", soon());
  await expect(upload.finish()).rejects.toMatchObject(away);
  await world.stop();
});

describe("the host key of an SFTP server", () => {
  let world: StorageWorld;
  beforeAll(async () => {
    world = await worlds.sftp();
  });
  afterAll(() => world.stop());
  const withKey = (hostKey: string): Storage => {
    if (world.storage.type !== "sftp") throw new Error("it is one of SFTP");
    return { ...world.storage, hostKey };
  };

  test("is pinned at first use, and another one is refused from then on", async () => {
    const pinned = new Map<string, string>();
    await to(world.storage, loopback, newHostKeys(pinned)).check(soon());
    const [[name, fingerprint] = ["", ""]] = pinned;
    expect(fingerprint).toMatch(/^SHA256:/);
    await to(withKey(fingerprint), loopback).check(soon());
    const other = newHostKeys(new Map([[name, "SHA256:another"]]));
    await expect(to(world.storage, loopback, other).check(soon())).rejects.toMatchObject(refused("host key"));
    await to(withKey(fingerprint), loopback, other).check(soon());
    await to(world.storage, loopback, other).check(soon());
  });

  test("must be the server's when one was given", async () => {
    const other = withKey(`SHA256:${"A".repeat(43)}`);
    await expect(to(other).check(soon())).rejects.toMatchObject(refused("host key"));
  });
});
