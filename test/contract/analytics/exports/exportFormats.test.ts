import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { defineExport } from "@headwater/analytics/exports/defineExport";
import type { ExportColumn, StagedCell } from "@headwater/analytics/exports/exportKind";
import { createOutbound } from "@headwater/kernel";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workOff } from "../../jobs/workOff.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

/** EXPORT_FORMATS_RUNS draws more tables; a failure prints its seed, and EXPORT_FORMATS_SEED repeats it. */
const { env } = process;
const RUNS = Number(env.EXPORT_FORMATS_RUNS || 2);
const seed = env.EXPORT_FORMATS_SEED === undefined ? {} : { seed: Number(env.EXPORT_FORMATS_SEED) };
const STEPS_MAX = 50;

const outbound = createOutbound({ allow: [] });
let world: ExportWorld;
let duck: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  [world, duck] = await Promise.all([startExportWorld(), DuckDBInstance.create(":memory:")]);
  connection = await duck.connect();
});
afterAll(async () => {
  connection.closeSync();
  duck.closeSync();
  await Promise.all([world.drop(), outbound.close()]);
});

/** A column of each type, with the type that DuckDB reads its cells of text as. */
const columns = [
  { name: "id", type: "id", sql: "VARCHAR" },
  { name: "text", type: "text", sql: "VARCHAR" },
  { name: "number", type: "number", sql: "DOUBLE" },
  { name: "money", type: "money", sql: "DECIMAL(18,4)" },
  { name: "flag", type: "boolean", sql: "BOOLEAN" },
  { name: "at", type: "moment", sql: "TIMESTAMPTZ" },
  { name: "day", type: "date", sql: "VARCHAR" },
  { name: "free", type: "auto", sql: "VARCHAR" },
  { name: "tags", type: "array", sql: "VARCHAR" },
  { name: "geo", type: "object", sql: "VARCHAR" },
  { name: "member", type: "membership", sql: "VARCHAR" },
] as const satisfies readonly (Pick<ExportColumn, "name" | "type"> & { readonly sql: string })[];

type Free = string | number | boolean | readonly string[] | { readonly city: string };
/** A row as it is meant; money as its digits, an instant as milliseconds. */
interface Model {
  readonly id: string;
  readonly text: string | null;
  readonly number: number | null;
  readonly money: string | null;
  readonly flag: boolean | null;
  readonly at: number | null;
  readonly day: string | null;
  readonly free: Free | null;
  readonly tags: readonly string[] | null;
  readonly geo: { readonly city: string; readonly geoLoc: { readonly lat: number; readonly lon: number } } | null;
  readonly member: boolean;
}

const hard = [
  '"',
  '""',
  "a\r\nb",
  "\r",
  "\n",
  ",",
  ";",
  "\t",
  "=1+1",
  "+49 228 12345",
  "-x",
  "@a",
  "'",
  "\\",
  "\\N",
  "NULL",
];
const odd = [
  "\u2028",
  "é\u0301😀",
  "\ufeff",
  " ",
  "",
  "007",
  "1e3",
  "true",
  "1234567890123456789",
  "{}",
  "[]",
  "\u0001\u001f",
];
const text = fc.oneof(fc.constantFrom(...hard, ...odd), fc.string({ unit: "grapheme", maxLength: 12 }).map(storable));
const number = fc.oneof(
  fc.constantFrom(-0, 0, 1e21, 1e-7, 0.1, 5e-324, Number("9007199254740993"), Number("1234567890123456789"), -1.5e300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
/** Money with 14 digits before the point, and 4 behind it. */
const money = fc.bigInt({ min: -(10n ** 18n - 1n), max: 10n ** 18n - 1n }).map(decimalText);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 });
const plainNumber = number.map((n) => n + 0);
const tags = fc.array(text, { maxLength: 3 });
const model: fc.Arbitrary<Model> = fc.record({
  id: text.map((own) => `id ${own}`),
  text: optional(text),
  number: optional(number),
  money: optional(money),
  flag: optional(fc.boolean()),
  at: optional(fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2200, 0, 1) })),
  day: optional(fc.constantFrom("2026-03-29", "1950-01-01", "2000-02-29T23:59:59+14:00")),
  free: optional<Free>(fc.oneof(text, plainNumber, fc.boolean(), tags, fc.record({ city: text }))),
  tags: optional(tags),
  geo: optional(fc.record({ city: text, geoLoc: fc.record({ lat: plainNumber, lon: plainNumber }) })),
  member: fc.boolean(),
});

