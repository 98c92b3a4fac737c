import type { Outcome } from "@headwater/records/fold/outcome";
import type { ImportedRows } from "./importCounts.ts";
import { type LoggedRecord, requestOf } from "./loggedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

type Counted = { -readonly [Member in keyof ImportedRows]: ImportedRows[Member] };

/** A record that an import wrote; one that a person redrives is no row of it any more. */
export function isImported({ row, redriveOf }: LoggedRecord["record"]): boolean {
  return row !== undefined && redriveOf === undefined;
}

/**
 * Finds rows of imports that stand in the log again, by index: a worker that was killed writes again what it does not know to be
 * written. Rows of an import are in order in every partition, so one at or below the greatest so far was dealt with. That costs one row
 * of a table for each import and partition, and nothing for each row of the source.
 */
export async function findImportedAgain(
  transaction: Pick<StateTransaction, "importedRows">,
  records: readonly LoggedRecord[],
  partition: number,
): Promise<ReadonlySet<number>> {
  const imports = new Map<string, { account: number; job: string }>();
  for (const logged of records) if (isImported(logged.record)) imports.set(keyOf(logged), importOf(logged));
  const again = new Set<number>();
  if (imports.size === 0) return again;
  const stored = await transaction.importedRows([...imports.values()], partition);
  const greatest = new Map(stored.map(({ account, job, lastRow }) => [`${account} ${job}`, lastRow]));
  for (const [index, logged] of records.entries()) {
    const { row } = logged.record;
    if (row === undefined || !isImported(logged.record)) continue;
    if (row <= (greatest.get(keyOf(logged)) ?? -1)) again.add(index);
    else greatest.set(keyOf(logged), row);
  }
  return again;
}

/**
 * Counts what became of the rows of imports in a batch.
 * @param duplicates records that were dealt with before, by index.
 */
export function toImportedRows(
  records: readonly LoggedRecord[],
  outcomes: readonly Outcome[],
  { duplicates, partition }: { readonly duplicates: ReadonlySet<number>; readonly partition: number },
): ImportedRows[] {
  const rows = new Map<string, Counted>();
  records.forEach((logged, index) => {
    const { row } = logged.record;
    const outcome = outcomes[index];
    if (row === undefined || outcome === undefined || !isImported(logged.record) || duplicates.has(index)) return;
    const counted = rows.get(keyOf(logged)) ?? nothingYet(logged, partition);
    rows.set(keyOf(logged), counted);
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

function nothingYet(logged: LoggedRecord, partition: number): Counted {
  const none = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
  return { ...importOf(logged), partition, lastRow: -1, ...none };
}

/** The import's job is the request of its rows. */
function importOf({ account, record }: LoggedRecord) {
  return { account: account.number, job: requestOf(record.id).requestId };
}

function keyOf(logged: LoggedRecord): string {
  const { account, job } = importOf(logged);
  return `${account} ${job}`;
}
