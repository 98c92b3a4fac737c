import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "./exactNumbers.ts";

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

  it("that are no JSON throw a SyntaxError", () => {
    expect(() => parseExact("{", decimals)).toThrow(SyntaxError);
    expect(() => parseExact('{"tax":12345678901234567,', decimals)).toThrow(SyntaxError);
  });
});
