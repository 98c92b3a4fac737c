import { defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { readCountRequest } from "./options.ts";

const settings = { ...defaultSettings, timezone: "Europe/Berlin" };
const usual = { explain: false, basis: "recorded", timezone: "Europe/Berlin" };

describe("a body of a count", () => {
  test.each<[object, unknown, object]>([
    [{ and: [] }, { and: [] }, {}],
    [{ and: [], explain: true, sampleSize: 3 }, { and: [] }, { explain: true, sampleSize: 3 }],
    [{ criteria: { or: [] }, timezone: "UTC" }, { or: [] }, { timezone: "UTC" }],
    [{ criteria: 5 }, 5, {}],
    [{}, {}, {}],
    [{ and: [], asOf: "2026-07-01" }, { and: [] }, { asOf: Date.UTC(2026, 5, 30, 22) }],
    [{ and: [], asOf: "2026-07-01", timezone: "utc" }, { and: [] }, { asOf: Date.UTC(2026, 6, 1), timezone: "UTC" }],
  ])("%j parts into criteria and options", (body, criteria, options) => {
    expect(readCountRequest({ ...body }, settings)).toEqual({
      kind: "count",
      criteria,
      options: { ...usual, ...options },
    });
  });

  test.each([{ id: "65f0" }, { key: "vip", explain: true }])("%j names a saved audience", (body) => {
    expect(readCountRequest(body, settings)).toEqual({ kind: "saved" });
  });

  test("members that are no options stay with bare criteria, where they are errors of the rules", () => {
    const misspelled = readCountRequest({ and: [], asof: "2026-01-01" }, settings);
    expect(misspelled).toMatchObject({ criteria: { and: [], asof: "2026-01-01" } });
    expect(readCountRequest({ and: [], key: "x" }, settings)).toMatchObject({ criteria: { and: [], key: "x" } });
  });

  test("all wrong options are told at once", () => {
    const body = {
      and: [],
      explain: 1,
      basis: "x",
      sampleSize: -1,
      timezone: 5,
      asOf: 5,
      eligibleFor: { channl: "email" },
    };
    const request = readCountRequest(body, settings);
    const paths = request.kind === "invalid" ? request.details.map(({ path }) => path) : [];
    expect(paths.sort()).toEqual([
      "/asOf",
      "/basis",
      "/eligibleFor/channel",
      "/eligibleFor/channl",
      "/eligibleFor/classification",
      "/explain",
      "/sampleSize",
      "/timezone",
    ]);
  });
});
