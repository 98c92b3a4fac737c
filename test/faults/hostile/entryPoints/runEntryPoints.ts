import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { giveWay } from "@headwater/kernel";
import fc from "fast-check";
import { testHomeFolder } from "../../../../infra/src/index.ts";
import { Differences } from "../../compare/differences.ts";
import { type Apps, createApps } from "../../harness/apps.ts";
import { type LoopDelay, watchEventLoops } from "../../harness/eventLoops.ts";
import { createRandom } from "../../harness/random.ts";
import { addAccount, type Ground, prepareGround } from "../../harness/services.ts";
import { settle } from "../../harness/settle.ts";
import { until } from "../../harness/until.ts";
import type { Caller } from "../caller.ts";
import { type CallTimes, toCallTimes } from "../callTimes.ts";
import { type Honest, startHonest } from "../honest.ts";
import { authorizationOf, type EntryPoint, statusOf } from "./entryPoint.ts";
import { entryPointsOf } from "./entryPoints.ts";
import { startHonestPages } from "./honestPages.ts";
import type { HostileServer } from "./hostileServer.ts";
import { startHostileMailbox } from "./mailboxes.ts";

export interface EntryPointsOptions {
  readonly name: string;
  readonly seed: number;
  /** Time that the honest account is alone, and time of the attack. */
  readonly aloneMs: number;
  readonly attackMs: number;
  /** Inputs in progress at each entry point. */
  readonly callers: number;
  /**
   * Nice value of the attackers, whose machine is the one that is attacked. It stays with this process and its session; honest accounts have
   * processes of their own.
   */
  readonly niceness: number;
  readonly onProgress: (line: string) => void;
}

