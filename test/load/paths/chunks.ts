import pg from "pg";
import { toFigures } from "../measure/tally.ts";
import { toStretch } from "../measure/times.ts";
import { copyIn } from "../messages/copyIn.ts";
import {
  addTransport,
  type MessageWorld,
  startMessage,
  untilReached,
  withMessages,
  withProjector,
} from "../messages/messageWorld.ts";
import { seedRecipients } from "../messages/recipients.ts";
import { startApp } from "../processes/app.ts";
import type { Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";

const CONTACTS = 1_000_000;
const AIM_RATIO = 0.7;
const AIM_SECONDS = 20;
const WITHIN_MS = 300_000;

/** An audience of a million until its chunks are stored, next to one query of ClickHouse and one COPY. */
export async function chunks(bench: Bench): Promise<Row[]> {
  return withMessages(bench, "chunks", async (world) => {
    bench.say(`chunks: making ${CONTACTS.toLocaleString("en")} contacts`);
    await seedRecipients(world, { port: world.service.port, count: CONTACTS });
    const byHandMs = await copyByHand(world);
    const oursMs = await withProjector(bench, world, () => storeChunks(bench, world));
    bench.say(`chunks: ours ${oursMs.toFixed(0)} ms, by hand ${byHandMs.toFixed(0)} ms`);
    const ratio = byHandMs / oursMs;
    const text = `≥ ${AIM_RATIO} of the bare query and COPY, ≤ ${AIM_SECONDS} s`;
    return [
      {
        path: "chunks",
        what: `an audience of ${CONTACTS.toLocaleString("en")}, from the worker's first step to stored chunks`,
        ours: toFigures([{ ...toStretch([oursMs]), events: CONTACTS }]),
        limits: [
          {
            ...{ name: "SELECT from ClickHouse and COPY of the same numbers", ratio },
            figures: toFigures([{ ...toStretch([byHandMs]), events: CONTACTS }]),
          },
        ],
        aim: { text, isMet: ratio >= AIM_RATIO && oursMs <= 1_000 * AIM_SECONDS },
      },
    ];
  });
}

/** The job is waiting when its worker starts; what comes behind the chunks is not counted. */
async function storeChunks(bench: Bench, world: MessageWorld): Promise<number> {
  const { postgres } = world;
  const id = await startMessage(world, await addTransport(world, {}));
  const worker = await startApp(bench, "worker", world.env);
  try {
    const text = "SELECT COALESCE(audience_total, 0) AS total FROM batch_messages WHERE id = $1";
    const stored = async () => (await postgres.query<{ total: number }>({ text }, [id]))[0]?.total ?? 0;
    await untilReached(stored, { atLeast: CONTACTS, withinMs: WITHIN_MS, what: "contacts in chunks" });
    const jobs = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint - started_at AS ms FROM batch_messages WHERE id = $1`;
    const [took] = await postgres.query<{ ms: number }>({ text: jobs }, [id]);
    return took?.ms ?? Number.NaN;
  } finally {
    await worker.stop();
  }
}

async function copyByHand({ clickhouse, account, env }: MessageWorld): Promise<number> {
  const client = new pg.Client({ connectionString: env.POSTGRES_URL ?? "" });
  await client.connect();
  try {
    await client.query("CREATE TABLE bare_chunks (hash numeric, contact bigint)");
    const startedAtMs = performance.now();
    const rows = await clickhouse.query<{ hash: string; contact: string }>(
      `SELECT toString(cityHash64(contact)) AS hash, toString(contact) AS contact FROM contact_fields_current
        WHERE account = {account: UInt32} AND field = 'attributes.tier' AND text = 'gold' ORDER BY hash, contact`,
      { account: account.number },
    );
    const text = rows.map(({ hash, contact }) => `${hash}\t${contact}\n`).join("");
    await copyIn(client, "COPY bare_chunks FROM STDIN", text);
    return performance.now() - startedAtMs;
  } finally {
    await client.end();
  }
}
