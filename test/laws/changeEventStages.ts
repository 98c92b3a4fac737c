import { RowBinary } from "@headwater/clickhouse/rowBinary";
import { type Account, readChangeEvent } from "@headwater/contracts";
import { toMessages } from "@headwater/intake/relay/toMessages";
import { writeChange } from "@headwater/intake/sink/historyRows";
import type { SinkTables } from "@headwater/intake/sink/sink";
import { toOutboxRows, toPieces } from "@headwater/records/changeEvents/outboxRows";
import { toChangeEvents } from "@headwater/records/changeEvents/toChangeEvents";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import { nothingMoved, type StoredChanges } from "@headwater/records/writes/storeBatch";
import { coreMs } from "./coreTime.ts";

const POSITIONS = Array.from({ length: 10_000 }, (_, index) => index + 1);

export interface StageTimes {
  readonly times: Readonly<Record<string, number>>;
  /** Changes that were written as rows. */
  readonly changes: number;
}

/** Measures the stages of a record's change events: emitted, cut into messages, published, read and written as rows of history. */
export function changeEventStages(
  changes: BatchChanges,
  account: Account,
  stored: Partial<StoredChanges> = {},
): StageTimes {
  const accounts = new Map([[account.number, account]]);
  const events = () => toChangeEvents(changes, accounts, { ...nothingMoved, ...stored });
  const cut = () => toPieces({ ...events(), rejects: [] });
  const pieces = cut();
  const rows = () => toOutboxRows(pieces, { positions: POSITIONS, sourcePartition: 0 });
  const outbox = rows();
  const publish = () => toMessages((_topic, payload) => Buffer.from(payload), outbox);
  const { poison, messages } = publish();
  if (poison.length > 0) throw new Error(`${poison.length} of its changes cannot be published`);
  const times = { emit: coreMs(cut), outbox: coreMs(rows), publish: coreMs(publish), read: 0, write: 0 };
  let count = 0;
  for (const { topic, value } of messages) {
    const read = () => changesOf(value).map((change) => readChangeEvent(topic, change));
    times.read = Math.max(times.read, coreMs(read));
    const changeEvents = read();
    const write = () => {
      const binary = new RowBinary();
      const add: SinkTables["add"] = (table, row) => table.write(binary, row);
      for (const change of changeEvents) if (change !== undefined) writeChange({ add }, change, 1);
    };
    if (changeEvents.includes(undefined)) throw new Error(`${topic} holds what nobody can read`);
    times.write = Math.max(times.write, coreMs(write));
    count += changeEvents.length;
  }
  return { times, changes: count };
}

function changesOf(value: Buffer): readonly unknown[] {
  const { changes }: { changes: readonly unknown[] } = JSON.parse(value.toString());
  return changes;
}
