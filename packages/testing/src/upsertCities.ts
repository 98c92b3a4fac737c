import { type Account, lanes, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import type { StateTransaction } from "@headwater/intake/state/stateStore";
import { toOutboxRows, toPieces } from "@headwater/records/changeEvents/outboxRows";
import { toChangeEvents } from "@headwater/records/changeEvents/toChangeEvents";
import { foldOver, foldUntilLoaded } from "@headwater/records/unitOfWork/foldUntilLoaded";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { nothingMoved } from "@headwater/records/writes/storeBatch";

interface Position {
  readonly account: Account;
  readonly nowMs: number;
  readonly partition: number;
}

/** Folds contacts with the addresses, each in its own city, over the state and stores what changes. @returns kinds of the outcomes. */
export async function upsertCities(
  transaction: StateTransaction,
  emails: readonly string[],
  { account, nowMs, partition }: Position,
) {
  const operation = loggedOperations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("no operation upsertContact");
  const records = emails.map((email, index) => {
    const contact = { identifiers: { email }, attributes: { city: email }, canBeCreated: true, canBeUpdated: true };
    const version = versionOf(nowMs, { lane: lanes["intake.records"], partition, offset: 4, place: index });
    return { record: { id: `${email}:0:0`, receivedAt: nowMs, contact }, version };
  });
  const rows = emptyRows();
  const { result, state } = await foldUntilLoaded({
    rows,
    roundsMax: 8,
    pass: (state) => {
      const view = state.of(account.number);
      return foldOver(state, () =>
        records.map(({ record, version }) => {
          const folded = operation.fold(view, record, { account, recordId: record.id, version });
          state.collect(account.number, folded.changeEvents);
          return folded.kind;
        }),
      );
    },
    load: (needs) => transaction.loadReads(needs, rows),
    exhausted: () => new Error("the fold asked too often"),
  });
  const changes = state.changes();
  const accounts = new Map([[account.number, account]]);
  const pieces = toPieces({ ...toChangeEvents(changes, accounts, nothingMoved), rejects: [] });
  const positions = await transaction.takeOutboxPositions(Math.max(1, pieces.length));
  await transaction.storeChanges({ changes, rows, accounts, revision: positions[0] ?? 0 });
  await transaction.appendOutbox(toOutboxRows(pieces, { positions, sourcePartition: partition }));
  await transaction.defineWritten(changes, { accounts, nowMs });
  return result.result;
}
