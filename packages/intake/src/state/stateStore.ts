import type { Account, RejectKey, RejectRow, RejectStatus } from "@headwater/contracts";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import type { ActivityResolutions } from "@headwater/postgres/streams/activityResolutions";
import type { OffsetKey, OpenOffset, StoredOffset } from "@headwater/postgres/streams/streamOffsets";
import type { ErasedIdentifier } from "@headwater/records/erasures/erasures";
import type { RecordReads } from "@headwater/records/reads/missingRows";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import type { ListClear } from "@headwater/records/unitOfWork/listChanges";
import type { LoadedRows, StateRead } from "@headwater/records/unitOfWork/loadedRows";
import type { Define } from "@headwater/records/writes/definitions";
import type { CreatedLists, Listing } from "@headwater/records/writes/ensureLists";
import type { StoredChanges, StoreInput } from "@headwater/records/writes/storeBatch";
import type { OutcomeCount } from "../accounting/accounting.ts";
import type { LockedReject, RedriveOutcome, RejectOutcome } from "../deadLetters/rejects.ts";
import type { RecordKey } from "../receipts/appliedRecords.ts";
import type { ReceiptCounts } from "../receipts/receipts.ts";
import type { EventTrigger, TemplateId } from "../triggers/eventTriggers.ts";
import type { Listener } from "../triggers/listeners.ts";
import type { TriggeredEvent } from "../triggers/storedTriggeredEvents.ts";
import type { ImportedRows, ImportKey } from "./importCounts.ts";
import type { MessageChannelReads } from "./messageChannels.ts";

/** Rows that one batch leaves behind next to the state and its change events. */
export interface BatchEnd {
  /** Decisions on activities; undefined when the batch holds none. */
  readonly resolutions: ActivityResolutions | undefined;
  readonly rejects: readonly RejectRow[];
  /** Parked records that came again and have an end now. */
  readonly settled: readonly RejectOutcome[];
  readonly redriven: readonly RedriveOutcome[];
  readonly receiptCounts: readonly ReceiptCounts[];
  readonly outcomeCounts: readonly OutcomeCount[];
  /** Keyed records that are applied from now on. */
  readonly applied: readonly RecordKey[];
  readonly imported: readonly ImportedRows[];
  /** Activities that templates are sent for. */
  readonly triggered: readonly TriggeredEvent[];
  /** Triggers with which activities were not compared, because that cost too much. */
  readonly uncompared: readonly TemplateId[];
  readonly offset: StoredOffset;
  readonly nowMs: number;
  /** Accounts of the batch by their numbers. */
  readonly accounts?: ReadonlyMap<number, Pick<Account, "id">>;
}

