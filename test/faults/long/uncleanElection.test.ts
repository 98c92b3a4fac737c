import { catalogue, createTopicAdmin } from "@headwater/topics";
import type { Admin } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quiet } from "../harness/services.ts";
import { bareAdmin, portOf } from "../kafkaTraps/bareKafka.ts";
import { preview } from "../lostTail/adopt.ts";
import { type LostTailGround, lostTailGround, TOPIC } from "../lostTail/ground.ts";
import { createPeople, WAIT_MS } from "../lostTail/people.ts";
import { elections, electLeaders } from "./electLeaders.ts";

/*
 * Three brokers. The first has the newest records and is lost for good, the second lags behind it, the third keeps the controllers'
 * quorum.
 */

const PARTITIONS = Array.from({ length: 8 }, (_none, partition) => partition);
/** Number of people that leaves one of eight partitions empty once in 600 runs. */
const PEOPLE = 64;
const NOT_NEEDED = 84;

let on: LostTailGround;
let people: ReturnType<typeof createPeople>;
let admin: Admin;

beforeAll(async () => {
  on = await lostTailGround("unclean-election", 3);
  people = createPeople(on);
  admin = bareAdmin(on.ground.services.kafkaBrokers);
  await admin.connect();
}, 8 * WAIT_MS);

afterAll(async () => {
  for (const node of on?.ground.services.kafkaNodes ?? []) node.kill("SIGCONT");
  await admin?.disconnect();
  await on?.stop();
}, 2 * WAIT_MS);

function nodeOf(id: 1 | 2 | 3) {
  const node = on.ground.services.kafkaNodes[id - 1];
  if (node === undefined) throw new Error(`there is no broker ${id}`);
  return node;
}

const portOfNode = (id: 1 | 2 | 3) => portOf(on.ground.services.kafkaBrokers.split(",")[id - 1] ?? "");
const elect = (kind: keyof typeof elections, by: 1 | 2 | 3) =>
  electLeaders(portOfNode(by), { kind: elections[kind], topic: TOPIC, partitions: PARTITIONS });

/** Replicas in sync and leaders of the topic, without doubles. */
async function replicas(): Promise<{ leaders: number[]; inSync: number[] }> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [TOPIC] });
  const all = topics[0]?.partitions ?? [];
  const sorted = (ids: readonly number[]) => [...new Set(ids)].toSorted();
  return { leaders: sorted(all.map(({ leader }) => leader)), inSync: sorted(all.flatMap(({ isr }) => isr)) };
}

const expectReplicas = (expected: object) =>
  expect.poll(replicas, { timeout: WAIT_MS, interval: 500 }).toMatchObject(expected);

/** The machine is gone: it is not started again. */
async function lose(id: 1 | 2 | 3): Promise<void> {
  nodeOf(id).kill("SIGKILL");
  await nodeOf(id).stop();
}

test("three replicas, two of them in sync: the newest leader is lost beside a follower that lags, and nothing that was acknowledged is", {
  timeout: 10 * WAIT_MS,
}, async () => {
  const before = await people.send("before", PEOPLE);
  await people.expectStates(before, { applied: PEOPLE });
  nodeOf(2).kill("SIGSTOP");
  const behind = await people.send("follower-lags", PEOPLE);
  await expectReplicas({ inSync: [1, 3] });
  await lose(1);
  nodeOf(2).kill("SIGCONT");
  const after = await people.send("leader-lost", PEOPLE);
  await expectReplicas({ inSync: [2, 3] });
  // Who is asked to force what is not needed changes nothing: every partition has a leader that has everything.
  expect(new Set((await elect("unclean", 3)).values())).toEqual(new Set([NOT_NEEDED]));
  const all = [...before, ...behind, ...after];
  await people.expectStates(all, { applied: 3 * PEOPLE });
  await people.expectAllThere(all);
  expect(await people.held()).toBe(0);
  expect(await people.expectBalanced()).toBe(0);
  expect(on.apps.lastWords()).toEqual([]);
});

