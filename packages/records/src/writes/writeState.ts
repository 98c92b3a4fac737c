import {
  type Account,
  lanes,
  STATE_GROUP,
  timeOfVersion,
  type Version,
  versionOf,
  ZERO_VERSION,
} from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { loadAttributeRules } from "../attributes/postgres.ts";
import { emitStoredMembers } from "../changeEvents/keptMembers.ts";
import { toOutboxRows, toPieces } from "../changeEvents/outboxRows.ts";
import { toChangeEvents } from "../changeEvents/toChangeEvents.ts";
import type { Origin } from "../contacts/contactIndex.ts";
import { takeOutboxPositions } from "../contacts/sequences.ts";
import type { FoldResult } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { noReads, type StateReads } from "../fold/stateReads.ts";
import { fromOrderRow, versionOfOrder } from "../orders/orderDocument.ts";
import { BehindLocks } from "../reads/behindLocks.ts";
import { loadReads, loadRows } from "../reads/loadRows.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import type { BatchState } from "../unitOfWork/batchState.ts";
import { foldOver, foldUntilLoaded } from "../unitOfWork/foldUntilLoaded.ts";
import { emptyRows, type LoadedRows } from "../unitOfWork/loadedRows.ts";
import { insertV2Write, readLastV2Version, takeV2WriteNumbers, type V2Write } from "../writing/writeOrigins.ts";
import { defineWritten, writeAndDefine } from "./defineWritten.ts";
import { nothingMoved, type StoredChanges, storeChanges } from "./storeBatch.ts";

/** A write of `/v2`: what a record is to the log. */
export interface StateWrite<Result extends FoldResult> {
  /** Kind of the write, as the contact's history names it. */
  readonly kind: V2Write["kind"];
  /** Ids of what it makes come from it. */
  readonly recordId: string;
  /** Rows that it will ask for, as far as they are known: read at once. */
  readonly reads?: StateReads;
  /** It starts no automation. */
  readonly suppressTriggers?: boolean | undefined;
  /** Pure, and run again when it asks for state that was not loaded. What it throws is the write's refusal. */
  fold(state: FoldState, origin: Origin): Result;
}

