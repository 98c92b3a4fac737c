import { type Account, canonicalTimezone, toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import { type CronSchedule, nextTick } from "../schedule/cron.ts";
import type { Recurring, Triggers } from "./triggers.ts";

export const recurringScheduleShape = z
  .strictObject({ cron: z.string(), timezone: z.string(), next: z.string().optional() })
  .describe("Schedule of the recurring trigger; `next` is its next tick while it listens.");

/** Returns the schedule of a recurring trigger with its zone; undefined without one. */
export function scheduleOf({ schedule }: Recurring, { settings }: Account): CronSchedule | undefined {
  if (schedule === undefined) return undefined;
  const { cron, timezone = settings.timezone } = schedule;
  return { cron, timezone: canonicalTimezone(timezone) ?? timezone };
}

interface Showing {
  readonly account: Account;
  readonly nowMs: number;
  readonly isPublished: boolean;
}

/** Returns the schedule as answers show it, with its next tick while it listens. */
export function recurringScheduleOf({ recurring }: Triggers, { account, nowMs, isPublished }: Showing): object {
  const schedule = scheduleOf(recurring, account);
  if (schedule === undefined) return {};
  const next = recurring.enabled && isPublished ? nextTick(schedule, nowMs) : undefined;
  return { recurringSchedule: { ...schedule, ...(next !== undefined && { next: toTimestamp(next) }) } };
}