test("two replicas, and an operator forces the one that lags: each partition is held with an alarm, nothing is lost silently, and adopting goes on", {
  timeout: 12 * WAIT_MS,
}, async () => {
  await nodeOf(1).start();
  await expectReplicas({ inSync: [1, 2, 3] });
  await keepOnTwo();
  nodeOf(2).kill("SIGSTOP");
  await expectReplicas({ leaders: [1], inSync: [1] });
  const applied = await people.send("applied-by-one", PEOPLE);
  await people.expectStates(applied, { applied: PEOPLE });
  await on.apps.projector(0).stop();
  const unread = await people.send("never-applied", PEOPLE);
  await lose(1);
  nodeOf(2).kill("SIGCONT");
  // Nobody who lacks something becomes leader by itself, so nothing is taken in its place.
  await expect.poll(leaderless, { timeout: WAIT_MS, interval: 500 }).toEqual(PARTITIONS);
  expect(await answerOfOne()).toBe(503);
  expect(await leaderless()).toEqual(PARTITIONS);

  expect(new Set((await elect("unclean", 3)).values())).toEqual(new Set([0]));
  const after = await people.send("after", PEOPLE);
  expect(await people.lies(after)).toEqual([]);
  await on.apps.projector(0).start();
  await expect.poll(() => people.held(), { timeout: WAIT_MS }).toBe(PARTITIONS.length);
  await expect.poll(heldByMetrics, { timeout: WAIT_MS }).toBe(PARTITIONS.length);
  expect(await people.lies([...applied, ...unread, ...after])).toEqual([]);
  expect(await people.statesOf(after)).toEqual({ pending: PEOPLE });
  expect(await people.statesOf(applied)).toEqual({ applied: PEOPLE });

  const { rows, digest } = await preview(on.ground, TOPIC);
  expect(rows.filter(({ what }) => what === "cut")).toHaveLength(PARTITIONS.length);
  await people.adopt(digest, "broker 1 was lost and broker 2 forced");
  await people.expectStates(after, { applied: PEOPLE });
  await people.expectStates(applied, { applied: PEOPLE });
  await people.expectStates(unread, { rejected: PEOPLE });
  expect((await on.receipt(unread[0]?.receipt ?? "")).rejections).toMatchObject([{ code: "LOST_FROM_LOG" }]);
  await people.expectAllThere([...applied, ...after]);
  await people.expectBalanced();
  expect(on.apps.lastWords()).toEqual([]);
});

/** Brokers 1 and 2 keep the topic, broker 1 leads, and as many replicas must be in sync as we ask of two. */
async function keepOnTwo(): Promise<void> {
  const partitionAssignment = PARTITIONS.map((partition) => ({ partition, replicas: [1, 2] }));
  await admin.alterPartitionReassignments({ topics: [{ topic: TOPIC, partitionAssignment }] });
  await expectReplicas({ inSync: [1, 2] });
  const topics = createTopicAdmin({
    brokers: on.ground.services.kafkaBrokers.split(","),
    clientId: "unclean-election",
    logger: quiet,
  });
  await topics.apply(catalogue);
  await topics.close();
  await elect("preferred", 3);
  await expectReplicas({ leaders: [1], inSync: [1, 2] });
}

/** Partitions whose first replica is asked for in vain, because no replica in sync is alive. */
async function leaderless(): Promise<number[]> {
  const codes = await elect("preferred", 3);
  return [...codes].flatMap(([partition, code]) => (code === 0 || code === NOT_NEEDED ? [] : [partition])).toSorted();
}

/** Status of a single call; nothing is sent again. */
async function answerOfOne(): Promise<number> {
  const contact = { identifiers: { email: "nobody@example.com" }, attributes: { tier: "gold" }, canBeCreated: true };
  const answer = await fetch(`http://127.0.0.1:${on.apps.ingressPort}/api/createContactactivities`, {
    method: "POST",
    headers: { "x-api-key": on.ground.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ contact, contactactivities: [{ name: "browse", time: "2026-01-01T00:00:00Z" }] }),
  });
  await answer.text();
  return answer.status;
}

/** Partitions of `state` for which the alarm's metric is 1. */
async function heldByMetrics(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${on.apps.operationsPort("projector-0")}/metrics`);
  const lines = (await answer.text()).split("\n");
  return lines.filter((line) => /^headwater_log_held\{.*group="state".*\} 1$/.test(line)).length;
}
