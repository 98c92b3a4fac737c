import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
});
afterAll(() => world.drop());

type Stored = string | number | boolean | readonly string[] | { readonly city: string };
interface Model {
  readonly text: string | null;
  readonly number: number | null;
  readonly flag: boolean | null;
  readonly free: Stored | null;
  readonly tags: readonly string[] | null;
}

const hard = [
  '"',
  "a\r\nb",
  "\n",
  ",",
  ";",
  "=1+1",
  "+49 228 12345",
  "-x",
  "@a",
  "\tx",
  "'",
  "\\",
  "\u2028",
  "é\u0301😀",
  " ",
  "",
];
const text = fc.oneof(fc.constantFrom(...hard), fc.string({ unit: "grapheme", maxLength: 12 }).map(storable));
const number = fc.oneof(
  fc.constantFrom(-0, 0, 1e21, 1e-7, 0.1, Number("9007199254740993"), Number("1234567890123456789"), -1.5e300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 });
const free: fc.Arbitrary<Stored> = fc.oneof(
  text,
  number.map((n) => n + 0),
  fc.boolean(),
  fc.array(text, { maxLength: 3 }),
  fc.record({ city: text }),
);
const model: fc.Arbitrary<Model> = fc.record({
  text: optional(text),
  number: optional(number),
  flag: optional(fc.boolean()),
  free: optional(free),
  tags: optional(fc.array(text, { maxLength: 3 })),
});

/** Postgres and validation refuse NUL and lone surrogates. */
function storable(input: string): string {
  return input.replaceAll("\0", "").toWellFormed();
}

const declared = { text: "string", number: "number", flag: "boolean", tags: "array" } as const;
let next = 0;

/** Names of the attributes that have one value: as many as asked for. */
const namesOf = (key: string, names: number) =>
  Array.from({ length: names }, (_, at) => (at === 0 ? key : `${key}_${at}`));

/**
 * Stores the rows as contacts of an account of their own.
 * @param names of attributes under which each value is stored.
 * @returns its key and a run of exports under it.
 */
async function stored(models: readonly Model[], names = 1) {
  const { service } = world;
  const { account } = await service.account();
  for (const [key, type] of Object.entries({ ...declared, free: "auto" })) {
    for (const name of namesOf(key, names)) {
      await service.postgres.execute(
        { text: "INSERT INTO attribute_definitions (account, key, type, created_at) VALUES ($1, $2, $3, 0)" },
        [account.number, name, type],
      );
    }
  }
  const time = storedTime(AT);
  next += 1_000;
  const first = next;
  const state = {
    created_at: time,
    modified_at: time,
    version: versionAt(AT),
    merged_into: 0,
    deleted: 0,
    revision: 1,
  };
  await service.insert(
    "contacts_current",
    account,
    models.map((_, at) => ({ contact: first + at, cid: cidOf(at), ...state })),
  );
  const fields = models.flatMap((row, at) =>
    Object.entries(row).flatMap(([key, value]) =>
      value === null
        ? []
        : namesOf(key, names).map((name) => ({ contact: first + at, field: `attributes.${name}`, ...kindOf(value) })),
    ),
  );
  await service.insert(
    "contact_fields_current",
    account,
    fields.map((field) => ({ ...field, version: versionAt(AT), revision: 1 })),
  );
  return { account, key: await service.key(account, { scopes: ["read", "write", "admin"] }) };
}

const cidOf = (at: number) => at.toString(16).padStart(24, "0");

function kindOf(value: Stored) {
  if (typeof value === "string") return { kind: "string", text: value, number: null };
  const kind = Array.isArray(value) ? "array" : typeof value;
  return { kind, text: JSON.stringify(value), number: typeof value === "number" ? value : null };
}

const fields = ["cID", "text", "number", "flag", "free", "tags"];

async function exported(by: Awaited<ReturnType<typeof stored>>, body: object): Promise<string> {
  const done = await world.runAs(by, "contactexports", { fields, formulaSafe: false, ...body });
  const [file] = done.metadata.files;
  const path = join(world.folder, `${done.id}.read`);
  writeFileSync(path, await world.bytes({ ...file, account: by.account.id }));
  return path;
}

/** Reads a file with DuckDB, as the plain rows that it says. */
async function rowsIn(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const asText = (value: Stored | null) => (value === null || typeof value === "string" ? value : JSON.stringify(value));
/** Returns numbers as any file has them: minus zero is zero. */
const plain = (value: number | null) => (value === null ? null : value + 0);

const quoted = (value: string | null) => (value === null ? "" : `"${value.replaceAll('"', '""')}"`);

/** Numbers behind a comma: two spellings of one, such as 1e+21 and 1e21, are the same. */
const NUMBERS = /(?<=,)-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=[,\r])/g;
const sameNumber = (spelled: string) => String(Number(spelled));

