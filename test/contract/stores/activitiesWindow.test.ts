import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { compileCriteria, knownFields, parseCriteria } from "@headwater/criteria";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "./fresh.ts";

/** Opens of a year, more than two granules of 8,192 rows a week. */
const ROWS = 1_000_000;
const NOW = Date.UTC(2026, 2, 31, 12);
const DAY_S = 86_400;

let fresh: Fresh<ClickHouse>;

beforeAll(async () => {
  fresh = await freshClickHouse();
  await fresh.store.command(
    `INSERT INTO activities (account, contact, action, time, ingested, uid)
    SELECT 7, cityHash64(number) % 100000, 'open', toDateTime64(${NOW / 1_000}, 3, 'UTC') - toIntervalSecond(cityHash64(number, 1) % ${365 * DAY_S}) AS time, time, toString(number)
    FROM numbers(${ROWS})`,
    {},
    { timeoutMs: 60_000 },
  );
  await fresh.store.command("OPTIMIZE TABLE activities FINAL", {}, { timeoutMs: 60_000 });
}, 120_000);

afterAll(() => fresh.drop());

/** Granules of activities that ClickHouse reads, as it says before it does. */
async function granules(sql: string, params: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const plan = await fresh.store.query<{ explain: string }>(
    `SELECT explain FROM (EXPLAIN indexes = 1 ${sql}) SETTINGS use_skip_indexes_on_data_read = 0`,
    params,
  );
  const [, count] =
    /ReadFromMergeTree \([^)]*activities\)[\s\S]*?\bGranules: (\d+)\n/.exec(
      plan.map(({ explain }) => explain).join("\n"),
    ) ?? [];
  expect(count, "the plan reads activities").toBeDefined();
  return Number(count);
}

async function granulesOf(rule: object): Promise<number> {
  const fields = knownFields({ attributes: [], identifiers: [] });
  const parsed = parseCriteria(rule, { fields, lists: [] });
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
  const { sql, params } = compileCriteria(parsed.criteria, {
    ...({ account: 7, now: NOW, basis: "recorded", timezone: "UTC", currency: "USD", hasMerges: true } as const),
  });
  const [leaf = ""] = /\((SELECT [^\n]* FROM activities [^\n]*)\) AS s\d+,?$/m.exec(sql)?.slice(1) ?? [];
  return granules(leaf, params);
}

test("a window reads what lies in its weeks, by the time alone", async () => {
  const opened = (days: number) => granulesOf({ event: "open", within: { last: { n: days, unit: "day" } } });
  const year = await opened(365);
  expect(year).toBeGreaterThan(110);
  expect(await opened(1)).toBeLessThan(year * 0.08);
  expect(await opened(30)).toBeLessThan(year * 0.16);
  expect(await opened(90)).toBeLessThan(year * 0.32);
  const between = { between: [60, 30].map((n) => ({ n, unit: "day" })) };
  expect(await granulesOf({ event: "open", count: { op: "gte", value: 5 }, within: between })).toBeLessThan(
    year * 0.15,
  );
});

test("bounds beyond all dates hold all activities, or none", async () => {
  const count = async (condition: string) => {
    const [row] = await fresh.store.query<{ count: number }>(
      `SELECT count() AS count FROM activities WHERE account = 7 AND action = 'open' AND ${condition}`,
    );
    return row?.count;
  };
  for (const at of ["1900-01-01", "1969-12-31", "2149-06-07", "2150-01-01", "2299-12-31"]) {
    const isPast = at < "2000";
    const instant = `toDateTime64('${at} 00:00:00.000', 3, 'UTC')`;
    expect([at, await count(`time >= ${instant}`)]).toEqual([at, isPast ? ROWS : 0]);
    expect([at, await count(`time < ${instant}`)]).toEqual([at, isPast ? 0 : ROWS]);
  }
});

test("activities of one contact are found by an index", async () => {
  const of = "WHERE account = 7 AND contact IN (SELECT toUInt64(77))";
  const year = await granules("SELECT uid FROM activities WHERE account = 7");
  expect(await granules(`SELECT uid FROM activities ${of}`)).toBeLessThan(year * 0.2);
});
