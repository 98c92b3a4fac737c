import { describe, expect, test } from "vitest";
import { internationalPhone } from "./addresses.ts";
import { canonicalValue, identifiersInOrder, isMissingValue, missingIdentifier, partitionOf } from "./identifiers.ts";
import { defaultSettings } from "./settings.ts";

test.each([
  [undefined, "channels.email.address"],
  [["email"], "email"],
  [["email", "channels.email.address"], "email"],
  [["channels.email.address", "email"], "channels.email.address"],
])("of two spellings of one name with the priority %j it is %s, whatever the order of the JSON", (priority, wanted) => {
  const input = [
    ["email", "email@x.example"],
    ["channels.email.address", "channels.email.address@x.example"],
  ] as const;
  for (const order of [input, input.toReversed()]) {
    const identifiers = [{ name: "email", value: `${wanted}@x.example` }];
    expect(identifiersInOrder(defaultSettings, Object.fromEntries(order), priority)).toEqual({
      kind: "ok",
      identifiers,
    });
  }
});

describe("canonical identifiers", () => {
  test.each([
    ["email", " Ann@Example.ORG ", "ann@example.org"],
    ["email", "Jose\u0301@x.org", "jos\u00e9@x.org"],
    ["phone", "+44 (0)20 7946 0018", "+442079460018"],
    ["phone", "020 7946 0018", "02079460018"],
    ["phone", " n/a ", "n/a"],
    ["string", "  AbC ", "AbC"],
    ["string", 123, "123"],
  ] as const)("%s %j is %s", (format, value, canonical) => {
    expect(canonicalValue(format, value)).toBe(canonical);
  });

  test.each([
    ["string", "   "],
    ["phone", " "],
    ["string", 2 ** 53],
    ["string", "x".repeat(513)],
  ] as const)("%s %j has no canonical form", (format, value) => {
    expect(canonicalValue(format, value)).toBeUndefined();
  });

  test.each([
    ["4915112345678", "+4915112345678"],
    [" 004915112345678", "+4915112345678"],
    ["12025550123", "+12025550123"],
    // A number without its country may be one of several countries, and a short code is none.
    ["2025550123", undefined],
    ["020 7946 0018", undefined],
    ["12345", undefined],
    ["+4915112345678", undefined],
    ["Shop", undefined],
  ])("a number written as %j is %s in E.164", (text, number) => {
    expect(internationalPhone(text)).toBe(number);
  });

  test("the order of trial is the priority given, the account's order, then code points, never the JSON's", () => {
    const provided = { zeta: "z", customer_id: 7, alpha: "a", "channels.email.address": "a@x", phone: "1" };
    const names = (priority?: string[]) => {
      const found = identifiersInOrder(defaultSettings, provided, priority);
      return found.kind === "ok" ? found.identifiers.map(({ name }) => name) : [];
    };
    expect(names()).toEqual(["email", "phone", "customer_id", "alpha", "zeta"]);
    expect(names(["zeta", "customer_id"])).toEqual(["zeta", "customer_id", "email", "phone", "alpha"]);
  });

  test.each([
    { given: { email: "a@x", phone: "1" }, order: ["email", "phone"] },
    { given: { phone: "1", email: "a@x" }, order: ["email", "phone"] },
    { given: { email: "a@x", zeta: "z" }, order: ["email", "zeta"] },
    { given: { zeta: "z", email: "a@x" }, order: ["email", "zeta"] },
    { given: { zeta: "z", alpha: "a" }, order: ["alpha", "zeta"] },
    { given: { zeta: "z" }, order: ["zeta"] },
    { given: {}, order: [] },
  ])("$given are tried as $order", ({ given: received, order }) => {
    const found = identifiersInOrder(defaultSettings, received, undefined);
    expect(found.kind === "ok" && found.identifiers.map(({ name }) => name)).toEqual(order);
  });

  test.each([
    { given: { customer_id: "n/a", email: "ann@x.org" }, found: ["email"], missing: undefined },
    { given: { customer_id: "n/a", phone: "ask her" }, found: ["phone"], missing: undefined },
    { given: { email: "none", customer_id: "7", anonymousId: "null" }, found: ["customer_id"], missing: undefined },
    { given: { email: "none", customer_id: "-" }, found: ["email", "customer_id"], missing: "email" },
    { given: { customer_id: "Unknown" }, found: ["customer_id"], missing: "customer_id" },
    { given: { customer_id: "NA" }, found: ["customer_id"], missing: undefined },
    { given: {}, found: [], missing: undefined },
  ])("of $given those that find the contact are $found", ({ given, found, missing }) => {
    const read = identifiersInOrder(defaultSettings, given, undefined);
    expect(read.kind === "ok" && read.identifiers.map(({ name }) => name)).toEqual(found);
    expect(missingIdentifier(read)?.name).toBe(missing);
  });

  test("texts that say that there is no value are known in any case, and values that hold one are not", () => {
    const isMissing = (value: string) => isMissingValue({ name: "customer_id", value });
    const texts = ["n/a", "N/A", "N.A.", "#N/A", "None", "NULL", "(null)", "nil", "NaN", "undefined", "unknown"];
    expect([...texts, "-", "--", "—", "?"].filter((value) => !isMissing(value))).toEqual([]);
    expect(["0", "NA", "no", "nonesuch", "n/a 1", "-1", "a-b", "unknown@x.org"].filter(isMissing)).toEqual([]);
  });

  test("partitions of keys are fixed for ever", () => {
    const keys = ["a\nemail\nann@x.org", "a\nemail\nbob@x.org", "b\ncustomer_id\n7", ""];
    expect(keys.map((key) => partitionOf(key, 8))).toEqual([3, 5, 4, 3]);
  });
});
