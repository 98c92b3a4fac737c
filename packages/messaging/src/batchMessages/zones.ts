/// <reference lib="esnext.temporal" />
import { canonicalTimezone } from "@headwater/contracts";

export interface WallClock {
  /** Instant of the schedule, milliseconds since 1970. */
  readonly scheduleAt: number;
  /** Zone in which the schedule is read: the account's. */
  readonly timezone: string;
}

/** Returns the instant at which a zone's clocks show what the account's clocks show at the schedule. */
export function instantInZone({ scheduleAt, timezone }: WallClock, zone: string): number {
  const view = Temporal.Instant.fromEpochMilliseconds(scheduleAt).toZonedDateTimeISO(timezone).toPlainDateTime();
  return view.toZonedDateTime(zone).epochMilliseconds;
}

/**
 * Returns the first instant at which the clocks of any contact show the schedule.
 * @param said texts that contacts give as their zone; who gives none, or what is none, goes by the account's clocks.
 */
export function earliestInZones(schedule: WallClock, said: readonly string[]): number {
  const zones = said.map(canonicalTimezone).filter((zone) => zone !== undefined);
  return Math.min(schedule.scheduleAt, ...zones.map((zone) => instantInZone(schedule, zone)));
}
