import type { Outcome } from "@headwater/records/fold/outcome";
import type { ImportedRows } from "./importCounts.ts";
import { type PlacedRecord, requestOf } from "./placedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

type Counted = { -readonly [Member in keyof ImportedRows]: ImportedRows[Member] };

/** A record that an import wrote; one that a person redrives is no row of it any more. */
export function isImported({ row, redriveOf }: PlacedRecord["record"]): boolean {
  return row !== undefined && redriveOf === undefined;
}

/**
 * Finds rows of imports that stand in the log again, by index: a worker that was killed writes again what it does not know to be
 * written. Rows of an import are in order in every partition, so one at or below the greatest so far was dealt with. That costs one row
 * of a table for each import and partition, and nothing for each row of the source.
 */
export async function findImportedAgain(
  transaction: Pick<StateTransaction, "importedRows">,
  records: readonly PlacedRecord[],
  partition: number,
): Promise<ReadonlySet<number>> {
  const imports = new Map<string, { account: number; job: string }>();
  for (const placed of records) if (isImported(placed.record)) imports.set(keyOf(placed), importOf(placed));
  const again = new Set<number>();
  if (imports.size === 0) return again;
  const stored = await transaction.importedRows([...imports.values()], partition);
  const greatest = new Map(stored.map(({ account, job, lastRow }) => [`${account} ${job}`, lastRow]));
  for (const [index, placed] of records.entries()) {
    const { row } = placed.record;
    if (row === undefined || !isImported(placed.record)) continue;
    if (row <= (greatest.get(keyOf(placed)) ?? -1)) again.add(index);
    else greatest.set(keyOf(placed), row);
  }
  return again;
}

/**
 * Counts what became of the rows of imports in a batch.
 * @param duplicates records that were dealt with before, by index.
 */
export function toImportedRows(
  records: readonly PlacedRecord[],
  outcomes: readonly Outcome[],
  { duplicates, partition }: { readonly duplicates: ReadonlySet<number>; readonly partition: number },
): ImportedRows[] {
  const rows = new Map<string, Counted>();
  records.forEach((placed, index) => {
    const { row } = placed.record;
    const outcome = outcomes[index];
    if (row === undefined || outcome === undefined || !isImported(placed.record) || duplicates.has(index)) return;
    const counted = rows.get(keyOf(placed)) ?? nothingYet(placed, partition);
    rows.set(keyOf(placed), counted);
    counted.lastRow = Math.max(counted.lastRow, row);
    counted[kindOf(outcome)] += 1;
  });
  return [...rows.values()];
}

function kindOf(outcome: Outcome): "inserted" | "updated" | "ignored" | "rejected" | "errors" {
  switch (outcome.kind) {
    case "applied":
      return outcome.created === true ? "inserted" : "updated";
    case "skipped":
      return "ignored";
    case "rejected":
      return outcome.code === "INTERNAL_ERROR" ? "errors" : "rejected";
  }
}

function nothingYet(placed: PlacedRecord, partition: number): Counted {
  const none = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
  return { ...importOf(placed), partition, lastRow: -1, ...none };
}

/** The import's job is the request of its rows. */
function importOf({ account, record }: PlacedRecord) {
  return { account: account.number, job: requestOf(record.id).requestId };
}

function keyOf(placed: PlacedRecord): string {
  const { account, job } = importOf(placed);
  return `${account} ${job}`;
}