/** Postgres and validation refuse NUL and lone surrogates. */
function storable(input: string): string {
  return input.replaceAll("\0", "").toWellFormed();
}

function decimalText(tenThousandths: bigint): string {
  const digitsOf = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, "0");
  const fraction = digitsOf.slice(-4).replace(/0+$/, "");
  return `${tenThousandths < 0n ? "-" : ""}${digitsOf.slice(0, -4)}${fraction === "" ? "" : `.${fraction}`}`;
}

const freeText = (value: Free) => (typeof value === "string" ? value : JSON.stringify(value));
const kindOf = (value: Free) => (typeof value === "string" ? "s" : typeof value === "object" ? "j" : "n");

function stagedCells({ id, text, number, money, flag, at, day, free, tags, geo, member }: Model): StagedCell[] {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  const staged = free === null ? null : `${kindOf(free)}${freeText(free)}`;
  return [id, text, number, money, flag, at, day, staged, json(tags), json(geo), member];
}

/** A kind of export whose rows are these, whatever was asked for. */
function kindsOf(models: readonly Model[]) {
  const own = columns.map(({ name, type }) => ({ name, field: name, type }));
  const job = defineExport<"ExportContacts">({
    jobName: "ExportContacts",
    async stage({ part }) {
      const staged = await part({ columns: own });
      await staged.insertRows(
        (async function* () {
          for (const row of models) yield stagedCells(row);
        })(),
      );
    },
  });
  return new Map([["ExportContacts", job]]);
}

/** Exports the rows, under a key of its own: a key starts only so many jobs a second. @returns the path of the file. */
async function exported(models: readonly Model[], body: object): Promise<string> {
  const key = await world.service.key(world.account, { scopes: ["read", "write", "admin"] });
  const asked = { fields: ["cID"], formulaSafe: false, ...body };
  const started = await world.service.call(key, "/v2/contactexports", { method: "POST", body: asked });
  expect(started).toMatchObject({ status: 202 });
  const { jobId } = started.body;
  const outward = { outbound, sealer: undefined, kinds: kindsOf(models) };
  for (let step = 0; step < STEPS_MAX && (await world.job(jobId)).status !== "Done"; step += 1)
    await workOff(world.service, jobId, world.folder, outward);
  const { status, metadata } = await world.job(jobId);
  expect({ status, rows: metadata.files?.[0]?.rows }).toEqual({ status: "Done", rows: models.length });
  const path = join(world.folder, `${jobId}.read`);
  writeFileSync(path, await world.bytes(metadata.files[0]));
  return path;
}

async function rowsIn(sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

/** Stands before each value that is read: DuckDB's client takes a byte order mark away that a text begins with. */
const AHEAD = "=";

/** The values of each column as texts of one spelling, so that what was read and what was meant are compared digit by digit. */
function spelled(form: "text" | "parquet"): string {
  const texts = columns.map(({ name, type }) => {
    const value = type === "array" && form === "parquet" ? `to_json("${name}")` : `"${name}"`;
    return `'${AHEAD}' || ${type === "moment" ? `epoch_ms(${value})` : value}::VARCHAR AS "${name}"`;
  });
  return texts.join(", ");
}

function withoutAhead(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string" ? value.slice(AHEAD.length) : value,
  ]);
  return Object.fromEntries(values);
}

/** A row as DuckDB spells its values. @param isText it is one of csv, whose memberships are 1 and 0. */
function meant({ number, money, flag, at, free, tags, geo, member, ...same }: Model, isText: boolean): object {
  return {
    ...same,
    number: number === null ? null : number + 0,
    money: money === null ? null : Number(money),
    flag: flag === null ? null : String(flag),
    at: at === null ? null : String(at),
    free: free === null ? null : freeText(free),
    tags: tags === null ? null : JSON.stringify(tags),
    geo: geo === null ? null : JSON.stringify(geo),
    member: isText ? String(Number(member)) : String(member),
  };
}

