import type { Postgres } from "@headwater/postgres/connection/postgres";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { findRelayHold, sentenceOfHold } from "@headwater/postgres/outbox/relayHold";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fresh, freshPostgres, gate, postgresOn } from "./fresh.ts";

let fresh: Fresh<Postgres>;
beforeEach(async () => {
  fresh = await freshPostgres();
});
afterEach(() => fresh.drop());

const APPLICATION = "forgotten psql";

test("an open transaction that has written holds the relay once something waits, and is named with its pid and program", async () => {
  const { store, url } = fresh;
  const forgotten = postgresOn(url, { applicationName: APPLICATION, idleInTransactionTimeoutMs: 120_000 });
  const [begun, over] = [gate(), gate()];
  let pid = 0;
  const running = forgotten.transaction(async (transaction) => {
    const [row] = await transaction.query<{ pid: number }>({
      text: "SELECT pg_backend_pid() AS pid, pg_current_xact_id()",
    });
    pid = row?.pid ?? 0;
    begun.open();
    await over.opened;
  });
  await begun.opened;
  // Nothing of this database waits: whatever is open holds nothing.
  expect(await findRelayHold(store, 0)).toBeUndefined();
  const rows = [{ position: 1, topic: "changes.contacts", sourcePartition: 0, payload: "{}" }];
  await store.transaction((transaction) => appendOutbox(transaction, rows));
  // Transactions of other tests in this cluster may be older for a moment.
  await expect.poll(async () => (await findRelayHold(store, 0))?.application, { timeout: 15_000 }).toBe(APPLICATION);
  const hold = await findRelayHold(store, 0);
  expect(hold).toMatchObject({ pid, application: APPLICATION, state: "idle in transaction" });
  expect(hold && sentenceOfHold(hold)).toContain(
    `${APPLICATION} (pid ${pid}), idle in transaction, has held the relay`,
  );
  over.open();
  await running;
  await forgotten.close();
  await expect.poll(async () => (await findRelayHold(store, 0))?.application).not.toBe(APPLICATION);
});

test("a transaction that only reads holds nothing", async () => {
  const { store, url } = fresh;
  const reader = postgresOn(url, { applicationName: "reader" });
  const [begun, over] = [gate(), gate()];
  const reading = reader.transaction(
    async (transaction) => {
      await transaction.query({ text: "SELECT 1" });
      begun.open();
      await over.opened;
    },
    { isSnapshot: true },
  );
  await begun.opened;
  const rows = [{ position: 1, topic: "changes.contacts", sourcePartition: 0, payload: "{}" }];
  await store.transaction((transaction) => appendOutbox(transaction, rows));
  expect((await findRelayHold(store, 0))?.application).not.toBe("reader");
  over.open();
  await reading;
  await reader.close();
});
