import { createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { accountSettings } from "@headwater/contracts";
import { createLogger, hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { useServices } from "@headwater/testing";
import { createTopicAdmin } from "@headwater/topics";
import { prepareTopics } from "../contract/topics/prepareTopics.ts";
import { type Apps, createApps } from "../faults/harness/apps.ts";
import { ageHeartbeats } from "../faults/jobs/jobQueue.ts";

const logger = createLogger({ name: "pipeline", level: "silent" });
/** Ports above Kafka's and those of the suites' other services. */
const APP_PORTS_ABOVE = 40;
const WAIT_SECONDS = 5;
/** A test has so long to see a record wait and to bring its contact. */
const PARKED_FOR_MS = "3000,3000";

/** A caller of both APIs with the key of one account. */
export interface Caller {
  /** Number of the account in both stores. */
  readonly account: number;
  readonly accountId: string;
  readonly key: string;
  /** Sends a partner's push. @returns status, and the receipt of the header. */
  push(
    path: string,
    body: object | string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly receipt: string; readonly body: ReturnType<typeof JSON.parse> }>;
  /** Addresses and key for an outside producer. */
  readonly connection: { readonly ingressUrl: string; readonly serviceUrl: string; readonly apiKey: string };
  /** Sends one body to an intake operation, or to its batch. @returns the receipt of its 202. */
  send(operation: string, body: object, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** Reads under /v2 after the work of a receipt. @returns status and parsed body. */
  read(path: string, after: string): Promise<Answered>;
  /** Reads under /v2 as it is now. */
  get(path: string): Promise<Answered>;
  post(path: string, body: object): Promise<Answered>;
  /** Puts without a body. */
  put(path: string): Promise<Answered>;
  delete(path: string): Promise<Answered>;
  /** Posts a write of /v2, unless another method is given. @returns status, and the receipt of the header. */
  write(
    path: string,
    body?: object,
    options?: { readonly method?: "POST" | "PUT" | "DELETE"; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<{ readonly status: number; readonly receipt: string }>;
  count(criteria: object, after: string): Promise<number>;
  /** The receipt once nothing of it is pending or parked, or as it is when `seconds` are over. */
  settled(
    receipt: string,
    seconds?: number,
  ): Promise<{
    readonly state: string;
    readonly records: object;
    readonly skips: object;
    readonly rejections: { code: string }[];
  }>;
}

export interface Answered {
  readonly status: number;
  /** Tests look into answers of many shapes. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Stack {
  readonly ingressUrl: string;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  caller(name: string, partners?: object): Promise<Caller>;
  /** Kills the projector where it stands; it is started again by itself. */
  killProjector(): void;
  /** Ends the projector in order, does the work, makes Kafka forget what `state` committed, and starts the projector again. */
  whileStateIsForgotten(work: () => Promise<void>): Promise<void>;
  killService(): void;
  /** Kills the worker, and makes its last heartbeat an old one: the next worker takes its jobs at once. */
  killWorker(): Promise<void>;
  /** @throws when a process broke down since the last look, with what it said last; one that was killed did not. */
  checkUnbroken(): void;
  /** @throws as `checkUnbroken`, when all is stopped. */
  stop(): Promise<void>;
}

/** Ingress, projector, worker and service over the suites' real services. */
export async function startStack(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const addresses = useServices();
  await migratePostgres({ url: addresses.postgresUrl, logger });
  await migrateClickHouse({ url: addresses.clickhouseUrl, logger });
  await prepareTopics();
  const postgres = createPostgres({
    url: addresses.postgresUrl,
    poolMax: 2,
    applicationName: "pipeline",
    statementTimeoutMs: 10_000,
    logger,
  });
  const clickhouse = createClickHouse({ url: addresses.clickhouseUrl, requestTimeoutMs: 10_000, logger });
  const firstPort = Number(addresses.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const apps = createApps({ name: "pipeline", addresses, firstPort, parkedForMs: PARKED_FOR_MS, env });
  const checkUnbroken = checkAfter(apps);
  const processes = [apps.ingress(), apps.projector(0), apps.worker(), apps.service()];
  await Promise.all(processes.map((one) => one.start()));
  return {
    ingressUrl: `http://127.0.0.1:${apps.ingressPort}`,
    postgres,
    clickhouse,
    caller: async (name, partners = {}) => callerOf(apps, await createKey(postgres, name, partners)),
    killProjector: () => apps.projector(0).kill("SIGKILL"),
    whileStateIsForgotten: async (work) => {
      await apps.projector(0).stop();
      await work();
      const topics = createTopicAdmin({ brokers: addresses.kafkaBrokers.split(","), clientId: "pipeline", logger });
      await topics.forgetGroups(["headwater.state"]);
      await topics.close();
      await apps.projector(0).start();
    },
    killService: () => apps.service().kill("SIGKILL"),
    async killWorker() {
      apps.worker().kill("SIGKILL");
      await ageHeartbeats(postgres);
    },
    checkUnbroken,
    async stop() {
      await apps.stop();
      await postgres.close();
      await clickhouse.close();
      checkUnbroken();
    },
  };
}

/** Logs the last words of processes that broke down, once. */
function checkAfter({ lastWords }: Apps): () => void {
  let lengthView = 0;
  return () => {
    const words = lastWords();
    const news = words.slice(lengthView);
    lengthView = words.length;
    if (news.length > 0) throw new Error(`a process broke down: ${news.join("; ")}`);
  };
}

interface Key {
  readonly account: number;
  readonly accountId: string;
  readonly key: string;
}

async function createKey(postgres: Postgres, name: string, partners: object): Promise<Key> {
  const limits = {
    intakePerSecond: 10_000,
    readPerSecond: 10_000,
    writePerSecond: 10_000,
    jobStartPerSecond: 1_000,
    audienceCountPerSecond: 1_000,
  };
  const settings = accountSettings.parse({ limits, partners });
  const account = await createAccount(postgres, { id: newAccountId(), name, settings });
  const key = newApiKey();
  await createApiKey(postgres, {
    id: newAccountId(),
    account: account.number,
    hash: hashApiKey(key),
    prefix: key.slice(0, 6),
    name,
    scopes: ["intake", "read", "write", "admin"],
  });
  return { account: account.number, accountId: account.id, key };
}

function callerOf({ ingressPort, servicePort }: Apps, { account, accountId, key }: Key): Caller {
  const headers = {
    authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    "content-type": "application/json",
  };
  const v2 = async (path: string, init: RequestInit = {}) => {
    const { "content-type": _, ...bodiless } = headers;
    const input = init.body === undefined ? bodiless : headers;
    const answer = await fetch(`http://127.0.0.1:${servicePort}${path}`, { ...init, headers: input });
    const parsed: ReturnType<typeof JSON.parse> = await answer.json();
    return { status: answer.status, body: parsed };
  };
  const resolved: Caller["settled"] = async (receipt, seconds = 30) => {
    for (let left = seconds; ; left -= WAIT_SECONDS) {
      const { body } = await v2(`/v2/receipts/${receipt}?wait=${Math.min(left, WAIT_SECONDS)}`);
      if (body.state !== "pending" || left <= 0) return body;
    }
  };
  return {
    account,
    accountId,
    key,
    async push(path, body, more = {}) {
      const answer = await fetch(`http://127.0.0.1:${ingressPort}${path}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", ...more },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const parsed: ReturnType<typeof JSON.parse> = await answer.json();
      return { status: answer.status, receipt: answer.headers.get("headwater-receipt") ?? "", body: parsed };
    },
    connection: {
      ingressUrl: `http://127.0.0.1:${ingressPort}`,
      serviceUrl: `http://127.0.0.1:${servicePort}`,
      apiKey: key,
    },
    async send(operation, body, more = {}) {
      const url = `http://127.0.0.1:${ingressPort}/api/${operation}`;
      const answer = await fetch(url, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", ...more },
        body: JSON.stringify(body),
      });
      const { receipt, ...rest } = receiptAnswer(await answer.json());
      if (answer.status !== 202) throw new Error(`${operation} was answered ${answer.status}: ${JSON.stringify(rest)}`);
      return receipt;
    },
    get: (path) => v2(path),
    post: (path, body) => v2(path, { method: "POST", body: JSON.stringify(body) }),
    put: (path) => v2(path, { method: "PUT" }),
    delete: (path) => v2(path, { method: "DELETE" }),
    async write(path, body, { method = "POST", headers: more = {} } = {}) {
      const init = { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) };
      const answer = await fetch(`http://127.0.0.1:${servicePort}${path}`, init);
      return { status: answer.status, receipt: answer.headers.get("headwater-receipt") ?? "" };
    },
    read: (path, after) => v2(`${path}${path.includes("?") ? "&" : "?"}after=${after}`),
    async count(criteria, after) {
      const init = { method: "POST", body: JSON.stringify(criteria) };
      const { status, body } = await v2(`/v2/audiencecount?after=${after}`, init);
      if (status !== 200) throw new Error(`audiencecount was answered ${status}: ${JSON.stringify(body)}`);
      return body.count;
    },
    settled: resolved,
  };
}

function receiptAnswer(answer: ReturnType<typeof JSON.parse>): { readonly receipt: string } {
  return answer;
}
