import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { connect, MOVE, RUNS_AT_ONCE } from "./waitingRuns.ts";

/** Process: each timer is a job of pg-boss, whose end is stored in the transaction of the run and its effects. */
const [url = "", queue = ""] = process.argv.slice(2);
const IDLE_MS = 200;

const boss = new PgBoss({
  connectionString: url,
  schema: "waitingboss",
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 1,
});
boss.on("error", () => undefined);
await boss.start();

async function work(): Promise<void> {
  const client = await connect(url);
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  // Until it is killed: what another worker was killed with comes back by its expiry.
  for (;;) {
    const jobs = await boss.fetch<{ run: number }>(queue, { batchSize: RUNS_AT_ONCE });
    if (jobs.length === 0) {
      await sleep(IDLE_MS);
      continue;
    }
    await client.query("BEGIN");
    await client.query(MOVE, [jobs.map(({ data }) => data.run)]);
    const ids = jobs.map(({ id }) => id);
    await boss.complete(queue, ids, null, { db });
    await client.query("COMMIT");
  }
}

await Promise.all([work(), work()]);
