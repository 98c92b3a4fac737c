import { expect, test } from "vitest";
import { checkProduct, toStored } from "./storedProduct.ts";

test("decimals become the text of their digits, times UTC, and null within a member is left out", () => {
  const stored = toStored(
    {
      productName: "Heart",
      price: "12.34565",
      sale: { price: 9.5, start: "2026-01-10", end: null },
      variants: [{ sku: "s", attr: null, qty: 3 }],
      tags: null,
    },
    "Europe/Berlin",
  );
  expect(stored).toEqual({
    productName: "Heart",
    price: "12.3456",
    sale: { price: "9.5", start: "2026-01-09T23:00:00.000Z" },
    variants: [{ sku: "s", qty: 3 }],
    tags: null,
  });
  expect(toStored({ sale: null, variants: null, price: null }, "UTC")).toEqual({
    sale: null,
    variants: null,
    price: null,
  });
});

test("free-form members nest five levels", () => {
  const deep = (levels: number): Record<string, unknown> => (levels === 0 ? {} : { a: deep(levels - 1) });
  expect(checkProduct({ properties: deep(4) }, "/1")).toEqual([]);
  expect(checkProduct({ properties: deep(5) }, "/1")).toMatchObject([{ path: "/1/properties", code: "out_of_range" }]);
});
