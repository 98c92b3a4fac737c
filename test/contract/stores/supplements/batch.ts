import { type Account, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { toOutboxRows, toPieces } from "@headwater/records/changeEvents/outboxRows";
import { toChangeEvents } from "@headwater/records/changeEvents/toChangeEvents";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { loadRows } from "@headwater/records/reads/loadRows";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { storeChanges } from "@headwater/records/writes/storeBatch";

const upsert = loggedOperations.find(({ name }) => name === "upsertSupplementsRecords");

export interface SentRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface Sent {
  readonly supplement: string;
  readonly records: readonly SentRecord[];
  /** Milliseconds since 1970 of the frame in its log, and a number that no other frame of that instant has. */
  readonly timeMs: number;
  readonly offset: number;
}

/** Stores records of intake as the projector does: one batch, one transaction, in its order of locks. */
export function storeRecords(postgres: Postgres, account: Account, sent: Sent): Promise<void> {
  const { supplement, records } = sent;
  return retryOnConflict(() =>
    postgres.transaction(async (transaction) => {
      const rows = emptyRows();
      const reads = records.map(({ id }) => ({
        identifiers: [],
        members: false,
        supplement: { key: supplement, id },
      }));
      await loadRows(
        transaction,
        reads.map((one) => ({ account, reads: one })),
        rows,
      );
      const changes = foldOver(rows, account, sent);
      const accounts = new Map([[account.number, account]]);
      const positions = await takeOutboxPositions(transaction, 1);
      const stored = await storeChanges(transaction, { changes, rows, accounts, revision: positions[0] ?? 0 });
      const pieces = toPieces({ ...toChangeEvents(changes, accounts, stored), rejects: [] });
      positions.push(...(await takeOutboxPositions(transaction, Math.max(0, pieces.length - 1))));
      await appendOutbox(transaction, toOutboxRows(pieces, { positions, sourcePartition: 0 }));
    }),
  );
}

function foldOver(rows: ReturnType<typeof emptyRows>, account: Account, { supplement, records, timeMs, offset }: Sent) {
  const state = new BatchState(rows);
  for (const [index, record] of records.entries()) {
    const id = `b${offset}:0:${index}`;
    const version = versionOf(timeMs, { lane: 1, partition: 0, offset, place: index });
    const origin = { account, recordId: id, version };
    if (upsert === undefined) throw new Error("the operation is registered");
    const located = { id, receivedAt: 0, supplement, record };
    const { changeEvents } = Reflect.apply(upsert.fold, upsert, [state.of(account.number), located, origin]);
    state.collect(account.number, changeEvents);
  }
  return state.changes();
}
