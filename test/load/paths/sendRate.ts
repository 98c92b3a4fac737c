import {
  type MessageWorld,
  makeTransport,
  startMessage,
  untilReached,
  withMessages,
  withProjector,
} from "../messages/messageWorld.ts";
import { seedRecipients } from "../messages/recipients.ts";
import { startApp } from "../processes/app.ts";
import type { Row } from "../report/row.ts";
import { sinkTaken } from "../tasks/messageTasks.ts";
import type { Bench } from "../world/services.ts";

const PER_SECOND = 200;
const SENDERS = 3;
const SECONDS = { small: 15, large: 60 } as const;
const CONNECTIONS = 4;
const AIM_USED = 0.95;
const WITHIN_MS = 300_000;

/** A rate that three senders share: never above it in any second of Postgres' clock, and used. */
export async function sendRate(bench: Bench): Promise<Row[]> {
  const seconds = SECONDS[bench.scale];
  // The first and the last second are not whole.
  const mails = PER_SECOND * (seconds + 2);
  return withMessages(bench, "send_rate", async (world) => {
    await seedRecipients(world, { port: world.service.port, count: mails });
    const transport = await makeTransport(world, { connections: CONNECTIONS, perSecond: PER_SECOND });
    const worker = await startApp(bench, "worker", world.env);
    const senders = [];
    for (let place = 0; place < SENDERS; place++) senders.push(await startApp(bench, "sender", world.env));
    try {
      await withProjector(bench, world, async () => {
        await startMessage(world, transport);
        await untilReached(world.taken, { atLeast: mails, withinMs: WITHIN_MS, what: "mails" });
      });
      return [await toRow(world, seconds)];
    } finally {
      await Promise.all([worker, ...senders].map((app) => app.stop()));
    }
  });
}

async function toRow({ postgres, sink }: MessageWorld, seconds: number): Promise<Row> {
  // Tokens are taken right before the intent, and hold to the end of their second.
  const text = `SELECT intended_at / 1000 AS second, count(*) AS sends FROM sends GROUP BY 1 ORDER BY 1`;
  const rows = await postgres.query<{ second: number; sends: number }>({ text });
  const counts = rows.slice(1, 1 + seconds).map(({ sends }) => sends);
  const { at } = await sink.run({ kind: "take" }, sinkTaken);
  const [most, mean] = [Math.max(...counts), counts.reduce((sum, one) => sum + one, 0) / counts.length];
  const used = mean / PER_SECOND;
  return {
    path: "send-rate",
    what: `${PER_SECOND}/s over ${SENDERS} senders, ${counts.length} whole seconds`,
    ours: { eventsPerSecond: mean },
    limits: [{ name: "the rate", figures: { eventsPerSecond: PER_SECOND }, ratio: used }],
    aim: { text: `never above ${PER_SECOND}, ≥ ${AIM_USED} used`, isMet: most <= PER_SECOND && used >= AIM_USED },
    notes: [
      `most intents in a second ${most}; most mails that the server took in one of its seconds ${mostInSecond(at)}`,
    ],
  };
}

function mostInSecond(at: Float64Array): number {
  const counts = new Map<number, number>();
  for (const ms of at) counts.set(Math.floor(ms / 1_000), (counts.get(Math.floor(ms / 1_000)) ?? 0) + 1);
  return Math.max(...counts.values());
}
