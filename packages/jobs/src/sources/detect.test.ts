import { gzipSync, zstdCompressSync } from "node:zlib";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { compressionOf, unpacked } from "./compression.ts";
import { detectForm, separatorLine } from "./detectForm.ts";
import { detectEncoding, markOf, Utf8Check, utf16Of } from "./encoding.ts";
import { SourceRefused } from "./sourceRefused.ts";

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
async function lengthOf(packed: Buffer): Promise<number> {
  let length = 0;
  const how = { compression: compressionOf(packed), packedBytes: packed.length };
  for await (const chunk of unpacked(once(packed), how)) length += chunk.length;
  return length;
}

test("the separator is the one that the lines agree on", () => {
  const of = (text: string) => detectForm(Buffer.from(text), {}).delimiter;
  expect(of("a;b;c\n1,5;2;3\n4,5;6;7\n")).toBe(";");
  expect(of("a\tb\n1\t2\n")).toBe("\t");
  expect(of('name|x\n"a,b,c"|1\n"d,e"|2\n')).toBe("|");
  expect(of("email\na@b.c\n")).toBe(",");
});

test("a first line of Excel names the separator", () => {
  expect(separatorLine(Buffer.from("sep=;\r\na;b\r\n"))).toEqual({ delimiter: ";", bytes: 7 });
  expect(separatorLine(Buffer.from('"sep=\t"\na\tb\n'))).toEqual({ delimiter: "\t", bytes: 8 });
  expect(separatorLine(Buffer.from("SEP=§\ra§b"))).toEqual({ delimiter: "§", bytes: 7 });
  for (const text of ["sepia;b\n", "sep=;;\n", "a;b\nsep=;\n"])
    expect(separatorLine(Buffer.from(text))).toBeUndefined();
});

test("lines of JSON and carriage returns are known by how the text begins", () => {
  expect(detectForm(Buffer.from(' {"a":1}\n'), {}).format).toBe("jsonl");
  expect(detectForm(Buffer.from("a,b\r1,2\r"), {})).toMatchObject({ format: "csv", newline: "\r" });
});

test("windows-1252 is distinguished from UTF-8 wherever its first letter stands, and UTF-16 also without a mark", () => {
  const text = iconv.encode(`${"name;town\n".repeat(20_000)}Zoë;Köln\n`, "windows-1252");
  const check = new Utf8Check();
  for (let at = 0; at < text.length; at += 1_000) check.add(text.subarray(at, at + 1_000));
  check.end();
  expect(detectEncoding(check.sample ?? Buffer.alloc(0))).toBe("windows-1252");
  expect(utf16Of(iconv.encode("name;town", "utf-16le"))).toBe("utf-16le");
  expect(markOf(Buffer.from([0xfe, 0xff, 0, 97]))).toEqual({ encoding: "utf-16be", markBytes: 2 });
});

test("letters that two chunks share are UTF-8", () => {
  const text = Buffer.from("naïve – 漢字 😀");
  for (let size = 1; size < 6; size++) {
    const check = new Utf8Check();
    for (let at = 0; at < text.length; at += size) check.add(text.subarray(at, at + size));
    check.end();
    expect(check.sample).toBeUndefined();
  }
});

test("a packed source is unpacked; one that is cut, damaged or a bomb fails with a reason", async () => {
  const plain = Buffer.from("email,score\n".repeat(1_000));
  expect(await lengthOf(gzipSync(plain))).toBe(plain.length);
  expect(await lengthOf(zstdCompressSync(plain))).toBe(plain.length);
  await expect(lengthOf(gzipSync(plain).subarray(0, 40))).rejects.toThrow(SourceRefused);
  await expect(lengthOf(zstdCompressSync(plain).subarray(0, 20))).rejects.toThrow(SourceRefused);
  await expect(lengthOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 9, 9, 9, 9, 9, 9, 9, 9]))).rejects.toThrow(SourceRefused);
  const bomb = zstdCompressSync(Buffer.alloc(256 * 1_048_576));
  await expect(lengthOf(bomb)).rejects.toThrow("1000 times");
});
