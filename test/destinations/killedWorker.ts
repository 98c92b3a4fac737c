import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useServices } from "@headwater/testing";
import { nodeOptionsOf, scriptOf } from "../../infra/src/index.ts";
import type { Running } from "../contract/service/running.ts";

/** The worker as it ships, in a process of its own that the test kills, stops and wakes. */
export interface WorkerProcess {
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>;
  /** SIGSTOP or SIGCONT. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** The most memory that it held so far, in MiB. */
  memoryMiB(): number;
}

export interface WorkerWorld {
  readonly service: Pick<Running, "postgresUrl" | "clickHouseUrl">;
  /** Folder of its files. */
  readonly folder: string;
  /** Key that secrets are sealed with. */
  readonly settingsKey: Buffer;
}

/** @param env further variables. */
export function startWorker(
  { service, folder, settingsKey }: WorkerWorld,
  env: Readonly<Record<string, string>> = {},
): WorkerProcess {
  const { kafkaBrokers, schemaRegistryUrl } = useServices();
  const keyFile = join(folder, "settings.key");
  writeFileSync(keyFile, settingsKey.toString("hex"));
  const child = spawn(process.execPath, [scriptOf("worker")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: nodeOptionsOf("worker"),
      POSTGRES_URL: service.postgresUrl,
      CLICKHOUSE_URL: service.clickHouseUrl,
      KAFKA_BROKERS: kafkaBrokers,
      SCHEMA_REGISTRY_URL: schemaRegistryUrl,
      HEADWATER_OPERATIONS_PORT: "0",
      HEADWATER_FILES_FOLDER: folder,
      HEADWATER_SETTINGS_KEY_FILE: keyFile,
      HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8",
      LOG_LEVEL: "error",
      ...env,
    },
  });
  return {
    kill: () => end(child),
    signal: (signal) => void child.kill(signal),
    memoryMiB: () => memoryOf(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function memoryOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kib = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kib) / 1024;
}
