import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";

describe("a wrong list, event or order rule is reported with its pointer and code", () => {
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
    [
      "a window of nothing ahead",
      { event: "a", within: { next: { n: 0, unit: "day" } } },
      ["/within/next/n bad_value"],
    ],
    [
      "a window both ways",
      { order: true, within: { next: { n: 1, unit: "day" }, last: { n: 1, unit: "day" } } },
      ["/within/next unknown_member"],
    ],
    ["a list's operator that is no text", { list: "vip", op: 1 }, ["/op type_mismatch"]],
    ["a list without an operator", { list: "vip" }, ["/op bad_value"]],
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
    [
      "a sum of an item's text",
      { order: true, sum: { of: "items.sku", op: "gt", value: 1 } },
      ["/sum/of type_mismatch"],
    ],
    [
      "a sum of an item's unknown member",
      { order: true, sum: { of: "items.size", op: "gt", value: 1 } },
      ["/sum/of unknown_field"],
    ],
    ["an empty cart with a window", { cart: "empty", within: { last: { n: 1, unit: "day" } } }, ["/within bad_value"]],
    ["an empty cart with conditions", { cart: "empty", where: [] }, ["/where bad_value"]],
    ["a cart of no lines", { cart: {} }, ["/cart/items bad_value"]],
    [
      "an unknown member of a cart",
      { cart: "nonEmpty", where: [{ field: "total", op: "gt", value: 1 }] },
      ["/where/0/field unknown_field"],
    ],
    [
      "an unknown member of a line",
      { cart: { items: [{ field: "size", op: "eq", value: 1 }] } },
      ["/cart/items/0/field unknown_field"],
    ],
    ["an unknown table", { supplement: "shop" }, ["/supplement unknown_reference"]],
    ["records that carry no contact", { supplement: "shops" }, ["/join bad_value"]],
    [
      "a join by a status",
      { supplement: "shops", join: { contact: "channels.email.valid", record: "id" } },
      ["/join/contact bad_value"],
    ],
    [
      "a join by an unknown field",
      { supplement: "shops", join: { contact: "attributes.colour", record: "id" } },
      ["/join/contact unknown_field"],
    ],
    ["a sample beyond the whole", { sample: { percent: 60, from: 60 } }, ["/sample bad_value"]],
    ["a sample without a share", { sample: {} }, ["/sample/percent type_mismatch"]],
    ["a long salt", { sample: { percent: 1, salt: "s".repeat(65) } }, ["/sample/salt limit_exceeded"]],
    ["an audience by a number", { audience: 5 }, ["/audience type_mismatch"]],
    [
      "a country by its name",
      {
        field: "attributes.home",
        op: "within",
        value: { postalCode: "1", country: "Germany", distance: 1, unit: "km" },
      },
      ["/value/country bad_value"],
    ],
    [
      "a place said twice",
      {
        field: "attributes.home",
        op: "within",
        value: { postalCode: "1", country: "DE", lat: 1, distance: 1, unit: "km" },
      },
      ["/value/lat unknown_member", "/value/postalCode unknown_reference"],
    ],
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

test("points of a window in days and months are refused only where no month orders them so", () => {
  const span = (text: string) => ({ n: Number(text.split(" ")[0]), unit: text.split(" ")[1] });
  const refused = (older: string, newer: string) =>
    errorsOf({ event: "a", within: { between: [span(older), span(newer)] } }).length > 0;
  expect([refused("30 day", "1 month"), refused("1 month", "30 day")]).toEqual([false, false]);
  expect([refused("366 day", "1 year"), refused("1 year", "365 day"), refused("4 week", "1 month")]).toEqual(
    Array(3).fill(false),
  );
  expect([refused("27 day", "1 month"), refused("1 month", "40 day"), refused("300 day", "1 year")]).toEqual(
    Array(3).fill(true),
  );
  expect([refused("1 year", "12 month"), refused("12 month", "1 year"), refused("13 month", "1 year")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([refused("1 month", "0 day"), refused("1 minute", "0 month"), refused("1 day", "24 hour")]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a number beyond what a count or a sum is compared with is told the bound", () => {
  const messageOf = (rule: object) => {
    const parsed = parseCriteria(rule, context);
    return parsed.kind === "ok" ? undefined : parsed.errors.map(({ path, code, message }) => [path, code, message]);
  };
  const sumOver = (value: unknown) => messageOf({ order: true, sum: { of: "totalAmount", op: "lt", value } });
  const ofSum = "a sum must be compared with a number below 10^24";
  expect(sumOver(1e300)).toEqual([["/sum/value", "bad_value", ofSum]]);
  expect(sumOver("a lot")).toEqual([["/sum/value", "type_mismatch", ofSum]]);
  expect([sumOver(1e23), sumOver(-1e23), sumOver("9".repeat(24))]).toEqual([undefined, undefined, undefined]);
  const ofCount = "a count must be compared with an integer from 0 to 1000000000";
  expect(messageOf({ event: "a", count: { op: "lt", value: 1_000_000_001 } })).toEqual([
    ["/count/value", "bad_value", ofCount],
  ]);
});

describe("an unknown name is reported with the nearest ones", () => {
  test.each<[string, unknown, string]>([
    ["a table", { supplement: "shop" }, "shops"],
    ["a part of an event", { event: "a", where: [{ field: "geo.citi", op: "exists" }] }, "geo.city"],
    ["a member of a cart", { cart: "nonEmpty", where: [{ field: "totalAmnt", op: "gt", value: 1 }] }, "totalAmount"],
    ["a saved audience", { audience: "buyer" }, "buyers"],
  ])("%s", (_, rule, nearest) => {
    const parsed = parseCriteria(rule, context);
    const allowed = parsed.kind === "invalid" ? parsed.errors[0]?.allowed : undefined;
    expect(allowed?.filter((name) => name === nearest)).toEqual([nearest]);
    expect(allowed?.[0]).toBe(nearest);
  });
});

test("a field that orders have not is answered with the nearest ones, or with all where none is near", () => {
  const allowed = (name: string) => {
    const parsed = parseCriteria({ order: true, where: [{ field: name, op: "exists" }] }, context);
    return parsed.kind === "invalid" ? parsed.errors[0]?.allowed : undefined;
  };
  expect(allowed("totalAmont")?.[0]).toBe("totalAmount");
  expect(allowed("total")).toEqual(expect.arrayContaining(["totalAmount", "purchaseDate", "shippingAddress.state"]));
});

test("a list that is not there any more is named as it was called last", () => {
  const goneLists = new Map([[4, "newsletter"]]);
  const messageOf = (list: string | number) => {
    const parsed = parseCriteria({ list, op: "in" }, { ...context, goneLists });
    return parsed.kind === "ok" ? undefined : parsed.errors[0]?.message;
  };
  expect(messageOf(4)).toBe('list "newsletter" does not exist any more');
  expect(messageOf("4")).toBe('list "newsletter" does not exist any more');
  expect(messageOf(5)).toBe('list "5" does not exist');
});
