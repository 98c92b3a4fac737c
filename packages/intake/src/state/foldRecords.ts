import type { Identifier } from "@headwater/contracts";
import { erasedHashOf, formerHashOf } from "@headwater/kernel";
import { DocumentsTooLarge } from "@headwater/postgres/connection/failures";
import { StaleState } from "@headwater/postgres/connection/writeConflict";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, type Outcome, rejected, skipped } from "@headwater/records/fold/outcome";
import { BehindLocks } from "@headwater/records/reads/behindLocks";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import type { BatchState } from "@headwater/records/unitOfWork/batchState";
import { foldUntilLoaded } from "@headwater/records/unitOfWork/foldUntilLoaded";
import { emptyRows, type LoadedRows } from "@headwater/records/unitOfWork/loadedRows";
import { suppressesTriggers } from "../operations/operation.ts";
import { AttributeQuota, type DefinedAttributes, loadDefinedAttributes } from "./attributeQuota.ts";
import { BatchTooLarge, PoisonRecord } from "./batchFailures.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import type { MessageChannels } from "./messageChannels.ts";
import type { Repeats } from "./repeats.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateTransaction } from "./stateStore.ts";

const MIB = 1024 * 1024;
/** Stored documents that a batch may load: several partitions hold as much at once, and a document takes several times its text. */
const BATCH_BYTES_MAX = 64 * MIB;
/** Bytes for a record that is applied alone: it meets 64 contacts at most, and of contacts that grew before there was a bound a few. */
const RECORD_BYTES_MAX = 512 * MIB;
/**
 * Rounds of loading. Each finds all that is missing; what a record asks for depends on what was loaded three or four times at most, however
 * many records there are.
 */
const ROUNDS_MAX = 16;
/** Time for which the folds of a batch may keep the process, and with it all other partitions. */
const FOLD_MS_MAX = 1_000;
/** Processor time after which a single record is given up. Postgres ends a transaction that says nothing for 15 s. */
const RECORD_CPU_MS_MAX = 8_000;
/** Records between two reads of the clock. */
const RECORDS_PER_CLOCK_READ = 8;

/** Facts about the records of a batch that are known before they are folded; indexes are those of the batch. */
export interface BatchFacts {
  /** Records that broke the batch before: rejected without being folded. */
  readonly refused: ReadonlySet<number>;
  /** An account of the batch may have no more attributes: each record is checked for new ones. */
  readonly checksAttributeQuota: boolean;
  readonly repeats: Repeats;
  /** Channels of the messages that reports of the batch are about. */
  readonly messageChannels: MessageChannels;
}

/** Consecutive records of a batch. */
export interface RecordRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  /** Keys of the activities of the records before them. */
  readonly activityKeys: ReadonlySet<string>;
}

export interface FoldedRange {
  readonly outcomes: readonly Outcome[];
  readonly changes: BatchChanges;
  readonly rows: LoadedRows;
}

/**
 * Loads what records of a batch will ask for, folds them in order, and folds them again over what was missing until nothing is. Nothing is
 * stored.
 * @throws BatchTooLarge and DocumentsTooLarge, of several records; PoisonRecord when one of them cannot be folded; StaleState when a loaded
 *   row is no longer the stored one.
 */
export async function foldRecords(
  transaction: StateTransaction,
  batch: StateBatch,
  { from, to, activityKeys, ...facts }: BatchFacts & RecordRange,
): Promise<FoldedRange> {
  const { repeats } = facts;
  const records = from === 0 && to === batch.records.length ? batch.records : batch.records.slice(from, to);
  const isAlone = records.length === 1;
  const rows = emptyRows(records.length > 1 ? BATCH_BYTES_MAX : RECORD_BYTES_MAX);
  const defined = facts.checksAttributeQuota
    ? await loadDefinedAttributes(transaction, batch.accounts.values())
    : undefined;
  const input = { ...facts, records, firstIndex: from, defined };
  // Read behind the rows: a contact that is not found because of an erasure is known to be erased.
  const erased = new BehindLocks(() => findErasedRecords(transaction, records));
  try {
    await transaction.loadRows(withoutRefused(input), rows, () => erased.queue());
    const { result: outcomes, state } = await foldUntilLoaded({
      rows,
      seenActivity: (key) => activityKeys.has(key) || (batch.seenActivity(key) && !repeats.resumed.has(key)),
      roundsMax: ROUNDS_MAX,
      pass: async (state) => {
        const pass = { ...input, erased: await erased.next() };
        return isAlone ? foldAlone(state, pass) : foldInOrder(state, pass, performance.now() + FOLD_MS_MAX);
      },
      load: (reads) => transaction.loadReads(reads, rows),
      exhausted: () => new BatchTooLarge(`${records.length} records asked for more state ${ROUNDS_MAX} times`),
    });
    return { outcomes, changes: state.changes(), rows };
  } catch (error) {
    // A bound that one record alone exceeds is exceeded every time.
    const isBound = error instanceof BatchTooLarge || error instanceof DocumentsTooLarge;
    throw isAlone && isBound ? new PoisonRecord(from, error) : error;
  }
}

interface FoldInput extends BatchFacts {
  readonly records: readonly LoggedRecord[];
  /** Index of the first of them in the batch. */
  readonly firstIndex: number;
  /** Given when records are checked for new attributes. */
  readonly defined: DefinedAttributes | undefined;
}

