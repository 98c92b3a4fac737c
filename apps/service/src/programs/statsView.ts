import { MESSAGE_RATES, MESSAGE_STATS, type MessageCounts, ratesOf } from "@headwater/audience";
import { decimalNumber } from "@headwater/projection";
import { z } from "zod";

const count = z.number().int();
const rate = z.number().nullable();

/** Stats as answers show them. */
export const statsShape = z.strictObject({
  ...{ sent: count, delivered: count, bounce_hard: count, bounce_soft: count, bounce_total: count },
  ...{ opens: count, opens_unique: count, opens_machine: count },
  ...{ clicks: count, clicks_unique: count, clicks_machine: count },
  ...{ opt_outs: count, complaints: count, orders: count },
  revenue: z.number().describe("In the account's currency."),
  ...{ delivered_rate: rate, bounce_rate: rate, open_rate: rate, click_through_rate: rate },
  ...{ click_to_open_rate: rate, opt_out_rate: rate, complaint_rate: rate },
});

/** The columns of a row of numbers that `statsOf` reads. */
export const STATS_SQL = MESSAGE_STATS.join(", ");

/** Counts and the rates that follow from them; `revenue` is written with its own digits. */
export function statsOf(row: MessageCounts): Record<string, unknown> {
  const counts = MESSAGE_STATS.map((stat) => [stat, stat === "revenue" ? decimalNumber(row.revenue) : row[stat]]);
  const rates = ratesOf(row);
  return { ...Object.fromEntries(counts), ...Object.fromEntries(MESSAGE_RATES.map((name) => [name, rates[name]])) };
}

export const statsExample = {
  ...{ sent: 1_000, delivered: 980, bounce_hard: 15, bounce_soft: 5, bounce_total: 20 },
  ...{ opens: 640, opens_unique: 490, opens_machine: 120 },
  ...{ clicks: 130, clicks_unique: 98, clicks_machine: 4 },
  ...{ opt_outs: 3, complaints: 1, orders: 21, revenue: 1_834.5 },
  ...{ delivered_rate: 0.98, bounce_rate: 0.02, open_rate: 0.5, click_through_rate: 0.1 },
  ...{ click_to_open_rate: 0.2, opt_out_rate: 0.0031, complaint_rate: 0.001 },
};
