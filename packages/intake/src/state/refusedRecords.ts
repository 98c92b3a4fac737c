import { HeadwaterError, type Logger } from "@headwater/kernel";
import { DocumentsTooLarge, postgresFailure } from "@headwater/postgres/connection/failures";
import { isSystemicFault } from "../quarantine/systemicFault.ts";
import { BatchTooLarge, isOvertaken, PoisonRecord } from "./batchFailures.ts";
import type { LoggedRecord } from "./loggedRecord.ts";

/** A record is slow when it is so each time, and all before it pass each time. */
const SLOW_TRIALS = 3;
/** Trials of a record whose work outlives the transaction: each of them keeps the process for as long as Postgres waits. */
const OUTLIVED_TRIALS = 2;

/**
 * Names what a record is refused for: an error; that, and a write conflict again and again; that, and slowness of Postgres; that, and work
 * of ours that outlives the transaction.
 */
export type SearchKind = "errors" | "conflicts" | "slow" | "outlived";

/** Distinguishes errors that may be a record's from those of Postgres and of other transactions. */
export function isBlamed(kind: SearchKind, error: unknown, failure = postgresFailure(error)): boolean {
  if (error instanceof HeadwaterError) return false;
  if (error instanceof BatchTooLarge || error instanceof DocumentsTooLarge) return true;
  if (failure === "unavailable" || failure === "conflict") return false;
  if (failure === "timeout") return kind === "slow" || kind === "outlived";
  return failure === "unique" || isOvertaken(error) ? kind === "conflicts" : true;
}

/** A record was slow once more: the batch is rolled back, for whether it is the record must show again. */
export class SuspectedRecord extends Error {
  readonly trials: number;
  constructor(trials: number) {
    // Without its cause, by which the transaction would take it for Postgres being away.
    super("A record was slow");
    this.trials = trials;
  }
}

/** The records of one batch that are refused, over all attempts to apply it. */
export class RefusedRecords {
  readonly #records: readonly LoggedRecord[];
  readonly #errors = new Map<number, unknown>();
  #suspected: { readonly index: number; readonly trials: number } | undefined;

  constructor(records: readonly LoggedRecord[]) {
    this.#records = records;
  }

  get indexes(): ReadonlySet<number> {
    return new Set(this.#errors.keys());
  }

  /**
   * @throws HeadwaterError, not retriable, when so many are refused that the records are hardly what is wrong; SuspectedRecord of a
   * slow record until it was the first to be slow each of some times.
   */
  add(index: number, error: unknown, failure = postgresFailure(error)): void {
    if (failure === "timeout") {
      const trials = this.#suspect(index);
      if (trials < SLOW_TRIALS) throw new SuspectedRecord(trials);
    }
    this.#errors.set(index, error instanceof PoisonRecord ? error.cause : error);
    const accounts = this.#records.map(({ account }) => account.number);
    const poison = [...this.#errors.keys()].map((index) => accounts[index] ?? 0);
    if (isSystemicFault({ accounts, poison })) throw tooManyBroken(this.#errors.size, error);
  }

  /** Refuses a record whose work outlived the transaction, once it did so a second time in a row. @throws HeadwaterError as `add`. */
  addOutlived(index: number, error: unknown): void {
    if (this.#suspect(index) >= OUTLIVED_TRIALS) this.add(index, error);
  }

  /** Returns the last record that is not refused. */
  lastIndex(): number | undefined {
    const last = this.#records.findLastIndex((_, index) => !this.#errors.has(index));
    return last < 0 ? undefined : last;
  }

  log(logger: Pick<Logger, "error">): void {
    for (const [index, err] of this.#errors) {
      const { record, operation } = this.#records[index] ?? {};
      logger.error({ err, recordId: record?.id, operation: operation?.name }, "record rejected as INTERNAL_ERROR");
    }
  }

  /** Returns how many times in a row the record was suspected. */
  #suspect(index: number): number {
    const trials = this.#suspected?.index === index ? this.#suspected.trials + 1 : 1;
    this.#suspected = { index, trials };
    return trials;
  }
}

function tooManyBroken(count: number, cause: unknown): HeadwaterError {
  const publicMessage = `${count} records of one batch failed, across most of its accounts; suspecting a systemic fault.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}
