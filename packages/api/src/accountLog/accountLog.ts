import { type LogCategory, type LogLevel, logLevels } from "@headwater/contracts";
import type { Caller } from "@headwater/http";
import { newRequestId } from "@headwater/kernel";
import { textArray } from "@headwater/postgres/connection/arrays";
import { deletePieces } from "@headwater/postgres/connection/oldRows";
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
  /** Kind of the actor: a key, a person or an assistant. */
  readonly actorKind?: Caller["kind"] | undefined;
  /** Names of the members that were sent, never their values. */
  readonly members?: readonly string[] | undefined;
}

/** Columns that an entry is written to, in the order of `logValues`. */
export const LOG_COLUMNS =
  "account, at, id, category, level, action, message, actor, actor_name, ip, request_id, job_id, target, status, details, actor_kind, members";

/** The values of an entry from parameter `$first` on, with the types they need outside of an INSERT of VALUES. */
export function logSelect(first: number): string {
  const parameter = (position: number, type: string) => `$${first + position}::${type}`;
  const [account, actor] = [parameter(0, "int"), parameter(7, "text")];
  const name = `COALESCE(${parameter(8, "text")}, (SELECT k.name FROM intake.api_keys k WHERE k.id = ${actor} AND k.account = ${account}))`;
  const texts = [9, 10, 11, 12, 13].map((place) => parameter(place, "text"));
  const head = [account, parameter(1, "bigint"), parameter(2, "text"), parameter(3, "text"), parameter(4, "smallint")];
  const tail = [parameter(14, "json"), parameter(15, "text"), parameter(16, "text[]")];
  return [...head, parameter(5, "text"), parameter(6, "text"), actor, name, ...texts, ...tail].join(", ");
}

/** Returns the values that `logSelect` takes. */
export function logValues(entry: NewLogEntry): Value[] {
  const { account, at, category, level, action, message, details } = entry;
  const optional = [entry.actor, entry.actorName, entry.ip, entry.requestId, entry.jobId, entry.target, entry.status];
  const head = [account, at, newRequestId(at), category, logLevels.indexOf(level), action, message];
  const { actorKind = null, members } = entry;
  const names = members === undefined ? null : textArray(members, (name) => name);
  const tail = [details === undefined ? null : JSON.stringify(details), actorKind, names];
  return [...head, ...optional.map((value) => value ?? null), ...tail];
}

const insertStatement = {
  name: "account_log_insert",
  text: `INSERT INTO account_log (${LOG_COLUMNS}) SELECT ${logSelect(1)}`,
};
/** The triggers let these rows alone go, and only where a transaction says that it is housekeeping. */
const deleteStatement = {
  name: "account_log_delete_old",
  text: `WITH allowed AS (SELECT set_config('headwater.housekeeping', 'account_log', true))
    DELETE FROM account_log USING allowed WHERE ctid = ANY (ARRAY(
      SELECT l.ctid FROM account_log l WHERE l.at < $1::bigint AND l.at < account_log_kept_from()
        AND (l.tx IS NULL OR l.tx < (SELECT max(s.to_tx) FROM account_log_seals s))
      ORDER BY l.at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
};

/** Writes an entry; in the transaction of what it describes. */
export async function insertLogEntry(session: Session, entry: NewLogEntry): Promise<void> {
  await session.execute(insertStatement, logValues(entry));
}

/** Writes an entry with the COMMIT of what it describes. */
export function insertLogEntryAtCommit(atCommit: AtCommit, entry: NewLogEntry): void {
  atCommit(insertStatement, logValues(entry));
}

const DAY_MS = 86_400_000;

/**
 * Deletes sealed entries of the days before that instant (UTC), some thousands at a time; those of days that are not over for 400 days stay.
 * @returns how many.
 */
export function deleteLogEntries(session: Session, before: number): Promise<number> {
  const day = before - (before % DAY_MS);
  return deletePieces((rowsMax) => session.execute(deleteStatement, [day, rowsMax]));
}
