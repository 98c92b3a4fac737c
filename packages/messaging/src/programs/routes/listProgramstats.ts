import { waitForAfter } from "@headwater/api/consistency/after";
import { nextOf } from "@headwater/api/paging/listAnswer";
import { cutPage, type Page, REACH_MAX, readPage } from "@headwater/api/paging/page";
import { listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, toTimestamp } from "@headwater/contracts";
import {
  compileMessageFacts,
  compileMessageNumbers,
  factList,
  factText,
  type MessageCounts,
  type MessageFactsRow,
  type NumbersQuestion,
} from "@headwater/criteria";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import {
  numbersQuery,
  programParams,
  queryView,
  questionOf,
  readProgram,
  STATS_SQL,
  showQuery,
  statsExample,
  statsOf,
  statsShape,
} from "../numbers.ts";

const { page, per_page, cursor } = listQuery;
const query = z.strictObject({ ...numbersQuery, page, per_page, cursor });
type StatsQuery = z.output<typeof query>;

/** Position of a row: newest first, then by its id. */
const cursorKey = z.strictObject({ sentAt: z.number().int(), id: z.string() });
type StatsKey = z.output<typeof cursorKey>;

const text = z.string().nullable();
const url = z.string().nullable();

const statsAnswer = z.strictObject({
  data: z.array(
    z.strictObject({
      message_id: z.string(),
      ...{ message_key: text, orchestration_id: text, orchestration_name: text, subject: text },
      tags: z.array(z.string()),
      ...{ channel_key: text, channel_type: text },
      sent_at: z.string().describe("The first send on the days."),
      stats: statsShape,
    }),
  ),
  query: queryView.extend({ page: z.number().int().optional(), per_page: z.number().int() }),
  pagination: z.strictObject({
    total: z.number().int(),
    per_page: z.number().int(),
    current_page: z.number().int().nullable().describe("Null with `cursor`."),
    last_page: z.number().int(),
    from: z.number().int().nullable(),
    to: z.number().int().nullable(),
    first_page_url: z.string(),
    ...{ last_page_url: url, next_page_url: url, prev_page_url: url },
    next_cursor: z.string().nullable(),
  }),
  asOf: z.string(),
});

const STATS_PATH = "/v2/programs/65f0c0ffee65f0c0ffee00b1/stats?start_date=2026-03-01&end_date=2026-03-31&per_page=25";

const statsPageExample = {
  data: [
    {
      message_id: "65f0c0ffee65f0c0ffee0009:d260312",
      ...{ message_key: "cart-reminder", orchestration_id: null, orchestration_name: null },
      ...{ subject: "Still interested?", tags: ["spring"], channel_key: "email", channel_type: "email" },
      sent_at: "2026-03-12T08:00:00.000Z",
      stats: statsExample,
    },
  ],
  query: { start_date: "2026-03-01", end_date: "2026-03-31", timezone: "Europe/Berlin", page: 1, per_page: 25 },
  pagination: {
    ...{ total: 1, per_page: 25, current_page: 1, last_page: 1, from: 1, to: 1 },
    ...{ first_page_url: `${STATS_PATH}&page=1`, last_page_url: `${STATS_PATH}&page=1` },
    ...{ next_page_url: null, prev_page_url: null, next_cursor: null },
  },
  asOf: "2026-03-31T22:47:12.000Z",
};

interface Paged {
  readonly path: string;
  readonly query: StatsQuery;
  readonly page: Page<unknown>;
  /** Positions of the rows of the page, from 1. */
  readonly places: readonly number[];
  readonly total: number;
  readonly nextCursor: string | null;
}

/** The pagination of a program's stats: pages have addresses of their own. Those too deep for a number are reached by cursor. */
function paginationOf({ path, query, page: { page, perPage }, places: positions, total, nextCursor }: Paged) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const pageUrl = (number: number) => (number * perPage > REACH_MAX ? null : urlOf(path, query, { page: number }));
  const next = nextCursor === null ? null : urlOf(path, query, { cursor: nextCursor });
  return {
    total,
    per_page: perPage,
    current_page: page ?? null,
    last_page: lastPage,
    from: positions[0] ?? null,
    to: positions.at(-1) ?? null,
    first_page_url: urlOf(path, query, { page: 1 }),
    last_page_url: pageUrl(lastPage),
    next_page_url: nextCursor === null || page === undefined ? next : (pageUrl(page + 1) ?? next),
    prev_page_url: page === undefined || page === 1 ? null : pageUrl(page - 1),
    next_cursor: nextCursor,
  };
}

