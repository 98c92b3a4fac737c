import { expect, test } from "vitest";
import { readRows } from "./readRows.ts";
import type { Row, TextForm } from "./row.ts";

const csv: TextForm = { format: "csv", delimiter: ";", newline: "\n" };
const start = { offset: 0, line: 1, index: 0 };

async function* inPieces(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string | Buffer, form = csv, size = 7): Promise<Row[]> {
  const rows: Row[] = [];
  const reading = { bytes: inPieces(text, size), form, from: start, decimalMembers: new Set<string>() };
  for await (const { rows: some } of readRows(reading)) rows.push(...some);
  return rows;
}

function view(row: Row): string {
  const at = `${row.index}@${row.line}`;
  if (row.kind === "cells") return `${at} ${row.cells.map(({ text }) => JSON.stringify(text)).join(" ")}`;
  return `${at} ${row.kind === "object" ? JSON.stringify(row.members) : row.message}`;
}

test("cells may hold separators, line ends and quotes, and a row knows its line", async () => {
  const text = 'a;b\r\n"x\ny";"say ""hi"""\r\n\r\n ;3\n';
  for (const size of [1, 2, 5, 64]) {
    expect((await rowsOf(text, csv, size)).map(view)).toEqual([
      '0@1 "a" "b"',
      '1@2 "x\\ny" "say \\"hi\\""',
      '2@5 " " "3"',
    ]);
  }
});

test("a quote that stays open costs its line and no other", async () => {
  const rows = await rowsOf('a;1\n"open;2\nb;3\nc;4\n');
  expect(rows.map(view)).toEqual(['0@1 "a" "1"', expect.stringMatching(/^1@2 A quote/), '2@3 "b" "3"', '3@4 "c" "4"']);
});

test("a quote that a later line seems to close wrongly costs its line and no other", async () => {
  const rows = await rowsOf('"open;2\nb;3\nc"d;4\ne;5\n');
  expect(rows.map(({ kind, line }) => `${line} ${kind}`)).toEqual(["1 broken", "2 cells", "3 broken", "4 cells"]);
});

test("quotes that stay open on every line cost no more than their lines", async () => {
  const lines = 300_000;
  async function* hostile(): AsyncGenerator<Buffer> {
    const some = Buffer.from('x";"\n'.repeat(10_000));
    for (let left = lines; left > 0; left -= 10_000) yield some;
  }
  let broken = 0;
  const reading = { bytes: hostile(), form: csv, from: start, decimalMembers: new Set<string>() };
  for await (const { rows } of readRows(reading)) broken += rows.filter(({ kind }) => kind === "broken").length;
  expect(broken).toBe(lines);
});

test("a row with bytes that its encoding does not know is broken, and its neighbours are read", async () => {
  const rows = await rowsOf("a;1\nb\uFFFD;2\nc;3\n", { ...csv, isDecoded: true });
  expect(rows.map(({ kind }) => kind)).toEqual(["cells", "broken", "cells"]);
});

test("a carriage return alone ends lines where there is no line feed", async () => {
  const rows = await rowsOf("a;1\rb;2\r", { ...csv, newline: "\r" });
  expect(rows.map(view)).toEqual(['0@1 "a" "1"', '1@2 "b" "2"']);
});

test("a row that is not UTF-8 is broken, and its neighbours are read", async () => {
  const rows = await rowsOf(Buffer.from([97, 59, 49, 10, 0xe9, 59, 50, 10, 98, 59, 51, 10]));
  expect(rows.map(({ kind }) => kind)).toEqual(["cells", "broken", "cells"]);
});

test("a line of 2 GiB is refused in bounded memory, with or without a line end", async () => {
  async function* huge(): AsyncGenerator<Buffer> {
    const block = Buffer.alloc(65_536, "x");
    for (let left = 32_768; left > 0; left--) yield block;
    yield Buffer.from("\na;1\n");
    yield Buffer.alloc(2 * 1_048_576, "y");
  }
  const rows: Row[] = [];
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for await (const { rows: some } of readRows({ bytes: huge(), form: csv, from: start, decimalMembers: new Set() })) {
    rows.push(...some);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(rows.map(({ kind, line }) => `${line} ${kind}`)).toEqual(["1 broken", "2 cells", "3 broken"]);
  expect(most).toBeLessThan(32 * 1_048_576);
});

test("reading resumes at any given place", async () => {
  const text = 'a;1\n"b\nb";2\n\nc;3\n"open;4\nd;5\n';
  const all = (await rowsOf(text)).map(view);
  const bytes = Buffer.from(text);
  const reading = { bytes: inPieces(text, 3), form: csv, from: start, decimalMembers: new Set<string>() };
  const before: string[] = [];
  for await (const { rows, next } of readRows({ ...reading, rowsAtOnce: 1 })) {
    before.push(...rows.map(view));
    const rest: string[] = [];
    const further = { ...reading, bytes: inPieces(bytes.subarray(next.offset), 3), from: next };
    for await (const { rows: more } of readRows(further)) rest.push(...more.map(view));
    expect([...before, ...rest]).toEqual(all);
  }
  expect(before).toEqual(all);
});

test("lines of JSON are objects, and anything else on a line is broken", async () => {
  const rows = await rowsOf('{"a":1}\n[1]\n{"b":\n\n{"c":"d"}', { ...csv, format: "jsonl" });
  expect(rows.map(({ kind, line }) => `${line} ${kind}`)).toEqual(["1 object", "2 broken", "3 broken", "5 object"]);
});
