import { setTimeout as sleep } from "node:timers/promises";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { compareCarts } from "../compare/carts.ts";
import { compareClickHouse } from "../compare/clickhouse.ts";
import { Differences } from "../compare/differences.ts";
import { compareHistory } from "../compare/history.ts";
import { compareOutcomes, compareReceipts, expectNoneRefused } from "../compare/outcomes.ts";
import { comparePostgres } from "../compare/postgres.ts";
import { compareServedReceipts } from "../compare/servedReceipts.ts";
import { compareSupplements } from "../compare/supplements.ts";
import { listNames } from "../load/items.ts";
import { createPeople } from "../load/people.ts";
import { createRequests, type IntakeRequest } from "../load/requests.ts";
import { createSender, type Sender } from "../load/sender.ts";
import { replay } from "../model/replay.ts";
import { tables } from "../model/supplements.ts";
import { type Apps, createApps } from "./apps.ts";
import { type LoopDelay, watchEventLoops, watchOwnLoop } from "./eventLoops.ts";
import { commitFault, drawFaults, type FaultGround, type FaultName } from "./faults.ts";
import { startProxiedIngress } from "./proxiedIngress.ts";
import { createRandom } from "./random.ts";
import { type LogRecord, readLog } from "./readLog.ts";
import { type Ground, prepareGround } from "./services.ts";
import { settle } from "./settle.ts";
import { until } from "./until.ts";

export interface ScenarioOptions {
  readonly name: string;
  readonly seed: number;
  readonly faults: number;
  /** Least number of records sent; the load goes on until the last fault is over. */
  readonly records: number;
  readonly recordsPerSecond: number;
  readonly onProgress: (line: string) => void;
}

export interface Report {
  readonly seed: number;
  readonly faults: readonly { readonly name: FaultName; readonly atMs: number; readonly tookMs: number }[];
  readonly requests: Sender["counts"] & { readonly sent: number };
  /** `copies` are attempts of parked records that stand in the log once more. */
  readonly records: Readonly<Record<"accepted" | "inLog" | "redriven" | "copies", number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly contacts: number;
  readonly merged: number;
  readonly activities: number;
  readonly orders: number;
  readonly memberships: number;
  readonly carts: number;
  readonly supplementRecords: number;
  readonly restarts: Readonly<Record<string, number>>;
  readonly compared: number;
  readonly settledAfterMs: number;
  /** Answers of Kafka that never arrived, in bytes. */
  readonly swallowedBytes: number;
  /** Delays of every process's event loop; of this one, with the senders and the ingress behind the proxy, until all was resolved. */
  readonly processes: Readonly<Record<string, LoopDelay>>;
  readonly differences: readonly string[];
}

/** Ports above Kafka's and those of the other services. */
const APP_PORTS_ABOVE = 30;
const RECORDS_PER_PERSON = 40;
const BATCH_ITEMS_MAX = 24;
const PARTITIONS = 8;
const SENDERS = 16;
const PROXIED_SHARE = 0.25;

/** Faults under load, then the count. */
export async function runScenario(options: ScenarioOptions): Promise<Report> {
  const { name, onProgress } = options;
  const ground = await prepareGround(name, onProgress);
  const apps = createApps({
    name,
    addresses: ground.services,
    firstPort: portOf(ground.services.kafkaBrokers) + APP_PORTS_ABOVE,
  });
  try {
    await Promise.all([apps.projector(0).start(), apps.ingress().start()]);
    onProgress("all is up");
    return await underLoad(options, ground, apps);
  } finally {
    await apps.stop();
    await ground.stop();
  }
}

function portOf(broker: string): number {
  return Number(broker.split(":").at(-1));
}

async function underLoad(options: ScenarioOptions, ground: Ground, apps: Apps): Promise<Report> {
  const random = createRandom(options.seed);
  const proxied = await startProxiedIngress(ground, apps.secret);
  const routes = random.fork("routes");
  const port = () => (routes.chance(PROXIED_SHARE) ? proxied.port : apps.ingressPort);
  const sender = createSender({ apiKey: ground.apiKey, port });
  const [loops, ownLoop] = [watchEventLoops(apps), watchOwnLoop()];
  const on: FaultGround = { ground, apps, proxied, random: random.fork("faults"), loops };
  try {
    await createLists(ground, sender);
    await createTables(ground);
    const load = startLoad(options, ground, sender);
    const faults = await commitFaults(options, on);
    load.enough();
    const sent = await load.ended;
    options.onProgress(`sent ${sent} requests, ${sender.counts.accepted} accepted; settling`);
    const endedAtMs = performance.now();
    await settle(ground);
    const resolvedAfterMs = Math.round(performance.now() - endedAtMs);
    const senders = ownLoop.end();
    const counted = await count(ground, apps, sender);
    const processes = { ...(await loops.end()), senders };
    const requests = { ...sender.counts, sent };
    const swallowedBytes = proxied.proxy.swallowedBytes();
    return {
      seed: options.seed,
      faults,
      requests,
      settledAfterMs: resolvedAfterMs,
      swallowedBytes,
      processes,
      ...counted,
    };
  } finally {
    ownLoop.end();
    await loops.end();
    sender.close();
    await proxied.stop();
  }
}

/** All lists are there before the load, so that no remove depends on which partition was quicker. */
async function createLists({ postgres }: Ground, sender: Sender): Promise<void> {
  const identifiers = [{ email: "first@example.com" }];
  const items = listNames.map((listName) => ({ identifiers, listName, canBeCreated: true }));
  const body = JSON.stringify({ items });
  const path = "/api/addContactsToList/batch";
  await sender.send({ path, body, records: items.length, key: undefined, hangsUpAfterMs: undefined });
  const check = async () => {
    const [row] = await postgres.query<{ count: number }>({ text: "SELECT count(*) AS count FROM lists" });
    return row?.count === listNames.length ? undefined : `${row?.count} lists`;
  };
  await until(check, { timeoutMs: 30_000 });
}

