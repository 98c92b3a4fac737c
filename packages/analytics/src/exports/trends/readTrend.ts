import type { JobInput } from "@headwater/contracts";
import {
  type CriteriaNode,
  compileTrend,
  compileTrendValues,
  type SegmentSource,
  type TrendOptions,
} from "@headwater/criteria";
import { z } from "zod";
import { readAliasRevision, withRegexErrors } from "../contacts/who.ts";
import type { Staging } from "../exportKind.ts";
import { dropTable } from "../stagingTable.ts";

/** Contacts whose history one statement reads: what bounds the memory that it takes. */
const CONTACTS_AT_A_TIME = 200_000;

const sliceStatement = `SELECT max(contact) AS last, count() AS contacts FROM (
  SELECT contact FROM contacts_current WHERE account = {account: UInt32} AND contact >= {from: UInt64}
  ORDER BY contact LIMIT 1 BY contact LIMIT {most: UInt32})`;

type TrendsStaging = Staging<JobInput<"ExportAudienceTrends">>;

/** Contacts that came in and went out, by the place of the moment. */
export interface AudienceTrend {
  readonly segment: string | null;
  readonly entered: Float64Array;
  readonly left: Float64Array;
}

/** Limit of the attempts when merges come all the time. */
const ATTEMPTS_MAX = 4;
/** Segments that have rows of their own. */
const SEGMENTS_MAX = 50;
const OTHER = "(other)";
const NONE = "(none)";
/** Long trends of many contacts take their time; the statement of one slice ends by then. */
const SLICE_TIMEOUT_MS = 1_800_000;

/** The service has checked it. */
const storedSource = z.custom<SegmentSource>((source) => typeof source === "object" && source !== null);

/**
 * Reads the trend of one audience, slice by slice of its contacts. Checks again when a merge came meanwhile: a slice before and one after
 * it may hold both of its contacts.
 */
export async function readTrend(criteria: CriteriaNode, staging: TrendsStaging): Promise<AudienceTrend[]> {
  let revision = await readAliasRevision(staging);
  for (let attempt = 1; ; attempt += 1) {
    const trends = await withRegexErrors(() => readOnce(criteria, revision !== "0", staging));
    const after = await readAliasRevision(staging);
    if (after === revision || attempt === ATTEMPTS_MAX) return trends;
    revision = after;
  }
}

type Options = Omit<TrendOptions, "numbers">;

async function readOnce(criteria: CriteriaNode, hasMerges: boolean, staging: TrendsStaging): Promise<AudienceTrend[]> {
  const { account, input } = staging;
  const { bounds, basis, timezone, eligibleFor } = input;
  const { currency } = account.settings;
  const known = { account: account.number, bounds, basis, timezone, currency, hasMerges };
  const options: Options = { ...known, ...(eligibleFor && { eligibleFor }) };
  if (input.segments === undefined) return addUp(criteria, { options, staging });
  const source = storedSource.parse(input.segments);
  const values = await largestValues(criteria, source, { options, staging });
  return addUp(criteria, { options, staging, segments: { source, values } });
}

interface Reading {
  readonly options: Options;
  readonly staging: TrendsStaging;
  readonly segments?: { readonly source: SegmentSource; readonly values: readonly string[] };
}

interface Step {
  readonly segment: number;
  readonly point: number;
  readonly entered: number | string;
  readonly gone: number | string;
}

async function addUp(criteria: CriteriaNode, { options, staging, segments }: Reading): Promise<AudienceTrend[]> {
  const { clickhouse, signal } = staging;
  const trends = labelsOf(segments).map((segment) => ({
    segment,
    entered: new Float64Array(options.bounds.length),
    left: new Float64Array(options.bounds.length),
  }));
  for await (const numbers of contactSlices(staging)) {
    const { sql, params } = compileTrend(criteria, { ...options, numbers }, segments);
    const limits = { settings: BESIDE_COUNTS, signal, timeoutMs: SLICE_TIMEOUT_MS };
    for (const { segment, point, entered, gone } of await clickhouse.query<Step>(sql, params, limits)) {
      const trend = trends[segment];
      if (trend === undefined) throw new RangeError(`a trend has no segment ${segment}`);
      trend.entered[point] = (trend.entered[point] ?? 0) + Number(entered);
      trend.left[point] = (trend.left[point] ?? 0) + Number(gone);
    }
  }
  return trends;
}

/** Counts come first. */
const BESIDE_COUNTS = { priority: "1000" };

function labelsOf(segments: Reading["segments"]): (string | null)[] {
  if (segments === undefined) return [null];
  const { source, values } = segments;
  if (source.kind === "field") return [...values, OTHER, NONE];
  const names = new Map(source.lists.map(({ id, name }) => [String(id), name]));
  return [...values.map((id) => names.get(id) ?? id), OTHER, NONE];
}

/**
 * Returns the values with the greatest count at any bound, so that a segment that everybody left has its name. They are ordered by their
 * count at the end, then by the greatest one, then by value. Lists that nobody is in follow.
 */
async function largestValues(
  criteria: CriteriaNode,
  source: SegmentSource,
  { options, staging }: Reading,
): Promise<string[]> {
  const { bulk, clickhouse, signal } = staging;
  const table = staging.scratch("values");
  await dropTable(bulk, table, signal);
  await bulk.run({
    sql: `CREATE TABLE ${table} (text String, point Int64, change Int64) ENGINE = MergeTree ORDER BY (text, point)`,
    signal,
  });
  for await (const numbers of contactSlices(staging)) {
    const { sql, params } = compileTrendValues(criteria, { ...options, numbers }, source);
    await bulk.run({ sql: `INSERT INTO ${table} (text, point, change) ${sql}`, params, signal });
  }
  const limits = { signal, timeoutMs: SLICE_TIMEOUT_MS };
  const rows = await clickhouse.query<{ text: string }>(largestSql(table), {}, limits);
  await dropTable(bulk, table, signal);
  const found = rows.map(({ text }) => text);
  if (source.kind === "field") return found;
  return [...new Set([...found, ...source.lists.map(({ id }) => String(id))])].slice(0, SEGMENTS_MAX);
}

function largestSql(table: string): string {
  const changes = `SELECT text, point, sum(change) AS change FROM ${table} GROUP BY text, point`;
  const counts = "arrayCumSum(step -> step.2, arraySort(groupArray((point, change))))";
  const values = `SELECT text, arrayMax(${counts}) AS greatest, sum(change) AS atEnd FROM (${changes}) GROUP BY text`;
  const largest = `SELECT * FROM (${values}) WHERE greatest > 0 ORDER BY greatest DESC, atEnd DESC, text LIMIT ${SEGMENTS_MAX}`;
  return `SELECT text FROM (${largest}) ORDER BY atEnd DESC, greatest DESC, text`;
}

interface NumberRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Parts the account's contact numbers into ranges, from the first to the last. */
async function* contactSlices({
  account,
  clickhouse,
  signal,
}: Pick<Staging<unknown>, "account" | "clickhouse" | "signal">): AsyncGenerator<NumberRange> {
  for (let from = 0; ; ) {
    const params = { account: account.number, from, most: CONTACTS_AT_A_TIME };
    const [row] = await clickhouse.query<{ last: number; contacts: number }>(sliceStatement, params, { signal });
    if (row === undefined || row.contacts === 0) return;
    yield { from, to: row.last + 1 };
    from = row.last + 1;
  }
}
