import { join } from "node:path";
import { rootFolder } from "../../bootstrap/places.mjs";
import { furtherOperations, portOffsets } from "../ports.ts";
import type { ProcessCounts } from "./processCounts.ts";

/** Our apps in the order of their start. `port` serves clients, `operationsPort` health and metrics. */
const apps = [
  { name: "ingress", port: portOffsets.ingress, operationsPort: portOffsets.ingressOperations },
  { name: "projector", port: undefined, operationsPort: portOffsets.projectorOperations },
  { name: "worker", port: undefined, operationsPort: portOffsets.workerOperations },
  { name: "sender", port: undefined, operationsPort: portOffsets.senderOperations },
  { name: "service", port: portOffsets.service, operationsPort: portOffsets.serviceOperations },
  { name: "tracker", port: portOffsets.tracker, operationsPort: portOffsets.trackerOperations },
  { name: "automation", port: undefined, operationsPort: portOffsets.automationOperations },
] as const;

/** Ports of an app besides those, as offsets, by the variable that names it. */
export const morePorts: Partial<Record<AppName, Readonly<Record<string, number>>>> = {
  tracker: { HEADWATER_MAIL_PORT: portOffsets.incomingMail },
};

export type AppName = (typeof apps)[number]["name"];

/** A process of ours. Ports are offsets from the base. */
export interface RunningApp {
  readonly app: AppName;
  /** The app's name, with a number behind it from the second process on. */
  readonly name: string;
  readonly port: number | undefined;
  readonly operationsPort: number;
  /** True when other processes of the app listen on the same port. */
  readonly sharesPort: boolean;
}

/** Returns the processes to run, in the order of their start. */
export function runningApps(counts: ProcessCounts): RunningApp[] {
  return apps.flatMap(({ name: app, port, operationsPort }) => {
    const count = app === "ingress" || app === "projector" ? counts[app] : 1;
    const first = { app, name: app, port, operationsPort, sharesPort: port !== undefined && count > 1 };
    const further = Array.from({ length: count - 1 }, (_, index) => ({
      ...first,
      name: `${app}-${index + 2}`,
      operationsPort: (app === "ingress" ? furtherOperations.ingress : furtherOperations.projector) + index,
    }));
    return [first, ...further];
  });
}

/** Commands of `headwater` to run between the services and the apps, in this order. */
export const setUp = {
  migrate: { saying: "migrating the stores", args: ["migrate"] },
  topics: { saying: "making the topics", args: ["topics", "apply", "--yes"] },
  account: {
    saying: "making the demo account",
    args: ["accounts", "create", "--name", "demo", "--settings", demoAccount(), "--if-missing", "--json"],
  },
} as const;

/** The demo's orders are in pounds. */
function demoAccount(): string {
  return join(rootFolder, "infra", "demo", "account.json");
}

/**
 * Size of the young generation, of which V8 takes three times as much: one that holds a whole batch takes a third off garbage collection in ingress and projector
 * (measured). A page of the service is smaller, and a worker streams files of any size in less than 256 MiB, of which a large one would be most.
 */
const YOUNG_MIB: Partial<Record<AppName, number>> = { service: 16, worker: 2 };
const YOUNG_MIB_DEFAULT = 64;
/** Limit of the old generation. V8 collects what a worker's files left in it far later below its own limit of some GiB: 280 MiB of garbage were seen. */
const OLD_MIB: Partial<Record<AppName, number>> = { worker: 512 };

/** Returns the options that an app's Node runs with. */
export function nodeOptionsOf(app: AppName): string {
  const old = OLD_MIB[app];
  const young = `--max-semi-space-size=${YOUNG_MIB[app] ?? YOUNG_MIB_DEFAULT}`;
  return old === undefined ? young : `${young} --max-old-space-size=${old}`;
}

/**
 * Priorities on one machine: what works off topics and jobs gives way to what answers clients. With nothing else to do, each still has all
 * processors.
 */
const NICENESS: Partial<Record<AppName, number>> = { projector: 5, sender: 5, automation: 5, worker: 10 };

/** Returns by how much an app gives way, as of `nice`. */
export function nicenessOf(app: AppName): number {
  return NICENESS[app] ?? 0;
}

/** Returns the environment that all of these processes share, besides the services' addresses. */
export function commonEnvironment(home: string, secretFile: string): Record<string, string> {
  return {
    HEADWATER_FILES_FOLDER: join(home, "files"),
    HEADWATER_HOST: "127.0.0.1",
    HEADWATER_SECRET_FILE: secretFile,
    HEADWATER_ALLOW_PLAIN_HTTP: "loopback",
    HEADWATER_DRAIN_SECONDS: "0",
  };
}
