import { findApiKey, revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { listenForKeyChanges } from "@headwater/accounts/accounts/keyChanges";
import { recordLastUse } from "@headwater/accounts/accounts/lastUse";
import { findUsableApiKey } from "@headwater/accounts/accounts/usableApiKey";
import { createKeyCache } from "@headwater/http";
import { hashApiKey } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { createTcpProxy } from "@headwater/testing";
import { afterEach, describe, expect, test } from "vitest";
import {
  addAccount,
  type Ingress,
  type IngressOptionsInput,
  post,
  startIngress,
} from "../../intake/ingress/ingressFixture.ts";
import { logger } from "../../stores/fresh.ts";
import { expectRefusedWithinASecond } from "./revocation.ts";

const running: Ingress[] = [];
afterEach(async () => {
  for (const ingress of running.splice(0)) await ingress.stop();
});

async function start(options: IngressOptionsInput = {}): Promise<Ingress> {
  const ingress = await startIngress(options);
  running.push(ingress);
  return ingress;
}

const body = { identifiers: { email: "a@example.com" }, attributes: { n: 1 }, canBeCreated: true };
const path = "/api/upsertContact";
const WAIT = { timeout: 20_000 };

describe("a key that is revoked", () => {
  test("is refused within a second by a process that never hears of it", async () => {
    const ingress = await start({ hearsKeyChanges: false });
    const { key, keyId, account } = await addAccount(ingress.database);
    const use = async () => (await post(ingress.url, { path, key, body })).status;
    await expectRefusedWithinASecond([use], () => revokeApiKey(ingress.database, account.number, keyId));
  });

  test("is refused by a process that heard of it, without asking again for the keys it knows", async () => {
    const { database, keysFound } = await start({ keyTtlMs: 3_600_000 });
    const { url } = running[0] ?? { url: "" };
    const gone = await addAccount(database);
    const stays = await addAccount(database);
    const use = async (key: string) => (await post(url, { path, key, body })).status;
    expect([await use(gone.key), await use(stays.key)]).toEqual([202, 202]);
    const before = keysFound();
    await revokeApiKey(database, gone.account.number, gone.keyId);
    await expect.poll(() => use(gone.key), WAIT).toBe(401);
    expect([await use(stays.key), keysFound() - before]).toEqual([202, 1]);
  });
});

describe("changes of keys", () => {
  test("are heard again after the connection was lost", async () => {
    const { database, databaseUrl } = await start();
    const { account, key, keyId } = await addAccount(database);
    const address = new URL(databaseUrl);
    const proxy = await createTcpProxy({ host: address.hostname, port: Number(address.port) });
    address.port = String(proxy.port);
    const heard: string[] = [];
    const listening = listenForKeyChanges({
      url: address.href,
      applicationName: "test",
      onChange: (hash) => void heard.push(hash),
      logger,
    });
    listening.start?.();
    const hears = async () => {
      await database.execute({ text: "UPDATE intake.api_keys SET scopes = scopes WHERE id = $1" }, [keyId]);
      return heard.includes(hashApiKey(key));
    };
    await expect.poll(hears, WAIT).toBe(true);
    proxy.setMode("refuse");
    // What had arrived before the cut may still be on its way through this process.
    const stillHears = () => {
      heard.length = 0;
      return hears();
    };
    await expect.poll(stillHears, WAIT).toBe(false);
    proxy.setMode("forward");
    await expect.poll(hears, WAIT).toBe(true);
    await revokeApiKey(database, account.number, keyId);
    await listening.stop?.();
    await proxy.close();
  });

  test("are notified when something is taken from a key, and not when it is used", async () => {
    const { database, databaseUrl } = await start();
    const { keyId } = await addAccount(database);
    const heard: string[] = [];
    const onChange = (hash: string) => void heard.push(hash);
    const listening = listenForKeyChanges({ url: databaseUrl, applicationName: "test", onChange, logger });
    listening.start?.();
    const marker = await addAccount(database);
    const mark = () =>
      database.execute({ text: "UPDATE intake.api_keys SET scopes = scopes WHERE id = $1" }, [marker.keyId]);
    await expect.poll(async () => (await mark()) > 0 && heard.length > 0, WAIT).toBe(true);
    await database.execute({ text: "UPDATE intake.api_keys SET last_used_at = now() WHERE id = $1" }, [keyId]);
    heard.length = 0;
    await mark();
    await expect.poll(() => heard.length, WAIT).toBeGreaterThan(0);
    expect(new Set(heard)).toEqual(new Set([hashApiKey(marker.key)]));
    await listening.stop?.();
  });
});

describe("an allow-list", () => {
  const from = (forwarded: string) => ({ "x-forwarded-for": forwarded, "x-forwarded-proto": "https" });

  test("lets its addresses in and refuses all others with 403, before their rate is counted", async () => {
    const ingress = await start();
    const { key } = await addAccount(ingress.database, { allowIps: ["127.0.0.0/8", "::1"] });
    expect((await post(ingress.url, { path, key, body })).status).toBe(202);
    const other = await addAccount(ingress.database, { allowIps: ["203.0.113.0/24"] });
    const refused = await post(ingress.url, { path, key: other.key, body, headers: from("203.0.113.7") });
    expect([refused.status, refused.body.code]).toEqual([403, "IP_NOT_ALLOWED"]);
    expect(refused.headers.get("x-rate-limit-remaining")).toBe(refused.headers.get("x-rate-limit-limit"));
  });

  test("sees the client behind a trusted proxy, and not what the client wrote before it", async () => {
    const ingress = await start({ plainHttp: "trusted-proxy", trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
    const { key } = await addAccount(ingress.database, { allowIps: ["203.0.113.0/24"] });
    const use = async (forwarded: string) => {
      const answer = await post(ingress.url, { path, key, body, headers: from(forwarded) });
      return answer.body.code ?? answer.status;
    };
    expect(await use("203.0.113.7")).toBe(202);
    expect(await use("198.51.100.1, 203.0.113.7, 10.0.0.3")).toBe(202);
    expect(await use("203.0.113.7, 198.51.100.1")).toBe("IP_NOT_ALLOWED");
    expect(await use("203.0.113.7, unknown")).toBe("IP_NOT_ALLOWED");
    expect(await use("203.0.113.7, 198.51.100.1, 10.0.0.3")).toBe("IP_NOT_ALLOWED");
  });
});

describe("HTTPS", () => {
  test("said by an address that is no trusted proxy is not believed", async () => {
    const ingress = await start({ plainHttp: "trusted-proxy", trustedProxies: ["10.0.0.0/8"] });
    const { key } = await addAccount(ingress.database);
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.1" };
    const answer = await post(ingress.url, { path, key, body, headers });
    expect([answer.status, answer.body.code]).toEqual([403, "HTTPS_REQUIRED"]);
  });
});

test("the last use of a key is written now and then for all of them, and never by a request", async () => {
  const { database } = await start();
  const created = await Promise.all([1, 2, 3].map(() => addAccount(database)));
  const keys = createKeyCache({ find: (hash) => findUsableApiKey(database, hash), logger });
  let writes = 0;
  const session: Session = {
    query: (...input) => database.query(...input),
    execute: (...provided) => {
      writes += 1;
      return database.execute(...provided);
    },
  };
  const recording = recordLastUse({ session, usedSince: (ms) => keys.usedSince(ms), logger, everyMs: 3_600_000 });
  recording.start?.();
  const beforeMs = Date.now();
  for (let n = 0; n < 100; n++) for (const { key } of created.slice(1)) await keys.find(key);
  expect(writes).toBe(0);
  await recording.stop?.();
  expect(writes).toBe(1);
  const [never, ...used] = await Promise.all(created.map(({ key }) => findApiKey(database, hashApiKey(key))));
  expect(never?.key.lastUsedAt).toBeNull();
  for (const found of used) expect(found?.key.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(beforeMs - 1);
});
