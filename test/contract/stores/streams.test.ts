import { setTimeout as sleep } from "node:timers/promises";
import type { RejectRow } from "@headwater/contracts";
import {
  lockRejects,
  readRejectPositions,
  resolveRejects,
  takeDueRejects,
  upsertRejects,
} from "@headwater/intake/deadLetters/rejects";
import { insertAppliedRecords, loadAppliedRecords } from "@headwater/intake/receipts/appliedRecords";
import {
  countRejections,
  insertReceiptCounts,
  readReceiptCounts,
  readRejections,
} from "@headwater/intake/receipts/receipts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  appendOutbox,
  deleteOutbox,
  readOutbox,
  readRelayProgress,
  setRelayProgress,
} from "@headwater/postgres/outbox/outbox";
import {
  deleteOldResolutions,
  insertResolutions,
  readResolutions,
} from "@headwater/postgres/streams/activityResolutions";
import { claimRange, finishRange, replaceRange } from "@headwater/postgres/streams/pendingRanges";
import {
  lockOffset,
  noteSeen,
  OffsetMoved,
  openOffset,
  readOffsets,
  setOffset,
} from "@headwater/postgres/streams/streamOffsets";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres, gate } from "./fresh.ts";
import { outboxRows } from "./outboxRows.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeAll(async () => {
  fresh = await freshPostgres(true, { keyLookupsOnly: true });
  postgres = fresh.store;
});
afterAll(() => fresh.drop());

const at = { topic: "intake.records", generation: 1, partition: 3 };

describe("the relay's reading", () => {
  const append = (payload: string, hold?: Promise<void>, appended?: () => void) =>
    postgres.transaction(async (transaction) => {
      const [position = 0] = await takeOutboxPositions(transaction, 1);
      await appendOutbox(transaction, [{ position, topic: "changes.contacts", sourcePartition: 0, payload }]);
      appended?.();
      await hold;
    });

  it("never passes a row that commits late: what came after it waits", async () => {
    const start = await readRelayProgress(postgres);
    const late = gate();
    const appended = gate();
    const slow = append('{"n":"late"}', late.opened, appended.open);
    await appended.opened;
    await append('{"n":"early"}');
    expect(await readOutbox(postgres, start, 10)).toEqual([]);
    late.open();
    await slow;
    const rows = await outboxRows(postgres, start, 2);
    expect(rows.map(({ payload }) => payload)).toEqual(['{"n":"late"}', '{"n":"early"}']);
    const [first] = rows;
    expect(first === undefined ? [] : await readOutbox(postgres, first, 10)).toHaveLength(1);
  });

  it("moves on by compare and set, and forgets what was published", async () => {
    const start = await readRelayProgress(postgres);
    const last = (await outboxRows(postgres, start, 2)).at(-1) ?? start;
    const next = { xid: last.xid, position: last.position, offsets: { "changes.contacts": { "0": 12 } } };
    expect(await setRelayProgress(postgres, start, next)).toBe(true);
    expect(await setRelayProgress(postgres, start, next)).toBe(false);
    expect(await readRelayProgress(postgres)).toEqual(next);
    expect(await deleteOutbox(postgres, start, next)).toBe(2);
  });
});

describe("stream offsets", () => {
  const key = { ...at, group: "state" };
  const position = { nextOffset: 10, lastRecordId: "r:0:0", greatestTime: 5, outboxPosition: 3, windowFrom: 1 };

  it("are opened once and moved under their lock; the outbox position never goes back", async () => {
    expect((await openOffset(postgres, key, 4)).nextOffset).toBe(4);
    expect((await openOffset(postgres, key, 9)).nextOffset).toBe(4);
    await postgres.transaction(async (transaction) => {
      await lockOffset(transaction, key);
      await setOffset(transaction, key, position);
      await setOffset(transaction, key, { ...position, outboxPosition: 0 });
    });
    const seenAt = expect.any(Number);
    const nothingHeld = { pending: null, mark: null, heldWhy: null, losses: [], seenAt };
    expect(await readOffsets(postgres, ["state", "other"])).toEqual([{ ...key, ...position, ...nothingHeld }]);
  });

  it("a second owner waits for the first one's commit, and sees it", async () => {
    const locked = gate();
    const done = gate();
    const first = postgres.transaction(async (transaction) => {
      await lockOffset(transaction, key);
      locked.open();
      await done.opened;
      await setOffset(transaction, key, { ...position, nextOffset: 20 });
    });
    await locked.opened;
    const second = postgres.transaction((transaction) => lockOffset(transaction, key));
    done.open();
    await first;
    expect((await second).nextOffset).toBe(20);
  });

  it("of a key that was never opened are an error", async () => {
    const unknown = { ...key, partition: 99 };
    await expect(postgres.transaction((transaction) => setOffset(transaction, unknown, position))).rejects.toThrow(
      "no stream offset",
    );
  });
});

