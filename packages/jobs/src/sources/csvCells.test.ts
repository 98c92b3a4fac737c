import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCells } from "./csvCells.ts";

const piece = fc.constantFrom('"', '""', ";", ",", "\n", "\r", " ", "a", "é", "\ufeff", '";"');
const record = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""));

/** The cells as a parser of RFC 4180 has them. */
function byParser(text: string, delimiter: string, newline: "\n" | "\r"): string[] | undefined {
  try {
    const record_delimiter = newline === "\r" ? ["\n", "\r"] : "\n";
    const [row, ...others] = parse(Buffer.from(text), { delimiter, record_delimiter, relax_column_count: true });
    return others.length > 0 ? undefined : row;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

test.each<[string, "\n" | "\r"]>([
  [";", "\n"],
  [",", "\r"],
])("records cut at %j are those of a parser, whatever stands in them", (delimiter, newline) => {
  fc.assert(
    fc.property(record, (text) => {
      const [read] = readCells([Buffer.from(text)], { format: "csv", delimiter, newline });
      const cells = read?.kind === "cells" ? read.cells.map((cell) => cell.text) : undefined;
      expect(cells).toEqual(byParser(text, delimiter, newline));
    }),
    { numRuns: 2_000 },
  );
});

test("a cell knows whether it was quoted", () => {
  const [read] = readCells([Buffer.from('1;"1";"";;"a ""b"""')], { format: "csv", delimiter: ";", newline: "\n" });
  expect(read).toEqual({
    kind: "cells",
    cells: [
      { text: "1", isQuoted: false },
      { text: "1", isQuoted: true },
      { text: "", isQuoted: true },
      { text: "", isQuoted: false },
      { text: 'a "b"', isQuoted: true },
    ],
  });
});

test("cells of aligned lines stand apart by any blanks, and quotes keep theirs", () => {
  const form = { format: "csv", delimiter: " ", newline: "\n", isAligned: true } as const;
  const textsOf = (line: string) => {
    const [read] = readCells([Buffer.from(line)], form);
    return read?.kind === "cells" ? read.cells.map(({ text }) => text) : read?.message;
  };
  expect(textsOf('  18.0   8\t307.0  "chevrolet ""x"" malibu" ')).toEqual([
    "18.0",
    "8",
    "307.0",
    'chevrolet "x" malibu',
  ]);
  expect(textsOf('5" pipe')).toEqual(['5"', "pipe"]);
  expect(textsOf('"open')).toBe("The quotes of the row are wrong.");
  expect(textsOf('"a"b')).toBe("The quotes of the row are wrong.");
});
