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
import { sinkTaken } from "../tasks/messageTasks.ts";
import type { Bench } from "../world/services.ts";

const PER_SECOND = 200;
const SENDERS = 3;
const SECONDS = { small: 15, large: 60 } as const;
const CONNECTIONS = 4;
const AIM_USED = 0.95;
const WITHIN_MS = 300_000;
/** The rate is what is measured: two cores do not render so many letters of the usual size in three senders. */
const MAIL = `<p>Hello {{ contact.cID }}, <a href="https://shop.example.com/news">here is the news</a>.</p>
  <p><a href="{{ links.unsubscribe }}">Unsubscribe</a></p>`;

/** A rate that three senders share: never above it in any second of the mail server, and used. */
export async function sendRate(bench: Bench): Promise<Row[]> {
  const seconds = SECONDS[bench.scale];
  const warm = Math.ceil(bench.warmSeconds);
  const mails = PER_SECOND * (warm + seconds + 2);
  return withMessages(bench, "send_rate", async (world) => {
    await seedRecipients(world, { port: world.service.port, count: mails });
    const transport = await addTransport(world, { connections: CONNECTIONS, perSecond: PER_SECOND });
    const worker = await startApp(bench, "worker", world.env);
    const senders = [];
    for (let index = 0; index < SENDERS; index++) senders.push(await startApp(bench, "sender", world.env));
    try {
      await withProjector(bench, world, async () => {
        await startMessage(world, transport, MAIL);
        await untilReached(world.taken, { atLeast: mails, withinMs: WITHIN_MS, what: "mails" });
      });
      return [await toRow(world, { warm, seconds })];
    } finally {
      await Promise.all([worker, ...senders].map((app) => app.stop()));
    }
  });
}

/** Seconds that are not counted, and those that are. */
interface Stretch {
  readonly warm: number;
  readonly seconds: number;
}

async function toRow({ sink }: MessageWorld, { warm, seconds }: Stretch): Promise<Row> {
  const { at } = await sink.run({ kind: "take" }, sinkTaken);
  // The first and the last second are not whole.
  const counts = bySecond(at).slice(1 + warm, 1 + warm + seconds);
  const [most, mean] = [Math.max(...counts), counts.reduce((sum, one) => sum + one, 0) / counts.length];
  const used = mean / PER_SECOND;
  return {
    path: "send-rate",
    what: `${PER_SECOND}/s over ${SENDERS} senders, ${counts.length} whole seconds of the mail server`,
    ours: { eventsPerSecond: mean },
    limits: [{ name: "the rate", figures: { eventsPerSecond: PER_SECOND }, ratio: used }],
    aim: { text: `never above ${PER_SECOND}, ≥ ${AIM_USED} used`, isMet: most <= PER_SECOND && used >= AIM_USED },
    notes: [
      `mails in a second: most ${most}, least ${Math.min(...counts)}; seconds above the rate ${counts.filter((one) => one > PER_SECOND).length}`,
    ],
  };
}

/** Counts times by second, from the earliest second to the latest. */
function bySecond(at: Float64Array): number[] {
  const seconds = [...at].map((ms) => Math.floor(ms / 1_000));
  const [first, last] = [Math.min(...seconds), Math.max(...seconds)];
  const counts = Array.from({ length: last - first + 1 }, () => 0);
  for (const second of seconds) counts[second - first] = (counts[second - first] ?? 0) + 1;
  return counts;
}
