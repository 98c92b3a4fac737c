import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createLogger, HeadwaterError } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { expect, test } from "vitest";
import type { LogWitness, Loss } from "./evidence.ts";
import { createStoreGuard, type StoreGuardOptions, type Witness } from "./storeGuard.ts";

const away = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });
const loss: Loss = { kind: "changes", topic: "changes.contacts", events: 2 };
const never = () => Promise.reject(new Error("not asked in this test"));
const log: LogWitness = { commits: never, publishedEnds: never, publishedPlaces: never, intents: never };
const clickhouse: ClickHouse = { query: never, insertBlock: never, command: never, ping: never, close: never };
const serverNamed = (incarnation: string): Session => ({
  query: async () => JSON.parse(JSON.stringify([{ incarnation }])),
  execute: never,
});

interface Answers extends Record<Witness, () => Promise<readonly Loss[]>> {
  identity?: () => Promise<readonly Loss[]>;
}

/** Returns a guard of witnesses that give these answers, from the last call on. */
function guarded(answers: Answers, needed: StoreGuardOptions["needed"] = []) {
  const asked: Witness[] = [];
  const reported: HeadwaterError[] = [];
  const ask = (witness: Witness) => () => {
    asked.push(witness);
    return answers[witness]();
  };
  const identity = () => answers.identity?.() ?? fine();
  const checks = { identity, kafka: ask("kafka"), clickhouse: ask("clickhouse") };
  const logger = createLogger({ name: "guard", level: "silent" });
  const guard = createStoreGuard({ log, clickhouse, needed, logger, onLost: (error) => reported.push(error), checks });
  return { guard, asked, reported };
}

const fine = async () => [];

test("a server is looked at once, whatever connections are opened to it, and another one again", async () => {
  const { guard, asked } = guarded({ kafka: fine, clickhouse: fine });
  await Promise.all([guard.admit(serverNamed("a")), guard.admit(serverNamed("a"))]);
  await guard.admit(serverNamed("a"));
  expect(asked).toEqual(["kafka", "clickhouse"]);
  await guard.admit(serverNamed("b"));
  expect(asked).toHaveLength(4);
});

test("a server that lost something is refused, for every connection and use from then on", async () => {
  const { guard, reported } = guarded({ kafka: async () => [loss], clickhouse: fine });
  const refusal = { status: 503, retriable: false, publicMessage: expect.stringContaining("headwater stores recover") };
  await expect(guard.admit(serverNamed("a"))).rejects.toMatchObject(refusal);
  await expect(guard.admit(serverNamed("b"))).rejects.toMatchObject(refusal);
  expect(guard.refusal()).toMatchObject(refusal);
  expect(reported).toHaveLength(1);
});

test("a witness that is needed is waited for", async () => {
  const { guard } = guarded({ kafka: () => Promise.reject(away), clickhouse: fine }, ["kafka"]);
  await expect(guard.admit(serverNamed("a"))).rejects.toBe(away);
  expect(guard.refusal()).toBeUndefined();
});

test("an optional witness is asked when it is back, and whoever needs it waits", async () => {
  const answers = { kafka: fine, clickhouse: (): Promise<readonly Loss[]> => Promise.reject(away) };
  const { guard } = guarded(answers);
  await guard.admit(serverNamed("a"));
  expect(() => guard.expectHeard("clickhouse")).toThrow("not been checked against");
  await guard.lookAgain(serverNamed("a"));
  expect(() => guard.expectHeard("clickhouse")).toThrow("not been checked against");
  answers.clickhouse = fine;
  await guard.lookAgain(serverNamed("a"));
  guard.expectHeard("clickhouse");
});

test("what is heard late may be a loss as well", async () => {
  const answers = { kafka: fine, clickhouse: (): Promise<readonly Loss[]> => Promise.reject(away) };
  const { guard, reported } = guarded(answers);
  await guard.admit(serverNamed("a"));
  answers.clickhouse = async () => [loss];
  await guard.lookAgain(serverNamed("a"));
  expect(guard.refusal()?.message).toContain("lost its last transactions");
  expect(reported).toEqual([guard.refusal()]);
});

test("a process without calls learns of another server", async () => {
  const { guard, asked } = guarded({ kafka: fine, clickhouse: fine });
  await guard.admit(serverNamed("a"));
  await guard.lookAgain(serverNamed("a"));
  expect(asked).toHaveLength(2);
  await guard.lookAgain(serverNamed("b"));
  expect(asked).toHaveLength(4);
});

test("a server that was refused is used again once nothing is missing any more", async () => {
  const answers = { kafka: async (): Promise<readonly Loss[]> => [loss], clickhouse: fine };
  const { guard, asked } = guarded(answers);
  await expect(guard.admit(serverNamed("a"))).rejects.toThrow("lost its last transactions");
  await guard.lookAgain(serverNamed("a"));
  expect(guard.refusal()).toBeDefined();
  answers.kafka = fine;
  await guard.lookAgain(serverNamed("a"));
  expect(guard.refusal()).toBeUndefined();
  const askedBefore = asked.length;
  await guard.admit(serverNamed("a"));
  expect(asked).toHaveLength(askedBefore);
});

test("another cluster is refused before any witness is asked, and used once it was adopted", async () => {
  const identity: Loss = { kind: "identity", found: "2", known: "1" };
  const answers: Answers = { kafka: fine, clickhouse: fine, identity: async () => [identity] };
  const { guard, asked } = guarded(answers);
  const refusal = { status: 503, publicMessage: expect.stringContaining("headwater stores adopt postgres") };
  await expect(guard.admit(serverNamed("2/5/1/a"))).rejects.toMatchObject(refusal);
  expect(asked).toEqual([]);
  expect(guard.storeId()).toBeUndefined();
  answers.identity = fine;
  await guard.lookAgain(serverNamed("2/5/1/a"));
  expect(guard.refusal()).toBeUndefined();
  expect(guard.storeId()).toBe("2/5");
});
