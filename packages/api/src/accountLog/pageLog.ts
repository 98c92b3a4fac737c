import { type LogCategory, type LogColumn, type LogLevel, logLevels } from "@headwater/contracts";
import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session } from "@headwater/postgres/connection/session";

/** An entry as it is stored; `details` and `members` are JSON texts. */
export type LogEntry = Readonly<Record<Exclude<LogColumn, "at" | "level">, string | null>> & {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
};

export interface LogFilters {
  /** The account's number. */
  readonly account: number;
  /** Milliseconds since 1970: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** This one and graver ones. */
  readonly level: LogLevel;
  /** Absent: all. */
  readonly category?: LogCategory | undefined;
}

export interface LogPage {
  /** The last entry of the page before. */
  readonly after?: Pick<LogEntry, "at" | "id"> | undefined;
  readonly rowsMax: number;
}

const COLUMNS = `id, at, category, level, action, message, actor, actor_name AS "actorName", ip, request_id AS "requestId",
  job_id AS "jobId", target, status, details, actor_kind AS "actorKind", to_json(members)::text AS members`;
const WARNING = logLevels.indexOf("Warning");

type Row = Omit<LogEntry, "level"> & { readonly level: number };

/** Reads entries in order of their time. Those of rare levels and categories are found by indexes of their own. */
export async function pageLogEntries(session: Session, filters: LogFilters, page: LogPage): Promise<LogEntry[]> {
  const { account, from, to, category, level } = filters;
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  where.add(`at < ${where.bind(to)}::bigint`);
  const { after } = page;
  if (after === undefined) where.add(`at >= ${where.bind(from)}::bigint`);
  else where.add(`(at, id) > (${where.bind(after.at)}::bigint, ${where.bind(after.id)}::text COLLATE "C")`);
  const rank = logLevels.indexOf(level);
  if (rank > 0) where.add(`level >= ${where.bind(rank)}`);
  if (rank >= WARNING) where.add(`level >= ${WARNING}`);
  if (category !== undefined) where.add(`category = ${where.bind(category)}`);
  if (category !== undefined && category !== "API") where.add("category <> 'API'");
  const text = `SELECT ${COLUMNS} FROM account_log WHERE ${where.text()} ORDER BY at, id LIMIT ${where.bind(page.rowsMax)}::int`;
  const rows = await session.query<Row>({ text }, where.values);
  return rows.map((row) => ({ ...row, level: logLevels[row.level] ?? "Info" }));
}
