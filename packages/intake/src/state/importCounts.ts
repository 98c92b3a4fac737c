import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface ImportKey {
  readonly account: number;
  readonly job: string;
}

/** Rows of an import by their outcome. */
export interface ImportOutcomes {
  readonly inserted: number;
  readonly updated: number;
  readonly ignored: number;
  readonly rejected: number;
  readonly errors: number;
}

/** Outcomes of an import's rows in one batch of one partition. */
export interface ImportedRows extends ImportKey, ImportOutcomes {
  readonly partition: number;
  /** The greatest row of the import that stands in the partition and was dealt with. */
  readonly lastRow: number;
}

const loadStatement = {
  name: "import_counts_load",
  text: `SELECT account, job, last_row AS "lastRow" FROM unnest($1::int[], $2::text[]) AS k (account, job)
    JOIN import_counts USING (account, job) WHERE partition = $3`,
};
const addStatement = {
  name: "import_counts_add",
  text: `INSERT INTO import_counts AS c (account, job, partition, last_row, inserted, updated, ignored, rejected, errors)
    SELECT account, job, $3, last_row, inserted, updated, ignored, rejected, errors
    FROM unnest($1::int[], $2::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
      AS r (account, job, last_row, inserted, updated, ignored, rejected, errors)
    ON CONFLICT (account, job, partition) DO UPDATE SET last_row = EXCLUDED.last_row, inserted = c.inserted + EXCLUDED.inserted,
      updated = c.updated + EXCLUDED.updated, ignored = c.ignored + EXCLUDED.ignored, rejected = c.rejected + EXCLUDED.rejected,
      errors = c.errors + EXCLUDED.errors`,
};
const sumStatement = {
  name: "import_counts_sum",
  text: `SELECT COALESCE(sum(inserted), 0)::bigint AS inserted, COALESCE(sum(updated), 0)::bigint AS updated,
      COALESCE(sum(ignored), 0)::bigint AS ignored, COALESCE(sum(rejected), 0)::bigint AS rejected,
      COALESCE(sum(errors), 0)::bigint AS errors
    FROM import_counts WHERE account = $1 AND job = $2`,
};
const lastStatement = {
  name: "import_counts_last",
  text: 'SELECT COALESCE(max(last_row), -1)::bigint AS "lastRow" FROM import_counts WHERE account = $1 AND job = $2',
};
/** Leaves out rejects that an erasure has emptied. */
const rejectsStatement = {
  name: "import_rejects",
  text: `SELECT item_index AS index, code, path, message FROM rejects
    WHERE account = $1 AND request_id = $2 AND item_index BETWEEN $3 AND $4 AND payload::text <> '{}' ORDER BY item_index`,
};
const deleteStatement = {
  name: "import_counts_delete",
  text: "DELETE FROM import_counts c WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.id = c.job)",
};

/** The greatest row of each import that this partition's state has; imports of which it has none are absent. */
export function loadImportedRows(
  session: Session,
  imports: readonly ImportKey[],
  partition: number,
): Promise<(ImportKey & { readonly lastRow: number })[]> {
  if (imports.length === 0) return Promise.resolve([]);
  return session.query(loadStatement, [...keyArrays(imports), partition]);
}

/** Adds what a batch did, in its transaction. All rows are of one partition, and each import stands in one of them. */
export async function addImportedRows(transaction: Transaction, rows: readonly ImportedRows[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const counts = (of: (row: ImportedRows) => number) => plainArray(rows, of);
  await transaction.execute(addStatement, [
    ...keyArrays(rows),
    first.partition,
    counts((row) => row.lastRow),
    counts((row) => row.inserted),
    counts((row) => row.updated),
    counts((row) => row.ignored),
    counts((row) => row.rejected),
    counts((row) => row.errors),
  ]);
}

/** Sums an import's outcomes over all partitions. */
export async function readImportOutcomes(session: Session, { account, job }: ImportKey): Promise<ImportOutcomes> {
  const [row] = await session.query<ImportOutcomes>(sumStatement, [account, job]);
  return row ?? { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
}

/** Reads the place of the last row of an import that the state has dealt with; -1 when it has none. */
export async function readLastImportedRow(session: Session, { account, job }: ImportKey): Promise<number> {
  const [row] = await session.query<{ lastRow: number }>(lastStatement, [account, job]);
  return row?.lastRow ?? -1;
}

export interface ImportReject {
  /** Position of the row. */
  readonly index: number;
  readonly code: string;
  /** JSON pointer into the item; may be empty. */
  readonly path: string;
  readonly message: string;
}

/** Rows of an import that the state rejected, from `first` to `last`, both included. */
export function readImportRejects(
  session: Session,
  { account, job, first, last }: ImportKey & { readonly first: number; readonly last: number },
): Promise<ImportReject[]> {
  return session.query(rejectsStatement, [account, job, first, last]);
}

/** Deletes counts of jobs that are no longer kept. @returns how many. */
export function deleteImportCounts(session: Session): Promise<number> {
  return session.execute(deleteStatement);
}

function keyArrays(keys: readonly ImportKey[]): string[] {
  return [plainArray(keys, ({ account }) => account), textArray(keys, ({ job }) => job)];
}
