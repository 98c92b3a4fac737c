import type { CriteriaNode } from "@headwater/audience";
import { fillNumbers } from "../exports/contacts/who.ts";
import { STAGING_PREFIX } from "../exports/stagingTable.ts";
import type { JobPorts, Work } from "../runner/jobKind.ts";

/** Contacts of a page, in the order in which they are sent to. */
const PAGE_CONTACTS = 20_000;

interface PlacedContact {
  readonly hash: string;
  readonly contact: number;
}

export interface AudiencePage {
  readonly contacts: readonly PlacedContact[];
  readonly isLast: boolean;
}

type AudienceWork = Pick<Work<unknown, unknown>, "account" | "jobId" | "attempt" | "nowMs" | "signal">;

/** Fills a table of the job's attempt with an audience at one moment. @returns the table's name. */
export async function fillAudience(
  node: CriteriaNode,
  { account, jobId, attempt, nowMs, signal }: AudienceWork,
  { clickhouse, bulk }: Pick<JobPorts, "clickhouse" | "bulk">,
): Promise<string> {
  const table = `${STAGING_PREFIX}${jobId}_${attempt}_who`;
  await fillNumbers(table, { node, asOf: undefined }, { account, clickhouse, bulk, nowMs, signal });
  return table;
}

/**
 * Reads the contacts of such a table behind one of them. Pages follow a hash, so that mailbox providers mix and neighbours by age do not.
 * @param after the last contact of the page before; null for the first page.
 */
export async function readAudiencePage(
  { table, after }: { readonly table: string; readonly after: PlacedContact | null },
  { signal }: Pick<AudienceWork, "signal">,
  { clickhouse }: Pick<JobPorts, "clickhouse">,
): Promise<AudiencePage> {
  const where = after === null ? "" : "WHERE (hash, contact) > ({hash: UInt64}, {contact: UInt64})";
  const sql = `SELECT toString(hash) AS hash, contact FROM (
      SELECT cityHash64(contact) AS hash, contact FROM ${table} ${where} ORDER BY hash, contact LIMIT {most: UInt32})`;
  const contacts = await clickhouse.query<PlacedContact & Record<string, unknown>>(
    sql,
    { ...after, most: PAGE_CONTACTS },
    { signal },
  );
  return { contacts, isLast: contacts.length < PAGE_CONTACTS };
}
