import { type LogCategory, type LogLevel, logLevels } from "@headwater/contracts";
import { newRequestId } from "@headwater/kernel";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { AtCommit, Session, Value } from "@headwater/postgres/connection/session";

/** One entry of an account's log. It holds no value of a contact, no payload and no secret. */
export interface NewLogEntry {
  /** The account's number. */
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly category: LogCategory;
  readonly level: LogLevel;
  /** Name of what was done in the API: an operation, or a kind of job. */
  readonly action: string;
  /** A sentence for people. */
  readonly message: string;
  /** Id of the key; absent when nobody asked for it. */
  readonly actor?: string | undefined;
  /** Default: the key's name as it is now. */
  readonly actorName?: string | undefined;
  readonly ip?: string | undefined;
  readonly requestId?: string | undefined;
  readonly jobId?: string | undefined;
  /** An id or key of what was written; it names no person. */
  readonly target?: string | undefined;
  /** The status of an answer, or that of a job. */
  readonly status?: string | undefined;
  readonly details?: object | undefined;
}

/** Columns that an entry is written to, in the order of `logValues`. */
export const LOG_COLUMNS =
  "account, at, id, category, level, action, message, actor, actor_name, ip, request_id, job_id, target, status, details";

/** The values of an entry from parameter `$first` on, with the types they need outside of an INSERT of VALUES. */
export function logSelect(first: number): string {
  const parameter = (position: number, type: string) => `$${first + position}::${type}`;
  const [account, actor] = [parameter(0, "int"), parameter(7, "text")];
  const name = `COALESCE(${parameter(8, "text")}, (SELECT k.name FROM intake.api_keys k WHERE k.id = ${actor} AND k.account = ${account}))`;
  const texts = [9, 10, 11, 12, 13].map((place) => parameter(place, "text"));
  const head = [account, parameter(1, "bigint"), parameter(2, "text"), parameter(3, "text"), parameter(4, "smallint")];
  return [...head, parameter(5, "text"), parameter(6, "text"), actor, name, ...texts, parameter(14, "json")].join(", ");
}

/** Returns the values that `logSelect` takes. */
export function logValues(entry: NewLogEntry): Value[] {
  const { account, at, category, level, action, message, details } = entry;
  const optional = [entry.actor, entry.actorName, entry.ip, entry.requestId, entry.jobId, entry.target, entry.status];
  const head = [account, at, newRequestId(at), category, logLevels.indexOf(level), action, message];
  return [...head, ...optional.map((value) => value ?? null), details === undefined ? null : JSON.stringify(details)];
}

const insertStatement = {
  name: "account_log_insert",
  text: `INSERT INTO account_log (${LOG_COLUMNS}) SELECT ${logSelect(1)}`,
};
const aging = { table: "account_log", column: "at" };

/** Writes an entry; in the transaction of what it describes. */
export async function insertLogEntry(session: Session, entry: NewLogEntry): Promise<void> {
  await session.execute(insertStatement, logValues(entry));
}

/** Writes an entry with the COMMIT of what it describes. */
export function insertLogEntryAtCommit(atCommit: AtCommit, entry: NewLogEntry): void {
  atCommit(insertStatement, logValues(entry));
}

/** Deletes entries of before then, some thousands at a time. @returns how many. */
export function deleteLogEntries(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}
