import { setTimeout as sleep } from "node:timers/promises";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { Differences } from "../compare/differences.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { type LoopDelay, watchEventLoops } from "../harness/eventLoops.ts";
import { createRandom, type Random } from "../harness/random.ts";
import { addAccount, type Ground, prepareGround } from "../harness/services.ts";
import { settle } from "../harness/settle.ts";
import { until } from "../harness/until.ts";
import { createSender, type Sender, type SenderCounts } from "../load/sender.ts";
import { type CallTimes, toCallTimes } from "./callTimes.ts";
import { type Honest, startHonest } from "./honest.ts";
import { writePoison } from "./poison.ts";
import { createHostileCalls } from "./shapes.ts";
import { type StrangerCounts, sendStrangers } from "./strangers.ts";

export interface CompanyOptions {
  readonly name: string;
  readonly seed: number;
  /** Kills of the projector with a backlog behind it. */
  readonly restarts: number;
  readonly honest: number;
  readonly hostileCallers: number;
  readonly slowSockets: number;
  /** Time that the honest accounts are alone, and then alone with the hostile one. */
  readonly measuredMs: number;
  /** Time that an honest sender rests between two calls: without rests these alone fill the machine, and all others wait for them. */
  readonly honestRestMs: number;
  readonly betweenRestartsMs: number;
  readonly onProgress: (line: string) => void;
}

export interface CompanyReport {
  readonly seed: number;
  readonly hostile: Readonly<Record<string, number>>;
  readonly honest: Readonly<Record<string, number>>;
  /** Times of honest calls: alone, next to the hostile account, and next to all of it with the projector's restarts. */
  readonly honestTimes: Readonly<Record<"alone" | "besideHostile" | "besideAll", CallTimes>>;
  readonly strangers: StrangerCounts;
  readonly poison: number;
  readonly processes: Readonly<Record<string, LoopDelay>>;
  readonly restarts: Readonly<Record<string, number>>;
  readonly settledAfterMs: number;
  readonly compared: number;
  readonly differences: readonly string[];
}

const APP_PORTS_ABOVE = 30;
const HOSTILE_PEOPLE = 12;
const HONEST_SENDERS = 4;
const RESOLVE_TIMEOUT_MS = 600_000;
const BALANCE_TIMEOUT_MS = 60_000;

/** Honest accounts next to a hostile one at all its bounds, strangers without a key and poison in every topic, with restarts. */
export async function runCompany(options: CompanyOptions): Promise<CompanyReport> {
  const { name, onProgress } = options;
  const ground = await prepareGround(name, onProgress);
  const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const apps = createApps({ name, addresses: ground.services, firstPort });
  try {
    await Promise.all([apps.projector(0).start(), apps.ingress().start(), apps.service().start()]);
    return await inCompany(options, ground, apps);
  } finally {
    await apps.stop();
    await ground.stop();
  }
}

async function inCompany(options: CompanyOptions, ground: Ground, apps: Apps): Promise<CompanyReport> {
  const random = createRandom(options.seed);
  const loops = watchEventLoops(apps);
  const honest = await startAllHonest(options, ground, apps);
  const takeTimes = async () => toCallTimes((await Promise.all(honest.map((one) => one.takeTimes()))).flat());
  await sleep(options.measuredMs);
  const alone = await takeTimes();
  const hostile = await startHostile(options, { ground, apps, random: random.fork("hostile") });
  await sleep(options.measuredMs);
  const besideHostile = await takeTimes();
  const strangers = sendStrangers({
    ports: { ingress: apps.ingressPort, service: apps.servicePort },
    slow: options.slowSockets,
    callers: 6,
  });
  const poison = await restartWithBacklog(options, { ground, apps, random: random.fork("poison") });
  const strangerCounts = await strangers.end();
  const honestTimes = { alone, besideHostile, besideAll: await takeTimes() };
  await hostile.end();
  const counts = await Promise.all(honest.map((one) => one.end()));
  options.onProgress("all is sent; settling");
  const endedAtMs = performance.now();
  await settle(ground, RESOLVE_TIMEOUT_MS);
  const resolvedAfterMs = Math.round(performance.now() - endedAtMs);
  const processes = await loops.end();
  const differences = await compare({ apps, honest, hostile });
  return {
    seed: options.seed,
    hostile: hostile.sender.counts,
    honest: sumCounts(counts),
    honestTimes,
    strangers: strangerCounts,
    poison,
    processes,
    restarts: Object.fromEntries(apps.all().map((app) => [app.name, app.restarts()])),
    settledAfterMs: resolvedAfterMs,
    compared: differences.compared,
    differences: differences.lines,
  };
}

