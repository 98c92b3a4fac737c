import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PgBoss } from "pg-boss";
import { connect, countEffects, createRuns, type Sizes } from "./waitingRuns.ts";

/**
 * Compares ways to wait durably: many runs wait, some of them come due together, and the process that moves them is killed in the middle. Run it
 * as `node test/load/waiting/main.ts <url of Postgres> [waiting] [due]`; it creates and drops the schemas `waiting` and `waitingboss`.
 */
const [url = "", waiting = "500000", due = "100000"] = process.argv.slice(2);
const sizes: Sizes = { waiting: Number(waiting), due: Number(due) };
const QUEUE = "timers";
/** Time after which pg-boss gives up a job whose worker was killed. */
const EXPIRE_SECONDS = 15;
const JOBS_AT_ONCE = 5_000;
const CHECK_MS = 250;
const TIMEOUT_MS = 180_000;

interface Candidate {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  prepare(): Promise<void>;
}

const candidates: readonly Candidate[] = [
  { name: "the run's own row, no kill", script: "ownRow.ts", args: [], prepare: async () => undefined },
  { name: "the run's own row", script: "ownRow.ts", args: [], prepare: async () => undefined },
  { name: "pg-boss, one job a timer", script: "queuedJob.ts", args: [QUEUE], prepare: createJobs },
];

async function createJobs(): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema: "waitingboss" });
  await boss.start();
  await boss.createQueue(QUEUE, { expireInSeconds: EXPIRE_SECONDS, retryLimit: 10, retryDelay: 0 });
  const far = new Date(Date.now() + 365 * 86_400_000);
  const total = sizes.waiting + sizes.due;
  for (let from = 1; from <= total; from += JOBS_AT_ONCE) {
    const jobs = Array.from({ length: Math.min(JOBS_AT_ONCE, total - from + 1) }, (_, index) => ({
      data: { run: from + index },
      ...(from + index > sizes.due && { startAfter: far }),
    }));
    await boss.insert(QUEUE, jobs);
  }
  await boss.stop({ graceful: false });
}

async function measure({ name, script, args, prepare }: Candidate, kills: boolean): Promise<void> {
  const client = await connect(url);
  await client.query("DROP SCHEMA IF EXISTS waitingboss CASCADE");
  await createRuns(client, sizes);
  const preparedAt = Date.now();
  await prepare();
  const preparing = Date.now() - preparedAt;
  const start = () => fork(fileURLToPath(new URL(script, import.meta.url)), [url, ...args]);
  const startedAt = Date.now();
  let worker: ChildProcess = start();
  let isKilled = !kills;
  for (;;) {
    await sleep(CHECK_MS);
    const counted = await client.query<{ effects: string }>("SELECT count(*) AS effects FROM waiting.effects");
    const effects = Number(counted.rows[0]?.effects ?? 0);
    if (!isKilled && effects > sizes.due / 2) {
      worker.kill("SIGKILL");
      await once(worker, "exit");
      worker = start();
      isKilled = true;
    }
    if (effects >= sizes.due || Date.now() - startedAt > TIMEOUT_MS) break;
  }
  const tookMs = Date.now() - startedAt;
  worker.kill("SIGKILL");
  const { twice, missing } = await countEffects(client, sizes.due);
  const perSecond = Math.round((1_000 * (sizes.due - missing)) / tookMs);
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT COALESCE(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('waiting', 'waitingboss') AND c.relkind = 'r'",
  );
  const mib = Math.round(Number(rows[0]?.bytes ?? 0) / 1024 / 1024);
  console.log(
    `| ${name} | ${perSecond} | ${(tookMs / 1_000).toFixed(1)} | ${twice} | ${missing} | ${mib} | ${(preparing / 1_000).toFixed(1)} |`,
  );
  await client.query("DROP SCHEMA IF EXISTS waitingboss CASCADE; DROP SCHEMA waiting CASCADE");
  await client.end();
}

console.log(`${sizes.waiting} runs wait, ${sizes.due} come due together; the process is killed after half of them`);
console.log(
  "| way to wait | steps/s | seconds, kill included | effects twice | effects missing | MiB | seconds to create the timers |",
);
for (const candidate of candidates) await measure(candidate, !candidate.name.includes("no kill"));
