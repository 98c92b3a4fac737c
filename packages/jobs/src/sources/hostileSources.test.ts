import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFileStore, type FileKey } from "../files/fileStore.ts";
import { createSourceReader, type ForeignFile, type SourceReader } from "./createSourceReader.ts";
import { parquetLimits } from "./parquet/parquetRefusals.ts";
import { bytesOfInts, column, fileOf, type ParquetParts, page, simpleFile, thrift } from "./parquet/testParquet.ts";
import type { SourceForm } from "./sourceForm.ts";
import { workbookOf } from "./testWorkbook.ts";

const MIB = 1024 * 1024;
const accountId = "a".repeat(24);
const folder = mkdtempSync(join(tmpdir(), "headwater-sources-"));
const files = createFileStore({ folder });
const access = { files, signal: new AbortController().signal };

let reader: SourceReader;
let ended: string[];
beforeAll(() => {
  mkdirSync(join(folder, accountId));
  reader = createSourceReader({ onEnded: ({ reason }) => ended.push(reason), deadlineMs: 10_000 });
});
afterAll(async () => {
  await reader.close();
  rmSync(folder, { recursive: true });
});

function stored(bytes: Uint8Array) {
  const key = { accountId, id: randomBytes(12).toString("hex") };
  writeFileSync(join(folder, accountId, key.id), bytes);
  return { account: 1, key, bytes: bytes.length };
}

async function textOf(key: { accountId: string; id: string }, bytes: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of files.read(key, { start: 0, end: bytes - 1 })) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Stages a file as an import does. @returns its text, or the message of its refusal. */
async function staged(bytes: Uint8Array): Promise<string> {
  ended = [];
  const file = stored(bytes);
  const to = { accountId, id: randomBytes(12).toString("hex") };
  try {
    const form = await reader.findForm(file, undefined, access);
    const { bytes: written } = await writeBy(file, form, to);
    return written > MIB ? `${written} bytes` : await textOf(to, written);
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "IMPORT_CONFIGURATION_ERROR") throw error;
    return String(Reflect.get(Object(error), "publicMessage"));
  }
}

function writeBy(file: ForeignFile, form: SourceForm, to: FileKey) {
  const { compression } = form;
  if (form.kind === "parquet") return reader.writeRows(file, to, access);
  if (form.kind === "workbook") return reader.writeSheet(file, { compression, decimal: ".", to }, access);
  const { encoding, isArray = false } = form;
  return reader.unpack(file, { compression, encoding, isArray, to }, access);
}

/** Stages a hostile file next to an honest one, which is not to notice. */
async function besideHonest(bytes: Uint8Array): Promise<string> {
  const honest = { ...stored(Buffer.from("email\nann@x.example\n")), account: 2 };
  const [outcome, form] = await Promise.all([staged(bytes), reader.findForm(honest, undefined, access)]);
  expect(form).toMatchObject({ kind: "text", encoding: "utf-8" });
  return outcome;
}

describe("a workbook", () => {
  test("of two honest rows is read", async () => {
    expect(await staged(workbookOf([["email"], ["ann@x.example"]]))).toBe('"email"\n"ann@x.example"\n');
  });

  test("with a cell at the far end of the sheet ends its own process alone", {
    timeout: 120_000,
  }, async () => {
    const far = workbookOf([["email"]], '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>');
    expect(await besideHonest(far)).toMatch(/^The source cannot be read|more than 20000 columns/);
  });

  test("with entities that name each other grows nothing", async () => {
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const text = await besideHonest(
      workbookOf([["email"]], '<row r="2"><c r="A2" t="str"><v>&b;&b;&b;</v></c></row>', entities),
    );
    expect(text.length).toBeLessThan(1_000);
  });
});

describe("an array of JSON", () => {
  test("of a million brackets is a wrong line", { timeout: 60_000 }, async () => {
    const deep = `[{"a":${"[".repeat(1_000_000)}`;
    expect(await besideHonest(Buffer.from(deep))).toBe("The source ends within its JSON array.");
  });
});

const DAMAGED = "The Parquet file is damaged or cut short.";

