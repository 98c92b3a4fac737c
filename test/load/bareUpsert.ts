import pg from "pg";
import type { z } from "zod";
import { serveTasks } from "./processes/serveTasks.ts";
import { bareUpsertTask, measured } from "./tasks/bareTasks.ts";

/** Process: a limit of the state group. Contact rows in batches of the same size, each with an offset row in its transaction. */
serveTasks(async (task) => {
  const wanted = bareUpsertTask.parse(task);
  const pool = new pg.Pool({ connectionString: wanted.url, max: wanted.concurrently, pipeline: true });
  const result = await measured(() => run(pool, wanted));
  await pool.end();
  return result;
});

type Task = z.output<typeof bareUpsertTask>;

const UPSERT = `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, merged_into, doc)
  SELECT 1, number, cid, modified_at, modified_at, version, number, NULL, doc
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], string_to_array($5, E'\\x1f')) AS r (number, cid, modified_at, version, doc)
  ON CONFLICT (account, number) DO UPDATE
    SET modified_at = EXCLUDED.modified_at, version = EXCLUDED.version, revision = EXCLUDED.revision, doc = EXCLUDED.doc`;
const OFFSET = `INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset) VALUES ('bare', 'bare', 1, $1, $2)
  ON CONFLICT (grp, topic, generation, partition) DO UPDATE SET next_offset = EXCLUDED.next_offset, updated_at = now()`;

async function run(pool: pg.Pool, task: Task): Promise<number> {
  let next = 0;
  const writer = async (partition: number) => {
    const client = await pool.connect();
    while (next < task.batches) await writeBatch(client, task, { batch: next++, partition });
    client.release();
  };
  await Promise.all(Array.from({ length: task.concurrently }, (_, partition) => writer(partition)));
  return task.batches * task.batchRows;
}

const IDENTIFIERS = `INSERT INTO contact_identifiers (account, name, value, contact)
  SELECT 1, name, concat(name, number), number FROM unnest($1::bigint[]) AS r (number), unnest(ARRAY['customer_id', 'email']) AS n (name)`;
const OUTBOX = `INSERT INTO outbox (position, topic, source_partition, payload)
  VALUES (nextval('outbox_positions'), 'changes.contacts', $1, $2)`;

/** The statements of one transaction go out together, as ours do. */
async function writeBatch(
  client: pg.PoolClient,
  task: Task,
  { batch, partition }: { readonly batch: number; readonly partition: number },
): Promise<void> {
  const { batchRows, firstContact, identifiers, outboxBytes } = task;
  const numbers = Array.from({ length: batchRows }, (_, row) => firstContact + batch * batchRows + row);
  const statements = [
    { name: "upsert", text: UPSERT, values: contactValues(numbers, task.documentBytes) },
    ...(identifiers ? [{ name: "identifiers", text: IDENTIFIERS, values: [`{${numbers.join(",")}}`] }] : []),
    ...(outboxBytes > 0
      ? [{ name: "outbox", text: OUTBOX, values: [partition, "x".repeat(Math.round(outboxBytes * batchRows))] }]
      : []),
    { name: "offset", text: OFFSET, values: [partition, batch] },
  ];
  await Promise.all([
    client.query("BEGIN"),
    ...statements.map((statement) => client.query(statement)),
    client.query("COMMIT"),
  ]);
}

function contactValues(numbers: readonly number[], documentBytes: number): string[] {
  const nowMs = Date.now();
  const version = (number: number) => `${nowMs.toString(16).padStart(11, "0")}${number.toString(16).padStart(21, "0")}`;
  const filler = "x".repeat(Math.max(0, documentBytes - 50));
  return [
    `{${numbers.join(",")}}`,
    `{${numbers.map((number) => number.toString(16).padStart(24, "0")).join(",")}}`,
    `{${numbers.map(() => nowMs).join(",")}}`,
    `{${numbers.map(version).join(",")}}`,
    numbers.map((number) => `{"n":${number},"at":${nowMs},"filler":"${filler}"}`).join("\x1f"),
  ];
}
