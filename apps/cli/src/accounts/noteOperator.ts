import { userInfo } from "node:os";
import { insertLogEntry } from "@headwater/api/accountLog/accountLog";
import type { Session } from "@headwater/postgres/connection/session";

/** Something that an operator did to an account at the database. */
export interface OperatorAct {
  /** The account's number. */
  readonly account: number;
  /** Name of the API for it. */
  readonly action: string;
  readonly message: string;
  /** An id that names no person. */
  readonly target?: string;
}

const ACTOR = "headwater";

/** Writes it into the account's log under the operator's user name; in the transaction of what was done. */
export function noteOperator(session: Session, act: OperatorAct): Promise<void> {
  const who = { actor: ACTOR, actorName: userInfo().username };
  return insertLogEntry(session, { ...act, ...who, at: Date.now(), category: "System", level: "Info" });
}