describe("a Parquet file", () => {
  test("of three honest rows is read", async () => {
    expect(await staged(simpleFile({}))).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  });

  test.each<[string, Partial<ParquetParts>, string]>([
    ["a page of 1.5e9 values", { pageValues: 1_500_000_000 }, "values"],
    ["a chunk of 1.5e9 values", { chunkValues: 1_500_000_000 }, DAMAGED],
    ["1.5e9 rows", { rows: 1_500_000_000 }, DAMAGED],
    ["fewer rows than it has", { rows: 2 }, DAMAGED],
    ["a page of 2 GB", { plainBytes: 2_000_000_000, codec: 1 }, "bytes"],
    ["a page that is longer than the chunk", { packedBytes: 4_000 }, DAMAGED],
    ["a page of negative length", { packedBytes: -20 }, DAMAGED],
    ["a row group of 10 GB", { groupBytes: 10_000_000_000 }, String(parquetLimits.groupBytes)],
    ["a chunk far behind its end", { pageOffset: 1_000_000 }, DAMAGED],
    ["1.5e9 columns", { children: 1_500_000_000 }, DAMAGED],
    [
      "a list in its footer of 1.5e9 elements",
      { footer: Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x05]) },
      DAMAGED,
    ],
    ["a footer of structs within structs", { footer: Buffer.alloc(100_000, 0x1c) }, DAMAGED],
    [
      "a footer of one endless number",
      { footer: Buffer.concat([Buffer.from([0x15]), Buffer.alloc(MIB, 0x80)]) },
      DAMAGED,
    ],
    [
      "a footer of 5,000,000 values",
      { footer: Buffer.concat([thrift.listHeader(2, 5_000_000, 3), Buffer.alloc(5_000_001)]) },
      String(parquetLimits.footerValues),
    ],
  ])("that claims %s is refused before it is decoded", async (_what, forged, message) => {
    expect(await staged(simpleFile(forged))).toContain(message);
    expect(ended).toEqual([]);
  });

  test("whose index into the dictionary leads nowhere is refused, not read as a missing value", async () => {
    const dictionary = page({ type: 2, body: bytesOfInts([7, 8]), values: 2 });
    // One run of three times 5, in three bits.
    const data = page({ type: 0, body: Buffer.from([3, 6, 5]), values: 3, encoding: 8 });
    expect(await staged(fileOf({ pages: [dictionary, data], values: 3 }))).toBe(DAMAGED);
    const good = page({ type: 0, body: Buffer.from([3, 6, 1]), values: 3, encoding: 8 });
    expect(await staged(fileOf({ pages: [dictionary, good], values: 3 }))).toBe('{"n":8}\n{"n":8}\n{"n":8}\n');
  });

  test("whose levels run on beyond the values of their page ends its process alone", async () => {
    // A run of 2^30 definition levels in a page of three values.
    const run = Buffer.concat([thrift.varint(2 ** 31), Buffer.from([1])]);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(run.length);
    const body = Buffer.concat([length, run, bytesOfInts([1, 2, 3])]);
    const bytes = fileOf({ pages: [page({ type: 0, body, values: 3 })], values: 3, isOptional: true });
    expect(await besideHonest(bytes)).toMatch(/takes more than \d+ MiB of memory|within 10 s|ended the process/);
    expect(ended.length).toBeGreaterThan(0);
  }, 120_000);

  test("whose repetition levels make no rows is refused", async () => {
    const levels = Buffer.from([2, 0, 0, 0, 6, 1]);
    const body = Buffer.concat([levels, levels, bytesOfInts([1, 2, 3])]);
    const bytes = fileOf({ pages: [page({ type: 0, body, values: 3 })], values: 3, isRepeated: true });
    expect(await staged(bytes)).toBe(DAMAGED);
  });

  test("cut anywhere is refused", async () => {
    const whole = simpleFile({});
    for (let length = 4; length < whole.length; length += 7) {
      expect([length, await staged(whole.subarray(0, length))]).toEqual([length, DAMAGED]);
    }
    expect(ended).toEqual([]);
  });

  test("with any byte changed has an outcome, and its process goes on", async () => {
    const whole = simpleFile({});
    for (let at = 4; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(typeof (await staged(changed))).toBe("string");
    }
  });

  test("whose writer left bytes between its columns is read", async () => {
    const columns = ["a", "b", "c"].map((name, n) => column({ name, values: [n, n + 1] }));
    const text = '{"a":0,"b":1,"c":2}\n{"a":1,"b":2,"c":3}\n';
    for (const gapBytes of [1, 100]) expect(await staged(fileOf({ columns, values: 2, gapBytes }))).toBe(text);
  });

  test("whose columns lie over one another is refused", async () => {
    const columns = ["a", "b"].map((name) => column({ name, values: [1, 2] }));
    expect(await staged(fileOf({ columns, values: 2, pageOffset: 4 }))).toBe(DAMAGED);
  });

  test("of lists in a group of 60,000 rows without an index is read, each list in its row", async () => {
    const file = join(folder, "lists.parquet");
    const database = await DuckDBInstance.create(":memory:");
    const rows =
      "select i as id, list_transform(range(i % 3), x -> 'tag' || x) as tags, i + 1 as next from range(60000) t(i)";
    await (await database.connect()).run(`copy (${rows}) to '${file}' (format parquet, row_group_size 100000)`);
    const { key, ...of } = stored(readFileSync(file));
    const to = { accountId, id: randomBytes(12).toString("hex") };
    const { bytes } = await reader.writeRows({ key, ...of }, to, access);
    const lines = (await textOf(to, bytes)).trimEnd().split("\n");
    const wanted = Array.from({ length: 60_000 }, (_, id) => {
      return JSON.stringify({ id, tags: Array.from({ length: id % 3 }, (_tag, tag) => `tag${tag}`), next: id + 1 });
    });
    expect(lines.findIndex((line, index) => line !== wanted[index])).toBe(-1);
    expect(lines.length).toBe(wanted.length);
  }, 60_000);

  test("of 10,000 columns is read, and one of 20,001 is refused", async () => {
    const wide = (count: number) =>
      fileOf({ columns: Array.from({ length: count }, (_, n) => column({ name: `c${n}`, values: [n] })), values: 1 });
    expect((await staged(wide(10_000))).slice(0, 20)).toBe('{"c0":0,"c1":1,"c2":');
    expect(await staged(wide(parquetLimits.columns + 1))).toContain("more than 20000 columns");
  }, 60_000);

  test("of millions of equal rows in a few bytes is a bomb", async () => {
    const rows = 50_000;
    const dictionary = page({ type: 2, body: bytesOfInts([7]), values: 1 });
    const run = Buffer.concat([Buffer.from([1]), thrift.varint(rows * 2), Buffer.from([0])]);
    const pages = Array.from({ length: 4 }, () => page({ type: 0, body: run, values: rows, encoding: 8 }));
    const values = rows * pages.length;
    const columns = [{ name: "n".repeat(1_000), pages: [dictionary, ...pages], values }];
    expect(await staged(fileOf({ columns, values }))).toContain("grows more than 1000 times");
    expect(ended).toEqual([]);
  }, 60_000);
});

