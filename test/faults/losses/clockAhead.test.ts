import type { LogFrame, StreamHandler } from "@headwater/topics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, frameOf, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * The broker's clock goes an hour ahead for a while: its append times jump forth and back again. A version's time never falls
 * within a partition, so that what comes after the clock was put right is not older than what came before.
 */

const HOUR_MS = 3_600_000;
const START = { ...at, low: 0, high: 6 };

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
});
afterEach(() => handlers.drop());

/** Frames 2 and 3 were appended while the clock was ahead. */
function frames(): LogFrame[] {
  return Array.from({ length: 6 }, (_, offset) => {
    const frame = frameOf(handlers.accountId, offset, "createContactactivities", [visit(offset)]);
    return offset === 2 || offset === 3 ? { ...frame, timeMs: frame.timeMs + HOUR_MS } : frame;
  });
}

function visit(offset: number) {
  const contact = {
    identifiers: { email: "ann@example.com" },
    attributes: { visits: offset },
    canBeCreated: true,
    canBeUpdated: true,
  };
  const event = { name: "visit", time: "2026-01-01T00:00:00Z", UID: `u${offset}` };
  return { id: `r${offset}:0:0`, receivedAt: 0, contact, event };
}

/** Each cut of the stream is applied by a process of its own, which knows the greatest time from Postgres alone. */
async function applyAll(cuts: readonly (readonly [number, number])[]): Promise<void> {
  for (const [, to] of cuts) {
    for (const handler of [handlers.state(), handlers.activities()]) await applyUpTo(handler, to);
  }
}

/** Goes on where the handler says, as a consumer does: it may begin before what is next, and end before what it was given. */
async function applyUpTo(handler: StreamHandler, to: number): Promise<void> {
  let { fromOffset } = await handler.start(START);
  while (fromOffset < to) {
    const result = await handler.batch(batchOf(frames().slice(fromOffset, to)), context);
    if (result.kind !== "wait") fromOffset = result.offset;
  }
}

test.each([
  ["at once", [[0, 6]]],
  [
    "with restarts in between",
    [
      [0, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
  ],
] as const)(
  "what was appended by a clock that went an hour ahead and back ends in the last write: %s",
  async (_name, cuts) => {
    await applyAll(cuts);
    const [contact] = await handlers.postgres.query<{ doc: string }>({ text: "SELECT doc FROM contacts" });
    expect(contact?.doc).toContain('"attributes":["visits",5,');
    const stored = await handlers.clickhouse.query<{ uid: string }>("SELECT uid FROM activities ORDER BY uid");
    expect(stored.map(({ uid }) => uid)).toEqual(["u0", "u1", "u2", "u3", "u4", "u5"]);
    const refused = await handlers.postgres.query({ text: "SELECT record_id FROM rejects" });
    expect(refused).toEqual([]);
  },
);
