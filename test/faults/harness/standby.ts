import { execFile } from "node:child_process";
import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { definePostgres } from "../../../infra/embedded/postgres/definition.ts";
import { BoundedLog, cacheFolder, Guard, SupervisedProcess, testHomeFolder } from "../../../infra/src/index.ts";
import { dataFolder, replaceFolder, type Snapshot, whileStopped } from "./dataFolders.ts";
import { type Ground, quiet } from "./services.ts";
import { until } from "./until.ts";

const WAIT = { timeoutMs: 60_000 };
const PORT_ABOVE_PRIMARY = 3;

/**
 * Starts a streaming standby of Postgres, waits until it has everything, and cuts it off: whatever is committed from then on is missing
 * there. Putting it back means that the primary dies and the standby is promoted in its place, on a timeline of its own.
 */
export async function takeStandby(ground: Ground, name: string): Promise<Snapshot> {
  const folder = dataFolder(name, "postgres");
  const copy = join(testHomeFolder, name, "data", "postgres", "standby");
  const primaryUrl = new URL(ground.services.postgresUrl);
  await whileStopped(ground, "postgres", () => replaceFolder(folder, copy));
  await follow(copy, primaryUrl);
  const url = new URL(primaryUrl);
  url.port = String(Number(primaryUrl.port) + PORT_ABOVE_PRIMARY);
  const guard = new Guard();
  const standby = standbyProcess(copy, { url, name, guard });
  await standby.start();
  await until(async () => ((await isStreaming(ground.postgres)) ? undefined : "the standby does not follow"), WAIT);
  await standby.stop();
  return {
    async putBack() {
      await whileStopped(ground, "postgres", async () => {
        await standby.start();
        await promote(url);
        await standby.stop();
        guard.close();
        await rename(folder, `${folder}-former`);
        await rename(copy, folder);
        await rm(`${folder}-former`, { recursive: true });
      });
      const { timeline } = await readTimeline(ground.postgres);
      if (timeline < 2) throw new Error(`the promoted standby is on timeline ${timeline}`);
    },
  };
}

/** Makes a copy of the primary's folder that of a standby. */
async function follow(folder: string, { hostname, port, username, password }: URL): Promise<void> {
  const primary = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  await appendFile(join(folder, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
  const signal = join(folder, "standby.signal");
  await writeFile(signal, "");
  // It belongs to the user that the server runs as, like all others.
  await promisify(execFile)("chown", ["--reference", join(folder, "PG_VERSION"), signal]);
}

function standbyProcess(
  folder: string,
  { url, name, guard }: { readonly url: URL; readonly name: string; readonly guard: Guard },
): SupervisedProcess {
  const cache = cacheFolder(process.env);
  const { launch, isReady } = definePostgres({ port: Number(url.port), password: url.password, cache });
  const log = new BoundedLog(join(testHomeFolder, name, "logs", "standby.log"));
  return new SupervisedProcess({
    ...{ name: "standby", log, guard, isReady, autoRestart: false },
    plan: () => launch(folder),
  });
}

async function isStreaming(primary: Postgres): Promise<boolean> {
  const text = `SELECT 1 FROM pg_stat_replication WHERE application_name = 'standby' AND state = 'streaming'
    AND replay_lsn >= pg_current_wal_lsn() - 65536`;
  return (await primary.query({ text }).catch(() => [])).length > 0;
}

async function promote(url: URL): Promise<void> {
  const options = { poolMax: 1, applicationName: "promotes", statementTimeoutMs: 60_000, logger: quiet };
  const postgres = createPostgres({ url: url.href, ...options });
  try {
    await postgres.query({ text: "SELECT pg_promote(true, 60)" });
    const isPromoted = async () => {
      const [row] = await postgres.query<{ behind: boolean }>({ text: "SELECT pg_is_in_recovery() AS behind" });
      return row?.behind === false ? undefined : "the standby is not promoted";
    };
    await until(isPromoted, WAIT);
    // The timeline that others see is that of the last checkpoint.
    await postgres.query({ text: "CHECKPOINT" });
  } finally {
    await postgres.close();
  }
}

async function readTimeline(postgres: Postgres): Promise<{ readonly timeline: number }> {
  let row: { timeline: number } | undefined;
  const check = async () => {
    const text = "SELECT timeline_id AS timeline FROM pg_control_checkpoint()";
    [row] = await postgres.query<{ timeline: number }>({ text }).catch(() => []);
    return row === undefined ? "Postgres does not answer" : undefined;
  };
  await until(check, WAIT);
  return row ?? { timeline: 0 };
}
