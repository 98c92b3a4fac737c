import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testHomeFolder } from "@headwater/infra";
import { createPostgres, type Postgres } from "@headwater/stores/postgres";
import { type StorageWorld, worlds } from "../../contract/destinations/storageServers.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { type Ground, makeAccount, prepareGround, quiet } from "../harness/services.ts";
import { until } from "../harness/until.ts";
import { type BrittleStorage, startBrittleStorage } from "./brittleStorage.ts";
import { installGates } from "./gates.ts";

export interface JobsGround {
  readonly ground: Ground;
  readonly apps: Apps;
  readonly outside: StorageWorld;
  readonly brittle: BrittleStorage;
  /** Connections that may be idle in a transaction for minutes. */
  readonly patient: Postgres;
  /** Calls the service; waits and asks again while it is away. */
  call(method: string, path: string, body?: object | string): Promise<ReturnType<typeof JSON.parse>>;
  /** The same once: undefined without an answer. */
  callOnce(method: string, path: string, body?: object | string): Promise<ReturnType<typeof JSON.parse>>;
  /** Sends an item to intake and waits until the state has it. */
  send(operation: string, item: object): Promise<void>;
  stop(): Promise<void>;
}

/** Ports above Kafka's and those of the other services. */
const APP_PORTS_ABOVE = 30;
/** Few jobs may be started a second: the next one may be. */
const TOO_MANY = 429;
const AWAY_TIMEOUT_MS = 120_000;
const SCOPES = ["intake", "read", "write"];

export async function startJobsGround(name: string, onProgress: (line: string) => void): Promise<JobsGround> {
  const [ground, outside] = await Promise.all([prepareGround(name, onProgress), worlds.s3()]);
  const brittle = await startBrittleStorage(outside.port);
  const home = join(testHomeFolder, name);
  const keyFile = join(home, "settings.key");
  mkdirSync(home, { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString("hex"));
  const env = { HEADWATER_SETTINGS_KEY_FILE: keyFile, HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8" };
  const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + APP_PORTS_ABOVE;
  const apps = createApps({ name, addresses: ground.services, firstPort, env });
  const patient = createPostgres({
    url: ground.services.postgresUrl,
    poolMax: 12,
    applicationName: "gates",
    statementTimeoutMs: 60_000,
    idleInTransactionTimeoutMs: 600_000,
    logger: quiet,
  });
  await installGates(patient);
  await Promise.all([apps.projector(0), apps.ingress(), apps.service(), apps.worker()].map((app) => app.start()));
  const { apiKey } = await makeAccount(ground.postgres, "jobs", SCOPES);
  return {
    ...{ ground, apps, outside, brittle, patient },
    ...createCalls(apps, apiKey),
    async stop() {
      await apps.stop();
      await patient.close();
      await brittle.close();
      await outside.stop();
      await ground.stop();
    },
  };
}

function createCalls(apps: Apps, apiKey: string): Pick<JobsGround, "call" | "callOnce" | "send"> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`;
  const ask = async (url: string, method: string, body?: object | string) => {
    const isText = typeof body === "string";
    const headers = {
      authorization,
      "x-api-key": apiKey,
      ...(body !== undefined && { "content-type": isText ? "application/octet-stream" : "application/json" }),
    };
    const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
    const answer = await fetch(url, { method, headers, ...sent, signal: AbortSignal.timeout(40_000) });
    const text = await answer.text();
    if (answer.status >= 500 || answer.status === TOO_MANY) throw new Error(`${answer.status} ${text}`);
    const told: ReturnType<typeof JSON.parse> = JSON.parse(text);
    if (answer.status >= 400) throw new TypeError(`${method} ${url} was answered ${answer.status} ${text}`);
    return told;
  };
  const whileAway = async (run: () => Promise<ReturnType<typeof JSON.parse>>) => {
    let told: ReturnType<typeof JSON.parse>;
    const look = async () => {
      try {
        told = await run();
        return undefined;
      } catch (error) {
        if (String(error).includes("was answered")) throw error;
        return String(error);
      }
    };
    await until(look, { timeoutMs: AWAY_TIMEOUT_MS });
    return told;
  };
  const service = (path: string) => `http://127.0.0.1:${apps.servicePort}${path}`;
  const call: JobsGround["call"] = (method, path, body) => whileAway(() => ask(service(path), method, body));
  return {
    call,
    async callOnce(method, path, body) {
      return ask(service(path), method, body).catch((error: unknown) => {
        if (String(error).includes("was answered")) throw error;
        return undefined;
      });
    },
    async send(operation, item) {
      const intake = `http://127.0.0.1:${apps.ingressPort}/api/${operation}`;
      const { receipt } = await whileAway(() => ask(intake, "POST", item));
      const { state } = await call("GET", `/v2/receipts/${receipt}?wait=20`);
      if (state !== "applied") throw new Error(`${operation} is ${state}`);
    },
  };
}
