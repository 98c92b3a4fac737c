import { defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { countBody, readCountRequest } from "./countRequest.ts";

const NOW = Date.UTC(2026, 10, 23);
const reading = { settings: { ...defaultSettings, timezone: "Europe/Berlin" }, nowMs: NOW };
const fallback = { explain: false, basis: "recorded", timezone: "Europe/Berlin" };

function errorsOf(body: object): string[] {
  const request = readCountRequest(countBody.parse(body), reading);
  return request.kind === "invalid" ? request.details.map(({ path, code }) => `${path} ${code}`) : [];
}

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
    expect(readCountRequest(countBody.parse(body), reading)).toEqual({
      kind: "count",
      criteria,
      at: "criteria" in body ? "/criteria" : "",
      options: { ...fallback, ...options },
    });
  });

  test.each<[object, object]>([
    [{ id: "65f0" }, { by: "id", named: "65f0", options: fallback }],
    [
      { key: "vip", explain: true },
      { by: "key", named: "vip", options: { ...fallback, explain: true } },
    ],
  ])("%j names a saved audience", (body, saved) => {
    expect(readCountRequest(countBody.parse(body), reading)).toEqual({ kind: "saved", ...saved });
  });

  test("members that are no options stay with bare criteria, where they are errors of the rules", () => {
    const misspelled = readCountRequest(countBody.parse({ and: [], asof: "2026-01-01" }), reading);
    expect(misspelled).toMatchObject({ criteria: { and: [], asof: "2026-01-01" } });
  });

  test.each<[object, string[]]>([
    [{ criteria: { and: [] }, key: "vip" }, ["/key not_allowed"]],
    [{ criteria: { and: [] }, id: "65f0" }, ["/id not_allowed"]],
    [{ id: "65f0", key: "vip" }, ["/key not_allowed"]],
    [{ criteria: { and: [] }, id: "65f0", key: "vip" }, ["/id not_allowed", "/key not_allowed"]],
    [{ and: [], key: "vip" }, ["/key not_allowed"]],
    [{ and: [], criteria: { and: [] } }, ["/criteria not_allowed"]],
    [{ key: "vip", explan: true }, ["/explan unknown_field"]],
    [{ criteria: null, key: null }, ["/key not_allowed"]],
  ])("%j does not say whom to count", (body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });

  test("a moment ahead of our clock is taken only as far as clocks may differ", () => {
    const at = (ms: number) => ({ and: [], asOf: new Date(NOW + ms).toISOString() });
    expect(errorsOf(at(5_000))).toEqual([]);
    expect(errorsOf(at(5_001))).toEqual(["/asOf out_of_range"]);
    expect(errorsOf({ ...at(60_000), basis: "event" })).toEqual(["/asOf out_of_range"]);
    for (const asOf of ["2026-11-24", "2999-01-01", "9999-12-31T23:59:59Z"])
      expect(errorsOf({ and: [], asOf })).toEqual(["/asOf out_of_range"]);
  });

  test.each<[unknown, string]>([
    [-1, "out_of_range"],
    [21, "out_of_range"],
    [2.5, "type_mismatch"],
    ["5", "type_mismatch"],
    [null, "type_mismatch"],
  ])("a sample of %j is told what it may be", (sampleSize, code) => {
    const request = readCountRequest(countBody.parse({ and: [], sampleSize }), reading);
    const message = "The value must be an integer from 0 to 20.";
    expect(request.kind === "invalid" && request.details).toEqual([{ path: "/sampleSize", code, message }]);
  });

  test("null is no value of an option", () => {
    for (const name of ["explain", "asOf", "basis", "timezone", "eligibleFor", "sampleSize"])
      expect(errorsOf({ and: [], [name]: null })).toEqual([expect.stringContaining(`/${name} `)]);
  });

  test("all wrong options are reported at once", () => {
    const body = {
      and: [],
      explain: 1,
      basis: "x",
      sampleSize: -1,
      timezone: 5,
      asOf: 5,
      eligibleFor: { channl: "email" },
    };
    const request = readCountRequest(countBody.parse(body), reading);
    const errors = request.kind === "invalid" ? request.details.map(({ path, code }) => `${path} ${code}`) : [];
    expect(errors.sort()).toEqual([
      "/asOf bad_value",
      "/basis bad_value",
      "/eligibleFor/channel required",
      "/eligibleFor/channl unknown_field",
      "/eligibleFor/classification bad_value",
      "/explain type_mismatch",
      "/sampleSize out_of_range",
      "/timezone bad_value",
    ]);
  });
});
