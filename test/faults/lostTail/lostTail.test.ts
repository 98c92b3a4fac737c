import { catalogue, createTopicAdmin } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quiet } from "../harness/services.ts";
import { bareAdmin } from "../kafkaTraps/bareKafka.ts";
import { headwater, preview } from "./adopt.ts";
import { type LostTailGround, lostTailGround, TOPIC } from "./ground.ts";
import { createPeople, WAIT_MS } from "./people.ts";

/** Number of people that leaves one of eight partitions empty once in 45,000 times: a partition that was empty is not held. */
const PEOPLE = 96;
/** Number of people who need not be in every partition: one is empty in a quarter of all runs. */
const FEW = 24;
const PARTITIONS = 8;

let on: LostTailGround;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  on = await lostTailGround("lost-tail");
  people = createPeople(on);
}, 4 * WAIT_MS);

afterAll(async () => {
  await on?.stop();
}, WAIT_MS);

test("a broker that lost its tail: no receipt says applied of a person who is not there, projector alive", {
  timeout: 4 * WAIT_MS,
}, async () => {
  await people.expectStates(await people.send("kept", PEOPLE), { applied: PEOPLE });
  const ends = await on.ends();
  const lost = await people.send("applied-and-cut", PEOPLE);
  await people.expectStates(lost, { applied: PEOPLE });
  await on.cut(ends);
  const after = await people.send("after", PEOPLE);
  expect(await people.lies(after)).toEqual([]);
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS);
  // The log grows past the stored offsets again, and still is another one.
  const more = await people.send("more", 2 * PEOPLE);
  expect(await people.lies([...after, ...more])).toEqual([]);
  expect(await people.statesOf([...after, ...more])).toEqual({ pending: 3 * PEOPLE });
  expect(await people.statesOf(lost)).toEqual({ applied: PEOPLE });
  expect(on.apps.lastWords()).toEqual([]);

  const { rows, digest } = await preview(on.ground, "intake.records");
  expect(rows.filter(({ what }) => what === "cut")).toHaveLength(PARTITIONS);
  const args = ["topics", "adopt", "intake.records", "--yes", "--reason", "the power was cut"];
  await expect(headwater(on.ground, ...args, "--confirm", "0000")).rejects.toThrow("PREVIEW_STALE");
  await headwater(on.ground, ...args, "--confirm", digest);
  await people.expectStates([...after, ...more], { applied: 3 * PEOPLE });
  await people.expectAllThere([...lost, ...after, ...more]);
  await people.expectBalanced();
});

test("records that were lost before they were applied are reported, projector dead", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const projector = on.apps.projector(0);
  const ends = await on.ends();
  const applied = await people.send("second-applied", PEOPLE);
  await people.expectStates(applied, { applied: PEOPLE });
  await projector.stop();
  // Written and never read by anybody, then lost with some that were.
  const lost = await people.send("never-applied", PEOPLE);
  await on.cut(ends);
  const after = await people.send("second-after", PEOPLE);
  expect(await people.lies(after)).toEqual([]);
  await projector.start();
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS);
  expect(await people.lies(after)).toEqual([]);
  // With the projector stopped: it begins below what it had committed of the former log, which is no loss of Postgres.
  await projector.stop();
  const { digest } = await preview(on.ground, "intake.records");
  await headwater(on.ground, "topics", "adopt", "--yes", "--reason", "again", "--confirm", digest);
  await projector.start();
  await people.expectStates([...applied, ...after], { applied: 2 * PEOPLE });
  expect(await people.statesOf(lost)).toEqual({ rejected: PEOPLE });
  expect((await on.receipt(lost[0]?.receipt ?? "")).rejections).toMatchObject([{ code: "LOST_FROM_LOG" }]);
  await people.expectAllThere([...applied, ...after]);
  await people.expectBalanced();
  expect(on.apps.lastWords()).toEqual([]);
});

test("a topic made anew under a running projector is held, adopted as it is, and loses nothing that was applied", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const lostBefore = await people.expectBalanced();
  const before = await people.send("before", PEOPLE);
  await people.expectStates(before, { applied: PEOPLE });
  await recreate();
  const after = await people.send("after-anew", PEOPLE);
  expect(await people.lies(after)).toEqual([]);
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS);
  expect(await people.statesOf(after)).toEqual({ pending: PEOPLE });
  expect(await people.statesOf(before)).toEqual({ applied: PEOPLE });

  const { rows, digest } = await preview(on.ground, TOPIC);
  expect(rows.filter(({ what }) => what === "cut")).toHaveLength(PARTITIONS);
  expect(rows.filter(({ what }) => what === "lost")).toEqual([]);
  await people.adopt(digest, "the topic was deleted by mistake");
  await people.expectStates(after, { applied: PEOPLE });
  await people.expectAllThere([...before, ...after]);
  expect(await people.expectBalanced()).toBe(lostBefore);
  expect(on.apps.lastWords()).toEqual([]);
});

