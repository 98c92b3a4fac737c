import { canonicalTimezone, parseTime } from "@headwater/contracts";
import { nextTick } from "@headwater/messaging/schedule/cron";
import { addDuration } from "@headwater/messaging/schedule/durations";
import type { Node, Until } from "./orchestration.ts";

export interface DelayFacts {
  /** Milliseconds since 1970: when the run came to the delay. */
  readonly sinceMs: number;
  /** Zone of the account. */
  readonly timezone: string;
  /** Zone of the contact; undefined where it has none. */
  readonly contactZone?: string | undefined;
  /** Value of the delay's `field`. */
  readonly value?: unknown;
}

/** Returns the instant until which a delay lasts. One that is past, or a date that is missing, delays nothing. */
export function delayEnd({ config }: Extract<Node, { type: "delay" }>, facts: DelayFacts): number {
  const { sinceMs, timezone, value } = facts;
  if (config.for !== undefined) return addDuration(sinceMs, config.for, timezone);
  if (config.until !== undefined) return nextTime(config.until, facts);
  const dateMs = typeof value === "string" ? parseTime(value, timezone) : undefined;
  if (dateMs === undefined) return sinceMs;
  return config.offset === undefined ? dateMs : addDuration(dateMs, config.offset, timezone);
}

/** Days of the week as cron counts them. */
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** A run that comes at the very time waits for the next one: a circle of such delays would never end. */
function nextTime({ time, weekday, zone }: Until, { sinceMs, timezone, contactZone }: DelayFacts): number {
  const [hour, minute] = time.split(":").map(Number);
  const day = weekday === undefined ? "*" : WEEKDAYS.indexOf(weekday);
  const zones = { account: timezone, contact: contactZone ?? timezone };
  const chosen = zone === "account" || zone === "contact" ? zones[zone] : (canonicalTimezone(zone) ?? timezone);
  return nextTick({ cron: `${minute} ${hour} * * ${day}`, timezone: chosen }, sinceMs) ?? sinceMs;
}
