import type { LogCategory } from "@headwater/contracts";
import type { Answer, Caller } from "@headwater/http";
import type { AtCommit, Session } from "@headwater/postgres/connection/session";
import { insertLogEntry, insertLogEntryAtCommit, type NewLogEntry } from "./accountLog.ts";

/** Parts of a write's entry that are known before there is an answer. */
export interface LoggedWrite {
  readonly category: Extract<LogCategory, "API" | "System">;
  /** The route's operation id. */
  readonly action: string;
  /** The route's summary. */
  readonly message: string;
  /** Member of the path, else of the answer, that names what was written. */
  readonly target: string | undefined;
  readonly params: unknown;
  /** Names of the members that were sent. */
  readonly members?: readonly string[] | undefined;
  readonly ip: string | undefined;
  /** Milliseconds since 1970 at which the call came in. */
  readonly at: number;
}

interface LoggedCall {
  readonly caller: Caller;
  readonly requestId: string;
  readonly logged: LoggedWrite;
}

/** Writes the entry of a write that is done, in its transaction. A repeat under the same Idempotency-Key does not come here. */
export function noteWrite(session: Session, call: LoggedCall, answer: LoggedAnswer): Promise<void> {
  return insertLogEntry(session, entryOf(call, answer));
}

/** The same, in one round trip with the COMMIT of the write. */
export function noteWriteAtCommit(atCommit: AtCommit, call: LoggedCall, answer: LoggedAnswer): void {
  insertLogEntryAtCommit(atCommit, entryOf(call, answer));
}

type LoggedAnswer = Pick<Answer, "status" | "body">;

function entryOf({ caller, requestId, logged }: LoggedCall, { status, body }: LoggedAnswer): NewLogEntry {
  const { params, target, ...entry } = logged;
  return {
    ...entry,
    account: caller.account.number,
    level: "Info",
    actor: caller.id,
    actorName: caller.kind === "key" ? undefined : caller.name,
    actorKind: caller.kind,
    requestId,
    jobId: memberOf(body, "jobId"),
    target: target === undefined ? undefined : (memberOf(params, target) ?? memberOf(body, target)),
    status: String(status),
  };
}

/** An id or a key; other texts might be anything. */
const NAME = /^[\w.:-]{1,128}$/;

function memberOf(value: unknown, name: string): string | undefined {
  const member: unknown = new Map<string, unknown>(Object.entries(Object(value))).get(name);
  const text = typeof member === "number" ? String(member) : member;
  return typeof text === "string" && NAME.test(text) ? text : undefined;
}

const MEMBER = /^[A-Za-z_][\w]{0,63}$/;
const MEMBERS_MAX = 100;

/** Returns the names at the top of a body. A name that could be somebody's address or anything else is left out. */
export function membersOf(body: unknown): readonly string[] | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const names = Object.keys(body).filter((name) => MEMBER.test(name));
  return names.length === 0 ? undefined : names.slice(0, MEMBERS_MAX);
}
