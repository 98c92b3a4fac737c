import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { testHomeFolder } from "@headwater/infra";
import type { Ground } from "./services.ts";

/** Postgres' data folder as it was at one moment, to be put back later: what a restored snapshot or a standby that was behind is. */
export interface Snapshot {
  putBack(): Promise<void>;
}

/** Copies the folder while the server is stopped; clients find it again as after any restart. */
export async function takeSnapshot({ services }: Ground, name: string): Promise<Snapshot> {
  const folder = join(testHomeFolder, name, "data", "postgres", "current");
  const copy = join(testHomeFolder, name, "data", "postgres", "copy");
  const { postgres } = services.services;
  if (postgres === undefined) throw new Error("Postgres was not started here");
  await postgres.stop();
  await replace(folder, copy);
  await postgres.start();
  return {
    async putBack() {
      await postgres.stop();
      await replace(copy, folder);
      await postgres.start();
    },
  };
}

async function replace(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  // The files belong to the user that Postgres runs as.
  await promisify(execFile)("cp", ["-a", from, to]);
}
