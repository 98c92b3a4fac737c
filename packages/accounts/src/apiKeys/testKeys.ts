import { account, afterPorts, clock, cursors, MemoryOnce, NOW_MS, serveRoutes } from "@headwater/api/testRoutes";
import { MemoryApiKeys } from "@headwater/testing";
import { beforeEach } from "vitest";
import type { ApiKeyStore } from "./apiKeyStore.ts";
import { apikeyRoutes } from "./routes.ts";

const FAR = new Date(NOW_MS + 1_000 * 3_600_000);

interface World {
  rows: MemoryApiKeys;
  once: MemoryOnce;
  /** Hashes of keys that other processes heard of. */
  changed: string[];
}

/** The routes of keys over keys in memory: each test begins with one key, `k1`. */
export function serveKeys() {
  const world: World = { rows: memoryKeys(), once: new MemoryOnce(), changed: [] };
  beforeEach(async () => {
    Object.assign(world, { rows: memoryKeys(), once: new MemoryOnce(), changed: [] });
    const key = { id: "k1", account: account.number, hash: "h1", prefix: "hw_abcde", name: "shop", scopes: ["intake"] };
    await world.rows.create({ ...key, expiresAt: FAR });
  });
  const apiKeys: ApiKeyStore = {
    list: (number) => world.rows.list(number),
    once: (call, write) => world.rows.transaction((rows) => world.once.run(call, () => write(rows))),
  };
  const keys = {
    find: () => undefined,
    changed: (hash: string) => void world.changed.push(hash),
    usedSince: () => [],
  };
  const intake = { kind: "key", id: "k9", name: "narrow", account, scopes: ["apikeys:write"] } as const;
  const call = serveRoutes(() => apikeyRoutes({ ...afterPorts, apiKeys, cursors, keys, clock }), { narrow: intake });
  return { call, world };
}

function memoryKeys(): MemoryApiKeys {
  return new MemoryApiKeys(() => clock.nowMs());
}
