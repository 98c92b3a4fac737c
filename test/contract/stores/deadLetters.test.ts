import { defaultSettings } from "@headwater/contracts";
import { countDeadLetters, groupDeadLetters } from "@headwater/intake/deadLetters/deadLetterCounts";
import { discardDeadLetters, pageDeadLetters } from "@headwater/intake/deadLetters/deadLetters";
import { deleteClosedRejects, resolveRejects } from "@headwater/intake/deadLetters/rejects";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedDeadLetters } from "../intake/letters.ts";
import { type Fresh, freshPostgres } from "./fresh.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeAll(async () => {
  fresh = await freshPostgres();
  postgres = fresh.store;
});
afterAll(() => fresh.drop());

const accountOf = (number: number) => {
  return { number, id: "a".repeat(24), name: "test", settings: defaultSettings };
};
const anyStatus = ["open", "parked", "redriven", "discarded", "applied", "skipped"] as const;

/** The counts and the rows, by status and cause. */
async function bothCounts() {
  const keys = "account, status, code, operation, topic, partition";
  const counted = { text: `SELECT ${keys}, records FROM reject_counts WHERE records <> 0 ORDER BY ${keys}` };
  const rows = { text: `SELECT ${keys}, count(*) AS records FROM rejects GROUP BY ${keys} ORDER BY ${keys}` };
  return [await postgres.query(counted), await postgres.query(rows)] as const;
}

async function expectCounts(): Promise<void> {
  const [counted, rows] = await bothCounts();
  expect(counted).toEqual(rows);
}

test("two records of one id in one batch, and texts with NUL, are stored as one row that Postgres takes", async () => {
  const account = accountOf(9);
  const twice = { recordId: "twice:0:0", more: { message: "no list \0a" } };
  await seedDeadLetters(postgres, account, [twice, { ...twice, more: { message: "later" } }, { recordId: "once:0:0" }]);
  const rows = { text: "SELECT record_id AS id, message FROM rejects WHERE account = 9 ORDER BY record_id DESC" };
  const stored = await postgres.query<{ id: string; message: string }>(rows);
  expect(stored.map(({ id }) => id)).toEqual(["twice:0:0", "once:0:0"]);
  expect(stored[0]?.message).toBe("no list \ufffda");
  await expectCounts();
});

test("counts of dead letters follow every change of their rows", async () => {
  const account = accountOf(1);
  const deadLetters = Array.from({ length: 60 }, (_none, index) => ({
    recordId: `r${String(index).padStart(2, "0")}:0:0`,
    at: 1_000 + index,
    more: {
      partition: index % 3,
      code: index % 4 === 0 ? "VALIDATION_ERROR" : "CONTACTS_CONTACT_NOT_FOUND",
      ...(index % 5 === 0 ? { status: "parked" as const, dueAt: 1 } : {}),
    },
  }));
  await seedDeadLetters(postgres, account, deadLetters);
  await expectCounts();
  // The same rows again, some of them new: as when a parked record is refused for good.
  await seedDeadLetters(postgres, account, [
    { recordId: "r00:0:0", more: { code: "MERGE_CONFLICT" } },
    { recordId: "new:0:0" },
  ]);
  await expectCounts();
  const end = { account: 1, code: "" };
  await resolveRejects(postgres, [{ ...end, recordId: "r05:0:0", status: "applied" }], 5);
  await resolveRejects(postgres, [{ ...end, recordId: "r10:0:0", status: "skipped", code: "UNCHANGED" }], 5);
  await expectCounts();
  await discardDeadLetters(postgres, { account: 1, code: "VALIDATION_ERROR" }, { reason: "x", by: "y", at: 6 });
  await expectCounts();
  await deleteClosedRejects(postgres, { statuses: ["discarded", "applied"], before: 7 });
  await expectCounts();
});

test("a batch that is rolled back leaves no count", async () => {
  const before = await bothCounts();
  const undone = postgres.transaction(async (transaction) => {
    await transaction.execute({ text: "UPDATE rejects SET status = 'discarded', closed_at = 1" });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await bothCounts()).toEqual(before);
});

test("counting and grouping answer the same with times, which read the rows, and without, which read the counts", async () => {
  const account = accountOf(2);
  await seedDeadLetters(postgres, account, [
    { recordId: "a:0:0", at: 10 },
    { recordId: "b:0:0", at: 20, more: { status: "discarded" } },
    { recordId: "c:0:0", at: 30, more: { code: "VALIDATION_ERROR" } },
  ]);
  for (const statuses of [["open"], ["open", "discarded"], anyStatus] as const) {
    const filters = { account: 2, statuses };
    const timed = { ...filters, from: 0, to: 1_000 };
    expect(await countDeadLetters(postgres, filters)).toBe(await countDeadLetters(postgres, timed));
    const facts = (causes: Awaited<ReturnType<typeof groupDeadLetters>>) =>
      causes.map(({ sampleId: _any, ...cause }) => cause);
    expect(facts(await groupDeadLetters(postgres, filters))).toEqual(facts(await groupDeadLetters(postgres, timed)));
  }
});

test("pages over several states are in one order, and skip over all of them", async () => {
  const page = { account: 2, statuses: anyStatus, direction: "desc", rowsMax: 10 } as const;
  const ids = async (more: object = {}) =>
    (await pageDeadLetters(postgres, { ...page, ...more })).map(({ recordId }) => recordId);
  expect(await ids()).toEqual(["c:0:0", "b:0:0", "a:0:0"]);
  expect(await ids({ skip: 1, rowsMax: 1 })).toEqual(["b:0:0"]);
  expect(await ids({ direction: "asc", after: { rejectedAt: 10, recordId: "a:0:0" } })).toEqual(["b:0:0", "c:0:0"]);
});

test("refused records and their counts are compared as bytes: with two collations no index finds the ends of a cause", async () => {
  const columns = ["status", "code", "operation", "topic"];
  const rows = await postgres.query<{ table: string; column: string; collation: string | null }>(
    {
      text: `SELECT table_name AS table, column_name AS column, collation_name AS collation FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name IN ('rejects', 'reject_counts') AND column_name = ANY ($1)`,
    },
    [`{${columns.join(",")}}`],
  );
  expect(rows).toHaveLength(2 * columns.length);
  for (const { table, column, collation } of rows) expect([table, column, collation]).toEqual([table, column, "C"]);
});