describe("a source that is packed", () => {
  const zeros = Buffer.alloc(8 * MIB, "a");
  const many = Buffer.concat(Array.from({ length: 12 }, () => zeros));

  test.each<[string, () => Uint8Array]>([
    ["gzip", () => gzipSync(many, { level: 9 })],
    ["zstd", () => zstdCompressSync(many)],
  ])(
    "by %s and a bomb is refused, beside an honest one",
    async (_what, bomb) => {
      expect(await besideHonest(bomb())).toContain("grows more than 1000 times");
      expect(ended).toEqual([]);
    },
    60_000,
  );

  test("by zstd with a window of 2 GB is refused", async () => {
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    expect(await staged(frame)).toContain("not valid zstd");
  });
});

test("a text of one line of 100 MiB is checked in its process, part by part", async () => {
  const form = await reader.findForm(stored(Buffer.alloc(100 * MIB, "[")), undefined, access);
  expect(form).toMatchObject({ kind: "text", encoding: "utf-8" });
}, 60_000);

test("a file of the store that is away fails as the store does, not as a damaged source", async () => {
  const gone = { account: 1, key: { accountId, id: "f".repeat(24) }, bytes: 100 };
  await expect(reader.findForm(gone, undefined, access)).rejects.toMatchObject({ code: "ENOENT" });
});
