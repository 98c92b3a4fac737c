import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import {
  compileNumbersOf,
  compileNumbersOfEach,
  type MessageAsked,
  type MessageCounts,
  type MessagesAsked,
  type NumbersOfOneRow,
  type NumbersRow,
} from "@headwater/criteria";
import { decimalNumber } from "@headwater/records/views/decimalNumber";
import { z } from "zod";

export interface NumbersAsked extends MessageAsked {
  readonly view: "total" | "variant";
  readonly signal: AbortSignal;
}

/** Reads the numbers of everything that was ever sent of a message. */
export function readMessageNumbers(
  { view, signal, ...asked }: NumbersAsked,
  clickHouse: ClickHouse,
): Promise<NumbersRow[]> {
  const { sql, params } = compileNumbersOf(asked, view);
  return clickHouse.query<NumbersRow & Record<string, unknown>>(sql, params, { signal });
}

export interface NumbersOfEachAsked extends MessagesAsked {
  readonly view: "message" | "child";
  readonly signal: AbortSignal;
}

/** Reads the stats of several messages as the messages themselves show them, by id. One without any has none. */
export async function readStatsOfEach(
  { view, signal, ...asked }: NumbersOfEachAsked,
  clickHouse: ClickHouse,
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (asked.ids.length === 0) return new Map();
  const { sql, params } = compileNumbersOfEach(asked, view);
  const rows = await clickHouse.query<NumbersOfOneRow & Record<string, unknown>>(sql, params, { signal });
  return new Map(
    rows.map((row) => [row.part === "" ? row.message : `${row.message}:${row.part}`, messageStats(row)] as const),
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

/** Stats of a message that was never sent. */
export const noStats = {
  ...{ sent: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, optouts: 0, complaints: 0, revenue: 0 },
} satisfies z.output<typeof messageStatsShape>;

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
