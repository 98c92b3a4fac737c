import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type CompileOptions, compileCriteria, knownFields, parseCriteria } from "@headwater/criteria";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";

const ACCOUNT = 7;
/** Time a set is read: a merge is written in far less. */
const READING_SECONDS = 0.5;

let fresh: Fresh<ClickHouse>;
/** Revision of the last alias that was written. */
let revision = 0;

beforeAll(async () => {
  fresh = await freshClickHouse();
});
afterAll(() => fresh.drop());

async function mergeOne(): Promise<void> {
  revision += 1;
  const columns = ["account", "contact", "survivor", "revision"];
  const body = JSON.stringify([ACCOUNT, 100 + revision, 1, revision]);
  await fresh.store.insertBlock({ table: "contact_aliases", columns, body, token: randomUUID() });
}

const rule = {
  or: [
    { field: "attributes.city", op: "eq", value: "Rome" },
    { list: 1, op: "in" },
    { event: "open", count: { op: "gt", value: 1 } },
    { not: { order: true, sum: { of: "totalAmount", op: "gt", value: 5 } } },
  ],
};
const options: Omit<CompileOptions, "hasMerges"> = {
  account: ACCOUNT,
  now: Date.UTC(2026, 10, 22),
  basis: "recorded",
  timezone: "UTC",
  currency: "USD",
  explain: true,
  sampleSize: 3,
  page: { direction: "asc", skip: 0, rowsMax: 3, until: 1_000 },
  eligibleFor: { channel: "email", classification: "promotional" },
};

test.each([false, true])(
  "the alias revision shows a merge that came while any set of the query was read (merges before: %s)",
  async (hasMerges) => {
    const fields = knownFields({ attributes: [["city", "auto"]], identifiers: [] });
    const parsed = parseCriteria(rule, { fields, lists: [{ id: 1, name: "vip" }] });
    if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
    const { sql, params, settings } = compileCriteria(parsed.criteria, { ...options, hasMerges });
    const sets = [...sql.matchAll(SET)].map(([set]) => set);
    expect(sets.length).toBeGreaterThan(5);
    for (const set of sets) {
      const [row] = await mergeMeanwhile(
        fresh.store.query<{ aliasRevision: string }>(
          sql.replace(set, () => readSlowly(set)),
          params,
          { settings },
        ),
      );
      expect(row?.aliasRevision, set).toBe(String(revision));
    }
  },
);

/** Writes a merge while the query reads its slow set. */
async function mergeMeanwhile<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let isAnswered = false;
  const answered = asked.finally(() => {
    isAnswered = true;
  });
  const running =
    "SELECT count() AS n FROM system.processes WHERE query LIKE '%sleep(%' AND query NOT LIKE '%system.processes%'";
  await expect.poll(async () => (await fresh.store.query<{ n: number }>(running))[0]?.n).toBe(1);
  await mergeOne();
  expect(isAnswered).toBe(false);
  return answered;
}

/** A set of the query with its name, on a line of its own. */
const SET = /^ {2}\(SELECT .*\) AS s\d+(?=,?$)/gm;

/** The same set, which takes a while to be read. */
function readSlowly(set: string): string {
  const [, sql = "", name = ""] = /^ {2}(\(.*\)) AS (s\d+)$/.exec(set) ?? [];
  return `  (SELECT * FROM ${sql} WHERE (SELECT sleep(${READING_SECONDS})) = 0) AS ${name}`;
}