describe("values of an export", () => {
  test("are those that are stored, in every format, as DuckDB reads it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(model, { minLength: 1, maxLength: 12 }), async (models) => {
        const by = await stored(models);
        const jsonl = await rowsIn(
          `SELECT * FROM read_ndjson_objects('${await exported(by, { exportType: "jsonl" })}')`,
        );
        const objects = jsonl.map(({ json }) => JSON.parse(String(json)));
        expect(objects).toEqual(models.map((row, at) => ({ cID: cidOf(at), ...row, number: plain(row.number) })));
        const parquet = await rowsIn(`SELECT * FROM read_parquet('${await exported(by, { exportType: "parquet" })}')`);
        expect(parquet).toEqual(
          models.map((row, at) => ({
            ...row,
            cID: cidOf(at),
            number: plain(row.number),
            free: asText(row.free),
          })),
        );
        const missing = await rowsIn(
          `SELECT count(*)::INT AS missing, (count(*) FILTER (len(tags) = 0))::INT AS empty FROM read_parquet('${await exported(by, { exportType: "parquet" })}') WHERE tags IS NULL OR len(tags) = 0`,
        );
        const lists = models.map(({ tags }) => tags);
        expect(missing).toEqual([
          {
            missing: lists.filter((tags) => tags === null || tags.length === 0).length,
            empty: lists.filter((tags) => tags?.length === 0).length,
          },
        ]);
        const path = await exported(by, { exportType: "csv" });
        const cells = models.map((row, at) => [
          `"${cidOf(at)}"`,
          quoted(row.text),
          row.number === null ? "" : JSON.stringify(Number(String(plain(row.number)))),
          row.flag === null ? "" : String(row.flag),
          typeof row.free === "number" || typeof row.free === "boolean"
            ? JSON.stringify(row.free)
            : quoted(asText(row.free)),
          quoted(asText(row.tags)),
        ]);
        const lines = readFileSync(path, "utf8").slice('"cID","text","number","flag","free","tags"\r\n'.length);
        expect(lines.replaceAll(NUMBERS, sameNumber)).toBe(
          cells
            .map((row) => `${row.join(",")}\r\n`)
            .join("")
            .replaceAll(NUMBERS, sameNumber),
        );
      }),
      { numRuns: Number(process.env.HEADWATER_EXPORT_RUNS ?? 4) },
    );
  }, 120_000);

  test("are the same among many columns of all types, in every format", async () => {
    const models = fc.sample(model, { numRuns: 24, seed: 34 });
    const by = await stored(models, 8);
    // Columns of one type do not follow each other.
    const wide = Array.from({ length: 8 }, (_, at) => fields.slice(1).flatMap((key) => namesOf(key, 8)[at] ?? []));
    const readers = {
      csv: "read_csv('PATH', header = true, all_varchar = true, new_line = '\\r\\n')",
      jsonl: "read_json('PATH', format = 'newline_delimited')",
      parquet: "read_parquet('PATH')",
    };
    for (const [exportType, reader] of Object.entries(readers)) {
      const read = async (more: object) =>
        rowsIn(
          `SELECT * FROM ${reader.replace("PATH", await exported(by, { exportType, formulaSafe: true, ...more }))}`,
        );
      const few = await read({});
      const many = await read({ fields: ["cID", ...wide.flat()] });
      expect(few).toHaveLength(models.length);
      const widened = few.map((row) =>
        Object.fromEntries(
          Object.entries(row).flatMap(([key, value]) =>
            namesOf(key, key === "cID" ? 1 : 8).map((name) => [name, value]),
          ),
        ),
      );
      expect(many).toEqual(widened);
      expect(Object.keys(many[0] ?? {})).toEqual(["cID", ...wide.flat()]);
    }
  }, 120_000);

  test("have their types in Parquet", async () => {
    const by = await stored([{ text: "a", number: 1, flag: true, free: 2, tags: ["x"] }]);
    const path = await exported(by, { exportType: "parquet", fields: [...fields, "createdAt", "lists"] });
    const types = await rowsIn(
      `SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM read_parquet('${path}'))`,
    );
    expect(types.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "cID VARCHAR",
      "text VARCHAR",
      "number DOUBLE",
      "flag BOOLEAN",
      "free VARCHAR",
      "tags VARCHAR[]",
      "createdAt TIMESTAMP WITH TIME ZONE",
      "lists VARCHAR[]",
    ]);
  });

  test("may be null in Parquet but for ids", async () => {
    const by = await stored([{ text: "a", number: 1, flag: true, free: 2, tags: ["x"] }]);
    await world.service.call(by.key, "/v2/accountlists", { method: "POST", body: { name: "vip" } });
    const path = await exported(by, { exportType: "parquet", lists: ["vip"] });
    const required = await rowsIn(
      `SELECT name FROM parquet_schema('${path}') WHERE repetition_type = 'REQUIRED' AND name NOT IN ('schema', 'element')`,
    );
    expect(required).toEqual([{ name: "cID" }]);
  });

  test("are parts of places, by the paths of criteria", async () => {
    const positions = [{ city: "Bonn" }, { city: "Köln" }, "Berlin"].map((free) => ({ free }));
    const by = await stored(positions.map((row) => ({ text: null, number: null, flag: null, tags: null, ...row })));
    const path = await exported(by, { exportType: "jsonl", fields: ["attributes.free.city", "free.country"] });
    const lines = readFileSync(path, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ["Bonn", "Köln", null].map((city) => ({ "attributes.free.city": city, "free.country": null })),
    );
  });
});
