import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Failure } from "../../bootstrap/failure.mjs";
import { rootFolder } from "../../bootstrap/places.mjs";
import { checkPortsFree } from "../../bootstrap/ports.mjs";
import { removeSupervisor, writeSupervisor } from "../../bootstrap/supervisorFile.mjs";
import { archiveClasses } from "../archiveClasses.ts";
import { BoundedLog } from "../boundedLog.ts";
import { bundlePrograms } from "../bundle.ts";
import { OWNERS_FILE } from "../closedHome.ts";
import type { OnProgress } from "../definition.ts";
import { Guard } from "../guard.ts";
import { portOffsets } from "../ports.ts";
import { scriptOf } from "../programs.ts";
import { runOrFail } from "../run.ts";
import { readOrMakeSecret } from "../secretFile.ts";
import { type RunningServices, servicePorts, startServices, wantedServices } from "../startServices.ts";
import { SupervisedProcess } from "../supervisedProcess.ts";
import { addressEnvironment } from "../testServices.ts";
import { type Connection, connectionFile, writeConnection } from "./connection.ts";
import { MAIL, mailAddresses, mailPorts, prepareMail } from "./mailPart.ts";
import { startOperationsEndpoint } from "./operations.ts";
import type { ProcessCounts } from "./processCounts.ts";
import {
  commonEnvironment,
  morePorts,
  nicenessOf,
  nodeOptionsOf,
  type RunningApp,
  runningApps,
  setUp,
} from "./stack.ts";

const DEMO = join(rootFolder, "infra", "demo", "main.ts");

export interface SupervisorOptions {
  readonly home: string;
  readonly cache: string;
  readonly portBase: number;
  readonly loadsDemo: boolean;
  /** Starts a mail server that keeps what is sent to it; the demo needs it. */
  readonly hasMail: boolean;
  readonly processes: ProcessCounts;
  readonly onProgress: OnProgress;
}

