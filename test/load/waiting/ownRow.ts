import { connect, MOVE, RUNS_AT_ONCE } from "./waitingRuns.ts";

/** Process: timers are the due time of the run's own row, claimed, moved and left with their effects in one transaction. */
const [url = ""] = process.argv.slice(2);
const CLAIM = `SELECT id FROM waiting.runs WHERE due_at <= 1 ORDER BY due_at LIMIT ${RUNS_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED`;

async function work(): Promise<void> {
  const client = await connect(url);
  for (;;) {
    await client.query("BEGIN");
    const { rows } = await client.query<{ id: string }>(CLAIM);
    if (rows.length === 0) {
      await client.query("COMMIT");
      break;
    }
    await client.query(MOVE, [rows.map(({ id }) => id)]);
    await client.query("COMMIT");
  }
  await client.end();
}

await Promise.all([work(), work()]);
