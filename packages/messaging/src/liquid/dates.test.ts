import { expect, test } from "vitest";
import { renderMessage } from "../render/renderMessage.ts";

const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"];

function render(text: string, context: object = {}, timezone = "Europe/Berlin") {
  const { content, warnings } = renderMessage({
    ...{ channel: "sms", headers: {}, includes: {}, currency: "EUR" },
    ...{ timezone, text, context: { ...context } },
  });
  return { text: content["text/plain"], warnings: warnings.map(({ code }) => code) };
}
const view = (text: string, context?: object, timezone?: string) => render(text, context, timezone).text;

test.each(ZONES)("a date alone is the same day in an account of %s, whichever zone a template names", (zone) => {
  const context = { birthday: "2000-02-29" };
  expect(view("{{ birthday | date: '%d.%m.%Y %A' }}", context, zone)).toBe("29.02.2000 Tuesday");
  for (const named of ZONES) {
    expect(view(`{{ birthday | date: '%-d %B', '${named}' }}`, context, zone)).toBe("29 February");
  }
  expect(view("{{ birthday | date_to_string }}, {{ birthday | date_to_long_string: 'ordinal' }}", context, zone)).toBe(
    "29 Feb 2000, 29th February 2000",
  );
});

test("a date alone begins at midnight in the account's zone", () => {
  expect(view("{{ '2026-07-01' | date: '%s' }}")).toBe(String(Date.parse("2026-06-30T22:00:00Z") / 1_000));
  expect(view("{{ '2026-07-01' | date_to_xmlschema }}")).toBe("2026-07-01T00:00:00+02:00");
});

test.each([
  ["2026-01-09T23:30:00", "10 00:30"],
  ["2026-01-09 23:30", "10 00:30"],
  ["2026-01-09T23:30:00Z", "10 00:30"],
  ["2026-01-09T23:30:00+01:00", "09 23:30"],
  ["20260109T2330", "10 00:30"],
  ["2026-W02-5", "09 00:00"],
  ["20160201", "01 00:00"],
  [20_160_201, "01 00:00"],
  ["1768001400", "10 00:30"],
  [1_768_001_400, "10 00:30"],
])("%j reads as it does everywhere else", (value, wanted) => {
  expect(render("{{ value | date: '%d %H:%M' }}", { value })).toEqual({ text: wanted, warnings: [] });
});

test.each([
  "01.02.2016",
  "01/02/2016",
  "1.2.2016",
  "31/12/2016",
  "01022016",
  "March 14, 2016",
  "2016-02-30",
  "yesterday",
  "12345678",
  12_345,
  0,
  1e15,
  true,
  [],
  { a: 1 },
])("%j is not a date: it is left empty, with a warning", (value) => {
  for (const filter of ["date: '%Y'", "date_to_rfc822", "date_to_string"])
    expect(render(`<{{ value | ${filter} }}>`, { value })).toEqual({ text: "<>", warnings: ["not_a_date"] });
});

test("a missing value is empty as ever", () => {
  expect(render("<{{ none | date: '%Y' }}>")).toEqual({ text: "<>", warnings: ["missing_value"] });
  expect(render("<{{ text | date: '%Y' }}>", { text: "" })).toEqual({ text: "<>", warnings: [] });
});

test("times on both sides of a change of clocks", () => {
  const format = "| date: '%H:%M %z', 'America/New_York' }}";
  expect(view(`{{ '2026-03-08T06:59:59Z' ${format}`)).toBe("01:59 -0500");
  expect(view(`{{ '2026-03-08T07:30:00Z' ${format}`)).toBe("03:30 -0400");
  expect(view(`{{ '2026-11-01T05:30:00Z' ${format}`)).toBe("01:30 -0400");
  expect(view(`{{ '2026-11-01T06:30:00Z' ${format}`)).toBe("01:30 -0500");
});

test("a zone that does not exist is the account's, with a warning; offsets of earlier templates still hold", () => {
  const at = "2026-01-09T12:00:00Z";
  expect(render("{{ at | date: '%H', zone }}", { at, zone: "Mars" })).toEqual({
    text: "13",
    warnings: ["unknown_zone"],
  });
  expect(render("{{ at | date: '%H', zone }}", { at, zone: "asia/tokyo" })).toEqual({ text: "21", warnings: [] });
  expect(render("{{ at | date: '%H:%M', zone }}", { at, zone: "+05:30" })).toEqual({ text: "17:30", warnings: [] });
  expect(render("{{ at | date: '%H:%M', 330 }}", { at })).toEqual({ text: "06:30", warnings: [] });
});

test.each([
  ["%Y-%m-%d %H:%M:%S.%L", "2026-01-04 05:06:07.089"],
  ["%-d/%-m/%y %e %j %-j %C", "4/1/26  4 004 4 20"],
  ["%a %A %b %B %h %^a %^B %#p %u %w", "Sun Sunday Jan January Jan SUN JANUARY am 7 0"],
  ["%I %l %k %p %P %q", "05  5  5 AM am th"],
  ["%U %W %V %G %g", "01 00 01 2026 26"],
  ["%z %:z %Z %s", "+0100 +01:00 Europe/Berlin 1767499567"],
  ["%D|%F|%T|%R|%r", "01/04/26|2026-01-04|05:06:07|05:06|05:06:07 AM"],
  ["%c|%x|%X", "1/4/2026, 5:06:07 AM|1/4/2026|5:06:07 AM"],
  ["%N %3N %_5d %05d %%%n%t", "089000000 089     4 00004 %\n\t"],
])("the format %j", (format, wanted) => {
  const at = "2026-01-04T04:06:07.089Z";
  expect(view("{{ at | date: format }}", { at, format })?.replaceAll("\u202F", " ")).toBe(wanted);
});

test("weeks and days of the year agree with strftime at the turns of years", () => {
  const format = "%j %U %W %G-%V";
  const days = {
    "2023-01-01": "001 01 00 2022-52",
    "2024-12-31": "366 52 53 2025-01",
    "2027-01-03": "003 01 00 2026-53",
  };
  for (const [day, wanted] of Object.entries(days)) expect(view(`{{ '${day}' | date: '${format}' }}`)).toBe(wanted);
});

test("a directive that a value brings and that does not exist stays as it is", () => {
  expect(view("{{ '2026-01-04' | date: format }}", { format: "%Q %d 100%" })).toBe("%Q 04 100%");
});