/** Everything that `npm start` runs for one home, started in order and stopped in reverse. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #guard = new Guard();
  readonly #running: readonly RunningApp[];
  readonly #apps = new Map<string, SupervisedProcess>();
  readonly #stopping = new AbortController();
  #starting: Promise<Connection> | undefined;
  #archiving: Promise<void> | undefined;
  #services: RunningServices | undefined;
  #mail: SupervisedProcess | undefined;
  #operations: Server | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#running = runningApps(options.processes);
  }

  /** Resolves when all is ready and the demo is loaded. A Failure when it cannot be; call `stop` then, too. */
  start(): Promise<Connection> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<Connection> {
    const { home, portBase } = this.#options;
    await this.#checkPorts();
    writeSupervisor(home, { pid: process.pid, operationsUrl: this.#url("operations") });
    await rm(connectionFile(home), { force: true });
    this.#services = await startServices({ ...this.#options, signal: this.#stopping.signal });
    await this.#bundle();
    this.#operations = await startOperationsEndpoint({
      port: portBase + portOffsets.operations,
      services: () => this.#servicesByName(),
      apps: () => this.#apps,
      metricsUrls: new Map(this.#running.map((app) => [app.name, `${this.#operationsUrl(app)}/metrics`])),
    });
    const env = await this.#environment(this.#services);
    if (this.#options.hasMail) await this.#startMail();
    const account = await this.#setUp(env);
    for (const app of this.#running) await this.#startApp(app, env);
    const connection = this.#connection(this.#services, account);
    await writeConnection(home, connection);
    if (this.#options.loadsDemo) await this.#loadDemo(connection, env);
    this.#archiving = this.#archiveClasses();
    return connection;
  }

  /** Stops in reverse order what was started, as far as the start came. */
  async stop(): Promise<void> {
    const { home, onProgress } = this.#options;
    this.#stopping.abort();
    for (const [name, app] of [...this.#apps].reverse()) {
      onProgress(`stopping ${name}`);
      await app.stop();
    }
    // A start that is under way fails at its next step; only then is it known what there is to stop.
    await Promise.allSettled([this.#starting, this.#archiving]);
    if (this.#operations !== undefined) {
      this.#operations.close();
      this.#operations.closeAllConnections();
      await once(this.#operations, "close");
    }
    await this.#mail?.stop();
    if (this.#services !== undefined) onProgress("stopping the services");
    await this.#services?.stop();
    this.#guard.close();
    await rm(connectionFile(home), { force: true });
    removeSupervisor(home);
  }

  /** Work for the starts to come, for which nobody waits. */
  #archiveClasses(): Promise<void> {
    const { cache, onProgress } = this.#options;
    const { signal } = this.#stopping;
    return archiveClasses({ cache, onProgress, signal, services: wantedServices({}), isInBackground: true });
  }

  async #bundle(): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Failure("stopped before it was ready.");
    this.#options.onProgress("bundling the programs");
    await bundlePrograms(this.#bundles());
  }

  /** Programs as they were at the start: what restarts later is the same, also when somebody changes the sources meanwhile. */
  #bundles(): string {
    return join(this.#options.home, "bundles");
  }

  async #checkPorts(): Promise<void> {
    const { portBase, hasMail } = this.#options;
    const ofApps = this.#running.flatMap(({ app, name, port, operationsPort }) => [
      ...(port === undefined || name !== app ? [] : [{ port: portBase + port, use: name }]),
      { port: portBase + operationsPort, use: `${name}'s metrics` },
      ...Object.values(morePorts[app] ?? {}).map((port) => ({ port: portBase + port, use: `${name}'s mail` })),
    ]);
    const ofSupervisor = { port: portBase + portOffsets.operations, use: "operations" };
    const ofMail = hasMail ? mailPorts(portBase) : [];
    await checkPortsFree([...ofApps, ofSupervisor, ...ofMail, ...servicePorts(this.#options, wantedServices({}))]);
  }

  #servicesByName(): Map<string, SupervisedProcess> {
    const started = new Map(Object.entries(this.#services?.services ?? {}));
    return this.#mail === undefined ? started : started.set(MAIL, this.#mail);
  }

  async #startMail(): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Failure("stopped before it was ready.");
    this.#mail = await prepareMail({ ...this.#options, guard: this.#guard, signal: this.#stopping.signal });
    await this.#mail.start();
    this.#options.onProgress(`${MAIL} is ready`);
  }

  async #environment(services: RunningServices): Promise<NodeJS.ProcessEnv> {
    const { home, hasMail } = this.#options;
    const [secretFile, settingsKeyFile] = [secretFileOf(home, "receipt-secret"), secretFileOf(home, "settings-key")];
    await Promise.all([readOrMakeSecret(secretFile), readOrMakeSecret(settingsKeyFile)]);
    const own = {
      HEADWATER_SETTINGS_KEY_FILE: settingsKeyFile,
      HEADWATER_TRACKING_URL: this.#url("tracker"),
      ...(hasMail ? { HEADWATER_PRIVATE_TRANSPORTS: "127.0.0.1" } : {}),
    };
    return { ...own, ...process.env, ...addressEnvironment(services), ...commonEnvironment(home, secretFile) };
  }

  async #setUp(env: NodeJS.ProcessEnv): Promise<DemoAccount> {
    await this.#command("migrate", env);
    await this.#command("topics", env);
    return rememberDemoAccount(this.#options.home, await this.#command("account", env));
  }

  async #command(step: keyof typeof setUp, env: NodeJS.ProcessEnv): Promise<string> {
    if (this.#stopping.signal.aborted) throw new Failure("stopped before it was ready.");
    const { saying, args } = setUp[step];
    this.#options.onProgress(saying);
    return runOrFail(saying, process.execPath, [scriptOf("cli", this.#bundles()), ...args], {
      env: { ...env, NODE_NO_WARNINGS: "1" },
    });
  }

  async #startApp(app: RunningApp, env: NodeJS.ProcessEnv): Promise<void> {
    if (this.#stopping.signal.aborted) throw new Failure("stopped before it was ready.");
    const { home, portBase, onProgress } = this.#options;
    const own = {
      ...(app.port === undefined ? {} : { HEADWATER_PORT: String(portBase + app.port) }),
      ...(app.sharesPort ? { HEADWATER_SHARE_PORT: "true" } : {}),
      NODE_OPTIONS: nodeOptionsOf(app.app),
      HEADWATER_OPERATIONS_PORT: String(portBase + app.operationsPort),
      ...Object.fromEntries(
        Object.entries(morePorts[app.app] ?? {}).map(([name, at]) => [name, String(portBase + at)]),
      ),
    };
    const plan = {
      command: process.execPath,
      args: [scriptOf(app.app, this.#bundles())],
      env: { ...env, ...own },
      niceness: nicenessOf(app.app),
    };
    const supervised = new SupervisedProcess({
      name: app.name,
      plan: async () => plan,
      isReady: async (signal) => (await fetch(`${this.#operationsUrl(app)}/ready`, { signal })).status === 200,
      log: new BoundedLog(join(home, "logs", `${app.name}.log`)),
      guard: this.#guard,
      autoRestart: true,
      life: { isAlive: async (signal) => (await fetch(`${this.#operationsUrl(app)}/health`, { signal })).ok },
    });
    this.#apps.set(app.name, supervised);
    await supervised.start();
    onProgress(`${app.name} is ready`);
  }

  async #loadDemo(connection: Connection, env: NodeJS.ProcessEnv): Promise<void> {
    if (connection.apiKey === null) {
      throw new Failure(
        "the demo account's key is not known in this home: start with --empty, or with the home that made it.",
      );
    }
    const { home, onProgress } = this.#options;
    await loadDemo({ connectionFile: connectionFile(home), env, onProgress, signal: this.#stopping.signal });
  }

  #connection(services: RunningServices, { accountId, apiKey }: DemoAccount): Connection {
    const mail =
      this.#mail === undefined ? { mailUrl: null, mailSmtpUrl: null } : mailAddresses(this.#options.portBase);
    const { kafkaBrokers, schemaRegistryUrl, postgresUrl, clickhouseUrl } = services;
    return {
      ingressUrl: this.#url("ingress"),
      serviceUrl: this.#url("service"),
      assistantUrl: null,
      consoleUrl: null,
      operationsUrl: this.#url("operations"),
      trackingUrl: process.env.HEADWATER_TRACKING_URL || this.#url("tracker"),
      ...mail,
      kafkaBrokers,
      schemaRegistryUrl,
      postgresUrl,
      clickhouseUrl,
      accountId,
      apiKey,
    };
  }

  #url(name: "ingress" | "service" | "operations" | "tracker"): string {
    return `http://127.0.0.1:${this.#options.portBase + portOffsets[name]}`;
  }

  #operationsUrl({ operationsPort }: RunningApp): string {
    return `http://127.0.0.1:${this.#options.portBase + operationsPort}`;
  }
}

function secretFileOf(home: string, name: string): string {
  return join(home, "secrets", name);
}

interface DemoAccount {
  readonly accountId: string;
  /** Null when the account was made elsewhere: only a hash of its key is stored. */
  readonly apiKey: string | null;
}

/**
 * The demo account from the answer of `accounts create --if-missing --json`. Its key is shown only when it is made, so it is kept
 * under the home's secrets and found there at the next start.
 */
export async function rememberDemoAccount(home: string, answer: string): Promise<DemoAccount> {
  const file = join(home, "secrets", "demo-account.json");
  const answered = parseAccount(answer.trimEnd().split("\n").at(-1) ?? "");
  if (answered.apiKey !== null) {
    await writeFile(file, `${JSON.stringify(answered)}\n`, { mode: OWNERS_FILE });
    return answered;
  }
  const stored = existsSync(file) ? parseAccount(await readFile(file, "utf8")) : answered;
  return stored.accountId === answered.accountId ? stored : answered;
}

function parseAccount(text: string): DemoAccount {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("accountId" in value) || typeof value.accountId !== "string") {
    throw new Error(`an account has an accountId: ${text}`);
  }
  return {
    accountId: value.accountId,
    apiKey: "apiKey" in value && typeof value.apiKey === "string" ? value.apiKey : null,
  };
}

interface LoadDemoOptions {
  readonly connectionFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: OnProgress;
  /** Ends the loading when Headwater is stopped meanwhile. */
  readonly signal: AbortSignal;
}

/**
 * Runs the demo's loader. It talks to the public API only; where it and the key are, it reads in connection.json. On a
 * terminal it draws its progress bar itself, elsewhere its lines go through `onProgress`.
 */
async function loadDemo({ connectionFile, env, onProgress, signal }: LoadDemoOptions): Promise<void> {
  const drawsItself = process.stdout.isTTY === true;
  const child = spawn(process.execPath, [DEMO], {
    cwd: rootFolder,
    env: { ...env, HEADWATER_CONNECTION_FILE: connectionFile, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", drawsItself ? "inherit" : "pipe", drawsItself ? "inherit" : "pipe"],
    signal,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", onProgress);
  }
  const code = await codeOf(child, signal);
  if (code !== 0) throw new Failure(`the demo could not be loaded (code ${code}): the lines above say why.`);
}

async function codeOf(child: ReturnType<typeof spawn>, signal: AbortSignal): Promise<unknown> {
  try {
    const [code] = await once(child, "close");
    return code;
  } catch (error) {
    if (signal.aborted) throw new Failure("stopped while the demo was loading.");
    throw error;
  }
}
