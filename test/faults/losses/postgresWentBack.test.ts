import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressEnvironment, rootFolder, scriptOf } from "../../../infra/src/index.ts";
import { compareCarts } from "../compare/carts.ts";
import { compareClickHouse } from "../compare/clickhouse.ts";
import { Differences } from "../compare/differences.ts";
import { compareHistory } from "../compare/history.ts";
import { compareOutcomes, compareReceipts, expectNoneRefused } from "../compare/outcomes.ts";
import { comparePostgres } from "../compare/postgres.ts";
import { compareSupplements } from "../compare/supplements.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { takeSnapshot } from "../harness/dataFolders.ts";
import { createRandom } from "../harness/random.ts";
import { readLog } from "../harness/readLog.ts";
import { type Ground, prepareGround } from "../harness/services.ts";
import { settle } from "../harness/settle.ts";
import { until } from "../harness/until.ts";
import { listNames } from "../load/items.ts";
import { createPeople } from "../load/people.ts";
import { createRequests } from "../load/requests.ts";
import { createSender, type Sender } from "../load/sender.ts";
import { replay } from "../model/replay.ts";
import { tables } from "../model/supplements.ts";

/*
 * Postgres is put back to a copy of its folder: a failover to a standby that was behind, or a restored snapshot. What was
 * committed since is in Kafka's change events and in ClickHouse, under contact numbers that Postgres would give to others.
 */

const NAME = "postgres-back";
const APP_PORTS_ABOVE = 30;
const REQUESTS = 20;
const PEOPLE = 25;
const PARTITIONS = 8;
const seed = Number(process.env.FAULTS_SEED || Math.floor(Math.random() * 1_000_000));
const random = createRandom(seed);

let ground: Ground;
let apps: Apps;
let sender: Sender;
const crowds: Crowd[] = [];

beforeAll(async () => {
  ground = await prepareGround(NAME, () => undefined);
  const kafkaPort = Number(ground.services.kafkaBrokers.split(":").at(-1));
  apps = createApps({ name: NAME, addresses: ground.services, firstPort: kafkaPort + APP_PORTS_ABOVE });
  await Promise.all([apps.projector(0).start(), apps.ingress().start(), apps.service().start()]);
  sender = createSender({ apiKey: ground.apiKey, port: () => apps.ingressPort });
  await createListsAndTables();
});

afterAll(async () => {
  sender?.close();
  await apps?.stop();
  await ground?.stop();
});

/** Nothing depends on which partition was quicker. */
async function createListsAndTables(): Promise<void> {
  const items = listNames.map((listName) => ({
    identifiers: [{ email: "f@example.com" }],
    listName,
    canBeCreated: true,
  }));
  const body = JSON.stringify({ items });
  const fallback = { records: items.length, key: undefined, hangsUpAfterMs: undefined };
  await sender.send({ path: "/api/addContactsToList/batch", body, ...fallback });
  for (const key of tables) {
    const flags = { contactObject: key === "cards", autogenerateIDs: false };
    const indexes = [{ field: "year", type: "number" as const }];
    await createSupplement(ground.postgres, { account: ground.account.number, key, indexes, createdAt: 0, ...flags });
  }
  await settle(ground);
}

/** People who come at one time, and what is sent of them from then on. */
interface Crowd {
  readonly next: ReturnType<typeof createRequests>;
}

/**
 * Everybody is a contact, known by all names, before anything else is said: a record that waits for its contact is tried again as
 * Postgres remembers it, which the log alone does not show.
 */
async function newCrowd(): Promise<void> {
  const name = `crowd ${crowds.length}`;
  const drawn = createPeople({
    accountId: ground.account.id,
    partitions: PARTITIONS,
    count: PEOPLE,
    random: random.fork(name),
    firstIndex: PEOPLE * crowds.length,
  });
  const [first, ...others] = drawn.filter(({ isGhost, customerIds }) => !isGhost && customerIds.length === 1);
  if (first === undefined) throw new Error("somebody is an ordinary person");
  const items = [first, ...others].map(({ email, customerIds: [customer_id], anonymousId }) => ({
    identifiers: { email, customer_id, anonymousId },
    attributes: { tier: "new" },
    canBeCreated: true,
  }));
  const body = JSON.stringify({ items });
  const defaults = { records: items.length, key: undefined, hangsUpAfterMs: undefined };
  await sender.send({ path: "/api/upsertContact/batch", body, ...defaults });
  const requests = createRequests({
    random: random.fork(`${name} says`),
    people: [first, ...others],
    batchItemsMax: 12,
  });
  crowds.push({ next: requests });
}

/** Somebody new comes, and all who are there go on. While Postgres is refused, no call with an Idempotency-Key is taken. */
async function goOn({ isKeyed = true } = {}): Promise<void> {
  await newCrowd();
  for (let sent = 0; sent < REQUESTS; sent++) {
    const position = random.int(crowds.length);
    const request = crowds[position]?.next();
    if (request === undefined) throw new Error("a crowd was drawn that is not there");
    await sender.send({ ...request, key: isKeyed ? request.key && `${position}-${request.key}` : undefined });
  }
}

