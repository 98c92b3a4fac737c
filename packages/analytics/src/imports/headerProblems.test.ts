import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { HEAD_BYTES, headerProblems } from "./headerProblems.ts";

const text = (line: string) => Buffer.from(Array.from({ length: 2_000 }, (_, index) => `${line}${index}\n`).join(""));
const [csv, lines] = [text("a@x.example,Ann,"), text('{"email":"a@x.example"}')];
const required = [expect.objectContaining({ path: "/hasHeader", code: "required" })];
const headOf = (file: Buffer) => file.subarray(0, HEAD_BYTES);

test.each([
  ["csv", headOf(csv), required],
  ["csv packed by gzip", headOf(gzipSync(csv)), required],
  ["a short csv packed by zstd", zstdCompressSync(Buffer.from("a@x.example,Ann\n")), required],
  ["lines of JSON", headOf(lines), []],
  ["lines of JSON packed by gzip", headOf(gzipSync(lines)), []],
  ["short lines of JSON packed by zstd", zstdCompressSync(Buffer.from('{"email":"a@x.example"}\n')), []],
  ["Parquet packed by gzip", headOf(gzipSync(Buffer.from(`PAR1${"x".repeat(900)}`))), []],
  ["a damaged gzip, which the worker judges", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), []],
  ["a bomb of NULs", headOf(gzipSync(Buffer.alloc(50_000_000))), required],
])("of columns without names %s needs them named", (_, head, problems) => {
  expect(headerProblems({ name: "people", head })).toEqual(problems);
});

test("a packed file of which nothing is unpacked yet is what its name says", () => {
  const head = headOf(zstdCompressSync(Buffer.from(randomBytes(100_000).toString("base64"))));
  expect(headerProblems({ name: "people.csv.zst", head })).toEqual(required);
  expect(headerProblems({ name: "people.csv.gz", head: undefined })).toEqual(required);
  expect(headerProblems({ name: "people.jsonl.zst", head })).toEqual([]);
  expect(headerProblems({ name: "people", head })).toEqual([]);
});