export interface EntryPointsReport {
  readonly seed: number;
  /** Inputs by entry point and by the status of their answer. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly honest: Readonly<Record<"alone" | "beside", { readonly intake: CallTimes; readonly pages: CallTimes }>>;
  readonly processes: Readonly<Record<"alone" | "beside", Readonly<Record<string, LoopDelay>>>>;
  readonly restarts: Readonly<Record<string, number>>;
  readonly jobs: Readonly<Record<string, number>>;
  readonly compared: number;
  readonly differences: readonly string[];
}

const APP_PORTS_ABOVE = 30;
const SETTINGS_KEY = Buffer.alloc(32, 7);
const SCOPES = ["intake", "read", "write", "admin"];
const RESOLVE_MS_MIN = 300_000;
const REACHED_MS_MAX = 60_000;
const REFUSED = 300;
/** Answers to the cancel of a job: it is canceled, or has ended meanwhile. */
const CANCELED: ReadonlySet<number> = new Set([200, 409]);
/** Pause after a refusal. */
const PAUSE_MS = 100;

/** Sends hostile inputs through every entry point next to an honest account. */
export async function runEntryPoints(options: EntryPointsOptions): Promise<EntryPointsReport> {
  const { name, niceness, onProgress } = options;
  const ground = await prepareGround(name, onProgress, { isMeasured: niceness > 0 });
  const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const keyFile = join(testHomeFolder, name, "settings.key");
  mkdirSync(join(testHomeFolder, name), { recursive: true });
  writeFileSync(keyFile, SETTINGS_KEY.toString("hex"));
  const passwordFile = join(testHomeFolder, name, "mailbox.password");
  writeFileSync(passwordFile, "secret");
  const mailbox = await startHostileMailbox();
  const env = {
    HEADWATER_SETTINGS_KEY_FILE: keyFile,
    HEADWATER_PRIVATE_TRANSPORTS: "127.0.0.0/8",
    HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8",
    HEADWATER_TRACKING_URL: `http://127.0.0.1:${firstPort + 22}`,
    HEADWATER_MAILBOX_URL: `imap://reports@127.0.0.1:${mailbox.port}/INBOX`,
    HEADWATER_MAILBOX_PASSWORD_FILE: passwordFile,
    HEADWATER_MAILBOX_POLL_SECONDS: "1",
  };
  const apps = createApps({ name, addresses: ground.services, firstPort, env });
  try {
    const all = [apps.projector(0), apps.ingress(), apps.service(), apps.worker(), apps.sender(0), apps.tracker()];
    await Promise.all(all.map((app) => app.start()));
    return await atEntryPoints(options, { ground, apps, mailbox });
  } finally {
    await apps.stop();
    await ground.stop();
  }
}

interface Installation {
  readonly ground: Ground;
  readonly apps: Apps;
  /** Mailbox of the tracker. */
  readonly mailbox: HostileServer;
}

async function atEntryPoints(
  options: EntryPointsOptions,
  { ground, apps, mailbox }: Installation,
): Promise<EntryPointsReport> {
  const { seed, aloneMs, attackMs, callers, niceness, onProgress } = options;
  const honest = await startHonest({ ground, name: "honest", port: apps.ingressPort, senders: 2, restMs: 50 });
  const pages = await startHonestPages({ ground, apps });
  const { account, apiKey } = await addAccount(ground.postgres, "hostile", SCOPES);
  const random = createRandom(seed);
  const ports = { apps, ground, account, apiKey, random, mailbox, settingsKey: SETTINGS_KEY };
  const entryPoints = await entryPointsOf(ports);
  const watchAlone = watchEventLoops(apps);
  await sleep(aloneMs);
  const alone = await takeTimes(honest, pages);
  const processesAlone = await watchAlone.end();
  if (niceness > 0) giveWay(process.pid, niceness);
  onProgress("the attack begins");
  const watchBeside = watchEventLoops(apps);
  const answers = await attackAll(entryPoints, { seed, callers, untilMs: performance.now() + attackMs });
  const beside = await takeTimes(honest, pages);
  const processesBeside = await watchBeside.end();
  const [unexpected] = await Promise.all([pages.end(), honest.end()]);
  const unreached = await untilReached(entryPoints);
  await Promise.all(entryPoints.map(async (entryPoint) => entryPoint.end?.()));
  onProgress("everything is sent; waiting for its end");
  // Records at the bounds are applied more slowly than they are accepted.
  const resolveMs = Math.max(RESOLVE_MS_MIN, attackMs);
  await settle(ground, resolveMs);
  await cancelOpenJobs({ ground, apps, account: account.number, apiKey });
  const jobs = await untilJobsEnded(ground, account.number, resolveMs);
  const differences = new Differences();
  for (const words of apps.lastWords()) differences.add(words);
  for (const words of unexpected) differences.add(`honest: ${words}`);
  for (const name of unreached) differences.add(`${name} were never read`);
  await honest.compare(differences);
  return {
    seed,
    answers,
    honest: { alone, beside },
    processes: { alone: processesAlone, beside: processesBeside },
    restarts: Object.fromEntries(apps.all().map((app) => [app.name, app.restarts()])),
    jobs,
    compared: differences.compared,
    differences: differences.lines,
  };
}

async function takeTimes(honest: Honest, pages: Caller<unknown>) {
  return { intake: toCallTimes(await honest.takeTimes()), pages: toCallTimes(await pages.takeTimes()) };
}

interface Attack {
  readonly seed: number;
  readonly callers: number;
  readonly untilMs: number;
}

async function attackAll(entryPoints: readonly EntryPoint[], attack: Attack) {
  const all = await Promise.all(
    entryPoints.map(async (entryPoint) => [entryPoint.name, await attackOne(entryPoint, attack)] as const),
  );
  return Object.fromEntries(all);
}

async function attackOne(entryPoint: EntryPoint, { seed, callers, untilMs }: Attack): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const inputs = fc.stream(textsOf(entryPoint, seed));
  const call = async () => {
    while (performance.now() < untilMs) {
      const { value } = inputs.next();
      if (value === undefined) return;
      const status = await attackWith(entryPoint, value);
      counts[status] = (counts[status] ?? 0) + 1;
      if (typeof status === "string" || status === 0 || status >= REFUSED) await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return counts;
}

/** A mistake of the test itself ends one input, not a run of hours. @returns the status, or what was thrown, which fails the test at its end. */
async function attackWith(entryPoint: EntryPoint, text: string): Promise<number | string> {
  try {
    return await entryPoint.attack(text);
  } catch (error) {
    return String(error);
  }
}

/** Draws one input at a time: all of them together would not fit into memory. */
function* textsOf({ texts }: EntryPoint, seed: number): Generator<string> {
  for (let drawn = 0; ; drawn += 1) yield* fc.sample(texts, { seed: seed + drawn, numRuns: 1 });
}

/** Waits for the jobs that lead to an entry point: on a busy machine some have not begun when the attack ends. @returns names of what was never reached. */
async function untilReached(entryPoints: readonly EntryPoint[]): Promise<string[]> {
  const unreached = () => entryPoints.filter(({ reached }) => reached?.() === 0).map(({ name }) => name);
  const endsAt = performance.now() + REACHED_MS_MAX;
  while (unreached().length > 0 && performance.now() < endsAt) await sleep(PAUSE_MS);
  return unreached();
}

interface HostileJobs {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly account: number;
  readonly apiKey: string;
}

/** Cancels the jobs that would ask a server for an hour, now that it is gone. */
async function cancelOpenJobs({ ground, apps, account, apiKey }: HostileJobs): Promise<void> {
  const authorization = authorizationOf({ apiKey });
  const text = "SELECT id FROM jobs WHERE account = $1 AND status NOT IN ('Done', 'Failed', 'Canceled')";
  for (const { id } of await ground.postgres.query<{ id: string }>({ text }, [account])) {
    const url = `http://127.0.0.1:${apps.servicePort}/v2/jobs/${id}/cancel`;
    const cancel = async () => {
      const status = await statusOf(url, { method: "PUT", headers: { authorization } });
      return CANCELED.has(status) ? undefined : `the cancel of ${id} is answered ${status}`;
    };
    await until(cancel, { timeoutMs: RESOLVE_MS_MIN });
  }
}

/** Waits until every job of an account has an end. @returns how many ended in which status. */
async function untilJobsEnded(
  { postgres }: Ground,
  account: number,
  timeoutMs: number,
): Promise<Record<string, number>> {
  let statuses: Record<string, number> = {};
  const check = async () => {
    const rows = await postgres.query<{ status: string; count: string }>(
      { text: "SELECT status, count(*) AS count FROM jobs WHERE account = $1 GROUP BY status" },
      [account],
    );
    statuses = Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
    const open = Object.keys(statuses).filter((status) => !/^(Done|Failed|Canceled)$/.test(status));
    return open.length === 0 ? undefined : JSON.stringify(statuses);
  };
  await until(check, { timeoutMs });
  return statuses;
}
