import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

describe("a wrong rule about events is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an event without a name", { event: "" }, ["/event bad_value"]],
    ["an event's name that is too long", { event: ["a", "b".repeat(41)] }, ["/event/1 bad_value"]],
    ["a where that is no array", { event: "a", where: {} }, ["/where type_mismatch"]],
    [
      "a broken condition of an event",
      { event: "a", where: [{ field: "x..y", op: "eq", value: 1 }] },
      ["/where/0/field bad_value"],
    ],
    [
      "a window of nothing ahead",
      { event: "a", within: { next: { n: 0, unit: "day" } } },
      ["/within/next/n bad_value"],
    ],
    ["a count that is a text", { event: "a", count: { op: "gte", value: "2" } }, ["/count/value type_mismatch"]],
    ["a count's operator that is no text", { event: "a", count: { op: 2, value: 2 } }, ["/count/op type_mismatch"]],
    [
      "a span of texts",
      { event: "a", within: { last: { n: "7", unit: 7 } } },
      ["/within/last/n type_mismatch", "/within/last/unit type_mismatch"],
    ],
    ["a window without ends", { event: "a", within: {} }, ["/within bad_value"]],
    [
      "a window the wrong way round",
      { event: "a", within: { from: "2026-02-01", to: "2026-01-01" } },
      ["/within bad_value"],
    ],
    [
      "between from newer to older",
      {
        event: "a",
        within: {
          between: [
            { n: 1, unit: "day" },
            { n: 1, unit: "week" },
          ],
        },
      },
      ["/within/between bad_value"],
    ],
    [
      "two windows in one",
      { event: "a", within: { last: { n: 1, unit: "day" }, to: "2026-01-01" } },
      ["/within/to unknown_member"],
    ],
    ["a message by nothing", { event: "a", message: {} }, ["/message bad_value"]],
    ["a message by an empty text", { event: "a", message: { key: "" } }, ["/message/key bad_value"]],
    ["a sum without a value", { event: "a", sum: { of: "price", op: "gt" } }, ["/sum/value bad_value"]],
    ["a message by a number", { event: "a", message: { tag: 1 } }, ["/message/tag type_mismatch"]],
    ["a channel that nobody has", { event: "a", message: { channel: "fax" } }, ["/message/channel unknown_reference"]],
    [
      "a misspelled member of a message",
      { event: "a", message: { tags: "x" } },
      ["/message/tags unknown_member", "/message bad_value"],
    ],
    [
      "a place that events have not",
      { event: "a", where: [{ field: "geo.town", op: "exists" }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "a device's member that events have not",
      { event: "a", where: [{ field: "device.os", op: "exists" }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "a sum of the latest event",
      { event: "a", last: true, sum: { of: "price", op: "gt", value: 1 } },
      ["/last bad_value"],
    ],
    ["a sum of a city", { event: "a", sum: { of: "geo.city", op: "gt", value: 1 } }, ["/sum/of type_mismatch"]],
    ["a count below zero", { event: "a", count: { op: "gte", value: -1 } }, ["/count/value bad_value"]],
    [
      "a count with a wrong operator",
      { event: "a", count: { op: "between", value: 1 } },
      ["/count/op unknown_operator"],
    ],
    ["a last that is no boolean", { event: "a", last: "yes" }, ["/last type_mismatch"]],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test.each<[string, unknown, string]>([
  ["a part of an event", { event: "a", where: [{ field: "geo.citi", op: "exists" }] }, "geo.city"],
])("%s that is unknown is reported with the nearest one", (_, rule, nearest) => {
  const parsed = parseCriteria(rule, context);
  expect(parsed.kind === "invalid" ? parsed.errors[0]?.allowed?.[0] : undefined).toBe(nearest);
});
