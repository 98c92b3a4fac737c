import type { Row } from "@headwater/jobs/sources/row";
import { expect, test } from "vitest";
import { describeColumns, markedCells } from "./describeColumns.ts";

function described(...texts: readonly string[]) {
  const rows = texts.map(
    (text, index): Row => ({ kind: "cells", index, line: index + 2, cells: [{ text, isQuoted: false }] }),
  );
  const column = { name: "X", path: "attributes.x", identifies: false, readCell: ({ text }: { text: string }) => text };
  return describeColumns([column], rows, new Set(rows.flatMap(markedCells)))[0];
}

test("cells that look as an export marks formulas warn", () => {
  expect(described("'=1+1", "plain")?.warning).toMatchObject({
    code: "looks_marked",
    message: expect.stringContaining("set `formulaSafe` to true"),
  });
  expect(described("'tis", "O'Neil", "+43 660 1234567")).not.toHaveProperty("warning");
});

test("whole numbers among numbers of another notation do not hide it", () => {
  const row = (value: string | number) => ({ text: String(value), isQuoted: false });
  const rows = ["1,5", 3, "2,75", 12].map(
    (value, index): Row => ({ kind: "cells", index, line: index + 2, cells: [row(value)] }),
  );
  const readCell = ({ text }: { text: string }) => (text.includes(",") ? text : Number(text));
  const column = { name: "X", path: "attributes.x", identifies: false, readCell };
  expect(describeColumns([column], rows, new Set())[0]?.warning?.code).toBe("looks_like_numbers");
});

test("a column is described by its member, its types and three different values", () => {
  expect(described("a", "", "a", "b", "c", "d")).toEqual({
    ...{ column: "X", member: "attributes.x", types: ["string"], values: ["a", "b", "c"] },
  });
});

test.each([
  [["1,5", "2.000,25", "3,0"], "looks_like_numbers", 'set `decimal` to ","'],
  [["1,234.50", "2,000"], "looks_like_numbers", 'set `decimal` to "."'],
  [["1.234,50 €", "2,00 €"], "looks_like_numbers", "a currency"],
  [["$1,234.50", "-$2.00"], "looks_like_numbers", "a currency"],
  [["EUR 12", "EUR 13,50"], "looks_like_numbers", "a currency"],
  [["31.01.2026", "1.2.2026"], "looks_like_dates", '"dd.mm.yyyy"'],
  [["01/31/2026", "02/01/2026"], "looks_like_dates", '"mm/dd/yyyy"'],
  [["01/02/26", "03/04/26"], "looks_like_dates", '"dd/mm/yy" or "mm/dd/yy"'],
  [["31.01.2026 10:30", "1.2.2026 7:05"], "looks_like_dates", '"dd.mm.yyyy hh:mm"'],
])("%j warn with %s and name %s", (texts, code, part) => {
  expect(described(...texts)?.warning).toEqual({ code, message: expect.stringContaining(part) });
});

test.each([
  [["Graz", "Linz"]],
  [["1,5", "Graz"]],
  [["2026-01-31"]],
  [["01234", "12345"]],
  [["", ""]],
  [["SKU 12", "SKU 13"]],
])("%j do not warn", (texts) => {
  expect(described(...texts)).not.toHaveProperty("warning");
});
