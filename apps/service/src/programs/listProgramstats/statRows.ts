import {
  compileMessageFacts,
  compileMessageNumbers,
  type MessageCounts,
  type MessageFactsRow,
  type NumbersQuestion,
} from "@headwater/audience";
import type { ClickHouse } from "@headwater/stores/clickhouse";
import { STATS_SQL } from "../statsView.ts";
import type { StatsKey } from "./schema.ts";

export interface StatsPage {
  readonly after: StatsKey | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** The numbers of one message, or of one day of an automated one. */
export interface StatRow extends MessageCounts {
  readonly message: string;
  /** Id of the message, with the day behind it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Counted from 1. */
  readonly place: number;
}

export interface StatRows {
  readonly rows: readonly StatRow[];
  /** Number of rows of all pages. */
  readonly total: number;
}

type PlacedRow = StatRow & { readonly total: number; readonly before: number };

const ID = "if(part = '', toString(message), concat(message, ':', part))";

/** A page of a program's rows, newest first. The first row of all comes along, wherever the page is: it knows the total. */
export async function readStatRows(
  clickHouse: ClickHouse,
  question: Omit<NumbersQuestion, "view">,
  { page: { after, skip, rowsMax }, signal }: { readonly page: StatsPage; readonly signal: AbortSignal },
): Promise<StatRows> {
  const { sql, prefix, params } = compileMessageNumbers({ ...question, view: "day" });
  const isBefore = "sentAt > {afterSentAt: Int64} OR (sentAt = {afterSentAt: Int64} AND id <= {afterId: String})";
  const before = after === undefined ? "{skip: UInt64}" : `countIf(${isBefore}) OVER ()`;
  const rows = `SELECT message, ${ID} AS id, toUnixTimestamp64Milli(sent_at) AS sentAt, ${STATS_SQL} FROM (${sql})`;
  const placed = `SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY sentAt DESC, id ASC) AS place,
    ${before} AS before FROM (${rows})`;
  const onPage = "place > before AND place <= before + {rows: UInt64}";
  const statement = `${prefix}SELECT * FROM (${placed}) WHERE place = 1 OR (${onPage}) ORDER BY place`;
  const given = after === undefined ? { skip } : { afterSentAt: after.sentAt, afterId: after.id };
  const found = await clickHouse.query<PlacedRow>(statement, { ...params, ...given, rows: rowsMax }, { signal });
  return {
    rows: found.filter(({ place, before: skipped }) => place > skipped),
    total: found[0]?.total ?? 0,
  };
}

const SHOWN_FACTS = [
  ...(["messageKey", "orchestrationID", "orchestrationName", "subject", "tags", "channel", "channelType"] as const),
];
export type ShownFacts = MessageFactsRow<(typeof SHOWN_FACTS)[number]>;

/** Limit of the ids that one query is asked with. */
const IDS_BYTES_MAX = 64 * 1024;

/** Reads the facts of the messages of some rows, by their id. */
export async function readFactsOf(
  clickHouse: ClickHouse,
  account: number,
  rows: readonly StatRow[],
): Promise<ReadonlyMap<string, ShownFacts>> {
  const facts = new Map<string, ShownFacts>();
  for (const messages of inBounds([...new Set(rows.map(({ message }) => message))])) {
    const { sql, params } = compileMessageFacts({ account, facts: SHOWN_FACTS, messages });
    for (const row of await clickHouse.query<ShownFacts>(sql, params)) facts.set(row.message, row);
  }
  return facts;
}

function inBounds(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const id of ids) {
    const bytes = Buffer.byteLength(id);
    if (bytes > room) {
      chunks.push([]);
      room = IDS_BYTES_MAX;
    }
    chunks.at(-1)?.push(id);
    room -= bytes;
  }
  return chunks;
}
