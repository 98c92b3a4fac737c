import type { Logger } from "@headwater/kernel";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import { isWriteConflict, pauseAfterConflict } from "@headwater/postgres/connection/writeConflict";
import { TransactionOutlived } from "@headwater/records/unitOfWork/transactionOutlived";
import { isAttributesExceeded } from "@headwater/records/writes/attributeRoom";
import type { ItemRange } from "../quarantine/applyByHalves.ts";
import { type ApplyPlan, applyInTransaction, type BatchResult } from "./applyInTransaction.ts";
import type { PoisonSearch } from "./applyRanges.ts";
import { isTooLarge, PoisonRecord, slowPostgres, tooManyConflicts } from "./batchFailures.ts";
import { isBlamed, RefusedRecords, type SearchKind, SuspectedRecord } from "./refusedRecords.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateStore } from "./stateStore.ts";

const CONFLICTS_MAX = 50;
/** Applies a single frame that is too large in parts: an eighth of its records is loaded, folded and stored at once, in the same transaction. */
const FEWER = 8;
/** Shorter than a statement may take: a wait for another one's lock is distinguished from a slow statement. */
const LOCK_TIMEOUT_MS = 1_000;

export interface ApplyContext {
  readonly state: Pick<StateStore, "transaction">;
  readonly logger: Logger;
  heartbeat(): void;
}

/**
 * Applies a batch whatever it holds: one that met a write conflict runs again, one that is too large is applied in parts, and of one
 * that breaks the records are applied under savepoints, so that a record which breaks it is refused alone. So it is with a batch whose
 * own work kept the process until Postgres ended the transaction.
 * @throws HeadwaterError, retriable, when Postgres is away; not retriable when too much of the batch is broken.
 */
export async function applyBatch(context: ApplyContext, batch: StateBatch): Promise<BatchResult> {
  const recovery = new BatchRecovery(context, batch);
  for (;;) {
    context.heartbeat();
    try {
      const result = await applyInTransaction(context.state, batch, recovery.nextPlan());
      if (result.kind === "stored") recovery.logRefused();
      return result;
    } catch (error) {
      const fewer = await recovery.recover(error);
      if (fewer !== undefined) return applyBatch(context, fewer);
    }
  }
}

/** Decides how to apply one batch, as its failures so far have shown. */
class BatchRecovery {
  readonly #context: ApplyContext;
  readonly #batch: StateBatch;
  readonly #refused: RefusedRecords;
  #recordsAtOnce: number;
  #checksAttributeQuota = false;
  #conflicts = 0;
  #isAlone = false;
  #search: SearchKind | undefined;
  /** The range that the search applies, while it does. */
  #applying: ItemRange | undefined;

  constructor(context: ApplyContext, batch: StateBatch) {
    this.#context = context;
    this.#batch = batch;
    this.#refused = new RefusedRecords(batch.records);
    this.#recordsAtOnce = batch.records.length;
  }

  nextPlan(): ApplyPlan {
    const kind = this.#search;
    this.#applying = undefined;
    return {
      refused: this.#refused.indexes,
      recordsAtOnce: this.#recordsAtOnce,
      // Checked under savepoints in any case, so that a record fails by nothing else.
      checksAttributeQuota: this.#checksAttributeQuota || kind !== undefined,
      isAlone: this.#isAlone,
      ...(kind !== undefined && { search: this.#searchOf(kind) }),
      ...(kind === "slow" && { lockTimeoutMs: LOCK_TIMEOUT_MS }),
    };
  }

  logRefused(): void {
    this.#refused.log(this.#context.logger);
  }

  /** Decides by a failure how to continue. @returns a smaller batch to apply instead. @throws the error when nothing helps. */
  async recover(error: unknown): Promise<StateBatch | undefined> {
    if (isAttributesExceeded(error) && !this.#checksAttributeQuota) this.#checksAttributeQuota = true;
    else if (error instanceof TransactionOutlived) return this.#afterOutlived(error);
    else if (error instanceof SuspectedRecord) await pauseAfterConflict(error.trials);
    else if (isTooLarge(error)) return this.#withFewer(error);
    else if (isWriteConflict(error)) await this.#afterConflict(error);
    else if (this.#search === undefined && isBlamed("errors", error)) this.#afterPoison(error);
    else throw error;
    return undefined;
  }

  #afterPoison(error: unknown): void {
    // A fold that throws says by which record: no search.
    if (error instanceof PoisonRecord) this.#refused.add(error.index, error);
    else this.#search = "errors";
  }

  #withFewer(error: unknown): StateBatch | undefined {
    // A single record that is slow was met by the search: Postgres is slow for everybody.
    if (this.#search === "slow") throw slowPostgres(error);
    const fewer = this.#batch.firstFrames();
    if (fewer !== undefined) return fewer;
    if (this.#recordsAtOnce <= 1) this.#search = "slow";
    this.#recordsAtOnce = Math.ceil(this.#recordsAtOnce / FEWER);
    return undefined;
  }

  /** Applies the records one by one, refuses the one that keeps the process, and takes fewer frames when it is none of them. */
  #afterOutlived(error: TransactionOutlived): StateBatch | undefined {
    const range = this.#applying;
    if (this.#search !== "outlived") {
      this.#search = "outlived";
      return undefined;
    }
    if (range !== undefined && !range.isRefused) {
      this.#refused.addOutlived(range.from, error);
      return undefined;
    }
    const fewer = this.#batch.firstFrames();
    if (fewer !== undefined) return fewer;
    // Its records keep the process only together: the last of them is refused, as of records that fail together.
    const last = this.#refused.lastIndex();
    if (last === undefined) throw error;
    this.#refused.add(last, error);
    return undefined;
  }

  async #afterConflict(error: unknown): Promise<void> {
    // Waiting for a lock that another transaction holds says nothing of the record.
    if (this.#search === "slow" && postgresFailure(error) === "conflict") throw slowPostgres(error);
    this.#conflicts++;
    this.#isAlone ||= postgresFailure(error) === "conflict";
    if (this.#conflicts > CONFLICTS_MAX) throw tooManyConflicts(CONFLICTS_MAX, error);
    // Records that conflict by themselves would stop their partition for ever.
    if (this.#conflicts === CONFLICTS_MAX) this.#search = "conflicts";
    await pauseAfterConflict(this.#conflicts);
  }

  #searchOf(kind: SearchKind): PoisonSearch {
    const { length } = this.#batch.records;
    return {
      // All of them together have just failed.
      atOnce: kind === "slow" || kind === "outlived" ? 1 : Math.max(1, Math.min(this.#recordsAtOnce, length >> 1)),
      isPoison: (error: unknown) => isBlamed(kind, error),
      refused: (index: number, error: unknown) => this.#refused.add(index, error),
      applying: (range: ItemRange | undefined) => {
        this.#applying = range;
      },
      heartbeat: () => this.#context.heartbeat(),
    };
  }
}
