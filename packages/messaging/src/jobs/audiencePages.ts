import { fillNumbers } from "@headwater/analytics/exports/contacts/who";
import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import type { CriteriaNode } from "@headwater/criteria";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";

/** Contacts of a page, in the order in which they are sent to. */
const PAGE_CONTACTS = 20_000;
/** Follows a hash, so that mailbox providers mix and neighbours by age do not. */
const HASH = "cityHash64(contact)";

interface LocatedContact {
  readonly hash: string;
  readonly contact: number;
}

export interface AudiencePage {
  readonly contacts: readonly number[];
  /** Position of its last contact; null where it is empty. */
  readonly last: LocatedContact | null;
  readonly isLast: boolean;
}

type AudienceWork = Pick<Work<unknown, unknown>, "account" | "jobId" | "attempt" | "nowMs" | "signal">;

/** Fills a table of the job's attempt with an audience at one instant. @returns the table's name. */
export async function fillAudience(
  node: CriteriaNode,
  { account, jobId, attempt, nowMs, signal }: AudienceWork,
  { clickhouse, bulk }: Pick<JobPorts, "clickhouse" | "bulk">,
): Promise<string> {
  const table = `${STAGING_PREFIX}${jobId}_${attempt}_who`;
  await fillNumbers(
    table,
    { node, asOf: undefined, orderBy: `${HASH}, contact` },
    { account, clickhouse, bulk, nowMs, signal },
  );
  return table;
}

/**
 * Reads the contacts of such a table behind one of them, in the table's order: a page reads its own rows and no others.
 * @param after the last contact of the page before; null for the first page.
 */
export async function readAudiencePage(
  { table, after }: { readonly table: string; readonly after: LocatedContact | null },
  { signal }: Pick<AudienceWork, "signal">,
  { clickhouse }: Pick<JobPorts, "clickhouse">,
): Promise<AudiencePage> {
  const behind = `WHERE ${HASH} >= {hash: UInt64} AND (${HASH}, contact) > ({hash: UInt64}, {contact: UInt64})`;
  // One row for all of them: rows of their own took the worker a third of its time, to parse and to collect as garbage.
  const sql = `SELECT groupArray(contact) AS contacts, toString(cityHash64(contacts[-1])) AS hash FROM (
      SELECT contact FROM ${table} ${after === null ? "" : behind} ORDER BY ${HASH}, contact LIMIT {most: UInt32})`;
  const [row] = await clickhouse.query<{ contacts: number[]; hash: string }>(
    sql,
    { ...after, most: PAGE_CONTACTS },
    { signal },
  );
  const { contacts = [], hash = "" } = row ?? {};
  const contact = contacts.at(-1);
  const last = contact === undefined ? null : { hash, contact };
  return { contacts, last, isLast: contacts.length < PAGE_CONTACTS };
}