test("a topic made anew before its records were applied: they are reported as lost, and counted", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const lostBefore = await people.expectBalanced();
  const counting = await onlyCounting();
  const lost = await people.send("never-applied-either", FEW);
  await allCounted();
  await counting.stop();
  await recreate();
  const after = await people.send("after-all", PEOPLE);
  const onlyState = on.apps.projector(2, { HEADWATER_PROJECTOR_PARTS: "state,accounting" });
  await onlyState.start();
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS);
  expect(await people.lies([...lost, ...after])).toEqual([]);
  const { rows, digest } = await preview(on.ground, TOPIC);
  expect(lostOf(rows)).toBe(FEW);
  await people.adopt(digest, "made anew");
  await people.expectStates(after, { applied: PEOPLE });
  await people.expectStates(lost, { rejected: FEW });
  expect(await people.expectBalanced()).toBe(lostBefore + FEW);
  await onlyState.stop();
});

test("a topic made anew before its activities were written: none of the new ones is given to a contact of the former", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const lostBefore = await people.expectBalanced();
  const written = await people.written();
  await recreate();
  const after = await people.send("after-unwritten", PEOPLE);
  await on.apps.projector(0).start();
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS);
  await expect.poll(() => people.held("activities"), { timeout: WAIT_MS }).toBeGreaterThan(0);
  const { rows, digest } = await preview(on.ground, TOPIC);
  // Those of the test before were applied, and no group wrote them.
  expect(lostOf(rows, "lost to activities")).toBe(PEOPLE);
  await people.adopt(digest, "made anew again");
  await people.expectStates(after, { applied: PEOPLE });
  await expect.poll(people.written, { timeout: WAIT_MS }).toBe(written + PEOPLE);
  await people.expectAllThere(after);
  expect(await people.expectBalanced()).toBe(lostBefore);
});

test("records that passed retention before they were applied are previewed, reported as lost and counted; the others are applied", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const lostBefore = await people.expectBalanced();
  const applied = await on.ends();
  const counting = await onlyCounting();
  const lost = await people.send("passed", PEOPLE);
  const ends = await on.ends();
  const stored = await people.send("kept-after-all", FEW);
  await allCounted();
  await counting.stop();
  const [first, ...others] = [...ends].filter(([partition, end]) => end > (applied.get(partition) ?? 0));
  await deleteBelow(others);
  const stale = await preview(on.ground, TOPIC);
  expect(stale.rows.filter(({ what }) => what === "retention")).toHaveLength(others.length);
  // More of it passes while the preview is checked.
  await deleteBelow(first === undefined ? [] : [first]);
  await expect(people.adopt(stale.digest, "too late")).rejects.toThrow("PREVIEW_STALE");
  await on.apps.projector(0).start();
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(others.length + 1);
  expect(await people.statesOf([...lost, ...stored])).toEqual({ pending: PEOPLE + FEW });

  const { rows, digest } = await preview(on.ground, TOPIC);
  expect(rows.filter(({ what }) => what === "retention")).toHaveLength(others.length + 1);
  expect(lostOf(rows)).toBe(PEOPLE);
  await people.adopt(digest, "nobody read for a week");
  await people.expectStates(stored, { applied: FEW });
  await people.expectStates(lost, { rejected: PEOPLE });
  expect(await people.expectBalanced()).toBe(lostBefore + PEOPLE);
  await people.expectAllThere(stored);
  expect(on.apps.lastWords()).toEqual([]);
});

function lostOf(rows: readonly { readonly what: string; readonly records?: number }[], named = "lost"): number {
  return rows.filter(({ what }) => what === named).reduce((sum, { records = 0 }) => sum + records, 0);
}

/** Stops the projector and counts the log alone: so that what `state` never applies is known by account and operation. */
async function onlyCounting() {
  await on.apps.projector(0).stop();
  const counting = on.apps.projector(1, { HEADWATER_PROJECTOR_PARTS: "accounting" });
  await counting.start();
  return counting;
}

/** Waits until the count of the log is at its end. */
async function allCounted(): Promise<void> {
  const uncounted = async () => {
    const ends = await on.ends();
    const counted = await on.ground.postgres.query<{ partition: number; next: number }>({
      name: "test_counted",
      text: `SELECT partition, next_offset AS next FROM stream_offsets WHERE grp = 'accounting' AND topic = '${TOPIC}'`,
    });
    return [...ends].filter(([at, end]) => (counted.find(({ partition }) => partition === at)?.next ?? 0) < end);
  };
  await expect.poll(uncounted, { timeout: WAIT_MS, interval: 500 }).toEqual([]);
}

async function recreate(): Promise<void> {
  const { kafkaBrokers } = on.ground.services;
  const admin = bareAdmin(kafkaBrokers);
  await admin.connect();
  await admin.deleteTopics({ topics: [TOPIC] });
  await expect.poll(() => admin.listTopics(), { timeout: WAIT_MS }).not.toContain(TOPIC);
  await admin.disconnect();
  const topics = createTopicAdmin({ brokers: kafkaBrokers.split(","), clientId: "lost-tail", logger: quiet });
  await topics.apply(catalogue);
  await topics.close();
}

async function deleteBelow(offsets: readonly (readonly [number, number])[]): Promise<void> {
  const admin = bareAdmin(on.ground.services.kafkaBrokers);
  await admin.connect();
  const partitions = offsets.map(([partition, offset]) => ({ partition, offset: String(offset) }));
  // kafkajs searches for leaders that it has not learnt before.
  await admin.fetchTopicOffsets(TOPIC);
  await admin.deleteTopicRecords({ topic: TOPIC, partitions });
  await admin.disconnect();
}
