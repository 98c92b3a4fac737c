import { expect, test } from "vitest";
import { catalogue, topicNamed } from "./catalogue.ts";
import { type ClusterTopic, diffTopics, settingsOf } from "./topicPlan.ts";

const orders = topicNamed("changes.orders");
const one = { brokers: [1] };
const brokers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const alone = { minInSync: 1 };

const partitionsOf = (count: number, replicas: readonly number[], inSync: number = replicas.length) =>
  Array.from({ length: count }, (_, partition) => ({ partition, replicas, inSync }));

function inCluster(changes: Partial<ClusterTopic> = {}): ClusterTopic {
  const settings = settingsOf(orders, alone);
  return {
    name: orders.name,
    partitions: partitionsOf(orders.partitions, [1]),
    settings,
    ownSettings: settings,
    ...changes,
  };
}

test("a topic that is not there is created with all its settings", () => {
  const [step] = diffTopics([orders], [], one);
  expect(step).toEqual({
    kind: "create",
    topic: "changes.orders",
    partitions: 4,
    replicas: 1,
    settings: {
      "cleanup.policy": "delete",
      "compression.type": "uncompressed",
      "max.message.bytes": "4194304",
      "message.timestamp.type": "LogAppendTime",
      "min.insync.replicas": "1",
      "retention.ms": "518400000",
      "segment.ms": "86400000",
      "unclean.leader.election.enable": "false",
    },
  });
});

test("three brokers and more keep three replicas, two of them in step", () => {
  for (const count of [3, 9]) {
    const [step] = diffTopics([orders], [], { brokers: brokers(count) });
    expect(step).toMatchObject({ kind: "create", replicas: 3, settings: { "min.insync.replicas": "2" } });
  }
  const [onTwo] = diffTopics([orders], [], { brokers: brokers(2) });
  expect(onTwo).toMatchObject({ kind: "create", replicas: 2, settings: { "min.insync.replicas": "1" } });
});

test("a cluster that grew to three brokers gives each partition the replicas that it lacks, spread over the brokers", () => {
  const [step, ...more] = diffTopics([orders], [inCluster()], { brokers: brokers(3) });
  expect(more).toEqual([]);
  expect(step).toEqual({
    kind: "reassign",
    topic: "changes.orders",
    replicas: 3,
    partitions: Array.from({ length: 4 }, (_, partition) => ({
      partition,
      replicas: [1, expect.any(Number), expect.any(Number)],
    })),
  });
  const onFour = diffTopics([orders], [inCluster()], { brokers: brokers(4) });
  const added = onFour.flatMap((one) => (one.kind === "reassign" ? one.partitions : []));
  const holding = (broker: number) => added.filter(({ replicas }) => replicas.includes(broker)).length;
  expect([2, 3, 4].map(holding).toSorted()).toEqual([2, 3, 3]);
});

test("a partition with a replica on a broker that is away gets none, and more replicas than ours are left", () => {
  const away = inCluster({ partitions: partitionsOf(4, [1, 9], 1) });
  expect(diffTopics([orders], [away], { brokers: brokers(3) })).toMatchObject([{ kind: "same" }]);
  const settings = settingsOf(orders, { minInSync: 2 });
  const more = inCluster({ partitions: partitionsOf(4, [1, 2, 3, 4]), settings, ownSettings: settings });
  expect(diffTopics([orders], [more], { brokers: brokers(4) })).toEqual([{ kind: "same", topic: "changes.orders" }]);
});

test("two must be in sync once every partition has three replicas, and not before they are", () => {
  const raised = inCluster({ partitions: partitionsOf(4, [1, 2, 3]) });
  const [step] = diffTopics([orders], [raised], { brokers: brokers(3) });
  expect(step).toMatchObject({ kind: "alter", changes: [{ name: "min.insync.replicas", from: "1", to: "2" }] });
  const catchingUp = inCluster({ partitions: partitionsOf(4, [1, 2, 3], 1) });
  const note = "4 partitions have replicas that are not in sync";
  expect(diffTopics([orders], [catchingUp], { brokers: brokers(3) })).toEqual([
    { kind: "same", topic: "changes.orders", note },
  ]);
});

test("brokers that are away lower nothing", () => {
  const settings = settingsOf(orders, { minInSync: 2 });
  const short = inCluster({ partitions: partitionsOf(4, [1, 2, 3], 1), settings, ownSettings: settings });
  expect(diffTopics([orders], [short], { brokers: brokers(1) })).toMatchObject([{ kind: "same" }]);
});

test("the log forgets every record within seven days", () => {
  const weekMs = 7 * 86_400_000;
  for (const topic of catalogue) {
    const settings = settingsOf(topic, alone);
    expect(Number(settings["retention.ms"]) + Number(settings["segment.ms"]), topic.name).toBeLessThanOrEqual(weekMs);
  }
});

test("a topic that is as it should be is left alone, and so is one the catalogue does not name", () => {
  const other = inCluster({ name: "somebody.elses", partitions: partitionsOf(99, [1]) });
  expect(diffTopics([orders], [other, inCluster()], one)).toEqual([{ kind: "same", topic: "changes.orders" }]);
});

test("a setting that differs is altered, and what an operator set beside ours goes along", () => {
  const settings = { ...settingsOf(orders, alone), "retention.ms": "1000", "segment.bytes": "5" };
  const [step] = diffTopics([orders], [inCluster({ settings, ownSettings: settings })], one);
  expect(step).toMatchObject({
    kind: "alter",
    changes: [{ name: "retention.ms", from: "1000", to: "518400000" }],
    settings: { "segment.bytes": "5", "retention.ms": "518400000" },
  });
});

test("fewer partitions are refused in words that say what to do", () => {
  const [step] = diffTopics([orders], [inCluster({ partitions: partitionsOf(3, [1]) })], one);
  expect(step).toMatchObject({
    kind: "refused",
    reason: expect.stringMatching(/has 3 partitions and should have 4.*new generation/),
  });
});

test("partitions that somebody added are named and change nothing, and other settings are altered all the same", () => {
  const more = inCluster({ partitions: partitionsOf(6, [1]) });
  const note = "6 partitions, of which 2 are unused: the catalogue has 4";
  expect(diffTopics([orders], [more], one)).toEqual([{ kind: "same", topic: "changes.orders", note }]);
  const settings = { ...more.settings, "retention.ms": "1000" };
  expect(diffTopics([orders], [{ ...more, settings }], one)).toMatchObject([{ kind: "alter" }]);
});

test("names and lanes of the catalogue are unique, and only topics that make versions have a lane", () => {
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
  const streams = catalogue.filter(({ lane: stream }) => stream !== undefined);
  expect(streams.map(({ name, lane }) => [name, lane])).toEqual([
    ["intake.records", 1],
    ["intake.bulk", 2],
  ]);
  expect(() => topicNamed("nobody.knows")).toThrow("no topic nobody.knows");
});

test("an acknowledgement means the disk where that is asked for, and a topic that is there is altered", () => {
  const facts = { ...one, flushMessages: "1" };
  const [created] = diffTopics([orders], [], facts);
  expect(created).toMatchObject({ kind: "create", settings: { "flush.messages": "1" } });
  const settings = { ...settingsOf(orders, alone), "flush.messages": "9223372036854775807" };
  const [altered] = diffTopics([orders], [inCluster({ settings })], facts);
  const change = { name: "flush.messages", from: "9223372036854775807", to: "1" };
  expect(altered).toMatchObject({ kind: "alter", changes: [change] });
  expect(diffTopics([orders], [inCluster({ settings })], one)).toEqual([{ kind: "same", topic: "changes.orders" }]);
});
