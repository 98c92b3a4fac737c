/// <reference lib="esnext.temporal" />

/** The zone whose clock is ahead of all others. */
const FIRST_ZONE = "Pacific/Kiritimati";

export interface WallClock {
  /** Instant of the schedule, milliseconds since 1970. */
  readonly scheduleAt: number;
  /** Zone in which the schedule is read: the account's. */
  readonly timezone: string;
}

/** Returns the instant at which a zone's clocks show what the account's clocks show at the schedule. */
export function instantInZone({ scheduleAt, timezone }: WallClock, zone: string): number {
  const shown = Temporal.Instant.fromEpochMilliseconds(scheduleAt).toZonedDateTimeISO(timezone).toPlainDateTime();
  return shown.toZonedDateTime(zone).epochMilliseconds;
}

/** Returns the first instant at which any zone's clocks show the schedule. */
export function earliestInZones(schedule: WallClock): number {
  return instantInZone(schedule, FIRST_ZONE);
}
