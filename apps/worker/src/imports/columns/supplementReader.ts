import type { JobInput, Json } from "@headwater/contracts";
import { type Reading, type RowRead, type RowReader, refusedRow } from "../importKind.ts";
import type { Row } from "../source/row.ts";
import { attributeValueOf, type CellRules, textOf } from "./cellValue.ts";

type Input = JobInput<"ImportSupplements">;

/** Reads rows of a supplement table: each column is a field of the record. */
export async function supplementReader({ input, header }: Reading<Input>): Promise<RowReader> {
  const rules = { nullMarker: input.nullMarker, storesEmpty: input.emptyCells === "store" };
  const more = { strategy: input.strategy ?? "upsert" };
  const read = (row: Row): RowRead => {
    const record = recordOf(row, header ?? [], rules);
    if (record === undefined) return refusedRow("The row cannot be read.");
    return { kind: "item", item: { supplement: input.supplement, records: [record] }, more };
  };
  return { newAttributes: [], newLists: [], ignoredColumns: (header ?? []).filter((name) => name === ""), read };
}

function recordOf(row: Row, header: readonly string[], rules: CellRules): object | undefined {
  if (row.kind === "object") return row.members;
  if (row.kind === "broken") return undefined;
  const record: Record<string, Json> = {};
  for (const [place, name] of header.entries()) {
    const cell = row.cells[place];
    if (cell === undefined || name === "") continue;
    const given = textOf(cell, rules);
    if (given.kind === "unchanged") continue;
    const isText = given.value === null || TEXTS.has(name);
    record[name] = isText ? given.value : attributeValueOf(cell, name, undefined);
  }
  return record;
}

/** Fields that are texts whatever they look like. */
const TEXTS: ReadonlySet<string> = new Set(["id", "cID", "email"]);
