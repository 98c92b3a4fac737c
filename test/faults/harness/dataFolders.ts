import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { testHomeFolder } from "../../../infra/src/index.ts";
import type { Ground } from "./services.ts";

export type DataStore = "postgres" | "clickhouse";

/** Data folder of a store as it was at one instant, to be put back later: a restored snapshot, or a standby that was behind. */
export interface Snapshot {
  putBack(): Promise<void>;
}

export function dataFolder(name: string, store: DataStore): string {
  return join(testHomeFolder, name, "data", store, "current");
}

/** Copies the folder while the server is stopped; clients find it again as after any restart. */
export async function takeSnapshot(ground: Ground, name: string, store: DataStore = "postgres"): Promise<Snapshot> {
  const folder = dataFolder(name, store);
  const copy = join(testHomeFolder, name, "data", store, "copy");
  await whileStopped(ground, store, () => replaceFolder(folder, copy));
  return { putBack: () => whileStopped(ground, store, () => replaceFolder(copy, folder)) };
}

/** Changes the data folder of a store while its server is stopped. */
export async function whileStopped({ services }: Ground, store: DataStore, change: () => Promise<void>): Promise<void> {
  const server = services.services[store];
  if (server === undefined) throw new Error(`${store} was not started here`);
  await server.stop();
  await change();
  await server.start();
}

export async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  // The files belong to the user that the server runs as.
  await promisify(execFile)("cp", ["-a", from, to]);
}
