import { createPostgresStateStore } from "@headwater/intake/state/postgresStateStore";
import type { StateStore, StateTransaction } from "@headwater/intake/state/stateStore";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshPostgres, postgresOn } from "../../stores/fresh.ts";
import { type MemoryStream, startMemoryStream, stateOf } from "./memoryStream.ts";

/** Postgres ends a transaction that says nothing for so long. */
const SILENCE_MS = 1_000;
const OWN_MS_MAX = 200;
/** Longer than Postgres waits. */
const STILL_MS = 2 * SILENCE_MS;

let stream: MemoryStream;
/** A pool whose silent transactions are ended soon. */
let impatient: Postgres;
beforeEach(async () => {
  const fresh = await freshPostgres();
  impatient = postgresOn(fresh.url, { idleInTransactionTimeoutMs: SILENCE_MS });
  stream = await startMemoryStream(fresh);
});
afterEach(async () => {
  await impatient.close();
  await stream.drop();
});

/** Keeps the event loop at work until Postgres has ended the transaction. */
function work(): void {
  const until = performance.now() + STILL_MS;
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (performance.now() > until && user + system > 2 * OWN_MS_MAX * 1_000) return;
  }
}

/** Stops the thread, as a paused process or machine stops, until Postgres has ended the transaction. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS);
}

/** The projector's state, whose loop stands still whenever records of one contact are loaded. */
function outliving(address: string, stand: () => void): StateStore {
  const state = createPostgresStateStore(impatient, stream.clock, OWN_MS_MAX);
  const watch = (inner: StateTransaction): StateTransaction => ({
    ...inner,
    savepoint: (run) => inner.savepoint((part) => run(watch(part))),
    async loadRows(records, ...rest) {
      // Behind an answer of Postgres, as all work of a transaction is.
      await inner.attributesOf(stream.account.number);
      const named = records.flatMap(({ reads }) => reads.identifiers.map(({ value }) => value));
      if (named.includes(address)) stand();
      return inner.loadRows(records, ...rest);
    },
  });
  return { ...state, transaction: (fence, run) => state.transaction(fence, (inner) => run(watch(inner))) };
}

const handlerOver = (state: StateStore) => stateOf(impatient, stream.account, stream.clock, [5_000], state);

function upsert(...names: readonly string[]): void {
  const create = { attributes: { plan: "x" }, canBeCreated: true, canBeUpdated: true };
  stream.append(
    "upsertContact",
    names.map((name) => ({
      id: `${name}:0:0`,
      receivedAt: stream.clock.nowMs(),
      contact: { identifiers: { email: `${name}@example.com` }, ...create },
    })),
  );
}

async function stored() {
  const [contacts] = await stream.postgres.query<{ count: number }>({ text: "SELECT count(*) AS count FROM contacts" });
  const rejects = { text: "SELECT record_id, code FROM rejects ORDER BY record_id" };
  return { contacts: contacts?.count, rejects: await stream.postgres.query(rejects) };
}

test("a record whose work outlives the transaction is refused alone, and the others of its batch are applied", async () => {
  upsert("before", "one");
  upsert("two", "heavy", "three");
  upsert("behind");
  await stream.apply(handlerOver(outliving("heavy@example.com", work)));
  expect(await stored()).toEqual({ contacts: 5, rejects: [{ record_id: "heavy:0:0", code: "INTERNAL_ERROR" }] });
});

test("a process that was paused in a transaction refuses nobody, and applies the batch when it goes on", async () => {
  upsert("one", "paused", "two");
  let pauses = 0;
  const handler = handlerOver(
    outliving("paused@example.com", () => {
      pauses += 1;
      if (pauses === 1) pause();
    }),
  );
  await expect(stream.apply(handler)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retriable: true });
  expect(await stored()).toEqual({ contacts: 0, rejects: [] });
  await stream.apply(handler);
  expect(await stored()).toEqual({ contacts: 3, rejects: [] });
});
