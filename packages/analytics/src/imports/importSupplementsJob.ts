import type { JobInput, Json } from "@headwater/contracts";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";
import type { Cell, Row } from "@headwater/jobs/sources/row";
import { attributeValueOf, type CellRules, textOf } from "./columns/cellValue.ts";
import { createNotation } from "./columns/notation.ts";
import { defineImportJob } from "./importJob.ts";
import { type Reading, type RowRead, type RowReader, refusedRow } from "./importKind.ts";

/** Fields that are texts whatever they look like. */
const TEXTS: ReadonlySet<string> = new Set(["id", "cID", "email"]);

/** Imports records of a supplement table, upserted by `id`. */
export const importSupplementsJob = defineImportJob("ImportSupplements", {
  operationOf: () => upsertSupplementsRecords,
  reader: supplementReader,
});

type Input = JobInput<"ImportSupplements">;

/** Reads rows of a supplement table: each column is a field of the record. */
async function supplementReader({ input, header }: Reading<Input>): Promise<RowReader> {
  const rules = {
    nullMarker: input.nullMarker,
    storesEmpty: input.emptyCells === "store",
    notation: createNotation(input),
  };
  const more = { strategy: input.strategy ?? "upsert" };
  const read = (row: Row): RowRead => {
    const record = recordOf(row, header ?? [], rules);
    if (record === undefined) return refusedRow("The row cannot be read.");
    return { kind: "item", item: { supplement: input.supplement, records: [record] }, more };
  };
  const columns = header?.map((name) => {
    const readCell = (cell: Cell) => valueOfCell(name, cell, rules);
    return { name, path: name === "" ? null : name, identifies: name === "id", readCell };
  });
  const ignoredColumns = (header ?? []).filter((name) => name === "");
  return { newAttributes: [], newLists: [], ignoredColumns, read, ...(columns && { columns }) };
}

function recordOf(row: Row, header: readonly string[], rules: CellRules): object | undefined {
  if (row.kind === "object") return row.members;
  if (row.kind === "broken") return undefined;
  const record: Record<string, Json> = {};
  for (const [index, name] of header.entries()) {
    const cell = row.cells[index];
    if (cell === undefined || name === "") continue;
    const value = valueOfCell(name, cell, rules);
    if (value !== undefined) record[name] = value;
  }
  return record;
}

/** @returns undefined for a cell that changes nothing. */
function valueOfCell(name: string, cell: Cell, rules: CellRules): Json | undefined {
  const provided = textOf(cell, rules);
  if (provided.kind === "unchanged") return undefined;
  const isText = provided.value === null || TEXTS.has(name);
  return isText ? provided.value : attributeValueOf(cell, name, rules);
}
