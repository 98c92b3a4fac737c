import { type LogCategory, type LogColumn, type LogLevel, logLevels } from "@headwater/contracts";
import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session } from "@headwater/postgres/connection/session";

/** Entries that are asked for; all conditions hold together. */
export interface AuditFilters {
  /** The account's number. */
  readonly account: number;
  /** Milliseconds since 1970: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** This one and graver ones. */
  readonly level?: LogLevel | undefined;
  readonly category?: LogCategory | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
}

export interface AuditPage {
  readonly direction: "asc" | "desc";
  /** The last entry of the page before. */
  readonly last: { readonly at: number; readonly id: string } | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** An entry as it is stored; `details` and `members` are JSON texts. */
export type AuditEntry = Readonly<Record<Exclude<LogColumn, "at" | "level">, string | null>> & {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Position in `logLevels`. */
  readonly level: number;
};

const COLUMNS = `id, at, category, level, action, message, actor, actor_name AS "actorName", actor_kind AS "actorKind", ip,
  request_id AS "requestId", job_id AS "jobId", target, status, details, to_json(members)::text AS members`;
const WARNING = logLevels.indexOf("Warning");

/** Reads a page of entries in order of their time. Those of rare levels and categories are found by indexes of their own. */
export function pageEntries(session: Session, filters: AuditFilters, page: AuditPage): Promise<AuditEntry[]> {
  const where = conditionsOf(filters);
  const { last, direction, skip, rowsMax } = page;
  if (last !== undefined) {
    const than = direction === "asc" ? ">" : "<";
    where.add(`(at, id) ${than} (${where.bind(last.at)}::bigint, ${where.bind(last.id)}::text COLLATE "C")`);
  }
  const text = `SELECT ${COLUMNS} FROM account_log WHERE ${where.text()} ORDER BY at ${direction}, id ${direction}
    LIMIT ${where.bind(rowsMax)}::int OFFSET ${where.bind(skip)}::int`;
  return session.query<AuditEntry>({ text }, where.values);
}

export async function countEntries(session: Session, filters: AuditFilters): Promise<number> {
  const where = conditionsOf(filters);
  const text = `SELECT count(*)::int AS count FROM account_log WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function conditionsOf({ account, from, to, level = "Debug", category, actor, action, target }: AuditFilters) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  where.add(`at >= ${where.bind(from)}::bigint`);
  where.add(`at < ${where.bind(to)}::bigint`);
  const rank = logLevels.indexOf(level);
  if (rank > 0) where.add(`level >= ${where.bind(rank)}`);
  // As literals, for the planner takes a partial index only where it sees its condition.
  if (rank >= WARNING) where.add(`level >= ${WARNING}`);
  if (category !== undefined) where.add(`category = ${where.bind(category)}`);
  if (category !== undefined && category !== "API") where.add("category <> 'API'");
  if (actor !== undefined) where.add(`actor = ${where.bind(actor)}`);
  if (action !== undefined) where.add(`action = ${where.bind(action)}`);
  if (target !== undefined) where.add(`target = ${where.bind(target)}`);
  return where;
}