describe("a pending range", () => {
  const key = { ...at, group: "activities" };
  const range = { to: 50, token: "t1", attempt: 1, transform: 1, shared: false };
  const seen = { lastRecordId: "r:1:0", greatestTime: 7, outboxPosition: 0 };

  it("is claimed by one, taken to a new attempt by one, and finished only under the token that is pending", async () => {
    await openOffset(postgres, key, 10);
    expect(await claimRange(postgres, key, 11, range)).toBe(false);
    const claims = await Promise.all([
      claimRange(postgres, key, 10, range),
      claimRange(postgres, key, 10, { ...range, token: "t2" }),
    ]);
    expect(claims.toSorted()).toEqual([false, true]);
    const { pending } = await openOffset(postgres, key, 0);
    const old = pending?.token ?? "";
    const next = { ...range, token: "t3", attempt: 2 };
    expect(await replaceRange(postgres, key, old, next)).toBe(true);
    expect(await replaceRange(postgres, key, old, next)).toBe(false);
    expect(await finishRange(postgres, key, old, seen)).toBe(false);
    expect(await finishRange(postgres, key, "t3", seen)).toBe(true);
    expect(await openOffset(postgres, key, 0)).toMatchObject({
      nextOffset: 50,
      lastRecordId: "r:1:0",
      greatestTime: 7,
      pending: null,
    });
  });
});

describe("activity resolutions", () => {
  it("is read by range in order, byte for byte, and deleted when it is old and in ClickHouse", async () => {
    const own = { ...at, partition: at.partition + 50 };
    const resolutions = Buffer.from([0, 255, 128, 10, 92, 0, 1, 2]);
    const rows = [0, 10, 20].map((firstOffset) => ({ firstOffset, nextOffset: firstOffset + 10, resolutions }));
    for (const row of rows.toReversed())
      await postgres.transaction((transaction) => insertResolutions(transaction, own, row));
    expect(await readResolutions(postgres, own, 5, 20)).toEqual(rows.slice(0, 2));
    const sink = { ...own, group: "activities" };
    await openOffset(postgres, sink, 20);
    expect(await deleteOldResolutions(postgres, Date.now() - 60_000)).toBe(0);
    expect(await deleteOldResolutions(postgres, Date.now() + 60_000)).toBe(2);
    expect(await readResolutions(postgres, own, 0, 100)).toEqual(rows.slice(2));
    const stored = { text: "SELECT resolutions_from FROM stream_offsets WHERE grp = 'activities' AND partition = $1" };
    expect(await postgres.query(stored, [own.partition])).toEqual([{ resolutions_from: 20 }]);
  });
});

