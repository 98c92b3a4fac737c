import { expect, test } from "vitest";
import type { Evidence, StoredOffsets } from "./evidence.ts";
import { findLosses, sentenceOf } from "./findLosses.ts";

const at = { topic: "intake.records", generation: 1, partition: 3 } as const;
const nothing: Evidence = { commits: [], activities: [], unknownPlaces: [] };
const row = (group: string, nextOffset: number, to?: number): StoredOffsets[number] => ({
  ...at,
  group,
  nextOffset,
  pending: to === undefined ? null : { to, token: "t", attempt: 0, transform: 1, shared: false },
});
const committed = (group: string, offset: number): Evidence => ({ ...nothing, commits: [{ ...at, group, offset }] });
const inGeneration = (generation: number | undefined, offset: number): Evidence => ({
  ...nothing,
  commits: [{ ...at, group: "state", generation, offset }],
});
const written = (end: number): Evidence => ({ ...nothing, activities: [{ ...at, end }] });

test("positions outside that Postgres has reached or passed are no loss", () => {
  const offsets = [row("state", 10), row("activities", 8)];
  expect(findLosses(nothing, offsets)).toEqual([]);
  expect(findLosses(committed("state", 10), offsets)).toEqual([]);
  expect(findLosses(committed("state", -1), offsets)).toEqual([]);
  expect(findLosses(written(8), offsets)).toEqual([]);
});

test("rows of a claimed range may be there before it is finished", () => {
  expect(findLosses(written(12), [row("activities", 8, 12)])).toEqual([]);
  expect(findLosses(written(13), [row("activities", 8, 12)])).toMatchObject([
    { kind: "activities", stored: 12, seen: 13 },
  ]);
});

test("a commit above the stored offset shows a loss, by one offset already", () => {
  expect(findLosses(committed("state", 11), [row("state", 10)])).toEqual([
    { kind: "commits", group: "state", topic: at.topic, partition: 3, stored: 10, seen: 11 },
  ]);
});

test("a commit of a log that another one has replaced is no loss, though the group goes on below it", () => {
  const adopted = [{ ...row("state", 10), generation: 2 }];
  expect(findLosses(inGeneration(1, 30), adopted)).toEqual([]);
  expect(findLosses(inGeneration(undefined, 30), adopted)).toEqual([]);
  expect(findLosses(inGeneration(2, 11), adopted)).toMatchObject([{ kind: "commits", stored: 10, seen: 11 }]);
  expect(findLosses(inGeneration(2, 10), adopted)).toEqual([]);
});

test("a commit that names no log is an operator's, and no evidence", () => {
  expect(findLosses(inGeneration(undefined, 11), [row("state", 10)])).toEqual([]);
});

test("a commit of a log whose adoption Postgres does not know shows a loss at any offset but the first", () => {
  expect(findLosses(inGeneration(2, 1), [row("state", 10)])).toMatchObject([{ kind: "commits", stored: 0, seen: 1 }]);
  expect(findLosses(inGeneration(2, 0), [row("state", 10)])).toEqual([]);
});

test("commits of a group that has no row here say nothing, activities that Postgres never read do", () => {
  expect(findLosses(committed("state", 11), [])).toEqual([]);
  expect(findLosses(written(1), [])).toMatchObject([{ kind: "activities", stored: 0, seen: 1 }]);
});

test("another generation's offsets do not hide a loss of activities", () => {
  const [stored] = [row("activities", 50)];
  expect(findLosses({ ...nothing, activities: [{ ...at, generation: 2, end: 4 }] }, [stored])).toHaveLength(1);
});

test("activities of a generation that a later one has replaced are no loss", () => {
  const later = { ...row("activities", 2), generation: 2 };
  expect(findLosses(written(50), [later])).toEqual([]);
});

test("change events that Postgres does not know are counted by topic", () => {
  const place = (topic: string, position: number) => ({ topic, xid: "900", position });
  const unknownPositions = [place("changes.contacts", 1), place("changes.contacts", 2), place("changes.orders", 3)];
  expect(findLosses({ ...nothing, unknownPlaces: unknownPositions }, [])).toEqual([
    { kind: "changes", topic: "changes.contacts", events: 2 },
    { kind: "changes", topic: "changes.orders", events: 1 },
  ]);
});

test("the sentence names what was lost and the command that goes on", () => {
  const sentence = sentenceOf(findLosses(committed("state", 11), [row("state", 10)]));
  expect(sentence).toContain(
    "group state has committed offset 11 of intake.records/3 to Kafka, and Postgres stores 10",
  );
  expect(sentence).toContain("headwater stores recover");
});
