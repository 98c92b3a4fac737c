import { addOutcomeCounts } from "@headwater/intake/accounting/accounting";
import { createRedrive } from "@headwater/intake/deadLetters/redrives";
import { deleteAppliedRecords } from "@headwater/intake/receipts/appliedRecords";
import { deleteReceiptCounts, insertReceiptCounts } from "@headwater/intake/receipts/receipts";
import { deleteJobRejections } from "@headwater/jobs/queue/jobRejections";
import type { Session } from "@headwater/postgres/connection/session";
import { deleteIdempotency } from "@headwater/postgres/idempotency/idempotency";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldRows } from "../../../../apps/projector/src/housekeeping.ts";
import { seedDeadLetters } from "../letters.ts";
import { AT, type MemoryStream, startMemoryStream } from "./memoryStream.ts";

let stream: MemoryStream;
beforeAll(async () => {
  stream = await startMemoryStream();
});
afterAll(() => stream.drop());

const DAY = 86_400_000;
const HOUR = 3_600_000;

async function idsLeft(): Promise<string[]> {
  const rows = await stream.postgres.query<{ id: string }>({ text: "SELECT record_id AS id FROM rejects ORDER BY 1" });
  return rows.map(({ id }) => id);
}

test("what is open or parked is never deleted, ends are kept for their time", async () => {
  const { postgres, account } = stream;
  const ends = ["open", "parked", "applied", "skipped", "redriven", "discarded"] as const;
  await seedDeadLetters(
    postgres,
    account,
    ends.map((status) => ({
      recordId: `${status}:0:0`,
      at: AT,
      more: { status, dueAt: status === "parked" ? 1 : null },
    })),
  );
  await postgres.execute({ text: "UPDATE rejects SET closed_at = received_at WHERE status NOT IN ('open', 'parked')" });
  await deleteOldRows(postgres, AT + 6 * DAY);
  expect(await idsLeft()).toHaveLength(6);
  await deleteOldRows(postgres, AT + 8 * DAY);
  expect(await idsLeft()).toEqual(["discarded:0:0", "open:0:0", "parked:0:0", "redriven:0:0"]);
  await deleteOldRows(postgres, AT + 1_000 * DAY);
  expect(await idsLeft()).toEqual(["open:0:0", "parked:0:0"]);
});

test("an hour's counts go before a closed record of that hour does", async () => {
  const { postgres, account } = stream;
  const key = { account: account.number, hour: AT / HOUR, operation: "upsertContact" };
  const position = { topic: "intake.records", partition: 0 };
  await postgres.transaction((transaction) =>
    addOutcomeCounts(transaction, position, [{ ...key, applied: 1, skipped: 0, copies: 0 }]),
  );
  await seedDeadLetters(postgres, account, [{ recordId: "closed:0:0", at: AT, more: { status: "discarded" } }]);
  await postgres.execute({ text: "UPDATE rejects SET closed_at = received_at WHERE record_id = 'closed:0:0'" });
  const counts = () => postgres.query({ text: "SELECT hour FROM outcome_counts" });
  await deleteOldRows(postgres, AT + 90 * DAY - 1);
  expect([await counts(), (await idsLeft()).includes("closed:0:0")]).toEqual([[{ hour: AT / HOUR }], true]);
  await deleteOldRows(postgres, AT + 90 * DAY);
  expect([await counts(), (await idsLeft()).includes("closed:0:0")]).toEqual([[], true]);
  await deleteOldRows(postgres, AT + 90 * DAY + 1);
  expect((await idsLeft()).includes("closed:0:0")).toBe(false);
});

test("redrives are kept 60 days from when they were written, and while they are not", async () => {
  const { postgres, account } = stream;
  const created = { account: account.number, selection: {}, patch: null, scopes: [], madeBy: "key", selected: 0 };
  await createRedrive(postgres, { ...created, id: "waits", createdAt: AT });
  await createRedrive(postgres, { ...created, id: "written", createdAt: AT });
  await postgres.execute({ text: "UPDATE redrives SET written_at = created_at WHERE id = 'written'" });
  const ids = () => postgres.query({ text: "SELECT id FROM redrives ORDER BY id" });
  await deleteOldRows(postgres, AT + 60 * DAY);
  expect(await ids()).toEqual([{ id: "waits" }, { id: "written" }]);
  await deleteOldRows(postgres, AT + 60 * DAY + 1);
  expect(await ids()).toEqual([{ id: "waits" }]);
});