export interface WritePorts {
  /** Rolled back by the caller when this throws. */
  readonly transaction: Transaction;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface Written<Result> {
  readonly result: Result;
  readonly version: Version;
  /** The last of its positions in the outbox: what is published up to here holds the write. */
  readonly position: number;
}

/** Each finds all that is missing: what a fold asks for depends on what was loaded three or four times at most. */
const ROUNDS_MAX = 32;

/**
 * Folds one write over the state and stores what it changes, with its change records, in the caller's transaction: the same
 * folds, rows and outbox as records of the log. Rows it reads are locked.
 * @throws what `isWriteConflict` knows when another transaction was quicker: the caller runs the transaction again (`retryOnConflict`).
 */
export async function writeState<Result extends FoldResult>(
  ports: WritePorts,
  caller: Account,
  write: StateWrite<Result>,
): Promise<Written<Result>> {
  const rows = emptyRows();
  const { transaction } = ports;
  // They are above everything that was applied to the locked rows.
  const numbers = new BehindLocks(() => takeV2WriteNumbers(transaction, STATE_GROUP));
  const [attributes] = await Promise.all([
    loadAttributeRules(transaction, caller),
    loadRows(transaction, [{ account: caller, reads: write.reads ?? noReads }], rows, () => numbers.queue()),
  ]);
  const account: Account = { ...caller, attributes };
  const { result: located, state } = await foldUntilLoaded({
    rows,
    roundsMax: ROUNDS_MAX,
    pass: async (state) => {
      const { version, position } = await nextPosition(ports, account, { rows, reads: write.reads, numbers });
      const origin = { account, recordId: write.recordId, version };
      const folded = foldOver(state, () => write.fold(state.of(account.number), origin));
      if (folded === undefined) return undefined;
      state.collect(account.number, folded.result.changeEvents, write.suppressTriggers);
      return { ...folded, version, position };
    },
    load: (reads) => loadReads(transaction, reads, rows),
    exhausted: () => new Error(`A write asked for state ${ROUNDS_MAX} times and was not done`),
  });
  const { result, version, position: first } = located;
  const origin = { account: account.number, version, kind: write.kind, recordId: write.recordId };
  const position = await store(ports, account, { state, rows, first, origin });
  return { result, version, position };
}

/** A version has 16 bits for the account. Its number keeps versions of accounts that share them apart. */
const ACCOUNTS_OF_STREAM = 65_536;

interface Read {
  readonly rows: LoadedRows;
  readonly reads: StateReads | undefined;
  readonly numbers: BehindLocks<Awaited<ReturnType<typeof takeV2WriteNumbers>>>;
}

/** The write's version, and its first place in the outbox. */
async function nextPosition({ transaction, nowMs }: WritePorts, account: Account, { rows, reads, numbers }: Read) {
  const { number: offset, position, greatestTime } = await numbers.next();
  // What a clear takes is not read: it is above all that this process or another wrote before it.
  const clears = reads?.clearsSupplement !== undefined || reads?.clearsAttributes === true;
  const last = clears ? await readLastV2Version(transaction, account.number) : undefined;
  const times = [...versionsOf(rows), last ?? ZERO_VERSION].map(timeOfVersion);
  const timeMs = Math.max(nowMs, greatestTime, ...times) + 1;
  const place = { lane: lanes.v2, partition: account.number % ACCOUNTS_OF_STREAM, offset, place: 0 };
  return { version: versionOf(timeMs, place), position };
}

/** Returns the versions that the write must be above: those of another process, whose clock is ahead, too. */
function versionsOf({ contacts, orders, supplements, supplementRecords, attributeClears }: LoadedRows): Version[] {
  const cleared = [...supplements.values()].map((table) => table?.clearedVersion);
  const versions = [...contacts.values(), ...supplementRecords.values()].map((row) => row?.version);
  const forgotten = [...attributeClears.values()].flatMap((clears) => [...clears.values()]);
  const ordered = [...orders.values()].map((row) => (row === null ? undefined : versionOfOrder(fromOrderRow("", row))));
  return [...versions, ...cleared, ...forgotten, ...ordered].filter((version) => version !== undefined);
}

interface FoldedWrite {
  readonly state: BatchState;
  readonly rows: LoadedRows;
  /** Its first place in the outbox. */
  readonly first: number;
  readonly origin: V2Write;
}

/** Writes rows, change events and the write's own row together, unless a merge or split must first know what it moved. */
async function store(
  { transaction, nowMs }: WritePorts,
  account: Account,
  { state, rows, first, origin }: FoldedWrite,
): Promise<number> {
  const changes = state.changes();
  const accounts = new Map([[account.number, account]]);
  const storing = storeChanges(transaction, { changes, rows, accounts, revision: first });
  const moves = changes.merges.length + changes.splits.length > 0;
  const emitting = emit(transaction, { changes, accounts, first, stored: moves ? storing : nothingMoved });
  const noting = insertV2Write(transaction, origin);
  const define = () => defineWritten(transaction, changes, { accounts, nowMs });
  const keeping = emitting.then(async (position) => {
    if (changes.clears.length > 0) await storing;
    return Math.max(
      position,
      await emitStoredMembers(transaction, changes.clears, { sourcePartition: account.number }),
    );
  });
  // The first failure is the reason: what comes after it fails because the transaction is broken.
  await writeAndDefine(changes, [storing, emitting, noting, keeping], define);
  return keeping;
}

interface Emission {
  readonly changes: BatchChanges;
  readonly accounts: ReadonlyMap<number, Account>;
  readonly first: number;
  readonly stored: StoredChanges | Promise<StoredChanges>;
}

/** @returns the last position in the outbox. An account's writes share a partition of the change topics, so that they stay in order. */
async function emit(transaction: Transaction, { changes, accounts, first, stored }: Emission): Promise<number> {
  const pieces = toPieces({ ...toChangeEvents(changes, accounts, await stored), rejects: [] });
  const more = await takeOutboxPositions(transaction, Math.max(0, pieces.length - 1));
  const positions = [first, ...more];
  const [sourcePartition = 0] = accounts.keys();
  await appendOutbox(transaction, toOutboxRows(pieces, { positions, sourcePartition }));
  return Math.max(...positions);
}
