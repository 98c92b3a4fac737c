import { openOffset, readOffsets, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * kafkajs may deliver from Kafka's commit before a late seek takes hold, and two processes may own a partition at once. The
 * row of the partition in Postgres is the fence.
 */

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
});
afterEach(() => handlers.drop());

const START = { ...at, low: 0, high: 10 };
const key = { group: "state", generation: 1, ...at } as const;

async function stored() {
  const [row] = await readOffsets(handlers.postgres, ["state"]);
  const emails = await handlers.postgres.query<{ value: string }>({
    text: "SELECT value FROM contact_identifiers ORDER BY value",
  });
  return { next: row?.nextOffset, emails: emails.map(({ value }) => value.split("@")[0]) };
}

test("an offset that is set from the batch alone, without the fence, passes over earlier records", async () => {
  const row = await openOffset(handlers.postgres, key, 0);
  const frames = handlers.frames(2, 4);
  await handlers.postgres.transaction((transaction) =>
    setOffset(transaction, key, { ...row, nextOffset: (frames.at(-1)?.offset ?? 0) + 1 }),
  );
  const state = handlers.state();
  await state.start(START);
  expect(await state.batch(batchOf(handlers.frames(0, 5)), context)).toEqual({ kind: "next", offset: 5 });
  expect(await stored()).toEqual({ next: 5, emails: ["p4"] });
});

test("a batch that begins above the stored offset is refused, and the stream is sought back", async () => {
  const state = handlers.state();
  await state.start(START);
  expect(await state.batch(batchOf(handlers.frames(2, 4)), context)).toEqual({ kind: "seek", offset: 0 });
  expect(await stored()).toEqual({ next: 0, emails: [] });
  expect(await state.batch(batchOf(handlers.frames(0, 4)), context)).toEqual({ kind: "next", offset: 4 });
  expect(await stored()).toEqual({ next: 4, emails: ["p0", "p1", "p2", "p3"] });
});

test("a second owner that is behind applies nothing twice and goes on where the first one is", async () => {
  const [first, second] = [handlers.state(), handlers.state()];
  await first.start(START);
  await second.start(START);
  expect(await first.batch(batchOf(handlers.frames(0, 3)), context)).toEqual({ kind: "next", offset: 3 });
  expect(await second.batch(batchOf(handlers.frames(0, 2)), context)).toMatchObject({ kind: "seek" });
  expect(await second.batch(batchOf(handlers.frames(0, 4)), context)).toEqual({ kind: "next", offset: 4 });
  expect(await stored()).toEqual({ next: 4, emails: ["p0", "p1", "p2", "p3"] });
  const handover = await handlers.postgres.query({ text: "SELECT first_offset FROM handover ORDER BY first_offset" });
  expect(handover).toEqual([{ first_offset: 0 }, { first_offset: 3 }]);
});
