import type { Binder } from "../compile/binder.ts";

/**
 * Way in which numbers are added up: a row for each message; for each day of an automated one; for each day or hour that its sends name; for each variant of an experiment; for
 * each type of message; for each minute since 1970; or one row in all. Those that add messages together add their numbers: a unique is a contact and a message.
 */
export type NumbersView = "message" | "day" | "child" | "variant" | "type" | "minute" | "total";

/** Scope that the parts of one query are compiled with. All members but the last three are SQL. */
export interface NumbersScope {
  readonly account: string;
  readonly currency: string;
  readonly attributionDays: string;
  readonly timezone: string;
  /** Conditions on `message` and `message_type`. */
  readonly where: readonly string[];
  /** Compiles whether an instant lies in the time asked for. */
  inTime(column: string): string;
  readonly basis: "sent" | "event";
  readonly view: NumbersView;
  readonly bind: Binder;
}

/** SQL of a send's moment, where that decides the day of a row, and of its variant. */
export interface SendSql {
  readonly at: string;
  readonly variant: string;
}

/** Compiles what a row is counted under next to its message. */
export function partSql({ view, timezone }: NumbersScope, { at, variant }: SendSql, columns = ""): string {
  switch (view) {
    case "variant":
      return variant;
    case "day": {
      const period = `${columns}message_period`;
      const day = `formatDateTime(${at}, 'd%y%m%d', ${timezone})`;
      const child = `concat('d', substring(${period}, 2, 6))`;
      return `multiIf(${period} != '', ${child}, ${columns}message_type = 'a', ${day}, '')`;
    }
    case "child":
      return `${columns}message_period`;
    case "type":
      return `toString(${columns}message_type)`;
    case "minute":
      return `toString(intDiv(toUnixTimestamp64Milli(${at}), 60000))`;
    case "message":
    case "total":
      return "''";
  }
}

/** Contacts that were merged away, and the one that lives. */
export function aliasesSql({ account }: Pick<NumbersScope, "account">): string {
  return `(SELECT contact AS merged, survivor FROM contact_aliases FINAL WHERE account = ${account} AND survivor > 0)`;
}

/** The live contact of a row `r` joined with aliases `a`. */
export const OWNER = "if(a.survivor = 0, r.contact, a.survivor)";

/** Names a send in eight bytes: among a million sends two are alike once in 30 million times. */
export const SEND = "xxh3(mc_id)";

/** The variant that a `message-sent` names. */
export function variantSql(columns = ""): string {
  return `JSONExtractString(${columns}properties, 'variant')`;
}

/** The sends of the time. Copies and repeats name the same `send`. */
export function sendsSql(scope: NumbersScope): string {
  return `SELECT ${SEND} AS send FROM activities WHERE ${isSentInTime(scope)}`;
}

/** The sends of the time, each once, with the first instant of each, and its variant. */
export function firstSendsSql(scope: NumbersScope): string {
  const first = `min((time, ${scope.view === "variant" ? variantSql() : "''"})) AS first`;
  return `SELECT ${SEND} AS send, ${first}, first.1 AS at, first.2 AS variant FROM activities
    WHERE ${isSentInTime(scope)} GROUP BY send`;
}

/** Compiles whether an activity is a send of the messages in the time. */
export function isSentInTime({ account, where, bind, inTime }: NumbersScope): string {
  return [`account = ${account}`, `action = ${bind.string("message-sent")}`, ...where, inTime("time")].join(" AND ");
}
