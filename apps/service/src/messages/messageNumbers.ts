import { compileMessageNumbers, type MessageCounts, type NumbersQuestion } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import type { ClickHouse } from "@headwater/stores/clickhouse";
import { z } from "zod";
import { decimalNumber } from "../answers/rawJson.ts";
import { STATS_SQL } from "../programs/statsView.ts";

export interface NumbersAsked {
  readonly account: Account;
  /** Id of a message, or of a template with all its days and hours. */
  readonly id: string;
  readonly view: NumbersQuestion["view"] & ("total" | "variant");
  readonly signal: AbortSignal;
}

export interface NumbersRow extends MessageCounts {
  /** Variant that was sent; empty in one row in all, and where a send named none. */
  readonly part: string;
}

/** Reads the numbers of everything that was ever sent of a message, by the definition that programs and exports count with. */
export function readMessageNumbers(
  { account: { number: account, settings }, id, view, signal }: NumbersAsked,
  clickHouse: ClickHouse,
): Promise<NumbersRow[]> {
  const {
    currency,
    timezone,
    messaging: { attributionDays },
  } = settings;
  const group = { ids: [id], keys: [], tags: [], orchestrationIds: [], orchestrationTags: [] };
  const ever = { from: 0, to: Number.MAX_SAFE_INTEGER, basis: "sent" } as const;
  const { sql, prefix, params } = compileMessageNumbers({
    ...{ account, currency, timezone, attributionDays, ...ever },
    ...{ messages: { group }, view },
  });
  const part = view === "total" ? "''" : "part";
  return clickHouse.query<NumbersRow & Record<string, unknown>>(
    `${prefix}SELECT ${part} AS part, ${STATS_SQL} FROM (${sql}) ORDER BY part`,
    params,
    { signal },
  );
}

const count = z.number().int();

/** Numbers of a message as the message itself shows them. */
export const messageStatsShape = z.strictObject({
  ...{ sent: count, delivered: count, opens: count, clicks: count, bounces: count, optouts: count, complaints: count },
  revenue: z.number().describe("In the account's currency."),
});

export function messageStats(row: MessageCounts): Record<string, unknown> {
  const { sent, delivered, opens, clicks, bounce_total: bounces, opt_outs: optouts, complaints, revenue } = row;
  return { sent, delivered, opens, clicks, bounces, optouts, complaints, revenue: decimalNumber(revenue) };
}

/** Numbers of a variant. */
export const variantStatsShape = z.strictObject({
  ...{ sends: count, clicks: count, uniqueClicks: count, opens: count, uniqueOpens: count, bounces: count },
  revenue: z.number().describe("In the account's currency."),
  ...{ orders: count, complaints: count, optouts: count },
});

/** @param row undefined where nothing was sent yet. */
export function variantStats(row: MessageCounts | undefined): Record<string, unknown> {
  return {
    ...{ sends: row?.sent ?? 0, clicks: row?.clicks ?? 0, uniqueClicks: row?.clicks_unique ?? 0 },
    ...{ opens: row?.opens ?? 0, uniqueOpens: row?.opens_unique ?? 0, bounces: row?.bounce_total ?? 0 },
    ...{ revenue: decimalNumber(row?.revenue ?? "0"), orders: row?.orders ?? 0 },
    ...{ complaints: row?.complaints ?? 0, optouts: row?.opt_outs ?? 0 },
  };
}
