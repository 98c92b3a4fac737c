import type { LogFrame } from "@headwater/topics";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, frameOf, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * What was seen of UIDs is kept in memory and rebuilt from the log when a partition is taken over. A record that was refused
 * was not seen: it must be applied when it is tried again, whatever process does it.
 */

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
});
afterEach(() => handlers.drop());

const identifiers = { email: "late@example.com" };
const activity = {
  id: "request:0:0",
  receivedAt: 0,
  contact: { identifiers },
  event: { name: "browse", time: "2026-01-01T00:00:00Z", UID: "view-1" },
};
const redrive = { ...activity, redriveOf: activity.id };
/** Another one that is seen, so that the window has something to be rebuilt for. */
const firstSeen = { id: "seen:0:0", contact: { identifiers: { email: "first@example.com" } } };

const activityAt = (offset: number, record: object) =>
  frameOf(handlers.accountId, offset, "createContactactivities", [record]);
const contactAt = (offset: number, email: string = identifiers.email) => {
  const contact = { identifiers: { email }, attributes: { tier: "gold" }, canBeCreated: true };
  return frameOf(handlers.accountId, offset, "upsertContact", [{ id: `c:0:${offset}`, receivedAt: 0, contact }]);
};

async function statuses() {
  return handlers.postgres.query({ text: "SELECT record_id AS id, status FROM rejects" });
}

/** A new process takes the partition over and reads the log from where it asks to. */
async function takeOver(log: readonly LogFrame[]): Promise<void> {
  const state = handlers.state();
  const { fromOffset } = await state.start({ ...at, low: 0, high: log.length });
  await state.batch(batchOf(log.filter(({ offset }) => offset >= fromOffset)), context);
}

test("an activity that was refused is applied when its contact comes, also by a process that begins right behind it", async () => {
  const log = [activityAt(0, activity)];
  await takeOver(log);
  expect(await statuses()).toEqual([{ id: activity.id, status: "parked" }]);
  await takeOver([...log, contactAt(1), activityAt(2, redrive)]);
  expect(await statuses()).toEqual([{ id: activity.id, status: "applied" }]);
});

test("an activity that was retried in vain is applied when its contact comes", async () => {
  const log = [
    contactAt(0, "first@example.com"),
    activityAt(1, { ...activity, ...firstSeen }),
    activityAt(2, activity),
  ];
  await takeOver(log);
  log.push(activityAt(3, redrive));
  await takeOver(log);
  await takeOver([...log, contactAt(4), activityAt(5, redrive)]);
  expect(await statuses()).toEqual([{ id: activity.id, status: "applied" }]);
});

test("an activity that a retry wrote twice is applied when its contact comes", async () => {
  const keyed = { ...activity, keyed: true };
  const log = [activityAt(0, keyed), activityAt(1, keyed)];
  await takeOver(log);
  await takeOver([...log, contactAt(2), activityAt(3, { ...keyed, redriveOf: activity.id })]);
  expect(await statuses()).toEqual([{ id: activity.id, status: "applied" }]);
});

test("an activity that was applied is seen by the process that takes over", async () => {
  const log = [contactAt(0), activityAt(1, activity)];
  await takeOver(log);
  await takeOver([...log, activityAt(2, { ...activity, id: "later:0:0" })]);
  const counts = await handlers.postgres.query({ text: "SELECT request_id AS request, skips FROM receipt_counts" });
  expect(counts).toEqual([{ request: "later", skips: '{"DUPLICATE":1}' }]);
});
