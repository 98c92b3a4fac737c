import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AppName,
  addressEnvironment,
  BoundedLog,
  Guard,
  nicenessOf,
  nodeOptionsOf,
  rootFolder,
  type ServiceAddresses,
  SupervisedProcess,
  scriptOf,
  testHomeFolder,
} from "../../../infra/src/index.ts";

/** Kafka's shortest here, so that partitions of a stopped process are given away soon. */
export const SESSION_TIMEOUT_MS = 6_000;

/** Shorter than usual, so that what waits in vain has its end while the test still checks. */
const PARKED_FOR_MS = process.env.HEADWATER_FAULTS === "long" ? "3000,12000" : "1000,3000";

export interface AppsOptions {
  readonly name: string;
  readonly addresses: ServiceAddresses;
  readonly firstPort: number;
  /** Times that a record of an unknown contact waits before each further attempt, in milliseconds, as a comma list. */
  readonly parkedForMs?: string;
  /** Further variables of every process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Our processes as children of the test: killed, stopped and woken by signals, started again when they end. */
export interface Apps {
  readonly secret: string;
  readonly ingressPort: number;
  readonly servicePort: number;
  ingress(): SupervisedProcess;
  service(): SupervisedProcess;
  /** @param index 0 is the one that always runs; 1 is its rival. */
  worker(index?: number): SupervisedProcess;
  /** @param index 0 is the one that always runs; others are its rivals. */
  projector(index: number, env?: Readonly<Record<string, string>>): SupervisedProcess;
  sender(index: number, env?: Readonly<Record<string, string>>): SupervisedProcess;
  readonly trackerPort: number;
  /** The tracker's SMTP listener. */
  readonly mailPort: number;
  tracker(): SupervisedProcess;
  automation(index?: number, env?: Readonly<Record<string, string>>): SupervisedProcess;
  all(): readonly SupervisedProcess[];
  /** The port of a process's health and metrics, by its name. */
  operationsPort(name: string): number;
  /** Last log lines of processes that ended by themselves: nothing may make one give up. */
  lastWords(): readonly string[];
  stop(): Promise<void>;
}

export function createApps(options: AppsOptions): Apps {
  const { name, addresses, firstPort, parkedForMs = PARKED_FOR_MS, env: common = {} } = options;
  const guard = new Guard();
  const home = join(testHomeFolder, name);
  const secret = "fault-tests-sign-receipts-with-this";
  rmSync(join(home, "logs", "apps"), { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "secret"), secret);
  const known = new Map<string, SupervisedProcess>();
  const ports = new Map<string, number>();
  const portOf = (label: string): number => {
    const port = ports.get(label) ?? firstPort + 2 * ports.size;
    ports.set(label, port);
    return port;
  };
  const app = (folder: AppName, index: number, env: Record<string, string>): SupervisedProcess => {
    const label = `${folder}-${index}`;
    const port = portOf(label);
    const created =
      known.get(label) ?? createApp({ label, folder, port, env: { ...common, ...env }, addresses, home, guard });
    known.set(label, created);
    return created;
  };
  const httpEnv = (port: number) => ({
    HEADWATER_PORT: String(port),
    HEADWATER_SECRET_FILE: join(home, "secret"),
    HEADWATER_ALLOW_PLAIN_HTTP: "loopback",
    HEADWATER_DRAIN_SECONDS: "0",
  });
  const [ingressPort, servicePort] = [firstPort + 20, firstPort + 21];
  const [trackerPort, mailPort] = [firstPort + 22, firstPort + 23];
  return {
    secret,
    ingressPort,
    servicePort,
    trackerPort,
    mailPort,
    ingress: () => app("ingress", 0, httpEnv(ingressPort)),
    service: () => app("service", 0, httpEnv(servicePort)),
    worker: (index = 0) => app("worker", index, {}),
    projector: (index, env = {}) =>
      app("projector", index, {
        HEADWATER_SESSION_TIMEOUT_MS: String(SESSION_TIMEOUT_MS),
        HEADWATER_PARKED_FOR_MS: parkedForMs,
        ...env,
      }),
    sender: (index, env = {}) => app("sender", index, env),
    tracker: () => app("tracker", 0, { ...httpEnv(trackerPort), HEADWATER_MAIL_PORT: String(mailPort) }),
    automation: (index = 0, env = {}) =>
      app("automation", index, { HEADWATER_SESSION_TIMEOUT_MS: String(SESSION_TIMEOUT_MS), ...env }),
    all: () => [...known.values()],
    operationsPort: portOf,
    lastWords: () => [...known.values()].flatMap(fatalLines),
    async stop() {
      await Promise.all([...known.values()].map((one) => one.stop()));
      guard.close();
    },
  };
}

/** The log is there from its first line on. */
function fatalLines({ name, logFile }: SupervisedProcess): string[] {
  if (!existsSync(logFile)) return [];
  const lines = readFileSync(logFile, "utf8").split("\n");
  return lines
    .filter((line) => line.includes('"level":"fatal"') || line.includes(" ended: code 1"))
    .map((line) => `${name}: ${line.slice(0, 600)}`);
}

interface AppPlan {
  readonly label: string;
  readonly folder: AppName;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly addresses: ServiceAddresses;
  readonly home: string;
  readonly guard: Guard;
}

function createApp({ label, folder, port, env, addresses, home, guard }: AppPlan): SupervisedProcess {
  return new SupervisedProcess({
    name: label,
    plan: async () => ({
      command: process.execPath,
      args: [scriptOf(folder)],
      cwd: rootFolder,
      niceness: nicenessOf(folder),
      env: {
        ...process.env,
        ...addressEnvironment(addresses),
        NODE_OPTIONS: nodeOptionsOf(folder),
        HEADWATER_HOST: "127.0.0.1",
        HEADWATER_FILES_FOLDER: join(home, "files"),
        HEADWATER_OPERATIONS_PORT: String(port),
        LOG_LEVEL: "warn",
        ...env,
      },
    }),
    isReady: async (signal) => (await fetch(`http://127.0.0.1:${port}/ready`, { signal })).ok,
    log: new BoundedLog(join(home, "logs", "apps", `${label}.log`)),
    guard,
    autoRestart: true,
  });
}
