import fc from "fast-check";
import { expect, test } from "vitest";
import { quietUntil } from "./quietHours.ts";

const MINUTE_MS = 60_000;
const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "UTC",
];
const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  ]),
);
const at = (time: string) => Date.parse(time);
const untilOf = (nowMs: number, quietHours: Parameters<typeof quietUntil>[0], zone = "Europe/Berlin") => {
  const until = quietUntil(quietHours, { channel: "email", zone, nowMs });
  return until === undefined ? undefined : new Date(until).toISOString();
};
const NIGHT = { from: "22:00", to: "08:00" };

test("the beginning is quiet and the end is not, also across midnight", () => {
  expect(untilOf(at("2026-06-10T22:00:00+02:00"), NIGHT)).toBe("2026-06-11T06:00:00.000Z");
  expect(untilOf(at("2026-06-11T07:59:59.999+02:00"), NIGHT)).toBe("2026-06-11T06:00:00.000Z");
  expect(untilOf(at("2026-06-11T08:00:00+02:00"), NIGHT)).toBeUndefined();
  expect(untilOf(at("2026-06-10T21:59:59.999+02:00"), NIGHT)).toBeUndefined();
  expect(untilOf(at("2026-06-10T12:00:00+02:00"), { from: "12:00", to: "12:30" })).toBe("2026-06-10T10:30:00.000Z");
});

test("quiet hours hold for the channels that they name, else for all", () => {
  const nowMs = at("2026-06-10T23:00:00+02:00");
  expect(untilOf(nowMs, { ...NIGHT, channels: ["sms"] })).toBeUndefined();
  expect(untilOf(nowMs, { ...NIGHT, channels: ["sms", "email"] })).toBe("2026-06-11T06:00:00.000Z");
  expect(untilOf(nowMs, undefined)).toBeUndefined();
});

test("quiet hours end by the clock of the recipient in nights in which it is put forward or back", () => {
  expect(untilOf(at("2026-03-28T23:00:00+01:00"), NIGHT)).toBe("2026-03-29T06:00:00.000Z");
  expect(untilOf(at("2026-10-24T23:00:00+02:00"), NIGHT)).toBe("2026-10-25T07:00:00.000Z");
  // An end that the clock skips is the instant of the skip.
  expect(untilOf(at("2026-03-28T23:00:00+01:00"), { from: "22:00", to: "02:30" })).toBe("2026-03-29T01:00:00.000Z");
});

/** Checks every minute. */
function firstLoudMinute({ from, to }: typeof NIGHT, zone: string, nowMs: number): number | undefined {
  const isQuiet = (ms: number) => {
    const time = clocks.get(zone)?.format(ms) ?? "";
    return from < to ? time >= from && time < to : time >= from || time < to;
  };
  if (!isQuiet(nowMs)) return undefined;
  let minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  while (isQuiet(minute)) minute += MINUTE_MS;
  return minute;
}

test("quiet hours end with the first minute that is not quiet, in any zone and any night", () => {
  const time = fc.integer({ min: 0, max: 1_439 }).map((minute) => {
    const pad = (n: number) => String(n).padStart(2, "0");
    return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
  });
  // Nights in which clocks move are drawn as often as all others.
  const changes = ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-04-05", "2026-10-04"];
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -1_440, max: 1_440 }))
    .map(([day, minutes]) => at(`${day}T00:00:00Z`) + minutes * MINUTE_MS);
  const any = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2027-01-01T00:00:00Z") });
  fc.assert(
    fc.property(time, time, fc.constantFrom(...zones), fc.oneof(near, any), (from, to, zone, nowMs) => {
      fc.pre(from !== to);
      const found = quietUntil({ from, to }, { channel: "email", zone, nowMs });
      expect(found).toBe(firstLoudMinute({ from, to }, zone, nowMs));
    }),
    { numRuns: 500 },
  );
});
