import { expect, test } from "vitest";
import {
  ACTIVITIES_TOPIC,
  CHANGE_TOPICS,
  DEAD_LETTERS_TOPIC,
  GROUP_NAMES,
  groupsThatWrite,
  INTAKE_TOPICS,
  kafkaGroupOf,
  streamOfTopic,
  topicOfStream,
  topicsReadBy,
  topology,
} from "./topology.ts";

test("every group has a name of its own, reads something and writes something", () => {
  expect(new Set(GROUP_NAMES).size).toBe(topology.length);
  for (const { reads, writes } of topology) expect([reads.length > 0, writes.length > 0]).toEqual([true, true]);
});

test("every topic but the dead letters is read by a group", () => {
  const read = new Set<string>(topology.flatMap(({ reads }) => [...reads]));
  expect([...read].sort()).toEqual([...INTAKE_TOPICS, ...CHANGE_TOPICS, ACTIVITIES_TOPIC].sort());
  expect(read.has(DEAD_LETTERS_TOPIC)).toBe(false);
});

test("the first generation of a group keeps the id it always had", () => {
  expect(GROUP_NAMES.map(kafkaGroupOf)).toContain("headwater.state");
});

test("the groups that feed ClickHouse are found by what they read", () => {
  expect(groupsThatWrite("clickhouse", INTAKE_TOPICS)).toEqual(["activities"]);
  expect(groupsThatWrite("clickhouse", CHANGE_TOPICS)).toEqual(["history"]);
  expect(groupsThatWrite("postgres", topicsReadBy("products"))).toEqual(["products", "automation"]);
});

test("an intake topic and its lane name each other", () => {
  for (const topic of INTAKE_TOPICS) expect(topicOfStream(streamOfTopic(topic))).toBe(topic);
  expect(topicOfStream(255)).toBeUndefined();
});
