import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createHistorySink } from "@headwater/intake/sink/historySink";
import type { Postgres } from "@headwater/postgres/connection/postgres";

/** Writes to ClickHouse what the outbox says on a topic, as the projector does; again and again is once. */
export async function projectChanges(
  { postgres, clickHouse }: { readonly postgres: Postgres; readonly clickHouse: ClickHouse },
  topic: string,
): Promise<void> {
  const text = "SELECT payload FROM outbox WHERE topic = $1 ORDER BY position";
  const rows = await postgres.query<{ payload: string }>({ text }, [topic]);
  const frames = rows.map(({ payload }, offset) => {
    return { offset, timeMs: 0, key: undefined, value: Buffer.from(payload), headers: {} };
  });
  const decode = (value: Buffer) => ({ kind: "decoded", subject: topic, value: JSON.parse(value.toString()) }) as const;
  const position = { group: "history", topic, generation: 1, partition: 0 };
  const blocks = await createHistorySink({ codec: { decode }, postgres }).blocks(position, frames, new Set());
  for (const { table, columns, body } of blocks) {
    await clickHouse.insertBlock({ table, columns, body, token: randomUUID() });
  }
}