const MANY = 12_000;
/** Rows with the time `AT`, the first one a millisecond later. */
const ROWS = `(SELECT n, CASE n WHEN 0 THEN $1::bigint + 1 ELSE $1::bigint END AS at FROM generate_series(0, ${MANY}) AS n) AS r`;

/** Counts the rows that each statement wrote. */
function counting(session: Session): { readonly session: Session; readonly pieces: number[] } {
  const pieces: number[] = [];
  const execute: Session["execute"] = async (statement, values) => {
    const rows = await session.execute(statement, values);
    pieces.push(rows);
    return rows;
  };
  return { session: { ...session, execute }, pieces };
}

test.each([
  {
    what: "ids of keyed records",
    table: "applied_records",
    columns: "0, n::text, at",
    remove: (session: Session) => deleteAppliedRecords(session, AT + 1),
  },
  {
    what: "Idempotency-Keys",
    table: "intake.idempotency",
    columns: "0, 'POST /a', n::text, n::text, '', to_timestamp(0), 202, '{}'::jsonb, to_timestamp(at / 1000.0)",
    remove: (session: Session) => deleteIdempotency(session, AT + 1),
  },
  {
    what: "rejections of jobs",
    table: "job_rejections",
    columns: "'job', n, 0, 'CODE', 'message', null, null, at",
    remove: (session: Session) => deleteJobRejections(session, AT + 1),
  },
  {
    what: "counts of receipts",
    table: "receipt_counts",
    columns: "0, n::text, 'topic', 0, 0, '{}'::json, '{}'::json, to_timestamp(at / 1000.0)",
    remove: (session: Session) => deleteReceiptCounts(session, AT + 1),
  },
])("$what that are too old are deleted in pieces, and no younger one", async ({ table, columns, remove }) => {
  const { postgres } = stream;
  await postgres.execute({ text: `DELETE FROM ${table}` });
  await postgres.execute({ text: `INSERT INTO ${table} SELECT ${columns} FROM ${ROWS}` }, [AT]);
  const { session, pieces } = counting(postgres);
  expect(await remove(session)).toBe(MANY);
  expect(pieces).toEqual([5_000, 5_000, 2_000]);
  expect(await postgres.query({ text: `SELECT count(*) AS n FROM ${table}` })).toEqual([{ n: 1 }]);
});

test("what a redrive's receipt shows is kept as long as the redrive", async () => {
  const { postgres, account } = stream;
  const built = { account: account.number, selection: {}, patch: null, scopes: [], madeBy: "key", selected: 0 };
  await createRedrive(postgres, { ...built, id: "kept", createdAt: AT });
  await postgres.execute({ text: "UPDATE redrives SET written_at = created_at WHERE id = 'kept'" });
  const count = (requestId: string) => ({
    account: account.number,
    requestId,
    topic: "intake.records",
    partition: 0,
    logOffset: 0,
    skips: { UNCHANGED: 1 },
    warnings: {},
  });
  await postgres.transaction((transaction) => insertReceiptCounts(transaction, [count("kept"), count("request")]));
  const deadLetter = { at: AT, more: { status: "skipped" } } as const;
  const deadLetters = ["kept:0:0", "request:0:0"].map((recordId) => ({ ...deadLetter, recordId }));
  await seedDeadLetters(postgres, account, deadLetters);
  await postgres.execute({ text: "UPDATE receipt_counts SET created_at = to_timestamp($1 / 1000.0)" }, [AT]);
  await postgres.execute({ text: "UPDATE rejects SET closed_at = received_at WHERE status = 'skipped'" });
  const left = async () => [
    await postgres.query({ text: "SELECT request_id AS id FROM receipt_counts WHERE account > 0 ORDER BY 1" }),
    await postgres.query({ text: "SELECT record_id AS id FROM rejects WHERE status = 'skipped' ORDER BY 1" }),
  ];
  const both = [
    [{ id: "kept" }, { id: "request" }],
    [{ id: "kept:0:0" }, { id: "request:0:0" }],
  ];
  await deleteOldRows(postgres, AT + 7 * DAY);
  expect(await left()).toEqual(both);
  await deleteOldRows(postgres, AT + 7 * DAY + 1);
  expect(await left()).toEqual([[{ id: "kept" }], [{ id: "kept:0:0" }]]);
  await deleteOldRows(postgres, AT + 60 * DAY + 1);
  await deleteOldRows(postgres, AT + 60 * DAY + 1);
  expect(await left()).toEqual([[], []]);
});
