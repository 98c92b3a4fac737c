import { type Account, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import type { Transaction } from "@headwater/postgres/connection/session";
import { emitStoredMembers } from "@headwater/records/changeEvents/keptMembers";
import { clearLists, lockMemberships, readClearsBelow, STORED_PAGE_ROWS } from "@headwater/records/lists/listClears";
import { ensureLists, loadListsById } from "@headwater/records/lists/lists";
import { loadReads, loadRows } from "@headwater/records/reads/loadRows";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { storeChanges } from "@headwater/records/writes/storeBatch";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT, context, type MemoryStream, startMemoryStream, stateOf } from "../../intake/projector/memoryStream.ts";
import { freshPostgres, gate } from "../../stores/fresh.ts";

/*
 * Clears of lists on a real Postgres: what is stored, and the change events in the outbox.
 */

let stream: MemoryStream;
let account: Account;
beforeAll(async () => {
  stream = await startMemoryStream(await freshPostgres(true, { poolMax: 12 }));
  account = stream.account;
  await ensureLists(stream.postgres, [{ account: account.number, name: "vip" }], AT);
});
afterAll(() => stream.drop());

const LIST = 1;
const versionAt = (timeMs: number) => versionOf(timeMs, { lane: 1, partition: 40, offset: timeMs - AT, place: 0 });
const inTransaction = <Result>(run: (transaction: Transaction) => Promise<Result>) => stream.postgres.transaction(run);

async function waitingSessions(): Promise<number> {
  const text =
    "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const [row] = await stream.postgres.query<{ n: number }>({ text });
  return row?.n ?? 0;
}

interface View {
  readonly list: number;
  readonly contact: number;
  readonly present: boolean;
  readonly version: string;
}

/** Contacts on the list, by the rule that everything that reads memberships follows. */
async function live(rows: readonly View[], list: number): Promise<number[]> {
  const [found] = await loadListsById(stream.postgres, [{ account: account.number, id: list }]);
  return rows
    .filter((row) => row.list === list && row.present && row.version > (found?.clearedVersion ?? ""))
    .map(({ contact }) => contact)
    .sort((a, b) => a - b);
}

async function stored(list = LIST): Promise<number[]> {
  const text = "SELECT list, contact, present, version FROM memberships WHERE account = $1";
  return live(await stream.postgres.query<View>({ text }, [account.number]), list);
}

/** Lists the members as ClickHouse sees them: of each member's change events the one with the greatest position. */
async function emitted(list = LIST): Promise<number[]> {
  const text = "SELECT payload FROM outbox WHERE topic = 'changes.memberships'";
  const rows = await stream.postgres.query<{ payload: string }>({ text });
  const frames: { position: number; changes: View[] }[] = rows.map(({ payload }) => JSON.parse(payload));
  const latest = new Map<string, View>();
  for (const { changes } of frames.sort((a, b) => a.position - b.position)) {
    for (const change of changes) latest.set(`${change.list} ${change.contact}`, change);
  }
  return live([...latest.values()], list);
}

const identifiers = (email: string) => ({ contact: { identifiers: { email } } });

/** Steps come from this seed. */
const SEED = seedFrom(process.env.CLEARS_SEED);

