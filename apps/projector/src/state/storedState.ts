import { STATE_GROUP } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import {
  allOf,
  type BatchEnd,
  bringUpLists,
  createDefinitions,
  defineWritten,
  dropUnusedLists,
  emitKeptMembers,
  type Fence,
  type FencedResult,
  loadReads,
  loadRows,
  type StateStore,
  type StateTransaction,
  storeChanges,
  TransactionOutlived,
} from "@headwater/projection";
import { addOutcomeCounts } from "@headwater/stores/accounting";
import { loadAttributes } from "@headwater/stores/attributes";
import { takeOutboxPositions } from "@headwater/stores/contacts";
import {
  lockRejects,
  noteRedriven,
  readRejectPlaces,
  readRejectStatuses,
  settleRejects,
  upsertRejects,
} from "@headwater/stores/deadLetters";
import { loadErasedFrom, readErasureSecret } from "@headwater/stores/erasures";
import { addImportedRows, loadImportedRows } from "@headwater/stores/imports";
import { appendOutbox } from "@headwater/stores/outbox";
import { type Postgres, postgresFailure, rehearse, type Transaction, withSavepoint } from "@headwater/stores/postgres";
import { insertAppliedRecords, insertReceiptCounts, loadAppliedRecords } from "@headwater/stores/receipts";
import { readMessageChannels } from "@headwater/stores/sends";
import {
  insertResolutions,
  lockBatchAccounts,
  lockOffset,
  type OffsetKey,
  openOffset,
  setOffset,
} from "@headwater/stores/streams";
import { insertTriggeredEvents, noteUncomparedTriggers, readEventTriggers } from "@headwater/stores/triggers";
import { createGroupOffsets, holdsOf } from "../offsets.ts";
import { OwnTime } from "./ownTime.ts";

/** Processor time without a statement after which an ended transaction is its own fault: a third of what Postgres waits for one. */
const OWN_MS_MAX = 5_000;

/** The state in Postgres. @param ownMsMax see `OWN_MS_MAX`. */
export function createStoredState(postgres: Postgres, clock: Clock, ownMsMax = OWN_MS_MAX): StateStore {
  const offsets = createGroupOffsets(postgres, STATE_GROUP);
  return {
    open: async (at) => openOffset(postgres, await offsets.open(at), at.low),
    keyOf: offsets.keyOf,
    ...holdsOf(postgres, offsets.keyOf),
    refusedPlaces: (range) => readRejectPlaces(postgres, range),
    refusalStatuses: (keys) => readRejectStatuses(postgres, keys),
    define: createDefinitions(postgres, clock),
    async transaction(fence, run) {
      const own = new OwnTime();
      try {
        return await postgres.transaction((transaction) => runFenced(own.over(transaction), fence, run));
      } catch (error) {
        const isOutlived = own.longestMs >= ownMsMax && postgresFailure(error) === "unavailable";
        throw isOutlived ? new TransactionOutlived(own.longestMs) : error;
      }
    },
  };
}

async function runFenced<Result>(
  transaction: Transaction,
  { key, fromOffset, lockTimeoutMs }: Fence,
  run: (transaction: StateTransaction) => Promise<Result>,
): Promise<FencedResult<Result>> {
  if (lockTimeoutMs !== undefined) {
    await transaction.execute({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
  }
  const stored = await lockOffset(transaction, key);
  if (stored.nextOffset !== fromOffset) return { kind: "elsewhere", nextOffset: stored.nextOffset };
  return { kind: "stored", result: await run(stateOver(transaction)) };
}

function stateOver(transaction: Transaction): StateTransaction {
  return {
    ...readsOver(transaction),
    lockAccounts: (accounts, isAlone) => lockBatchAccounts(transaction, accounts, isAlone),
    eventTriggers: (accounts) => readEventTriggers(transaction, [...accounts]),
    bringUpLists: (records, nowMs) => bringUpLists(transaction, records, nowMs),
    dropUnusedLists: (made, applied) => dropUnusedLists(transaction, made, applied),
    takeOutboxPositions: (count) => takeOutboxPositions(transaction, count),
    storeChanges: (input) => storeChanges(transaction, input),
    appendOutbox: (rows) => appendOutbox(transaction, rows),
    emitKeptMembers: (clears, at) => emitKeptMembers(transaction, clears, at),
    defineWritten: (changes, at) => defineWritten(transaction, changes, at),
    storeEnd: (key, end) => storeEnd(transaction, key, end),
    savepoint: (run) => withSavepoint(transaction, (part) => run(stateOver(part))),
    rehearse: (run) => rehearse(transaction, (part) => run(stateOver(part))),
  };
}

function readsOver(transaction: Transaction) {
  return {
    appliedRecords: (keys) => loadAppliedRecords(transaction, keys),
    messageChannels: (keys) => readMessageChannels(transaction, keys),
    lockRejects: (keys) => lockRejects(transaction, keys),
    importedRows: (imports, partition) => loadImportedRows(transaction, imports, partition),
    erasedFrom: (version) => loadErasedFrom(transaction, version),
    erasureSecret: () => readErasureSecret(transaction),
    attributesOf: async (account) => (await loadAttributes(transaction, account)).map(({ key }) => key),
    loadRows: (records, rows, last) => loadRows(transaction, records, rows, last),
    loadReads: (reads, rows) => loadReads(transaction, reads, rows),
  } satisfies Partial<StateTransaction>;
}

/** Statements go out together, the offset last. */
function storeEnd(transaction: Transaction, key: OffsetKey, end: BatchEnd): Promise<void> {
  const { resolutions, nowMs } = end;
  return allOf([
    resolutions === undefined ? Promise.resolve() : insertResolutions(transaction, key, resolutions),
    upsertRejects(transaction, end.rejects),
    settleRejects(transaction, end.settled, nowMs),
    noteRedriven(transaction, end.redriven, nowMs),
    insertReceiptCounts(transaction, end.receiptCounts),
    addOutcomeCounts(transaction, key, end.outcomeCounts),
    insertAppliedRecords(transaction, end.applied, nowMs),
    addImportedRows(transaction, end.imported),
    insertTriggeredEvents(transaction, end.triggered, nowMs),
    noteUncomparedTriggers(transaction, end.uncompared, nowMs),
    setOffset(transaction, key, end.offset),
  ]);
}
