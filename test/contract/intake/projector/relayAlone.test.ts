import { createStoredOutbox } from "@headwater/intake/relay/outbox";
import { createRelay } from "@headwater/intake/relay/relay";
import { HeadwaterError } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createSoleHolder } from "@headwater/postgres/connection/soleHolder";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import type { PublishedMessage, RawMessage } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshPostgres, logger, postgresOn } from "../../stores/fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
const ending: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ending.reverse()) await end();
  await fresh.drop();
});

const published: { readonly by: string; readonly text: string }[] = [];

/** A projector's relay with stores of its own, and a log that keeps what it was sent. */
function startRelay(by: string): { readonly holds: () => boolean } {
  const postgres = postgresOn(fresh.url);
  const lock = createSoleHolder({ url: fresh.url, applicationName: by, duty: "relay", logger });
  const publish = async (messages: readonly RawMessage[]): Promise<PublishedMessage[]> => {
    published.push(...messages.map(({ value }) => ({ by, text: value.toString("utf8") })));
    return messages.map(({ topic, partition }, offset) => ({ topic, partition, offset }));
  };
  const encode = (_topic: string, payload: string) => Buffer.from(payload);
  const relay = createRelay({
    outbox: createStoredOutbox(postgres),
    producer: { publish },
    encode,
    logger,
    mayRelay: lock.isHolder,
  });
  lock.start?.();
  relay.start();
  ending.push(async () => {
    await relay.stop();
    await lock.stop?.();
    await postgres.close();
  });
  return { holds: lock.isHolder };
}

async function write(from: number, rows: number): Promise<readonly string[]> {
  const texts = Array.from({ length: rows }, (_, index) => JSON.stringify({ position: from + index, changes: [] }));
  for (const payload of texts) {
    await fresh.store.transaction(async (transaction) => {
      const [position = 0] = await takeOutboxPositions(transaction, 1);
      await appendOutbox(transaction, [{ topic: "changes.carts", sourcePartition: 0, payload, position }]);
    });
  }
  return texts;
}

test("a server that is refused gives nobody the lock, and gives it to one who waits once it is admitted", async () => {
  const refused = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "another Postgres" });
  const asked = { isRefused: true, times: 0 };
  const admit = async () => {
    asked.times += 1;
    if (asked.isRefused) throw refused;
  };
  const admission = { admit, refusal: () => (asked.isRefused ? refused : undefined) };
  const lock = createSoleHolder({ url: fresh.url, applicationName: "waiting", duty: "refused", admission, logger });
  lock.start?.();
  ending.push(async () => lock.stop?.());
  await expect.poll(() => asked.times).toBeGreaterThan(2);
  expect(lock.isHolder()).toBe(false);
  const locks = `SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND a.application_name = 'waiting'`;
  expect(await fresh.store.query({ text: locks })).toEqual([]);
  asked.isRefused = false;
  await expect.poll(() => lock.isHolder()).toBe(true);
  expect(await fresh.store.query({ text: locks })).toHaveLength(1);
});

test("a single relay of several publishes each row, and another takes over when it dies", async () => {
  const relays = ["projector-a", "projector-b", "projector-c"].map((name) => ({ name, ...startRelay(name) }));
  const holders = () => relays.filter(({ holds }) => holds()).map(({ name }) => name);
  await expect.poll(holders).toHaveLength(1);
  const [first = ""] = holders();
  const before = await write(1, 60);
  await expect.poll(() => published.length).toBeGreaterThanOrEqual(60);
  expect(published.map(({ text }) => text)).toEqual(before);
  expect(new Set(published.map(({ by }) => by))).toEqual(new Set([first]));

  const text = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";
  await fresh.store.query({ text }, [first]);
  const after = await write(61, 60);
  await expect.poll(() => published.length).toBeGreaterThanOrEqual(120);
  expect(published.map(({ text }) => text)).toEqual([...before, ...after]);
  await expect.poll(holders).toHaveLength(1);
});
