import { isDeeperThan } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyMember, parseExact } from "./exactNumbers.ts";
import { findForbidden } from "./forbidden.ts";

const decimals = new Set(["tax", "itemPrice"]);

describe("numbers of a decimal member", () => {
  it.each(["12345678901234.5678", "0.12345678901234567", "-98765432109876.51", "12345678901234567"])(
    "keep every digit of %s",
    (digits) => {
      expect(parseExact(`{"order":{"tax":${digits}}}`, decimals)).toEqual({ order: { tax: digits } });
    },
  );

  it("stay numbers while a double holds them", () => {
    const text = '{"order":{"tax":12.5,"note":"1234567890123456789"}}';
    expect(parseExact(text, decimals)).toEqual({ order: { tax: 12.5, note: "1234567890123456789" } });
  });

  it("round in free-form members, as every reader of JSON rounds", () => {
    const text = '{"items":[{"itemPrice":1,"properties":{"tax":0.12345678901234567,"a":[{"tax":9007199254740993}]}}]}';
    expect(parseExact(text, decimals)).toEqual(JSON.parse(text));
  });

  it("round under names that are no decimals", () => {
    expect(parseExact('{"id":9007199254740993}', decimals)).toEqual({ id: 9007199254740992 });
  });

  it("of a body that nests a hundred thousand levels do not exhaust the stack", () => {
    const text = `${'{"a":'.repeat(100_000)}{"tax":12345678901234.5678}${"}".repeat(100_000)}`;
    expect(() => parseExact(text, decimals)).not.toThrow();
  });
});

describe("texts without long numbers", () => {
  it("mean what JSON.parse says they mean", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExact(text, new Set())).toEqual(JSON.parse(text));
      }),
    );
  });

  it("texts without long numbers that are no JSON throw a SyntaxError", () => {
    expect(() => parseExact("{", decimals)).toThrow(SyntaxError);
    expect(() => parseExact('{"tax":12345678901234567,', decimals)).toThrow(SyntaxError);
  });
});

describe("any text", () => {
  const number = fc.constantFrom(
    "12345678901234567",
    "-0.12345678901234567",
    "1234567890123456.00",
    "012345678901234567",
  );
  /** JSON with long numbers in it, here and there spoilt. */
  const texts = fc
    .tuple(
      fc.json(),
      fc.array(fc.tuple(fc.nat(), fc.oneof(number, fc.constantFrom(",", "{", "]", '"', ":", "e5"))), { maxLength: 3 }),
    )
    .map(([text, edits]) =>
      edits.reduce((t, [at, put]) => t.slice(0, at % (t.length + 1)) + put + t.slice(at % (t.length + 1)), text),
    );

  it("is JSON for it exactly when it is JSON for JSON.parse", () => {
    const isJson = (parse: () => unknown) => {
      try {
        parse();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        expect(isJson(() => parseExact(text, everyMember))).toBe(isJson(() => JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("names its members in escapes, and they are still known", () => {
    expect(parseExact('{"\\u0074ax":12345678901234567}', decimals)).toEqual({ tax: "12345678901234567" });
    expect(parseExact('{"propertie\\u0073":{"tax":12345678901234567}}', decimals)).toEqual({
      properties: { tax: 12345678901234568 },
    });
  });
});

describe("a body made to be dear", () => {
  const numbers = `[${"1,".repeat(500_000)}1234567890123456789]`;
  const nested = `${'{"attributes":'.repeat(60)}${numbers}${"}".repeat(60)}`;
  it.each([
    ["numbers in sixty free-form members", nested],
    ["numbers in sixty members", nested.replaceAll("attributes", "a")],
    ["empty objects", `[${"{},".repeat(300_000)}1234567890123456789]`],
    ["quotes", `{"a":"${'\\"'.repeat(500_000)}","b":1234567890123456789}`],
    ["backslashes", `{"a":"${"\\\\".repeat(250_000)}","b":1234567890123456789}`],
  ])("of %s, 1 MB, costs less than 250 ms of a core", (_what, text) => {
    const costMs = () => {
      const from = process.threadCpuUsage();
      const value = parseExact(text, everyMember);
      isDeeperThan(value, 64);
      findForbidden(value);
      const { user, system } = process.threadCpuUsage(from);
      return (user + system) / 1_000;
    };
    expect(Math.min(...Array.from({ length: 4 }, costMs))).toBeLessThan(250);
  });
});
