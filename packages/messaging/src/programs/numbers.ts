import { afterQuery, storableText } from "@headwater/api/paging/query";
import { type Account, parseTime } from "@headwater/contracts";
import {
  MESSAGE_RATES,
  MESSAGE_STATS,
  type MessageCounts,
  type MessageGroup,
  type NumbersQuestion,
  ratesOf,
} from "@headwater/criteria";
import { refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { decimalNumber } from "@headwater/records/views/decimalNumber";
import { z } from "zod";
import { programs, type StoredProgram } from "./postgres.ts";
import { readLists } from "./program.ts";

export const programParams = z.strictObject({ id: storableText(1_024) });

/** Reads the program whose numbers a route reports. Throws 404 `RECORD_NOT_FOUND`. */
export async function readProgram(session: Session, account: number, id: string): Promise<StoredProgram> {
  const program = await programs.read(session, { account, key: id });
  if (program === undefined) throw refusal("RECORD_NOT_FOUND", "No program has this id.");
  return program;
}

const day = z.iso.date();

/** The parameters of both reads of a program's numbers. */
export const numbersQuery = {
  ...afterQuery,
  start_date: day.describe("First day, in the account's time zone."),
  end_date: day.describe("Last day, included."),
  channel_key: storableText(128).min(1).describe("Only messages of this channel.").optional(),
  channel_type: storableText(128).min(1).describe("Only messages of channels of this type.").optional(),
};
const shape = z.strictObject(numbersQuery);
export type NumbersQuery = z.output<typeof shape>;

/** The query as it was understood. */
export const queryView = z.strictObject({
  start_date: z.string(),
  end_date: z.string(),
  timezone: z.string(),
  channel_key: z.string().optional(),
  channel_type: z.string().optional(),
});

export function showQuery({ start_date, end_date, channel_key, channel_type }: NumbersQuery, { settings }: Account) {
  return {
    ...{ start_date, end_date, timezone: settings.timezone },
    ...(channel_key !== undefined && { channel_key }),
    ...(channel_type !== undefined && { channel_type }),
  };
}

/**
 * The question that a program's numbers answer: what was sent on the days, with all that followed.
 * Throws 400 `BAD_REQUEST` when the last day is before the first.
 */
export function questionOf(
  query: NumbersQuery,
  program: StoredProgram,
  { number: account, settings }: Account,
): Omit<NumbersQuestion, "view"> {
  const { start_date, end_date, channel_key: channel, channel_type: channelType } = query;
  if (end_date < start_date) throw endsEarly();
  const {
    timezone,
    currency,
    messaging: { attributionDays },
  } = settings;
  const messages = {
    group: groupOf(program),
    ...(channel !== undefined && { channel }),
    ...(channelType !== undefined && { channelType }),
  };
  const time = { from: beginOf(start_date, timezone), to: beginOf(dayAfter(end_date), timezone) };
  return { account, currency, timezone, attributionDays, ...time, basis: "sent", messages };
}

function groupOf(program: StoredProgram): MessageGroup {
  const { messages, orchestrations } = readLists(program);
  const { ids = [], keys = [], tags = [] } = messages ?? {};
  return {
    ids,
    keys,
    tags,
    orchestrationIds: orchestrations?.ids ?? [],
    orchestrationTags: orchestrations?.tags ?? [],
  };
}

const DAY_MS = 86_400_000;

function dayAfter(date: string): string {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString();
  return next.slice(0, next.indexOf("T"));
}

/** Years beyond 9999 have no date to begin. */
function beginOf(date: string, timezone: string): number {
  return parseTime(date, timezone) ?? Number.MAX_SAFE_INTEGER;
}

function endsEarly() {
  const message = "`end_date` is before `start_date`.";
  return refusal("BAD_REQUEST", message, { details: [{ path: "/end_date", code: "out_of_range", message }] });
}

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
