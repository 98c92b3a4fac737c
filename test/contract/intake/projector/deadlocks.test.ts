import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream, stateOf, takeOver } from "./memoryStream.ts";

const PARTITIONS = 8;
const FRAMES = 12;
const RECORDS = 40;
const SEED = seedFrom(process.env.DEADLOCKS_SEED);

let stream: MemoryStream;
beforeEach(async () => {
  stream = await startMemoryStream();
});
afterEach(() => stream.drop());

/** Counts the transactions that Postgres ended to resolve a deadlock. */
function withDeadlocksCounted(postgres: Postgres) {
  const counted = { deadlocks: 0 };
  const transaction: Postgres["transaction"] = async (run) => {
    try {
      return await postgres.transaction(run);
    } catch (error) {
      if (postgresFailure(error) === "conflict") counted.deadlocks++;
      throw error;
    }
  };
  return { counted, postgres: { ...postgres, transaction } };
}

/** Draws from so few people that most records merge contacts that records of other partitions merge as well. */
const person = fc.record({ email: fc.nat(20), customer_id: fc.nat(20) }).map(({ email, customer_id }) => {
  const identifiers = { email: `${email}@example.com`, customer_id };
  return { contact: { identifiers, attributes: { plan: "x" }, canBeCreated: true, canBeUpdated: true } };
});
const log = fc.array(fc.array(person, { minLength: RECORDS, maxLength: RECORDS }), {
  minLength: PARTITIONS * FRAMES,
  maxLength: PARTITIONS * FRAMES,
});

test(`partitions that merge the same contacts lose at most one deadlock a batch (DEADLOCKS_SEED=${SEED})`, async () => {
  const receivedAt = stream.clock.nowMs();
  for (const [frame, people] of fc.sample(log, { seed: SEED, numRuns: 1 }).flat().entries()) {
    const records = people.map((one, index) => ({ id: `request-${frame}:${index}:0`, receivedAt, ...one }));
    stream.append("upsertContact", records, frame % PARTITIONS);
  }
  const { counted, postgres } = withDeadlocksCounted(stream.postgres);
  const handler = stateOf(postgres, stream.account, stream.clock);
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  await Promise.all(partitions.map((partition) => takeOver(handler, partition, stream.log)));
  const offsets = await stream.postgres.query<{ next: number }>({
    text: "SELECT next_offset::int AS next FROM stream_offsets WHERE grp = 'state' ORDER BY partition",
  });
  expect(offsets.map(({ next }) => next)).toEqual(partitions.map(() => FRAMES));
  expect(counted.deadlocks).toBeLessThanOrEqual(PARTITIONS);
});

/** Class of the locks that batches hold on their accounts. */
const BATCHES = 7_238_413;

/** Fails the first transaction with the error when all is written, and notes whether each one held its accounts alone. */
function failingOnce(postgres: Postgres, error: unknown) {
  const held: unknown[] = [];
  const transaction: Postgres["transaction"] = (run) =>
    postgres.transaction(async (inner, atCommit) => {
      const query: Transaction["query"] = (statement, values) => {
        if (statement.name === "advisory_locks" && values?.[0] === BATCHES) held.push(values[2]);
        return inner.query(statement, values);
      };
      const result = await run({ ...inner, query }, atCommit);
      if (held.length === 1) throw error;
      return result;
    });
  return { held, postgres: { ...postgres, transaction } };
}

test.each([
  ["a deadlock", "40P01", "{true}"],
  ["a row that another transaction wrote first", "23505", "{false}"],
])("a batch that met %s runs again, alone after a deadlock only", async (_what, code, isAlone) => {
  const contact = { identifiers: { email: "ada@example.com" }, attributes: { plan: "x" }, canBeCreated: true };
  stream.append("upsertContact", [{ id: "request-1:0:0", receivedAt: stream.clock.nowMs(), contact }]);
  const error = Object.assign(new pg.DatabaseError("lost", 0, "error"), { code });
  const { held, postgres } = failingOnce(stream.postgres, error);
  await takeOver(stateOf(postgres, stream.account, stream.clock), 0, stream.log);
  expect(held).toEqual(["{false}", isAlone]);
});
