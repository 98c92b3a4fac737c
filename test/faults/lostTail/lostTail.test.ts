import { afterAll, beforeAll, expect, test } from "vitest";
import { headwater, preview } from "./adopt.ts";
import { type LostTailGround, lostTailGround } from "./ground.ts";
import { createPeople, WAIT_MS } from "./people.ts";

/** Number of people that leaves one of eight partitions empty once in 600 runs. */
const PEOPLE = 64;

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
  await expect.poll(people.held, { timeout: WAIT_MS }).toBe(8);
  // The log grows past the stored offsets again, and still is another one.
  const more = await people.send("more", 2 * PEOPLE);
  expect(await people.lies([...after, ...more])).toEqual([]);
  expect(await people.statesOf([...after, ...more])).toEqual({ pending: 3 * PEOPLE });
  expect(await people.statesOf(lost)).toEqual({ applied: PEOPLE });
  expect(on.apps.lastWords()).toEqual([]);

  const { rows, digest } = await preview(on.ground, "intake.records");
  expect(rows.filter(({ what }) => what === "cut")).toHaveLength(8);
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
  await expect.poll(people.held, { timeout: WAIT_MS }).toBe(8);
  expect(await people.lies(after)).toEqual([]);
  const { digest } = await preview(on.ground, "intake.records");
  await headwater(on.ground, "topics", "adopt", "--yes", "--reason", "again", "--confirm", digest);
  await people.expectStates([...applied, ...after], { applied: 2 * PEOPLE });
  expect(await people.statesOf(lost)).toEqual({ rejected: PEOPLE });
  expect((await on.receipt(lost[0]?.receipt ?? "")).rejections).toMatchObject([{ code: "LOST_FROM_LOG" }]);
  await people.expectAllThere([...applied, ...after]);
  await people.expectBalanced();
  expect(on.apps.lastWords()).toEqual([]);
});
