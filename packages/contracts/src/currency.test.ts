import { expect, test } from "vitest";
import { wrongCurrency } from "./currency.ts";

test.each(["EUR", "GBP", "JPY", "USD", "XCG"])("%s is a currency", (code) => {
  expect(wrongCurrency(code)).toBeUndefined();
});

test.each(["ZZZ", "EUX", "DEM"])("%s is none, and stays where it is already", (code) => {
  expect(wrongCurrency(code, "EUR")).toMatchObject({ path: "/currency", code: "bad_value" });
  expect(wrongCurrency(code, code)).toBeUndefined();
});