/** Numbers are compared as numbers, money by its digits as well. */
function read(rows: readonly Record<string, unknown>[]): object[] {
  return rows.map(({ number, money, tags, ...row }) => ({
    ...row,
    number: number === null ? null : Number(number) + 0,
    money: money === null ? null : Number(money),
    tags: tags === null ? null : JSON.stringify(JSON.parse(String(tags))),
  }));
}

/** Every digit of money that was read: of `2.5000` and `2.5` the same ones. */
const trimmed = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
const digits = (rows: readonly { readonly money?: unknown }[]) =>
  rows.map(({ money }) => (money === null ? null : trimmed(String(money))));

const texts = [
  { exportType: "csv", delimiter: ",", compression: "none" },
  { exportType: "csv", delimiter: ";", compression: "gzip" },
  { exportType: "txt", delimiter: "\t", compression: "zstd" },
] as const;

async function expectText(models: readonly Model[], form: (typeof texts)[number]): Promise<void> {
  const { exportType, delimiter, compression } = form;
  const path = await exported(models, { exportType, delimiter, compression });
  const types = columns.map(({ name, sql }) => `'${name}': '${sql === "DOUBLE" ? "VARCHAR" : sql}'`).join(", ");
  const found = await rowsIn(`SELECT ${spelled("text")} FROM read_csv('${path}', delim = '${delimiter}',
    header = true, quote = '"', escape = '"', allow_quoted_nulls = false, nullstr = '', compression = '${compression}',
    columns = {${types}}, auto_detect = false, strict_mode = true)`);
  const rows = found.map(withoutAhead);
  expect([form, read(rows)]).toEqual([form, models.map((row) => meant(row, true))]);
  expect(digits(rows)).toEqual(models.map(({ money }) => money));
}

async function expectJson(models: readonly Model[], form: { exportType: "json" | "jsonl"; compression: string }) {
  const path = await exported(models, form);
  const format = form.exportType === "json" ? "array" : "newline_delimited";
  const compression = form.compression === "none" ? "uncompressed" : form.compression;
  const rows = await rowsIn(
    `SELECT json FROM read_json_objects('${path}', format = '${format}', compression = '${compression}')`,
  );
  const objects = rows.map(({ json }) => JSON.parse(String(json)));
  const plain = ({ number, money, at, ...same }: Model) => ({
    ...same,
    number: number === null ? null : number + 0,
    money: money === null ? null : Number(money),
    at: at === null ? null : new Date(at).toISOString(),
  });
  expect([form, objects]).toEqual([form, models.map(plain)]);
  const written = rows.map(({ json }) => ({ money: /"money":(null|-?[\d.]+)/.exec(String(json))?.[1] }));
  expect(digits(written.map(({ money }) => ({ money: money === "null" ? null : money })))).toEqual(
    models.map(({ money }) => money),
  );
}

async function expectParquet(models: readonly Model[], compression: string): Promise<void> {
  const path = await exported(models, { exportType: "parquet", compression });
  const rows = (await rowsIn(`SELECT ${spelled("parquet")} FROM read_parquet('${path}')`)).map(withoutAhead);
  expect([compression, read(rows)]).toEqual([compression, models.map((row) => meant(row, false))]);
  expect(digits(rows)).toEqual(models.map(({ money }) => money));
  const types = await rowsIn(`SELECT column_type AS type FROM (DESCRIBE SELECT * FROM read_parquet('${path}'))`);
  expect(types.map(({ type }) => type)).toEqual([
    ...["VARCHAR", "VARCHAR", "DOUBLE", "DECIMAL(18,4)", "BOOLEAN", "TIMESTAMP WITH TIME ZONE"],
    ...["VARCHAR", "VARCHAR", "VARCHAR[]", "VARCHAR", "BOOLEAN"],
  ]);
}

test("values of every type are those that were meant, in every format and compression, as DuckDB reads them", {
  timeout: 120_000 * RUNS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(model, { minLength: 1, maxLength: 40 }), async (models) => {
      for (const form of texts) await expectText(models, form);
      await expectJson(models, { exportType: "jsonl", compression: "gzip" });
      await expectJson(models, { exportType: "json", compression: "zstd" });
      await expectJson(models, { exportType: "json", compression: "none" });
      for (const compression of ["zstd", "gzip", "snappy", "none"]) await expectParquet(models, compression);
    }),
    { numRuns: RUNS, endOnFailure: true, ...seed },
  );
});
