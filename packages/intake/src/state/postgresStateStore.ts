import { lockBatchAccounts } from "@headwater/accounts/accounts/batchAccounts";
import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { STATE_GROUP } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { rehearse, withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { insertResolutions } from "@headwater/postgres/streams/activityResolutions";
import { lockOffset, type OffsetKey, openOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { loadAttributes } from "@headwater/records/attributes/postgres";
import { emitStoredMembers } from "@headwater/records/changeEvents/keptMembers";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { readErasureSecret } from "@headwater/records/erasures/erasureSecret";
import { loadErasedFrom } from "@headwater/records/erasures/erasures";
import { loadReads, loadRows } from "@headwater/records/reads/loadRows";
import { TransactionOutlived } from "@headwater/records/unitOfWork/transactionOutlived";
import { allOf } from "@headwater/records/writes/allOf";
import { defineWritten } from "@headwater/records/writes/defineWritten";
import { createDefinitions } from "@headwater/records/writes/definitions";
import { deleteUnusedLists, ensureLists } from "@headwater/records/writes/ensureLists";
import { storeChanges } from "@headwater/records/writes/storeBatch";
import { addOutcomeCounts } from "../accounting/accounting.ts";
import {
  lockRejects,
  noteRedriven,
  readRejectPositions,
  readRejectStatuses,
  resolveRejects,
  upsertRejects,
} from "../deadLetters/rejects.ts";
import { insertAppliedRecords, loadAppliedRecords } from "../receipts/appliedRecords.ts";
import { insertReceiptCounts } from "../receipts/receipts.ts";
import { createGroupOffsets, holdsOf } from "../streams/offsets.ts";
import { readEventTriggers } from "../triggers/eventTriggers.ts";
import { readListeners } from "../triggers/listeners.ts";
import { insertTriggeredEvents } from "../triggers/storedTriggeredEvents.ts";
import { noteUncomparedTriggers } from "../triggers/uncomparedTriggers.ts";
import { addImportedRows, loadImportedRows } from "./importCounts.ts";
import { readMessageChannels } from "./messageChannels.ts";
import { toRejectedEvents } from "./rejectedEvents.ts";
import type { BatchEnd, Fence, FencedResult, StateStore, StateTransaction } from "./stateStore.ts";

/** Processor time without a statement after which an ended transaction is its own fault: a third of what Postgres waits for one. */
const OWN_MS_MAX = 5_000;

/**
 * Creates the store of the state in Postgres.
 * @param ownMsMax see `OWN_MS_MAX`. @param receiptSecret seals the receipts of events about refused records; without it they have none.
 */
export function createPostgresStateStore(
  postgres: Postgres,
  clock: Clock,
  ownMsMax = OWN_MS_MAX,
  receiptSecret?: string,
): StateStore {
  const offsets = createGroupOffsets(postgres, STATE_GROUP);
  return {
    open: async (at) => openOffset(postgres, await offsets.open(at), at.low),
    keyOf: offsets.keyOf,
    ...holdsOf(postgres, offsets.keyOf),
    refusedPositions: (range) => readRejectPositions(postgres, range),
    refusalStatuses: (keys) => readRejectStatuses(postgres, keys),
    define: createDefinitions(postgres, clock),
    async transaction(fence, run) {
      const own = new OwnTime();
      try {
        return await postgres.transaction((transaction) =>
          runFenced(own.over(transaction), fence, { run, receiptSecret }),
        );
      } catch (error) {
        const isOutlived = own.longestMs >= ownMsMax && postgresFailure(error) === "unavailable";
        throw isOutlived ? new TransactionOutlived(own.longestMs) : error;
      }
    },
  };
}

interface FencedRun<Result> {
  readonly run: (transaction: StateTransaction) => Promise<Result>;
  readonly receiptSecret: string | undefined;
}

async function runFenced<Result>(
  transaction: Transaction,
  { key, fromOffset, lockTimeoutMs }: Fence,
  { run, receiptSecret }: FencedRun<Result>,
): Promise<FencedResult<Result>> {
  if (lockTimeoutMs !== undefined) {
    await transaction.execute({ text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
  }
  const stored = await lockOffset(transaction, key);
  if (stored.nextOffset !== fromOffset) return { kind: "elsewhere", nextOffset: stored.nextOffset };
  return { kind: "stored", result: await run(stateOver(transaction, receiptSecret)) };
}

function stateOver(transaction: Transaction, receiptSecret: string | undefined): StateTransaction {
  return {
    ...readsOver(transaction),
    lockAccounts: (accounts, isAlone) => lockBatchAccounts(transaction, accounts, isAlone),
    eventTriggers: (accounts) => readEventTriggers(transaction, [...accounts]),
    listeners: (accounts) => readListeners(transaction, [...accounts]),
    ensureLists: (records, nowMs) => ensureLists(transaction, records, nowMs),
    deleteUnusedLists: (created, applied) => deleteUnusedLists(transaction, created, applied),
    takeOutboxPositions: (count) => takeOutboxPositions(transaction, count),
    storeChanges: (input) => storeChanges(transaction, input),
    appendOutbox: (rows) => appendOutbox(transaction, rows),
    emitKeptMembers: (clears, at) => emitStoredMembers(transaction, clears, at),
    defineWritten: (changes, at) => defineWritten(transaction, changes, at),
    storeEnd: (key, end) => storeEnd(transaction, key, { ...end, receiptSecret }),
    savepoint: (run) => withSavepoint(transaction, (part) => run(stateOver(part, receiptSecret))),
    rehearse: (run) => rehearse(transaction, (part) => run(stateOver(part, receiptSecret))),
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
function storeEnd(
  transaction: Transaction,
  key: OffsetKey,
  end: BatchEnd & { readonly receiptSecret: string | undefined },
): Promise<void> {
  const { resolutions, nowMs } = end;
  return allOf([
    resolutions === undefined ? Promise.resolve() : insertResolutions(transaction, key, resolutions),
    upsertRejects(transaction, end.rejects),
    resolveRejects(transaction, end.settled, nowMs),
    noteRedriven(transaction, end.redriven, nowMs),
    insertReceiptCounts(transaction, end.receiptCounts),
    addOutcomeCounts(transaction, key, end.outcomeCounts),
    insertAppliedRecords(transaction, end.applied, nowMs),
    addImportedRows(transaction, end.imported),
    insertTriggeredEvents(transaction, end.triggered, nowMs),
    noteUncomparedTriggers(transaction, end.uncompared, nowMs),
    ...[...toRejectedEvents(end.rejects, end)].map(([account, events]) =>
      publishEvents(transaction, { account, nowMs }, events),
    ),
    setOffset(transaction, key, end.offset),
  ]);
}

/**
 * Measures the time for which a transaction's own code keeps the process: the processor time of this thread from an answer of Postgres
 * until everything that waited for it has run. A paused process, a busy machine and other work of the process count nothing.
 */
export class OwnTime {
  #longestMs = 0;

  /** Longest time without a statement, in milliseconds of a core. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** Returns a transaction with the same statements, whose answers are measured. */
  over(transaction: Transaction): Transaction {
    return {
      ...transaction,
      query: (statement, values) => this.#measured(transaction.query(statement, values)),
      execute: (statement, values) => this.#measured(transaction.execute(statement, values)),
    };
  }

  async #measured<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } finally {
      const before = process.threadCpuUsage();
      // Runs when the queue of promises is empty, before any other event of the loop.
      process.nextTick(() => {
        const { user, system } = process.threadCpuUsage(before);
        this.#longestMs = Math.max(this.#longestMs, (user + system) / 1_000);
      });
    }
  }
}