function startAllHonest({ honest, honestRestMs: restMs }: CompanyOptions, ground: Ground, apps: Apps) {
  const [port, senders] = [apps.ingressPort, HONEST_SENDERS];
  const names = Array.from({ length: honest }, (_, index) => `honest${index}`);
  return Promise.all(names.map((name) => startHonest({ ground, name, port, senders, restMs })));
}

interface Position {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly random: Random;
}

async function startHostile(options: CompanyOptions, { ground, apps, random }: Position) {
  const { account, apiKey } = await addAccount(ground.postgres, "hostile");
  const indexes = [{ field: "year", type: "number" as const }];
  const table = { account: account.number, key: "cards", contactObject: true, autogenerateIDs: false };
  await createSupplement(ground.postgres, { ...table, indexes, createdAt: 0 });
  const sender = createSender({ apiKey, port: () => apps.ingressPort });
  const next = createHostileCalls(random, HOSTILE_PEOPLE);
  let isEnding = false;
  const send = async (): Promise<void> => {
    while (!isEnding) await sender.send({ ...next(), records: 0, key: undefined, hangsUpAfterMs: undefined });
  };
  const load = Promise.all(Array.from({ length: options.hostileCallers }, send));
  return {
    sender,
    apiKey,
    async end() {
      isEnding = true;
      await load;
      sender.close();
    },
  };
}

/** Poison goes in before each kill, so that it stands in the backlog that the new process begins with. */
async function restartWithBacklog(options: CompanyOptions, { ground, apps, random }: Position): Promise<number> {
  const { kafkaBrokers, schemaRegistryUrl } = ground.services;
  const target = { brokers: kafkaBrokers, registryUrl: schemaRegistryUrl, accountId: ground.account.id, random };
  let written = 0;
  for (let restart = 0; restart < options.restarts; restart++) {
    await sleep(options.betweenRestartsMs);
    apps.projector(0).kill("SIGKILL");
    written += await writePoison(target);
    await apps.projector(0).ready();
    options.onProgress(`the projector was killed with ${written} poisonous messages in the topics`);
  }
  await sleep(options.betweenRestartsMs);
  return written;
}

interface Ended {
  readonly apps: Apps;
  readonly honest: readonly Honest[];
  readonly hostile: { readonly sender: Sender; readonly apiKey: string };
}

async function compare({ apps, honest, hostile }: Ended): Promise<Differences> {
  const differences = new Differences();
  for (const words of apps.lastWords()) differences.add(words);
  for (const words of hostile.sender.unexpected.filter(isFailure)) differences.add(`hostile: ${words}`);
  for (const one of honest) await one.compare(differences);
  for (const { apiKey } of [hostile, ...honest]) await expectBalanced(apps.servicePort, apiKey, differences);
  return differences;
}

/** The second count of the log, by a group of its own, comes to what became of the records. */
async function expectBalanced(port: number, apiKey: string, differences: Differences): Promise<void> {
  const headers = { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` };
  const check = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/v2/accounting`, { headers });
    const text = await answer.text();
    return answer.ok && text.includes('"balanced":true') ? undefined : `${answer.status} ${text.slice(0, 500)}`;
  };
  const missing = await until(check, { timeoutMs: BALANCE_TIMEOUT_MS }).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  differences.same("accounting", missing, undefined);
}

/** A sender reports `path: status body` of what is no 202; a refusal is right, a defect is not. */
function isFailure(words: string): boolean {
  return !/^\S+: 4\d\d /.test(words);
}

function sumCounts(honest: readonly SenderCounts[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of honest) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
