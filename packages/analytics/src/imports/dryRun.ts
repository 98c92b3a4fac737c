import { lanes, versionOf } from "@headwater/contracts";
import type { IntakeRecord } from "@headwater/intake/operations/operation";
import type { ImportOutcomes } from "@headwater/intake/state/importCounts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { Row } from "@headwater/jobs/sources/row";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { loadAttributeRules } from "@headwater/records/attributes/postgres";
import type { Outcome } from "@headwater/records/fold/outcome";
import { loadReads, loadRows } from "@headwater/records/reads/loadRows";
import { foldUntilLoaded } from "@headwater/records/unitOfWork/foldUntilLoaded";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { pathInRow } from "./rows/pathInRow.ts";
import { rowView } from "./rows/rowView.ts";
import { type RowJudging, validateRow } from "./rows/toRecords.ts";

/** Rows that are shown with what would become of them. */
export const PREVIEW_ROWS = 100;
const ROUNDS_MAX = 32;
/** Rows that are folded together: those of one transaction, which is rolled back. */
const ROWS_AT_ONCE = 500;

export interface TriedRow {
  readonly index: number;
  readonly record: unknown;
  readonly verdict: "inserted" | "updated" | "ignored" | "rejected" | "error";
  readonly match?: "new" | "existing" | "conflict";
  readonly code?: string;
}

export interface Tried {
  readonly counts: ImportOutcomes;
  readonly rejections: readonly JobRejection[];
  readonly preview: readonly TriedRow[];
}

export interface Trial extends RowJudging {
  readonly jobId: string;
}

/** Folds rows over the state as it is and rolls back. Rows see those before them that are tried together with them. */
export async function tryRows(rows: readonly Row[], trial: Trial, postgres: Postgres): Promise<Tried> {
  const tried = new TriedRows(trial);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await tryTogether(rows.slice(from, from + ROWS_AT_ONCE), tried, { trial, postgres });
  }
  return tried;
}

async function tryTogether(
  rows: readonly Row[],
  tried: TriedRows,
  { trial, postgres }: { readonly trial: Trial; readonly postgres: Postgres },
): Promise<void> {
  const located: Located[] = [];
  for (const row of rows) {
    const validated = validateRow(row, trial);
    if (validated.kind === "rejected") tried.refused(row, validated.rejection);
    else
      located.push({
        row,
        record: toIntakeRecord(row, trial, validated.record.members),
        joinsNewList: validated.joinsNewList === true,
      });
  }
  const outcomes = await foldAndRollBack(located, trial, postgres);
  for (const [position, one] of located.entries()) {
    const outcome = outcomes[position];
    if (outcome !== undefined) tried.folded(one, outcome);
  }
}

interface Located {
  readonly row: Row;
  readonly record: IntakeRecord;
  readonly joinsNewList: boolean;
}

function toIntakeRecord(row: Row, { jobId, nowMs }: Trial, members: Readonly<Record<string, unknown>>): IntakeRecord {
  return { id: `${jobId}:${row.index}:0`, receivedAt: nowMs, row: row.index, ...members };
}

class RolledBack extends Error {}

async function foldAndRollBack(
  placed: readonly Located[],
  trial: Trial,
  postgres: Postgres,
): Promise<readonly Outcome[]> {
  let outcomes: readonly Outcome[] = [];
  try {
    await postgres.transaction(async (transaction) => {
      outcomes = await fold(placed, trial, transaction);
      throw new RolledBack("nothing of a trial is kept");
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return outcomes;
}

async function fold(placed: readonly Located[], trial: Trial, transaction: Transaction): Promise<readonly Outcome[]> {
  const { operation, nowMs } = trial;
  const account = { ...trial.account, attributes: await loadAttributeRules(transaction, trial.account) };
  const rows = emptyRows();
  const reading = placed.map(({ record }) => ({ account, reads: operation.reads(record, { account }), record }));
  await loadRows(transaction, reading, rows);
  const { result } = await foldUntilLoaded({
    rows,
    roundsMax: ROUNDS_MAX,
    pass: (state) =>
      reading.map(({ record, reads }, place) => {
        const version = versionOf(nowMs, { lane: lanes.v2, partition: 0, offset: 0, place });
        return operation.fold(state.of(account.number), record, {
          account,
          recordId: record.id,
          version,
          read: reads.read,
        });
      }),
    load: (reads) => loadReads(transaction, reads, rows),
    exhausted: () => new Error(`a trial asked for state ${ROUNDS_MAX} times`),
  });
  return result;
}

/** Gathers the trial's outcomes of rows. */
class TriedRows implements Tried {
  readonly #trial: Trial;
  readonly counts = { inserted: 0, updated: 0, ignored: 0, rejected: 0, errors: 0 };
  readonly rejections: JobRejection[] = [];
  readonly preview: TriedRow[] = [];

  constructor(trial: Trial) {
    this.#trial = trial;
  }

  refused({ index }: Row, rejection: JobRejection): void {
    const { code, record } = rejection;
    this.counts.rejected += 1;
    this.rejections.push(rejection);
    this.#show({ index, record, verdict: "rejected", code });
  }

  folded({ row, joinsNewList }: Pick<Located, "row" | "joinsNewList">, outcome: Outcome): void {
    const { header } = this.#trial;
    const { index, line } = row;
    const record = rowView(row, header);
    if (outcome.kind === "rejected") {
      const { code, message, path } = outcome;
      this.counts.rejected += 1;
      this.rejections.push({ index, line, code, message, path: pathInRow(path, row, header), record });
      const isUnknown = code === "CONTACTS_CONTACT_NOT_FOUND";
      this.#show({ index, record, verdict: "rejected", ...(isUnknown && { match: "new" }), code });
      return;
    }
    const match = matchOf(outcome);
    const isListed = joinsNewList && outcome.kind === "skipped" && outcome.code === "UNCHANGED";
    if (outcome.kind === "skipped" && !isListed) {
      this.counts.ignored += 1;
      this.#show({ index, record, verdict: "ignored", match, code: outcome.code });
      return;
    }
    const isNew = outcome.kind === "applied" && outcome.created === true;
    const verdict = isNew ? "inserted" : "updated";
    this.counts[verdict] += 1;
    this.#show({ index, record, verdict, match });
  }

  #show(row: TriedRow): void {
    if (row.index < PREVIEW_ROWS) this.preview.push(row);
  }
}

function matchOf(outcome: Exclude<Outcome, { kind: "rejected" }>): NonNullable<TriedRow["match"]> {
  const warnings = new Set(outcome.warnings);
  if (warnings.has("IDENTITY_CONFLICT") || warnings.has("MERGE_CONFLICT")) return "conflict";
  const isNew = outcome.kind === "applied" ? outcome.created === true : outcome.code === "CREATE_NOT_ALLOWED";
  return isNew ? "new" : "existing";
}