async function createTables({ postgres, account }: Ground): Promise<void> {
  for (const key of tables) {
    const flags = { contactObject: key === "cards", autogenerateIDs: false };
    const indexes = [{ field: "year", type: "number" as const }];
    await createSupplement(postgres, { account: account.number, key, indexes, createdAt: 0, ...flags });
  }
}

/** Started when all is over: what it answers is counted, not how it lives through faults. */
async function startService(apps: Apps): Promise<{ readonly port: number }> {
  await apps.service().start();
  return { port: apps.servicePort };
}

interface Load {
  /** No more than what was asked for: the last fault is over. */
  enough(): void;
  /** Number of requests sent. */
  readonly ended: Promise<number>;
}

function startLoad({ seed, records, recordsPerSecond }: ScenarioOptions, ground: Ground, sender: Sender): Load {
  const random = createRandom(seed).fork("load");
  const people = createPeople({
    accountId: ground.account.id,
    partitions: PARTITIONS,
    count: Math.ceil(records / RECORDS_PER_PERSON),
    random: random.fork("people"),
  });
  const next = createRequests({ random: random.fork("requests"), people, batchItemsMax: BATCH_ITEMS_MAX });
  const startedAtMs = performance.now();
  let isEnough = false;
  let sentRecords = 0;
  let sentRequests = 0;
  const take = (): IntakeRequest | undefined => {
    if (isEnough && acceptedRecords(sender) >= records) return undefined;
    const request = next();
    sentRecords += request.records;
    sentRequests++;
    return request;
  };
  const send = async () => {
    for (let request = take(); request !== undefined; request = take()) {
      const dueInMs = (sentRecords / recordsPerSecond) * 1_000 - (performance.now() - startedAtMs);
      if (dueInMs > 0) await sleep(dueInMs);
      await sender.send(request);
    }
  };
  const ended = Promise.all(Array.from({ length: SENDERS }, send)).then(() => sentRequests);
  return {
    enough: () => {
      isEnough = true;
    },
    ended,
  };
}

function acceptedRecords({ accepted }: Sender): number {
  return accepted.reduce((sum, { records }) => sum + records, 0);
}

async function commitFaults({ faults, onProgress }: ScenarioOptions, on: FaultGround): Promise<Report["faults"]> {
  const committed: { name: FaultName; atMs: number; tookMs: number }[] = [];
  const startedAtMs = performance.now();
  for (const name of drawFaults(on.random, faults)) {
    await sleep(on.random.between(300, 3_000));
    const atMs = Math.round(performance.now() - startedAtMs);
    await commitFault(name, on);
    const tookMs = Math.round(performance.now() - startedAtMs) - atMs;
    committed.push({ name, atMs, tookMs });
    onProgress(`${(atMs / 1000).toFixed(1)} s: ${name} (${tookMs} ms)`);
  }
  await sleep(2_000);
  return committed;
}

async function count(ground: Ground, apps: Apps, sender: Sender) {
  const { kafkaBrokers, schemaRegistryUrl } = ground.services;
  const log = await readLog({ brokers: kafkaBrokers, registryUrl: schemaRegistryUrl, topic: "intake.records" });
  const replayed = replay(log);
  const differences = new Differences();
  for (const words of [...sender.unexpected, ...apps.lastWords()]) differences.add(words);
  // First of all: what one poison record leaves behind shows in many positions.
  await expectNoneRefused(ground, differences);
  compareReceipts(sender.accepted, log, { secret: apps.secret, differences });
  await compareServedReceipts(sender.accepted, replayed, {
    ...(await startService(apps)),
    ground,
    secret: apps.secret,
    differences,
  });
  const cidOf = await comparePostgres(ground, replayed.state, differences);
  await compareOutcomes(ground, replayed, differences);
  await compareClickHouse(ground, replayed.state, { differences, cidOf });
  await compareHistory(ground, replayed.state, { differences, cidOf });
  await compareCarts(ground, replayed.state, { differences, cidOf });
  await compareSupplements(ground, replayed.state, { differences, cidOf });
  const outcomes: Record<string, number> = {};
  for (const kind of replayed.outcomes.values()) outcomes[kind] = (outcomes[kind] ?? 0) + 1;
  const { contacts, activities, orders, memberships, carts, supplements } = replayed.state;
  return {
    records: {
      accepted: acceptedRecords(sender),
      inLog: log.length,
      ...countRedriven(log),
    },
    outcomes,
    contacts: contacts.all.length,
    merged: contacts.all.filter(({ mergedInto }) => mergedInto !== undefined).length,
    activities: activities.size,
    orders: orders.size,
    memberships: memberships.size,
    carts: carts.all.size,
    supplementRecords: supplements.all.size,
    restarts: Object.fromEntries(apps.all().map((app) => [app.name, app.restarts()])),
    compared: differences.compared,
    differences: differences.lines,
  };
}

function countRedriven(log: readonly LogRecord[]): { readonly redriven: number; readonly copies: number } {
  const redriven = log.filter(({ record }) => record.redriveOf !== undefined);
  const attempts = new Set(redriven.map(({ record, attempt }) => `${String(record.redriveOf)} ${attempt}`));
  return { redriven: redriven.length, copies: redriven.length - attempts.size };
}
