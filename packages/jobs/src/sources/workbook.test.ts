import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { foreignKind } from "./sourceForm.ts";
import { SourceRefused } from "./sourceRefused.ts";
import { workbookOf } from "./testWorkbook.ts";
import { csvOfWorkbook } from "./workbook.ts";

async function csvOf(bytes: Uint8Array<ArrayBuffer>, decimal: "." | "," = "."): Promise<string> {
  let text = "";
  for await (const line of csvOfWorkbook(bytes, decimal)) text += line;
  return text;
}

test("the first sheet is read with its texts, numbers, booleans, dates and empty cells", async () => {
  const rows = [
    ["E-Mail", 'Größe, "in" cm', "Since", "VIP"],
    ["ann@example.com", 1.5, { serial: 46_053 }, true],
    [null, null, null, null],
    [" bob@example.com ", "007", { serial: 46_053.5 }, null],
  ];
  expect(await csvOf(workbookOf(rows))).toBe(
    [
      '"E-Mail","Größe, ""in"" cm","Since","VIP"',
      '"ann@example.com",1.5,2026-01-31,true',
      "",
      '" bob@example.com ","007",2026-01-31T12:00:00.000,',
      "",
    ].join("\n"),
  );
  expect((await csvOf(workbookOf(rows), ",")).split("\n")[1]).toBe('"ann@example.com","1,5",2026-01-31,true');
});

test.each([
  ["a zip archive", new Uint8Array(zipSync({ "people.csv": strToU8("email\n") })), /is not an .xlsx workbook/],
  ["a cut workbook", new Uint8Array(workbookOf([["a"]]).subarray(0, 200)), /damaged or cut/],
  [
    "a bomb",
    new Uint8Array(zipSync({ "xl/workbook.xml": new Uint8Array(80 * 1024 * 1024) })),
    /grows more than|exceeds/,
  ],
  [
    "many parts",
    new Uint8Array(
      zipSync(
        Object.fromEntries(
          Array.from({ length: 10_001 }, (_, n) => [`${n}`, new Uint8Array()]).concat([
            ["xl/workbook.xml", new Uint8Array()],
          ]),
        ),
      ),
    ),
    /more than 10000 parts/,
  ],
  [
    "a workbook without a sheet",
    new Uint8Array(zipSync({ "xl/workbook.xml": strToU8("<workbook/>") })),
    /cannot be read/,
  ],
])("%s is refused", async (_what, bytes, reason) => {
  await expect(csvOf(bytes)).rejects.toThrow(SourceRefused);
  await expect(csvOf(bytes)).rejects.toThrow(reason);
});

test.each([
  ["%PDF-1.7 …", "a PDF document"],
  ["\uFEFF <!DOCTYPE html><html>", "an HTML page"],
  ["<?xml version='1.0'?>", "an XML document"],
  ["<!-- saved --><html>", "an HTML page"],
  ["BEGIN:VCARD\r\nVERSION:3.0", "a vCard file"],
  ["BZh91AY", "packed by bzip2"],
  ["email,name\n", undefined],
  ["<ann@example.com>,x\n", undefined],
])("what begins with %j is %s", (text, what) => {
  expect(foreignKind(Buffer.from(text))).toBe(what);
});

test("an old Excel file is named as one", () => {
  expect(foreignKind(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]))).toMatch(/\.xls/);
});
