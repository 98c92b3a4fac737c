import { addDuration } from "@headwater/messaging/schedule/durations";
import { expect, test } from "vitest";
import { delayEnd } from "./durations.ts";
import { compositionOf } from "./testJourney.ts";

const at = (text: string) => Date.parse(text);
const toText = (ms: number) => new Date(ms).toISOString();
const add = (text: string, n: number, unit: "day" | "week" | "month", timezone = "Europe/Berlin") =>
  toText(addDuration(at(text), { n, unit }, timezone));

test("days and weeks have 24 hours each, also where clocks change", () => {
  expect(add("2026-03-28T08:00:00Z", 1, "day")).toBe("2026-03-29T08:00:00.000Z");
  expect(add("2026-10-24T08:00:00Z", 1, "week")).toBe("2026-10-31T08:00:00.000Z");
});

test("months go by the clock of the zone, and by the last day of a shorter month", () => {
  expect(add("2026-01-31T09:00:00Z", 1, "month")).toBe("2026-02-28T09:00:00.000Z");
  expect(add("2026-03-15T09:00:00Z", 1, "month")).toBe("2026-04-15T08:00:00.000Z");
  expect(add("2026-03-31T09:00:00Z", -1, "month")).toBe("2026-02-28T10:00:00.000Z");
  expect(add("2024-02-29T09:00:00Z", 12, "month", "UTC")).toBe("2025-02-28T09:00:00.000Z");
});

test("a time that clocks skip is the one at which they do, and a time that comes twice is the first", () => {
  expect(add("2026-02-28T01:30:00Z", 1, "month")).toBe("2026-03-28T01:30:00.000Z");
  expect(add("2026-04-29T00:30:00Z", -1, "month")).toBe("2026-03-29T01:00:00.000Z");
  expect(add("2026-09-25T00:30:00Z", 1, "month")).toBe("2026-10-25T00:30:00.000Z");
});

function end(config: object, since: string, facts: { readonly contactZone?: string; readonly value?: unknown } = {}) {
  const [node] = compositionOf({ actions: [{ id: "d", type: "delay", config }] }).actions;
  if (node?.type !== "delay") throw new Error("no delay");
  return toText(delayEnd(node, { sinceMs: at(since), timezone: "Europe/Berlin", ...facts }));
}

test("a delay until a time lasts to the next one of the zone, on its day of the week", () => {
  const time = "09:30";
  expect(end({ until: { time } }, "2026-01-05T08:00:00Z")).toBe("2026-01-05T08:30:00.000Z");
  expect(end({ until: { time } }, "2026-01-05T08:30:00Z")).toBe("2026-01-06T08:30:00.000Z");
  expect(end({ until: { time, weekday: "sunday" } }, "2026-01-05T08:00:00Z")).toBe("2026-01-11T08:30:00.000Z");
  expect(end({ until: { time, zone: "america/new_york" } }, "2026-01-05T08:00:00Z")).toBe("2026-01-05T14:30:00.000Z");
  const contact = { until: { time, zone: "contact" } };
  expect(end(contact, "2026-01-05T08:00:00Z", { contactZone: "Asia/Tokyo" })).toBe("2026-01-06T00:30:00.000Z");
  expect(end(contact, "2026-01-05T08:00:00Z")).toBe("2026-01-05T08:30:00.000Z");
  expect(end({ until: { time: "02:30" } }, "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
  expect(end({ until: { time: "02:30" } }, "2026-10-24T12:00:00Z")).toBe("2026-10-25T00:30:00.000Z");
});

test("a delay by a date lasts to the offset from it, and not at all without one", () => {
  const before = { field: "attributes.renewal", offset: { n: -7, unit: "day" } };
  const since = "2026-01-05T08:00:00Z";
  expect(end(before, since, { value: "2026-02-10" })).toBe("2026-02-02T23:00:00.000Z");
  expect(end({ field: "attributes.renewal" }, since, { value: "2026-02-10T10:00:00+02:00" })).toBe(
    "2026-02-10T08:00:00.000Z",
  );
  for (const value of [undefined, null, 5, "soon"])
    expect(end(before, since, { value })).toBe("2026-01-05T08:00:00.000Z");
});