describe("clears on several partitions", () => {
  test(`leave the same members stored and emitted, whatever comes when (CLEARS_SEED=${SEED})`, async () => {
    const emails = ["a@x", "b@x", "c@x", "d@x"];
    const step = fc.record({
      who: fc.constantFrom(...emails),
      what: fc.constantFrom("add", "add", "add", "remove", "clear"),
    });
    const [steps = []] = fc.sample(fc.array(step, { minLength: 240, maxLength: 240 }), { seed: SEED, numRuns: 1 });
    const known = emails.map((email, index) => {
      const contact = { identifiers: { email }, attributes: { a: 1 }, canBeCreated: true };
      return { id: `known:${index}:0`, receivedAt: AT, contact };
    });
    stream.append("upsertContact", known, 7);
    await stream.apply();
    for (const [index, { who, what }] of steps.entries()) {
      stream.clock.advance(1_000);
      const record = { id: `r${index}:0:0`, receivedAt: AT, listName: "raced" };
      if (what === "clear") stream.append("clearList", [record], 4 + (index % 2));
      else if (what === "remove")
        stream.append("removeContactsFromList", [{ ...record, ...identifiers(who) }], index % 4);
      else stream.append("addContactsToList", [{ ...record, ...identifiers(who), canBeCreated: true }], index % 4);
    }
    const drive = async (partition: number) => {
      const handler = stateOf(stream.postgres, account, stream.clock);
      const frames = stream.log.get(partition) ?? [];
      const at = { topic: "intake.records", partition };
      await handler.start({ ...at, low: 0, high: frames.length });
      for (const frame of frames) {
        const result = await handler.batch({ ...at, frames: [frame], highWatermark: frames.length }, context);
        expect(result).toEqual({ kind: "next", offset: frame.offset + 1 });
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(drive));
    const [list = { id: 0 }] = await ensureLists(stream.postgres, [{ account: account.number, name: "raced" }], AT);
    expect(await emitted(list.id)).toEqual(await stored(list.id));
    const last = steps.findLastIndex(({ what }) => what === "clear");
    const after = new Map(steps.slice(last + 1).map(({ who, what }) => [who, what]));
    expect(await stored(list.id)).toHaveLength([...after.values()].filter((what) => what === "add").length);
  });

  test("wait for who is just putting a member on the list again, and emit that member", async () => {
    const add = operations.find(({ name }) => name === "addContactsToList");
    if (add === undefined) throw new Error("no such operation");
    const timeMs = stream.clock.nowMs();
    const record = { id: "again:0:0", receivedAt: AT, ...identifiers("late@x"), listName: "vip", canBeCreated: true };
    const adding = async (transaction: Transaction, version: string) => {
      const rows = emptyRows();
      await loadRows(transaction, [{ account, reads: Reflect.apply(add.reads, add, [record, { account }]) }], rows);
      await loadReads(transaction, [{ kind: "numbers" }], rows);
      const state = new BatchState(rows);
      const origin = { account, recordId: `${version}:0:0`, version };
      const outcome = Reflect.apply(add.fold, add, [state.of(account.number), record, origin]);
      state.collect(account.number, outcome.changeEvents);
      await storeChanges(transaction, { changes: state.changes(), rows, accounts: new Map(), revision: 1 });
      return outcome;
    };
    expect(await inTransaction((transaction) => adding(transaction, versionAt(timeMs)))).toMatchObject({
      kind: "applied",
    });
    stream.clock.advance(1_000);
    stream.append("clearList", [{ id: "clear:0:0", receivedAt: AT, listId: LIST }], 6);
    const [added, waiting] = [gate(), gate()];
    const again = inTransaction(async (transaction) => {
      const outcome = await adding(transaction, versionAt(timeMs + 100_000));
      added.open();
      await waiting.opened;
      return outcome;
    });
    await added.opened;
    const cleared = stream.apply();
    await expect.poll(waitingSessions).toBe(1);
    waiting.open();
    expect(await again).toMatchObject({ kind: "skipped", code: "UNCHANGED" });
    await cleared;
    expect(await stored()).toHaveLength(1);
    expect(await emitted()).toEqual(await stored());
  });
});

describe("the lock of memberships", () => {
  const hold = (holder: { readonly account: number; readonly alone: boolean }) => {
    const [held, leave] = [gate(), gate()];
    const ended = inTransaction(async (transaction) => {
      await lockMemberships(transaction, [holder]);
      held.open();
      await leave.opened;
    });
    return { held: held.opened, leave: leave.open, ended };
  };

  test("is shared by writers, and who comes after a clear that waits does not pass it by", async () => {
    const writers = [1, 1].map((number) => hold({ account: number, alone: false }));
    await Promise.all(writers.map(({ held }) => held));
    const order: string[] = [];
    const clear = hold({ account: 1, alone: true });
    void clear.held.then(() => order.push("clear"));
    await expect.poll(waitingSessions).toBe(1);
    const late = inTransaction(async (transaction) => {
      await lockMemberships(transaction, [{ account: 1, alone: false }]);
      order.push("late");
    });
    await inTransaction((transaction) => lockMemberships(transaction, [{ account: 2, alone: true }]));
    for (const { leave } of writers) leave();
    await clear.held;
    clear.leave();
    await Promise.all([...writers.map(({ ended }) => ended), clear.ended, late]);
    expect(order).toEqual(["clear", "late"]);
  });

  test("is taken in one order, so that clears of many accounts do not wait for each other in a circle", async () => {
    const accounts = Array.from({ length: 200 }, (_, index) => ({ account: index, alone: index % 3 === 0 }));
    const runs = [accounts, accounts.toReversed(), accounts, accounts.toReversed()].map((each) =>
      inTransaction((transaction) => lockMemberships(transaction, each)),
    );
    expect(await Promise.allSettled(runs)).toEqual(runs.map(() => ({ status: "fulfilled", value: undefined })));
  });
});

describe("a clear that is stored", () => {
  const target = { account: 77, list: LIST };
  const clear = (version: string) => inTransaction((transaction) => clearLists(transaction, [{ ...target, version }]));

  test("is the greatest one, whoever comes first, and a past moment finds the last before it", async () => {
    await ensureLists(stream.postgres, [{ account: 77, name: "greatest" }], AT);
    for (const timeMs of [AT + 20, AT + 30, AT + 10, AT + 30]) await clear(versionAt(timeMs));
    const [list] = await loadListsById(stream.postgres, [{ account: 77, id: LIST }]);
    expect(list?.clearedVersion).toBe(versionAt(AT + 30));
    const clearedBelow = (timeMs: number) =>
      readClearsBelow(stream.postgres, { account: 77, ids: [LIST] }, versionAt(timeMs));
    expect(await clearedBelow(AT + 30)).toEqual([{ list: LIST, version: versionAt(AT + 20) }]);
    expect(await clearedBelow(AT + 10)).toEqual([]);
  });

  test("emits the members it keeps, however long the list is, and of no other", async () => {
    const rows = STORED_PAGE_ROWS * 2 + 10;
    const clearAt = AT + 1_000;
    // Every tenth is on the list since before and was put on it again; the others came before it alone, after it alone, or left.
    const text = `INSERT INTO memberships (account, list, contact, present, joined_at, version)
      SELECT 78, 1, n, n % 10 <> 3, CASE WHEN n % 10 = 2 THEN $1::bigint + 2000 ELSE $1::bigint END,
        (CASE WHEN n % 10 = 1 THEN $2 ELSE $3 END)::uuid FROM generate_series(1, $4::int) AS n WHERE n % 10 < 4`;
    const values = [AT, versionAt(AT), versionAt(AT + 2_000), rows * 3];
    const count = await stream.postgres.execute({ text }, values);
    expect(count).toBeGreaterThan(STORED_PAGE_ROWS);
    const clears = [{ account: 78, list: LIST, version: versionAt(clearAt) }];
    const emit = (transaction: Transaction) => emitStoredMembers(transaction, clears, { sourcePartition: 0 });
    const position = await inTransaction(emit);
    const emitted = await stream.postgres.query<{ payload: string; position: number }>({
      text: "SELECT payload, position FROM outbox WHERE payload LIKE '%\"account\":78,%'",
    });
    expect(Math.max(...emitted.map((row) => row.position))).toBe(position);
    const changes: View[] = emitted.flatMap(({ payload }) => JSON.parse(payload).changes);
    expect(changes.every(({ present, version }) => present && version === versionAt(AT + 2_000))).toBe(true);
    const expected = Array.from({ length: Math.floor((rows * 3) / 10) }, (_, index) => (index + 1) * 10);
    expect(changes.map(({ contact }) => contact).sort((a, b) => a - b)).toEqual(expected);
  });
});