function urlOf(
  path: string,
  query: StatsQuery,
  position: { readonly page?: number; readonly cursor?: string },
): string {
  const { page: _, cursor: __, after: ___, ...rest } = query;
  const input = Object.entries({ ...rest, ...position }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams(input)}`;
}

interface StatsPage {
  readonly after: StatsKey | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** The numbers of one message, or of one day of an automated one. */
interface StatRow extends MessageCounts {
  readonly message: string;
  /** Id of the message, with the day behind it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Counted from 1. */
  readonly place: number;
}

interface StatRows {
  readonly rows: readonly StatRow[];
  /** Number of rows of all pages. */
  readonly total: number;
}

type LocatedRow = StatRow & { readonly total: number; readonly before: number };

const ID = "if(part = '', toString(message), concat(message, ':', part))";

/** A page of a program's rows, newest first. The first row of all comes along, wherever the page is: it knows the total. */
async function readStatRows(
  clickHouse: ClickHouse,
  question: Omit<NumbersQuestion, "view">,
  { page: { after, skip, rowsMax }, signal }: { readonly page: StatsPage; readonly signal: AbortSignal },
): Promise<StatRows> {
  const { sql, prefix, params } = compileMessageNumbers({ ...question, view: "day" });
  const isBefore = "sentAt > {afterSentAt: Int64} OR (sentAt = {afterSentAt: Int64} AND id <= {afterId: String})";
  const before = after === undefined ? "{skip: UInt64}" : `countIf(${isBefore}) OVER ()`;
  const rows = `SELECT message, ${ID} AS id, toUnixTimestamp64Milli(sent_at) AS sentAt, ${STATS_SQL} FROM (${sql})`;
  const located = `SELECT *, count() OVER () AS total, row_number() OVER (ORDER BY sentAt DESC, id ASC) AS place,
    ${before} AS before FROM (${rows})`;
  const onPage = "place > before AND place <= before + {rows: UInt64}";
  const statement = `${prefix}SELECT * FROM (${located}) WHERE place = 1 OR (${onPage}) ORDER BY place`;
  const provided = after === undefined ? { skip } : { afterSentAt: after.sentAt, afterId: after.id };
  const found = await clickHouse.query<LocatedRow>(statement, { ...params, ...provided, rows: rowsMax }, { signal });
  return {
    rows: found.filter(({ place, before: skipped }) => place > skipped),
    total: found[0]?.total ?? 0,
  };
}

const DISPLAYED_FACTS = [
  ...(["messageKey", "orchestrationID", "orchestrationName", "subject", "tags", "channel", "channelType"] as const),
];
type FactsView = MessageFactsRow<(typeof DISPLAYED_FACTS)[number]>;

/** Limit of the ids that one query is asked with. */
const IDS_BYTES_MAX = 64 * 1024;

/** Reads the facts of the messages of some rows, by their id. */
async function readFactsOf(
  clickHouse: ClickHouse,
  account: number,
  rows: readonly StatRow[],
): Promise<ReadonlyMap<string, FactsView>> {
  const facts = new Map<string, FactsView>();
  for (const messages of inBounds([...new Set(rows.map(({ message }) => message))])) {
    const { sql, params } = compileMessageFacts({ account, facts: DISPLAYED_FACTS, messages });
    for (const row of await clickHouse.query<FactsView>(sql, params)) facts.set(row.message, row);
  }
  return facts;
}

function inBounds(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let capacity = 0;
  for (const id of ids) {
    const bytes = Buffer.byteLength(id);
    if (bytes > capacity) {
      chunks.push([]);
      capacity = IDS_BYTES_MAX;
    }
    chunks.at(-1)?.push(id);
    capacity -= bytes;
  }
  return chunks;
}

interface StatsCall {
  readonly id: string;
  readonly query: StatsQuery;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** The numbers of a program by message, newest first. Throws 404 `RECORD_NOT_FOUND`. */
async function listStats(
  { id, query, account, signal }: StatsCall,
  { postgres, clickHouse, freshness, cursors }: Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Promise<Answer> {
  const program = await readProgram(postgres, account.number, id);
  const question = questionOf(query, program, account);
  const { start_date, end_date, channel_key, channel_type } = query;
  // A cursor counts on in the same days and messages: those of another query would go on somewhere else.
  const list = JSON.stringify(["program stats", id, start_date, end_date, channel_key, channel_type]);
  const page = readPage(query, { list, key: cursorKey, direction: "desc", account: account.number, cursors });
  const asOf = await freshness();
  const { after, skip, perPage } = page;
  const bounds = { after, skip, rowsMax: perPage + 1 };
  const { rows, total } = await readStatRows(clickHouse, question, { page: bounds, signal });
  const cut = cutPage(rows, page, ({ sentAt, id: row }) => ({ sentAt, id: row }));
  const facts = await readFactsOf(clickHouse, account.number, cut.rows);
  const path = `/v2/programs/${encodeURIComponent(id)}/stats`;
  const displayed = showQuery(query, account);
  const body = {
    data: cut.rows.map((row) => statRecord(row, facts.get(row.message))),
    query: { ...displayed, ...(page.page !== undefined && { page: page.page }), per_page: perPage },
    pagination: paginationOf({ path, query, page, places: cut.rows.map(({ place }) => place), total, ...cut }),
    asOf: toTimestamp(asOf),
  };
  if (cut.nextCursor === null) return { status: 200, body };
  return { status: 200, body, headers: { Link: nextOf(path, query, cut.nextCursor) } };
}

function statRecord(row: StatRow, facts: FactsView | undefined): object {
  const text = (json: string | undefined) => factText(json ?? "") ?? null;
  return {
    message_id: row.id,
    message_key: text(facts?.fact_messageKey),
    orchestration_id: text(facts?.fact_orchestrationID),
    orchestration_name: text(facts?.fact_orchestrationName),
    subject: text(facts?.fact_subject),
    tags: factList(facts?.fact_tags ?? ""),
    channel_key: text(facts?.fact_channel),
    channel_type: text(facts?.fact_channelType),
    sent_at: toTimestamp(row.sentAt),
    stats: statsOf(row),
  };
}

export function listProgramstats(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/programs/{id}/stats",
    operationId: "listProgramstats",
    summary: "Lists the numbers of a program by message, of automated messages by day.",
    description:
      "Newest first. Counts what was sent on the days in the account's time zone, both included, with all that followed. A message without a send on these days has no row.",
    tags: ["programs"],
    answers: {
      200: { description: "A page of numbers.", schema: statsAnswer, example: statsPageExample },
      404: { description: "RECORD_NOT_FOUND: no program has this id." },
    },
    auth: "basic",
    scope: "programs:read",
    rateClass: "read",
    params: programParams,
    query,
    handler: async ({ params: { id }, query: received, caller, signal }) => {
      await waitForAfter({ token: received.after, caller, store: "analytics", signal }, ports);
      return listStats({ id, query: received, account: caller.account, signal }, ports);
    },
  });
}
