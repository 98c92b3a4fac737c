import { setImmediate } from "node:timers/promises";
import type { Row } from "@headwater/jobs/sources/row";
import { HeadwaterError } from "@headwater/kernel";
import type { Made, Mapped, Mapper } from "./createMapper.ts";
import type { Mapping } from "./mapping.ts";

export interface RowExpansion {
  /** Number of the account. */
  readonly account: number;
  readonly mapping: Mapping;
  /** Names of the columns; null where each row names its members. */
  readonly header: readonly string[] | null;
  /** Records that the rows may make together; default 200,000. */
  readonly recordsMax?: number;
}

/** Records of one row. */
const ROW_RECORDS_MAX = 10_000;
/** Records of all rows that are read together, and their bytes. */
const SLICE_RECORDS_MAX = 200_000;
const SLICE_BYTES_MAX = 64 * 1024 * 1024;
const TASK_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes that are parsed between two turns of the event loop. */
const PARSED_AT_ONCE_BYTES = 1024 * 1024;
const TOO_LARGE = "The record exceeds 262144 bytes.";
const TOO_MANY = `The row makes more than ${ROW_RECORDS_MAX} records.`;

/**
 * Maps rows of a source, each a body of its own, to rows of what was made of them. The same rows always make the same ones, whatever else is
 * mapped with them.
 * @param made index of the first row that is made.
 * @throws HeadwaterError 422 for a row whose mapping passes its limits: what it would make is unknown, and so are the indexes behind it.
 */
export async function expandRows(
  rows: readonly Row[],
  { made, recordsMax = SLICE_RECORDS_MAX, ...expansion }: RowExpansion & { readonly made: number },
  mapper: Pick<Mapper, "map">,
): Promise<readonly Row[]> {
  const bodies = rows.flatMap((row) => (row.kind === "broken" ? [] : { row, body: bodyOf(row, expansion.header) }));
  const mapped = await mapAll(bodies, expansion, mapper);
  const records = mapped.flatMap((one) => one.records);
  const bytes = records.reduce((sum, record) => sum + (record?.length ?? 0), 0);
  if (records.length > recordsMax || bytes > SLICE_BYTES_MAX)
    throw failed("The mapping makes too much of too few rows.");
  const byRow = new Map(mapped.map((one) => [one.row, one]));
  const expanded: Row[] = [];
  let parsedBytes = 0;
  for (const row of rows) {
    const one = byRow.get(row);
    const { line } = row;
    const next = () => ({ index: made + expanded.length, line });
    if (row.kind === "broken") expanded.push({ ...row, ...next() });
    else if (one?.problem !== undefined) expanded.push({ kind: "broken", message: one.problem, shown: "", ...next() });
    for (const record of one?.records ?? []) {
      expanded.push({ ...toRow(record), ...next() });
      parsedBytes += record?.length ?? 0;
      if (parsedBytes < PARSED_AT_ONCE_BYTES) continue;
      parsedBytes = 0;
      await setImmediate();
    }
  }
  return expanded;
}

interface Body {
  readonly row: Row;
  readonly body: object;
}

interface MappedRow {
  readonly row: Row;
  readonly records: readonly (string | undefined)[];
  /** Reason why the row makes no records. */
  readonly problem?: string;
}

/** Maps bodies together; where that passes a limit, a half at a time. */
async function mapAll(
  bodies: readonly Body[],
  expansion: Pick<RowExpansion, "account" | "mapping">,
  mapper: Pick<Mapper, "map">,
): Promise<MappedRow[]> {
  const [first] = bodies;
  if (first === undefined) return [];
  const isAlone = bodies.length === 1;
  const mapped = await mapTogether(bodies, expansion, mapper);
  if (mapped.kind === "made") return recordsByRow(bodies, mapped.made);
  if (!isAlone) {
    const half = Math.ceil(bodies.length / 2);
    const before = await mapAll(bodies.slice(0, half), expansion, mapper);
    return [...before, ...(await mapAll(bodies.slice(half), expansion, mapper))];
  }
  if (mapped.kind !== "ended") return [{ row: first.row, records: [], problem: TOO_MANY }];
  // What ended its process may have been the machine's fault.
  const again = await mapTogether(bodies, expansion, mapper);
  if (again.kind === "made") return recordsByRow(bodies, again.made);
  throw failed(`Line ${first.row.line}: ${mapped.message}`);
}

function mapTogether(
  bodies: readonly Body[],
  { account, mapping }: Pick<RowExpansion, "account" | "mapping">,
  mapper: Pick<Mapper, "map">,
): Promise<Mapped> {
  const json = Buffer.from(JSON.stringify(bodies.map(({ body }) => body)));
  const recordsMax = bodies.length === 1 ? ROW_RECORDS_MAX : SLICE_RECORDS_MAX;
  return mapper.map(account, { mapping, json, isList: true, recordsMax, bytesMax: TASK_BYTES_MAX });
}

function recordsByRow(bodies: readonly Body[], made: readonly Made[]): MappedRow[] {
  const byBody = Map.groupBy(made, ({ body }) => body);
  return bodies.map(({ row }, index) => {
    const records = byBody.get(index)?.map(({ record }) => record) ?? [];
    return records.length > ROW_RECORDS_MAX ? { row, records: [], problem: TOO_MANY } : { row, records };
  });
}

function bodyOf(row: Exclude<Row, { kind: "broken" }>, header: readonly string[] | null): object {
  if (row.kind === "object") return row.members;
  const cells = row.cells.map(({ text }, index): [string, string] => [header?.[index] ?? `column ${index + 1}`, text]);
  return Object.fromEntries(cells.filter(([name]) => name !== ""));
}

type Content =
  | { readonly kind: "object"; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: "broken"; readonly message: string; readonly shown: string };

function toRow(record: string | undefined): Content {
  if (record === undefined) return { kind: "broken", message: TOO_LARGE, shown: "" };
  const members: Readonly<Record<string, unknown>> = JSON.parse(record);
  return { kind: "object", members };
}

function failed(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "VALIDATION_ERROR", status: 422, publicMessage });
}