describe("rejects and receipts", () => {
  const reject = (recordId: string, more: Partial<RejectRow> = {}): RejectRow => ({
    account: 1,
    recordId,
    requestId: "req",
    operation: "upsertContact",
    topic: at.topic,
    partition: at.partition,
    logOffset: 5,
    place: 0,
    itemIndex: 0,
    status: "open",
    code: "INTERNAL_ERROR",
    path: "",
    message: 'a "message"',
    payload: '{"a":"\\u001f"}',
    version: "0".repeat(32),
    receivedAt: 1,
    rejectedAt: 2,
    attempts: 0,
    dueAt: null,
    ...more,
  });
  const write = (rows: readonly RejectRow[]) => postgres.transaction((transaction) => upsertRejects(transaction, rows));

  it("a parked one comes up when due, once at a time, and its row holds the end", async () => {
    const parked = reject("req:1:0", {
      itemIndex: 1,
      place: 1,
      status: "parked",
      code: "CONTACTS_CONTACT_NOT_FOUND",
      dueAt: 100,
    });
    await write([reject("req:0:0"), parked]);
    await postgres.transaction(async (holder) => {
      expect(await takeDueRejects(holder, 99, 10)).toEqual([]);
      expect(await takeDueRejects(holder, 100, 10)).toEqual([parked]);
      const other = postgres.transaction((transaction) => takeDueRejects(transaction, 100, 10));
      expect(await other).toEqual([]);
    });
    await write([{ ...parked, attempts: 1, dueAt: 200 }]);
    const [locked] = await postgres.transaction((transaction) => lockRejects(transaction, [parked]));
    expect(locked).toEqual({
      account: 1,
      recordId: "req:1:0",
      status: "parked",
      attempts: 1,
      quarantinedBy: null,
      redrive: null,
      redriveOutcome: null,
    });
    const end = { account: 1, recordId: "req:1:0", code: "" };
    await resolveRejects(postgres, [{ ...end, status: "applied" }], 7);
    await resolveRejects(postgres, [{ ...end, status: "discarded" }], 8);
    const counts = await countRejections(postgres, 1, "req");
    expect(new Map(counts.map(({ status, count }) => [status, count]))).toEqual(
      new Map([
        ["open", 1],
        ["applied", 1],
      ]),
    );
    const [row] = await postgres.query<{ history: unknown }>({
      text: "SELECT history FROM rejects WHERE record_id = 'req:1:0'",
    });
    expect(row?.history).toMatchObject([{ what: "parked" }, { what: "parked" }, { what: "applied", at: 7 }]);
  });

  it("are listed page by page in order of item", async () => {
    const page = { account: 1, requestId: "req", statuses: ["open", "applied"] as const, rowsMax: 1 };
    const [first] = await readRejections(postgres, page);
    const rest = first === undefined ? [] : await readRejections(postgres, { ...page, after: first });
    expect([first?.index, ...rest.map(({ index }) => index)]).toEqual([0, 1]);
    const range = { topic: at.topic, partition: at.partition, from: 5, to: 6 };
    expect(await readRejectPositions(postgres, range)).toEqual([
      { logOffset: 5, place: 0 },
      { logOffset: 5, place: 1 },
    ]);
  });

  it("counts of a request are added over its batches", async () => {
    const counts = {
      account: 1,
      requestId: "req",
      topic: at.topic,
      partition: 0,
      skips: { UNCHANGED: 2 },
      warnings: {},
    };
    await postgres.transaction((transaction) =>
      insertReceiptCounts(transaction, [
        { ...counts, logOffset: 1 },
        { ...counts, logOffset: 9, skips: { UNCHANGED: 1, SUPERSEDED: 1 }, warnings: { MERGE_CONFLICT: 1 } },
      ]),
    );
    const expected = { skips: { UNCHANGED: 3, SUPERSEDED: 1 }, warnings: { MERGE_CONFLICT: 1 } };
    expect(await readReceiptCounts(postgres, 1, "req")).toEqual(expected);
  });

  it("applied records are known again", async () => {
    const keys = ["a:0:0", "a:1:0"].map((recordId) => ({ account: 1, recordId }));
    await postgres.transaction((transaction) => insertAppliedRecords(transaction, keys, 1));
    expect(await loadAppliedRecords(postgres, [...keys, { account: 1, recordId: "b:0:0" }])).toEqual(
      new Set(["a:0:0", "a:1:0"]),
    );
  });
});

describe("a look at the log", () => {
  const key = { ...at, group: "looks" };
  /** Times are whole milliseconds: one has to pass. */
  const check = async () => {
    await sleep(2);
    await noteSeen(postgres, key);
  };
  const seenAt = async () => (await readOffsets(postgres, [key.group]))[0]?.seenAt ?? Number.NaN;

  it("notes when the partition was seen, does not wait for a batch that holds its row, and finds that it was adopted", async () => {
    await openOffset(postgres, key, 0);
    const opened = await seenAt();
    await check();
    const seen = await seenAt();
    expect(seen).toBeGreaterThan(opened);
    await postgres.transaction(async (transaction) => {
      await lockOffset(transaction, key);
      await check();
      expect(await seenAt()).toBe(seen);
    });
    await check();
    expect(await seenAt()).toBeGreaterThan(seen);
    await expect(noteSeen(postgres, { ...key, generation: 2 })).rejects.toThrow(OffsetMoved);
  });
});
