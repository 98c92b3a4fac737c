import { describe, expect, test } from "vitest";
import { errorsOf } from "./exampleAccount.ts";

describe("a wrong list, event or order rule is told with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an unknown list", { list: "vips", op: "in" }, ["/list unknown_reference"]],
    ["an unknown list id", { list: 8, op: "in" }, ["/list unknown_reference"]],
    ["an unknown list operator", { list: "vip", op: "eq" }, ["/op unknown_operator"]],
    ["an event without a name", { event: "" }, ["/event bad_value"]],
    ["an event's name that is too long", { event: ["a", "b".repeat(41)] }, ["/event/1 bad_value"]],
    ["a where that is no array", { event: "a", where: {} }, ["/where type_mismatch"]],
    [
      "a broken condition of an event",
      { event: "a", where: [{ field: "x..y", op: "eq", value: 1 }] },
      ["/where/0/field bad_value"],
    ],
    ["a window ahead", { event: "a", within: { next: { n: 1, unit: "day" } } }, ["/within/next bad_value"]],
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
    ["a message by its tag", { event: "a", message: { tag: "x" } }, ["/message/tag bad_value"]],
    ["a count below zero", { event: "a", count: { op: "gte", value: -1 } }, ["/count/value bad_value"]],
    [
      "a count with a wrong operator",
      { event: "a", count: { op: "between", value: 1 } },
      ["/count/op unknown_operator"],
    ],
    ["a last that is no boolean", { event: "a", last: "yes" }, ["/last type_mismatch"]],
    ["an order that is not true", { order: "yes" }, ["/order bad_value"]],
    [
      "count and sum",
      { order: true, count: { op: "gt", value: 1 }, sum: { of: "totalAmount", op: "gt", value: 1 } },
      ["/count unknown_member"],
    ],
    ["a sum of a text", { order: true, sum: { of: "status", op: "gt", value: 1 } }, ["/sum/of type_mismatch"]],
    [
      "a sum against a text",
      { order: true, sum: { of: "totalAmount", op: "gt", value: "a lot" } },
      ["/sum/value type_mismatch"],
    ],
    [
      "an unknown member of an order",
      { order: true, where: [{ field: "total", op: "gt", value: 1 }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "an unknown member of an item",
      { order: true, items: [{ field: "color", op: "eq", value: "a" }] },
      ["/items/0/field unknown_field"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});