/** Reads and writes of one transaction over the state. */
export interface StateTransaction extends MessageChannelReads {
  /** Locks the accounts to the end: shared with other batches, or so that no other batch writes to them. */
  lockAccounts(accounts: ReadonlySet<number>, isAlone: boolean): Promise<void>;
  /** Returns the event triggers of the accounts' templates: those of every call that was answered before the batch was read. */
  eventTriggers(accounts: ReadonlySet<number>): Promise<readonly EventTrigger[]>;
  /** Returns the actions that something of the accounts listens for, by the same rule. */
  listeners(accounts: ReadonlySet<number>): Promise<readonly Listener[]>;
  /** Creates lists that records name and that do not exist. @returns their ids by account. */
  ensureLists(records: readonly Listing[], nowMs: number): Promise<CreatedLists>;
  /** Deletes those of the created lists that no contact joined. */
  deleteUnusedLists(
    created: CreatedLists,
    applied: { readonly memberships: readonly BatchChanges["memberships"][] },
  ): Promise<void>;
  /** Returns the ids of those of the keyed records that were applied before. */
  appliedRecords(keys: readonly RecordKey[]): Promise<ReadonlySet<string>>;
  /** Locks and returns the rows of refused records that come again. */
  lockRejects(keys: readonly RejectKey[]): Promise<readonly LockedReject[]>;
  /** Returns the greatest row of each import that a partition has dealt with. */
  importedRows(
    imports: readonly ImportKey[],
    partition: number,
  ): Promise<readonly (ImportKey & { readonly lastRow: number })[]>;
  /** Returns the hashes of identifiers of contacts that were erased at or above the version. */
  erasedFrom(version: string): Promise<readonly ErasedIdentifier[]>;
  /** Returns the key of those hashes. */
  erasureSecret(): Promise<Buffer>;
  /** Returns the names of the attributes that an account has defined. */
  attributesOf(account: number): Promise<readonly string[]>;
  /**
   * Locks and loads all that the records are known to read. @throws DocumentsTooLarge beyond `rows.bytesLeft`.
   * @param last queues a query behind all locks, in the round trip of the last of them.
   */
  loadRows(records: readonly RecordReads[], rows: LoadedRows, last?: () => Promise<unknown>): Promise<void>;
  /** Loads what folds asked for beyond that. @throws DocumentsTooLarge. */
  loadReads(reads: readonly StateRead[], rows: LoadedRows): Promise<void>;
  /** Takes the next positions in the outbox, ascending. */
  takeOutboxPositions(count: number): Promise<number[]>;
  /** Writes what folds changed. @throws WriteConflict when another transaction wrote a row first. */
  storeChanges(input: StoreInput): Promise<StoredChanges>;
  appendOutbox(rows: readonly OutboxRow[]): Promise<void>;
  /** Emits what clears of lists have kept. @returns the last position in the outbox; 0 for none. */
  emitKeptMembers(clears: readonly ListClear[], at: { readonly sourcePartition: number }): Promise<number>;
  /** Defines the attributes that were written. @throws HeadwaterError 422 when one of the accounts has no space for them. */
  defineWritten(
    changes: Pick<BatchChanges, "contacts">,
    at: { readonly accounts: ReadonlyMap<number, Account>; readonly nowMs: number },
  ): Promise<void>;
  /** Stores the outcomes of the records, and the offset behind them. */
  storeEnd(key: OffsetKey, end: BatchEnd): Promise<void>;
  /** Runs a part that leaves nothing behind when it fails; the transaction goes on. */
  savepoint<Result>(run: (part: StateTransaction) => Promise<Result>): Promise<Result>;
  /** Runs a part that leaves nothing behind whether it fails or not. */
  rehearse(run: (part: StateTransaction) => Promise<unknown>): Promise<void>;
}

export type FencedResult<Result> =
  | { readonly kind: "stored"; readonly result: Result }
  /** Another owner was here, or the log was read from the wrong offset: nothing was run. */
  | { readonly kind: "elsewhere"; readonly nextOffset: number };

export interface Fence {
  readonly key: OffsetKey;
  /** Offset at which the batch begins. */
  readonly fromOffset: number;
  /** Time that a statement waits for a lock; without it as long as a statement may take. */
  readonly lockTimeoutMs?: number | undefined;
}

interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** Port of the state and the progress of the group that folds it. `stateStoreContract` says what implementations promise. */
export interface StateStore {
  /** Checks which log the group reads, and opens the partition's row: `low` is next when there is none. */
  open(at: Partition & { readonly low: number }): Promise<OpenOffset>;
  /** Returns the key under which a partition was opened last. */
  keyOf(at: Partition): OffsetKey;
  held(at: Partition, reason: string | undefined): Promise<void>;
  verified(at: Partition): Promise<void>;
  /** Returns positions of refused records, from `from` up to `to` (excluded). */
  refusedPositions(
    range: Partition & { readonly from: number; readonly to: number },
  ): Promise<readonly { readonly logOffset: number; readonly place: number }[]>;
  /** Returns the statuses of those of the records that were refused at some time. */
  refusalStatuses(keys: readonly RejectKey[]): Promise<readonly (RejectKey & { readonly status: RejectStatus })[]>;
  /** Creates tables that every account has, when the first record of one comes. */
  readonly define: Define;
  /**
   * Runs the writes of a batch in one transaction behind its fence: all of it or nothing, and nothing when the stored offset is another.
   * @throws TransactionOutlived when the code of the transaction kept the process until the store ended it.
   */
  transaction<Result>(
    fence: Fence,
    run: (transaction: StateTransaction) => Promise<Result>,
  ): Promise<FencedResult<Result>>;
}