interface FoldPass extends FoldInput {
  /** Records about contacts that were erased since, by their index among these. */
  readonly erased: ReadonlySet<number>;
}

/** Leaves refused records out: what one would ask for may be what broke the batch. */
function withoutRefused({ records, refused, firstIndex }: FoldInput): readonly LoggedRecord[] {
  return refused.size === 0 ? records : records.filter((_, index) => !refused.has(firstIndex + index));
}

/** Measures by the processor's time: a machine that is busy with something else makes no record wrong. */
function foldAlone(state: BatchState, pass: FoldPass): readonly Outcome[] {
  const startedAt = process.threadCpuUsage();
  const outcomes = foldInOrder(state, pass, Number.POSITIVE_INFINITY);
  const { user, system } = process.threadCpuUsage(startedAt);
  if (user + system < RECORD_CPU_MS_MAX * 1_000) return outcomes;
  throw new BatchTooLarge("the record exceeds the time limit of a fold");
}

/**
 * Folds the records in order over the state.
 * @param endsAt instant of `performance.now()` until which they may keep the process.
 * @returns the outcomes, which count only when the state held all that was read.
 */
function foldInOrder(state: BatchState, pass: FoldPass, endsAt: number): readonly Outcome[] {
  const views = new Map<number, FoldState>();
  const outcomes: Outcome[] = [];
  const quota = pass.defined && new AttributeQuota(pass.defined);
  pass.records.forEach((logged, index) => {
    const early = earlyOutcome(pass, index) ?? quota?.refuse(logged);
    if (early !== undefined) {
      outcomes.push(early);
      return;
    }
    if (index % RECORDS_PER_CLOCK_READ === 0 && performance.now() > endsAt) {
      throw new BatchTooLarge(`folding ${pass.records.length} records takes longer than ${FOLD_MS_MAX} ms`);
    }
    try {
      const { number } = logged.account;
      const folded = foldRecord(logged, viewOf(state, views, number), pass.messageChannels.get(number));
      state.collect(number, folded.changeEvents, suppressesTriggers(logged.operation, logged.record));
      outcomes.push(folded);
    } catch (error) {
      // Over stand-ins a fold may throw whatever it likes: the pass is thrown away.
      if (state.unloaded.length > 0) return;
      throw error instanceof StaleState ? error : new PoisonRecord(pass.firstIndex + index, error);
    }
  });
  return outcomes;
}

/** Has its operation fold one record: pure, and anything that it throws is a defect of ours. */
function foldRecord(logged: LoggedRecord, view: FoldState, messageChannels: Origin["messageChannels"]): Folded {
  const { operation, record, account, version, reads } = logged;
  const { read } = reads;
  return operation.fold(view, record, {
    account,
    recordId: record.redriveOf ?? record.id,
    version,
    read,
    messageChannels,
  });
}

/** Returns the outcome of a record that is not folded. */
function earlyOutcome(pass: FoldPass, index: number): Outcome | undefined {
  const batchIndex = pass.firstIndex + index;
  if (pass.refused.has(batchIndex) || pass.records[index]?.poison !== undefined) {
    return rejected("INTERNAL_ERROR", "", "The record hit an internal error. Operators have been alerted.");
  }
  if (pass.repeats.duplicates.has(batchIndex)) return skipped("DUPLICATE");
  return pass.erased.has(index) ? skipped("ERASED") : undefined;
}

function viewOf(state: BatchState, views: Map<number, FoldState>, account: number): FoldState {
  const known = views.get(account);
  if (known !== undefined) return known;
  const view = state.of(account);
  views.set(account, view);
  return view;
}

/**
 * Finds records from before an erasure that name an identifier of the erased contact, by index: they come late, or again. Nearly always
 * there is no erasure above the oldest record of a batch, and this reads an index once.
 */
async function findErasedRecords(
  transaction: Pick<StateTransaction, "erasedFrom" | "erasureSecret">,
  records: readonly LoggedRecord[],
): Promise<ReadonlySet<number>> {
  const oldest = oldestOf(records);
  const found = new Set<number>();
  if (oldest === undefined) return found;
  const cutOffs = new Map<string, string>();
  for (const { account, hash, version } of await transaction.erasedFrom(oldest)) {
    cutOffs.set(`${account} ${hash}`, version);
  }
  if (cutOffs.size === 0) return found;
  const secret = await transaction.erasureSecret();
  for (const [index, { account, reads, version }] of records.entries()) {
    const isBelow = (hash: string) => version <= (cutOffs.get(`${account.number} ${hash}`) ?? "");
    const isErased = (identifier: Identifier) => isBelow(erasedHashOf(secret, account.id, identifier));
    const wasErased = (identifier: Identifier) =>
      isErased(identifier) || isBelow(formerHashOf(secret, account.id, identifier));
    const { identifiers } = reads;
    // A former identifier may be another contact's now: the record is about the erased one when it names nobody else.
    if (identifiers.some(isErased) || (identifiers.length > 0 && identifiers.every(wasErased))) found.add(index);
  }
  return found;
}

function oldestOf(records: readonly LoggedRecord[]): string | undefined {
  let oldest: string | undefined;
  for (const { version } of records) if (oldest === undefined || version < oldest) oldest = version;
  return oldest;
}
