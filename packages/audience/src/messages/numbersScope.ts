import type { Binder } from "../compile/binder.ts";

/**
 * Way in which numbers are added up: a row for each message; for each day of an automated one; for each type of message; or one row in
 * all. Those that add messages together add their numbers: a unique is a contact and a message.
 */
export type NumbersView = "message" | "day" | "type" | "total";

/** Scope that the parts of one query are compiled with. All members but the last three are SQL. */
export interface NumbersScope {
  readonly account: string;
  readonly currency: string;
  readonly timezone: string;
  /** Conditions on `message` and `message_type`. */
  readonly where: readonly string[];
  /** Compiles whether a moment lies in the time asked for. */
  inTime(column: string): string;
  readonly basis: "sent" | "event";
  readonly view: NumbersView;
  readonly bind: Binder;
}

/** Compiles what a row is counted under beside its message. `at` is the moment of the send, where that decides the day. */
export function partSql({ view, timezone }: NumbersScope, at: string, columns = ""): string {
  switch (view) {
    case "day": {
      const period = `${columns}message_period`;
      const day = `formatDateTime(${at}, 'd%y%m%d', ${timezone})`;
      const child = `concat('d', substring(${period}, 2, 6))`;
      return `multiIf(${period} != '', ${child}, ${columns}message_type = 'a', ${day}, '')`;
    }
    case "type":
      return `toString(${columns}message_type)`;
    case "message":
    case "total":
      return "''";
  }
}

/** Contacts that were merged away, and the one that lives. */
export function aliasesSql({ account }: NumbersScope): string {
  return `(SELECT contact AS merged, survivor FROM contact_aliases FINAL WHERE account = ${account} AND survivor > 0)`;
}

/** The living contact of a row `r` joined with aliases `a`. */
export const OWNER = "if(a.survivor = 0, r.contact, a.survivor)";

/** Names a send in half the room of its `mcID`. */
export const SEND = "sipHash128(mc_id)";

/** The sends of the time, with the first moment of each. */
export function sendsSql({ account, where, bind, inTime }: NumbersScope): string {
  const sent = [`account = ${account}`, `action = ${bind.string("message-sent")}`, ...where, inTime("time")];
  return `SELECT ${SEND} AS send, min(time) AS at FROM activities WHERE ${sent.join(" AND ")} GROUP BY send`;
}
