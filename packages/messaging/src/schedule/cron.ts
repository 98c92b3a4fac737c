import { canonicalTimezone } from "@headwater/contracts";
import { Cron } from "croner";

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS = 5;
/** Longest text of a schedule. */
export const CRON_CHARACTERS_MAX = 100;

/** Times at which something recurs. */
export interface CronSchedule {
  /** Five fields; the shortest interval is a minute. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Problem of a schedule: which member it is about, and why. */
interface ScheduleProblem {
  readonly member: keyof CronSchedule;
  readonly message: string;
}

/** Checks a schedule. @returns undefined for one that has ticks. */
export function problemOfSchedule({ cron, timezone }: CronSchedule, nowMs: number): ScheduleProblem | undefined {
  if (canonicalTimezone(timezone) === undefined)
    return { member: "timezone", message: "is not the IANA name of a time zone" };
  if (cron.length > CRON_CHARACTERS_MAX || cron.trim().split(/\s+/).length !== FIELDS) {
    return { member: "cron", message: "must have five fields: minute, hour, day of month, month, day of week" };
  }
  try {
    return nextTick({ cron, timezone }, nowMs) === undefined ? never : undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { member: "cron", message: `is not a cron expression: ${error.message}` };
  }
}

const never: ScheduleProblem = { member: "cron", message: "names no day that there is" };

/**
 * Returns the first tick after a time, both in milliseconds since 1970; undefined when there is none. When clocks go forward, a time that they
 * skip is due as they do; when they go back, a time that comes twice is due once, and schedules of every hour go on by the hour.
 */
export function nextTick(schedule: CronSchedule, afterMs: number): number | undefined {
  return parsed(schedule).nextRun(new Date(afterMs))?.getTime();
}

/** Returns the last tick up to a time, that one included; undefined when there is none. */
export function latestTick(schedule: CronSchedule, atMs: number): number | undefined {
  const [last] = parsed(schedule).previousRuns(1, new Date(atMs + 1_000));
  return last?.getTime();
}

function parsed({ cron, timezone }: CronSchedule): Cron {
  return new Cron(cron.trim(), { timezone, mode: "5-part", paused: true });
}
