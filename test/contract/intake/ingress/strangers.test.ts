import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, type Ingress, post, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let honest: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  honest = await addAccount(ingress.database);
});
afterAll(() => ingress.stop());

const gzip = { "content-encoding": "gzip" };
const envelope = { id: "52b23d2e-1b7a-4f0a-9f4e-000000000001", timestamp_ms: 1_767_998_832_000 };
const routes = ["moduleRegistration", "eventProcessing", "audienceMembershipChange", "audienceSubscription"];
const types: Readonly<Record<string, string>> = {
  moduleRegistration: "module_registration_request",
  eventProcessing: "event_processing_request",
  audienceMembershipChange: "audience_membership_change_request",
  audienceSubscription: "audience_subscription_request",
};
/** Ten kilobytes that become ten megabytes: small numbers in sixty free-form members, and one that is long. */
const bomb = gzipSync(`${'{"attributes":'.repeat(60)}[${"1,".repeat(5_200_000)}1234567890123456789]${"}".repeat(60)}`);
const contact = { identifiers: { email: "a@example.com" }, attributes: { n: 1 }, canBeCreated: true };
const intake = () => post(ingress.url, { path: "/api/upsertContact", key: honest.key, body: contact });

describe("a push whose caller is not known", () => {
  test("stops nothing: bombs on every route of the platform, and an honest client beside them", async () => {
    const path = (name: string) => `/api/cdpsync/${name}`;
    const sent = routes.flatMap((name) =>
      Array.from({ length: 10 }, () => post(ingress.url, { path: path(name), body: bomb, headers: gzip })),
    );
    const from = process.cpuUsage();
    for (let n = 0; n < 10; n++) expect((await intake()).status).toBe(202);
    const answers = (await Promise.all(sent)).map(({ status }) => status);
    expect(answers).toEqual([...Array(10).fill(413), ...Array(30).fill(401)]);
    const { user, system } = process.cpuUsage(from);
    // One of them alone took two minutes.
    expect((user + system) / 1_000_000).toBeLessThan(20);
  });

  test("is refused as the specification says while it is small", async () => {
    for (const name of routes.slice(1)) {
      const path = `/api/cdpsync/${name}`;
      const status = async (body: unknown) => (await post(ingress.url, { path, body })).status;
      const account = (apiKey: string) => ({ account: { account_id: 1, account_settings: { apiKey } } });
      expect(await status("{")).toBe(400);
      expect(await status({ ...envelope, type: "other", ...account("bad") })).toBe(400);
      expect(await status({ ...envelope, type: types[name], ...account("bad") })).toBe(401);
      expect(await status({ ...envelope, type: types[name] })).toBe(401);
      expect(await status({ type: types[name], ...account(honest.key) })).toBe(422);
    }
    const registration = { ...envelope, type: types.moduleRegistration };
    const path = "/api/cdpsync/moduleRegistration";
    expect((await post(ingress.url, { path, body: registration })).status).toBe(200);
    const large = { ...registration, more: "x".repeat(16 * 1024) };
    const { status, body } = await post(ingress.url, { path, body: large });
    expect([status, body.limit]).toEqual([413, { what: "bytes", max: 16_384 }]);
  });

  test("is taken at any size when its key stands before or behind what it brings", async () => {
    const path = "/api/cdpsync/eventProcessing";
    const account = { account: { account_id: 1, account_settings: { apiKey: honest.key } } };
    const head = { ...envelope, type: types.eventProcessing };
    const events = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ type: "custom_event", id: `e${n}`, timestamp_ms: envelope.timestamp_ms, name: "browse" },
      attributes: { a: "x".repeat(100) },
    }));
    const user_identities = [{ type: "email", encoding: "raw", value: "ann@example.com" }];
    for (const body of [
      { ...head, ...account, user_identities, events },
      { ...head, user_identities, events, ...account },
    ]) {
      expect((await post(ingress.url, { path, body })).status).toBe(200);
      const packed = gzipSync(JSON.stringify(body));
      expect((await post(ingress.url, { path, body: packed, headers: gzip })).status).toBe(200);
    }
  });
});

const ATTEMPTS_MAX = 10;

/** Posts with a key that was never seen, as a client does: it tries again where its look-up took longer than a second on a busy machine. */
async function firstPost(key: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const { status } = await post(ingress.url, { path: "/api/upsertContact", key, body: contact });
    if (status !== 503 || attempt === ATTEMPTS_MAX) return status;
  }
}

describe("made-up keys by the thousand", () => {
  test("cost good ones nothing, those in use and those that come for the first time", { timeout: 60_000 }, async () => {
    const newcomers = await Promise.all(Array.from({ length: 10 }, () => addAccount(ingress.database)));
    expect((await intake()).status).toBe(202);
    let isOver = false;
    let created = 0;
    const statuses = new Set<number>();
    const attackers = Array.from({ length: 300 }, async () => {
      while (!isOver) {
        created += 1;
        const body = { path: "/api/upsertContact", key: `made-up-${created}`, body: contact };
        statuses.add((await post(ingress.url, body)).status);
      }
    });
    await pause(500);
    for (const { key } of newcomers) {
      expect(await firstPost(key)).toBe(202);
      expect((await intake()).status).toBe(202);
      await pause(100);
    }
    isOver = true;
    await Promise.all(attackers);
    expect(created).toBeGreaterThan(300);
    // On a machine that is busy with other things a look-up may take longer than a second.
    expect([...statuses].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  });
});
