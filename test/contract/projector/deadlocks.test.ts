import { type Postgres, postgresFailure, type Transaction } from "@headwater/stores/postgres";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
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
  const transaction = async <Result>(run: (inner: Transaction) => Promise<Result>) => {
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
    const records = people.map((one, place) => ({ id: `request-${frame}:${place}:0`, receivedAt, ...one }));
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
