import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import { aliasRevisionSql, type CriteriaNode, compileNumbers } from "@headwater/criteria";
import { HeadwaterError } from "@headwater/kernel";

export interface WhoPorts {
  readonly account: Account;
  readonly clickhouse: ClickHouse;
  readonly bulk: ClickHouseBulk;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** Criteria of contacts and how they are read. */
interface WhoMatches {
  readonly node: CriteriaNode;
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  /** IANA name of the zone of dates alone; absent: the account's. */
  readonly timezone?: string;
  /** Sorting key of the table; default `contact`. */
  readonly orderBy?: string;
}

/** Limit of the attempts when merges come all the time. */
const ATTEMPTS_MAX = 4;

/**
 * Fills a table of one column, `contact`, with the live contacts that match. Checks again when a merge came meanwhile, as counts do.
 * @returns the alias revision that it ended with.
 * @throws HeadwaterError `INVALID_AUDIENCE_RULES` for a regular expression that RE2 does not take.
 */
export async function fillNumbers(
  table: string,
  { node, asOf, timezone, orderBy = "contact" }: WhoMatches,
  ports: WhoPorts,
): Promise<string> {
  const { account, nowMs: now, bulk, signal } = ports;
  const { settings: own } = account;
  let revision = await readAliasRevision(ports);
  for (let attempt = 1; ; attempt += 1) {
    const of = {
      account: account.number,
      basis: "recorded" as const,
      timezone: timezone ?? own.timezone,
      now,
      currency: own.currency,
      hasMerges: revision !== "0",
    };
    const compiled = compileNumbers(node, { ...of, ...(asOf !== undefined && { asOf }) });
    const { params, settings } = compiled;
    await bulk.run({
      sql: `CREATE OR REPLACE TABLE ${table} (contact UInt64) ENGINE = MergeTree ORDER BY (${orderBy})`,
      signal,
    });
    await withRegexErrors(() =>
      bulk.run({ sql: `INSERT INTO ${table} (contact) ${compiled.sql}`, params, settings, signal }),
    );
    const after = await readAliasRevision(ports);
    if (after === revision || attempt === ATTEMPTS_MAX) return after;
    revision = after;
  }
}

/** Distinguishes one state of the account's merges from another. */
export async function readAliasRevision({
  clickhouse,
  account,
}: Pick<WhoPorts, "clickhouse" | "account">): Promise<string> {
  const sql = `SELECT ${aliasRevisionSql("{account: UInt32}")} AS revision`;
  const [row] = await clickhouse.query<{ revision: string }>(sql, { account: account.number });
  return row?.revision ?? "0";
}

/**
 * Runs a statement of criteria.
 * @throws HeadwaterError `INVALID_AUDIENCE_RULES` for a regular expression that RE2 does not take.
 */
export async function withRegexErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && "type" in error && error.type === "CANNOT_COMPILE_REGEXP")) throw error;
    const publicMessage = "A regular expression of the criteria is not valid RE2.";
    throw new HeadwaterError({ code: "INVALID_AUDIENCE_RULES", status: 422, publicMessage, cause: error });
  }
}
