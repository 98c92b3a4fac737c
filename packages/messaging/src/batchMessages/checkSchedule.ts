import { type Account, parseTime } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";

/** Members of a body that say when a message is sent. */
export interface GivenSchedule {
  readonly schedule?: string | null | undefined;
  readonly sendTimeType?: "immediate" | "scheduled" | null | undefined;
}

export interface CheckedSchedule {
  /** Milliseconds since 1970. */
  readonly scheduleAt: number | null;
  readonly problems: readonly ErrorDetail[];
}

/** Reads when a message is sent. @param known the schedule of before: it stays where the body says nothing. */
export function checkSchedule(
  { schedule, sendTimeType }: GivenSchedule,
  { settings: { timezone } }: Account,
  known: number | null,
): CheckedSchedule {
  const at = typeof schedule === "string" ? parseTime(schedule, timezone) : undefined;
  if (typeof schedule === "string" && (at === undefined || at < 0)) {
    const message = "The value is not an ISO 8601 date or timestamp.";
    return { scheduleAt: known, problems: [{ path: "/schedule", code: "bad_value", message }] };
  }
  const scheduleAt = schedule === undefined ? known : (at ?? null);
  const type = scheduleAt === null ? "immediate" : "scheduled";
  if ((sendTimeType ?? type) === type) return { scheduleAt, problems: [] };
  const message = scheduleAt === null ? "`schedule` is missing." : "`schedule` says when it is sent.";
  return { scheduleAt, problems: [{ path: "/sendTimeType", code: "bad_value", message }] };
}
