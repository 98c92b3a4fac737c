import type { Account } from "@headwater/contracts";
import { createBinder } from "../compile/binder.ts";
import { compileNumbers } from "../compile/compileCriteria.ts";
import type { CriteriaNode } from "../criteria.ts";
import { NO_TEST } from "./messageFacts.ts";
import { compileMessageNumbers } from "./messageNumbers.ts";
import { MESSAGE_STATS, type MessageCounts } from "./messageStats.ts";
import { aliasesSql, OWNER, variantSql } from "./numbersScope.ts";

export interface MessageAsked {
  readonly account: Account;
  /** Id of a message, or of a template with all its days and hours. */
  readonly id: string;
  /** Milliseconds since 1970: sends before it are counted. Left out: all are. */
  readonly sentBefore?: number;
  /** Milliseconds since 1970: sends from then on are counted. Left out: all are. */
  readonly sentFrom?: number;
  /** Day or hour of a template, as in the ids of its sends: they alone are counted. */
  readonly period?: string;
}

/** Numbers of a message, or of one variant of it. */
export interface NumbersRow extends MessageCounts {
  /** Variant that was sent; empty in one row in all, and where a send named none. */
  readonly part: string;
}

interface Statement {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Compiles the numbers of everything that was ever sent of a message, by the definition that programs and exports count with. Rows are
 * `NumbersRow`s.
 */
export function compileNumbersOf(
  { account: of, id, sentFrom = 0, sentBefore = Number.MAX_SAFE_INTEGER, period }: MessageAsked,
  view: "total" | "variant",
): Statement {
  const { number: account, settings } = of;
  const {
    currency,
    timezone,
    messaging: { attributionDays },
  } = settings;
  const group = { ids: [id], keys: [], tags: [], orchestrationIds: [], orchestrationTags: [] };
  const { sql, prefix, params } = compileMessageNumbers({
    ...{ account, currency, timezone, attributionDays, from: sentFrom, to: sentBefore, basis: "sent" },
    messages: { group },
    view: period === undefined ? view : "child",
  });
  const part = view === "total" ? "''" : "n.part";
  const rows = period === undefined ? `(${sql}) AS n` : `(${sql}) AS n WHERE n.part = {period: String}`;
  const stats = MESSAGE_STATS.map((stat) => `n.${stat} AS ${stat}`).join(", ");
  return {
    sql: `${prefix}SELECT ${part} AS part, ${stats} FROM ${rows} ORDER BY part`,
    params: { ...params, ...(period !== undefined && { period }) },
  };
}

export interface MessagesAsked {
  readonly account: Account;
  /** Ids of messages, and of templates. */
  readonly ids: readonly string[];
}

/** Numbers of one of several messages. */
export interface NumbersOfOneRow extends MessageCounts {
  readonly message: string;
  /** Day or hour of a template, where they are counted apart; else empty. */
  readonly part: string;
}

/**
 * Compiles the numbers of everything that was ever sent of messages, by the same definition. Rows are `NumbersOfOneRow`s; a message without
 * any has none. @param view `child` counts each day or hour of a template apart.
 */
export function compileNumbersOfEach({ account, ids }: MessagesAsked, view: "message" | "child"): Statement {
  const { currency, timezone, messaging } = account.settings;
  const group = { ids, keys: [], tags: [], orchestrationIds: [], orchestrationTags: [] };
  const { sql, prefix, params } = compileMessageNumbers({
    ...{ account: account.number, currency, timezone, attributionDays: messaging.attributionDays },
    ...({ from: 0, to: Number.MAX_SAFE_INTEGER, basis: "sent", messages: { group }, view } as const),
  });
  const stats = MESSAGE_STATS.map((stat) => `n.${stat} AS ${stat}`).join(", ");
  return { sql: `${prefix}SELECT n.message AS message, n.part AS part, ${stats} FROM (${sql}) AS n`, params };
}

/** Contacts that got a variant and reached the goal. */
export interface ConversionsRow {
  readonly part: string;
  readonly conversions: number;
}

/**
 * Compiles the conversions of a message by variant. Rows are `ConversionsRow`s.
 * @param goal criteria of the contacts that reached the goal.
 */
export function compileConversions(
  { account: { number: account, settings }, id, sentFrom, sentBefore }: MessageAsked,
  goal: CriteriaNode,
  nowMs: number,
): Statement & { readonly settings: Readonly<Record<string, number>> } {
  const { timezone, currency } = settings;
  const reached = compileNumbers(goal, {
    ...{ account, timezone, currency, now: nowMs },
    ...({ basis: "recorded", hasMerges: true } as const),
  });
  const bind = createBinder("c");
  const number = bind.uint(account);
  const sent = [`r.account = ${number}`, `r.action = ${bind.string("message-sent")}`, `r.message = ${bind.string(id)}`];
  if (sentFrom !== undefined) sent.push(`r.time >= ${bind.instant(sentFrom)}`);
  if (sentBefore !== undefined) sent.push(`r.time < ${bind.instant(sentBefore)}`);
  const sends = `SELECT ${OWNER} AS owner, ${variantSql("r.")} AS part FROM activities AS r
    LEFT ANY JOIN ${aliasesSql({ account: number })} AS a ON r.contact = a.merged WHERE ${[...sent, `r.${NO_TEST}`].join(" AND ")}`;
  return {
    sql: `SELECT part, uniqExact(owner) AS conversions FROM (${sends}) WHERE owner IN (${reached.sql}) GROUP BY part ORDER BY part`,
    params: { ...reached.params, ...bind.params },
    settings: reached.settings,
  };
}
