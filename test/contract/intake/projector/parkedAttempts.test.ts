import type { RawMessage } from "@headwater/topics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AT, type MemoryStream, type Publish, startMemoryStream, stateOf } from "./memoryStream.ts";

/*
 * A redriver that was killed or slept publishes an attempt of a parked record again. It stays one attempt, wherever batches end.
 */

const WAITS_MS = [5_000, 60_000] as const;
const LEASE_MS = 60_000;
const contact = { identifiers: { email: "late@x.org" } };

let stream: MemoryStream;
beforeEach(async () => {
  stream = await startMemoryStream();
});
afterEach(() => stream.drop());

const apply = () => stream.apply(stateOf(stream.postgres, stream.account, stream.clock, WAITS_MS));
const appendParked = () => {
  const event = { name: "browse", time: "2026-01-01T00:00:00Z" };
  stream.append("createContactactivities", [{ id: "r:0:0", receivedAt: AT, contact, event }]);
};
const appendContact = () => {
  const created = { ...contact, attributes: { tier: "gold" }, canBeCreated: true };
  stream.append("upsertContact", [{ id: "c:0:0", receivedAt: AT, contact: created }]);
};
const row = async () => {
  const text = `SELECT status, attempts, due_at AS "dueAt" FROM rejects`;
  const [found] = await stream.postgres.query<{ status: string; attempts: number; dueAt: number | null }>({ text });
  return found;
};

/** One attempt, written twice. @param between what happens between the two. */
async function publishTwice(between: () => Promise<void>): Promise<void> {
  let written: readonly RawMessage[] = [];
  const remember: Publish = (messages) => {
    written = messages;
    return stream.write(messages);
  };
  expect(await stream.redriveParked(remember)).toBe(1);
  await between();
  await stream.write(written);
}

test.each([
  ["in one batch", async () => undefined],
  ["in two batches", apply],
])(
  "an attempt that was published twice and comes %s is one attempt: the next one is made in its time",
  async (_how, between) => {
    appendParked();
    await apply();
    stream.clock.advance(WAITS_MS[0]);
    await publishTwice(between);
    await apply();
    expect(await row()).toEqual({ status: "parked", attempts: 1, dueAt: stream.clock.nowMs() + WAITS_MS[1] });

    appendContact();
    stream.clock.advance(WAITS_MS[1]);
    await publishTwice(between);
    await apply();
    expect(await row()).toMatchObject({ status: "applied" });
  },
);

test("a redriver that slept and writes an attempt after the next one was made changes nothing", async () => {
  appendParked();
  await apply();
  stream.clock.advance(WAITS_MS[0]);
  let late: readonly RawMessage[] = [];
  const sleeps: Publish = async (messages) => {
    late = messages;
    return [];
  };
  await stream.redriveParked(sleeps);
  stream.clock.advance(LEASE_MS);
  expect(await stream.redriveParked()).toBe(1);
  await apply();
  await stream.write(late);
  await apply();
  expect(await row()).toMatchObject({ status: "parked", attempts: 1 });
  stream.clock.advance(WAITS_MS[1]);
  expect(await stream.redriveParked()).toBe(1);
  await stream.write(late);
  await apply();
  expect(await row()).toEqual({ status: "open", attempts: 2, dueAt: null });
});

test("a log that is read again from before a record was parked tries it as often as the first time", async () => {
  appendParked();
  await apply();
  for (const wait of WAITS_MS) {
    stream.clock.advance(wait);
    expect(await stream.redriveParked()).toBe(1);
    await apply();
  }
  const first = await row();
  // A store that lost its last transactions: nothing of these records is left, and all of them come in one batch.
  for (const table of ["rejects", "reject_counts", "stream_offsets"]) {
    await stream.postgres.execute({ text: `DELETE FROM ${table}` });
  }
  await apply();
  expect(first).toEqual({ status: "open", attempts: 2, dueAt: null });
  expect(await row()).toEqual(first);
});