const wentBack = /Postgres has lost its last transactions.*headwater stores recover/;

/** Each process that reads or writes both stores says so and does nothing more. */
async function expectAllStopped(): Promise<void> {
  const isSaid = async () => {
    const said = apps.lastWords().some((words) => words.startsWith("projector") && wentBack.test(words));
    return said ? undefined : "no word of the loss";
  };
  await until(isSaid, { timeoutMs: 60_000 });
  expect(await apps.projector(0).isReady()).toBe(false);
  const isRefused = async () => {
    const { status, text } = await readAccount();
    return status === 503 && wentBack.test(text) ? undefined : `${status} ${text}`;
  };
  await until(isRefused, { timeoutMs: 60_000 });
  expect(await apps.service().isReady()).toBe(false);
}

async function expectKeyedCallsRefused(): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${apps.ingressPort}/api/upsertContact`, {
    method: "POST",
    headers: { "x-api-key": ground.apiKey, "content-type": "application/json", "idempotency-key": "refused" },
    body: JSON.stringify({ identifiers: { email: "refused@example.com" }, canBeCreated: true }),
  });
  expect(answer.status).toBe(503);
  await answer.arrayBuffer();
}

async function readAccount(): Promise<{ status: number; text: string }> {
  const authorization = `Basic ${Buffer.from(`${ground.apiKey}:`).toString("base64")}`;
  const answer = await fetch(`http://127.0.0.1:${apps.servicePort}/v2/account`, { headers: { authorization } });
  return { status: answer.status, text: await answer.text() };
}

/** The operator's command, as a process of its own. */
async function headwater(...args: string[]): Promise<{ out: string; said: string }> {
  const env = { ...process.env, ...addressEnvironment(ground.services) };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [scriptOf("cli"), ...args], {
    env,
    cwd: rootFolder,
  });
  return { out: stdout, said: stderr };
}

/** @returns the rows of the preview. */
async function recover(): Promise<{ what: string; count: number }[]> {
  const preview = await headwater("stores", "recover", "-o", "json");
  const digest = /--confirm (\w+)/.exec(preview.said)?.[1] ?? "";
  await expect(headwater("stores", "recover", "--yes", "--confirm", "another", "--reason", "a test")).rejects.toThrow(
    "PREVIEW_STALE",
  );
  await headwater("stores", "recover", "--yes", "--confirm", digest, "--reason", "a test");
  return JSON.parse(preview.out);
}

async function compareAll(): Promise<Differences> {
  const { kafkaBrokers, schemaRegistryUrl } = ground.services;
  const log = await readLog({ brokers: kafkaBrokers, registryUrl: schemaRegistryUrl, topic: "intake.records" });
  const replayed = replay(log);
  const differences = new Differences();
  await expectNoneRefused(ground, differences);
  compareReceipts(sender.accepted, log, { secret: apps.secret, differences });
  const cidOf = await comparePostgres(ground, replayed.state, differences);
  await compareOutcomes(ground, replayed, differences);
  await compareClickHouse(ground, replayed.state, { differences, cidOf });
  await compareHistory(ground, replayed.state, { differences, cidOf });
  await compareCarts(ground, replayed.state, { differences, cidOf });
  await compareSupplements(ground, replayed.state, { differences, cidOf });
  return differences;
}

/** Contact numbers of everybody, by their public id. */
async function contactNumbers(): Promise<ReadonlyMap<number, string>> {
  const rows = await ground.postgres.query<{ number: number; cid: string }>({
    text: "SELECT number, cid FROM contacts",
  });
  return new Map(rows.map(({ number, cid }) => [number, cid]));
}

test(`no record is lost, doubled or another person's after Postgres went back, seed ${seed}`, async () => {
  await goOn();
  await settle(ground);
  const snapshot = await takeSnapshot(ground, NAME);
  await apps.projector(0).ready();
  await goOn();
  await settle(ground);
  const before = await contactNumbers();
  await snapshot.putBack();
  await expectAllStopped();
  await expectKeyedCallsRefused();
  await goOn({ isKeyed: false });
  const rows = await recover();
  expect(rows.find(({ what }) => what.startsWith("activities in ClickHouse"))?.count).toBeGreaterThan(0);
  // It had ended again and again: the pauses before its next start have grown.
  await apps.projector(0).start();
  await settle(ground);
  await until(async () => ((await readAccount()).status === 200 ? undefined : "the service refuses"), {
    timeoutMs: 60_000,
  });
  const differences = await compareAll();
  expect(differences.lines).toEqual([]);
  expect(differences.compared).toBeGreaterThan(500);
  for (const [number, cid] of await contactNumbers())
    expect([number, before.get(number) ?? cid]).toEqual([number, cid]);
});
