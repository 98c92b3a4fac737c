import fc from "fast-check";
import { expect, test } from "vitest";
import { createRowCounter } from "./writeFile.ts";

const cell = fc.oneof(fc.constantFrom('"', "\n", "\r\n", ",", ""), fc.string({ maxLength: 5 }));
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test("rows of csv are counted whatever stands in their quotes and wherever chunks are cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 3 })),
      fc.integer({ min: 1, max: 9 }),
      (rows, size) => {
        const bytes = Buffer.from(rows.map((cells) => `${cells.map(quoted).join(",")},1\r\n`).join(""));
        const counter = createRowCounter("csv");
        for (let from = 0; from < bytes.length; from += size) counter?.count(bytes.subarray(from, from + size));
        expect(counter?.rows).toBe(rows.length);
      },
    ),
  );
});

test("each line feed of JSON ends a row, and Parquet is not counted", () => {
  const counter = createRowCounter("jsonl");
  counter?.count(Buffer.from('{"a":"\\""}\n{"a":'));
  counter?.count(Buffer.from("2}\n"));
  expect(counter?.rows).toBe(2);
  expect(createRowCounter("parquet")).toBeUndefined();
});
