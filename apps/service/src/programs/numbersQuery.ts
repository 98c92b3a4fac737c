import type { MessageGroup, NumbersQuestion } from "@headwater/audience";
import { type Account, parseTime } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { StoredProgram } from "@headwater/stores/programs";
import { z } from "zod";
import { afterQuery, storableText } from "../paging/query.ts";
import { readNamed } from "./programView.ts";

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
export const shownQuery = z.strictObject({
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
  const { messages: { ids = [], keys = [], tags = [] } = {}, orchestrations = {} } = readNamed(program);
  return { ids, keys, tags, orchestrationIds: orchestrations.ids ?? [], orchestrationTags: orchestrations.tags ?? [] };
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
