import { expect, test } from "vitest";
import { catalogue, topicNamed } from "./catalogue.ts";
import { type ClusterTopic, diffTopics, settingsOf } from "./topicPlan.ts";

const orders = topicNamed("changes.orders");
const one = { brokers: 1 };
const alone = { minInSync: 1 };

function inCluster(changes: Partial<ClusterTopic> = {}): ClusterTopic {
  const settings = settingsOf(orders, alone);
  return {
    name: orders.name,
    partitions: orders.partitions,
    replicas: 1,
    inSync: 1,
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
  for (const brokers of [3, 9]) {
    const [step] = diffTopics([orders], [], { brokers });
    expect(step).toMatchObject({ kind: "create", replicas: 3, settings: { "min.insync.replicas": "2" } });
  }
  const [onTwo] = diffTopics([orders], [], { brokers: 2 });
  expect(onTwo).toMatchObject({ kind: "create", replicas: 2, settings: { "min.insync.replicas": "1" } });
});

test("a cluster that grew to three brokers leaves topics with one replica writable", () => {
  expect(diffTopics([orders], [inCluster()], { brokers: 3 })).toEqual([{ kind: "same", topic: "changes.orders" }]);
});

test("two must be in sync once every partition has three replicas, and not before they are", () => {
  const raised = inCluster({ replicas: 3, inSync: 3 });
  const [step] = diffTopics([orders], [raised], { brokers: 3 });
  expect(step).toMatchObject({ kind: "alter", changes: [{ name: "min.insync.replicas", from: "1", to: "2" }] });
  const catchingUp = inCluster({ replicas: 3, inSync: 1 });
  expect(diffTopics([orders], [catchingUp], { brokers: 3 })).toEqual([{ kind: "same", topic: "changes.orders" }]);
});

test("brokers that are away lower nothing", () => {
  const settings = settingsOf(orders, { minInSync: 2 });
  const short = inCluster({ replicas: 3, inSync: 1, settings, ownSettings: settings });
  expect(diffTopics([orders], [short], { brokers: 1 })).toEqual([{ kind: "same", topic: "changes.orders" }]);
});

test("the log forgets every record within seven days", () => {
  const weekMs = 7 * 86_400_000;
  for (const topic of catalogue) {
    const settings = settingsOf(topic, alone);
    expect(Number(settings["retention.ms"]) + Number(settings["segment.ms"]), topic.name).toBeLessThanOrEqual(weekMs);
  }
});

test("a topic that is as it should be is left alone, and so is one the catalogue does not name", () => {
  const other = inCluster({ name: "somebody.elses", partitions: 99 });
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

test("another number of partitions is refused in words that say what to do", () => {
  for (const partitions of [3, 8]) {
    const [step] = diffTopics([orders], [inCluster({ partitions })], one);
    expect(step?.kind).toBe("refused");
    expect(step?.kind === "refused" ? step.reason : "").toMatch(
      new RegExp(`has ${partitions} partitions and should have 4.*new generation`),
    );
  }
});

test("names and lanes of the catalogue are unique, and only topics that make versions have a lane", () => {
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
  const lanes = catalogue.filter(({ lane }) => lane !== undefined);
  expect(lanes.map(({ name, lane }) => [name, lane])).toEqual([
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
