import { hostileTemplate } from "../../contract/messaging/sender/hostileTemplate.ts";
import { MAIL_HEADERS } from "../messages/mail.ts";
import { addTransport, type MessageWorld, storeMessage, untilReached, withMessages } from "../messages/messageWorld.ts";
import { seedRecipients } from "../messages/recipients.ts";
import { startApp } from "../processes/app.ts";
import { atLeast, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import { sinkTaken } from "../tasks/messageTasks.ts";
import type { Bench } from "../world/services.ts";

/** A rate that one sender can do, so that what is missing of it is due to the templates. */
const PER_SECOND = 50;
const SECONDS = { small: 20, large: 60 } as const;
/** Seconds of the campaign that no stretch counts: its begin, the calls that send the templates, and its end. */
const OTHER_SECONDS = 15;
const WARM_SECONDS = 3;
const CONNECTIONS = 4;
const HOSTILE = 100;
const AIM_RATIO = 0.9;
const WITHIN_MS = 120_000;

/** A campaign alone, and then next to sends of 100 templates that take all the time or memory that a render may have. */
export async function hostileTemplates(bench: Bench): Promise<Row[]> {
  const seconds = SECONDS[bench.scale];
  const mails = PER_SECOND * (2 * seconds + OTHER_SECONDS);
  return withMessages(bench, "hostile_templates", async (world) => {
    await seedRecipients(world, { port: world.service.port, count: mails });
    const transport = await addTransport(world, { connections: CONNECTIONS, perSecond: PER_SECOND });
    // One after the other: an account has few renders at a time, and a template is rendered when it is saved.
    for (let index = 0; index < HOSTILE; index++) await createTemplate(world, { place: index, transport });
    const worker = await startApp(bench, "worker", world.env);
    try {
      const message = await storeMessage(bench, world, { transport, atLeast: mails, withinMs: WITHIN_MS });
      const sender = await startApp(bench, "sender", world.env);
      try {
        return [await follow(world, { message, seconds })];
      } finally {
        await sender.stop();
      }
    } finally {
      await worker.stop();
    }
  });
}

const keyOf = (position: number) => `hostile-${position}`;

async function createTemplate(
  world: MessageWorld,
  { place, transport: transportID }: { readonly place: number; readonly transport: string },
): Promise<void> {
  const key = keyOf(place);
  const html = `<p>${hostileTemplate(place)}</p>`;
  await callService(world, {
    ...{ port: world.service.port, path: "/v2/automationtemplates" },
    body: {
      ...{ key, name: key, channel: "email", baseAggregation: "daily", classification: "transactional", transportID },
      message: { headers: MAIL_HEADERS, content: { "text/html": html } },
    },
  });
}

interface Following {
  readonly message: string;
  readonly seconds: number;
}

/** Lets the campaign run for a stretch, sends the templates, and lets it run for as long. */
async function follow(world: MessageWorld, { message, seconds }: Following): Promise<Row> {
  const { port } = world.service;
  await untilReached(world.taken, { atLeast: PER_SECOND * WARM_SECONDS, withinMs: WITHIN_MS, what: "mails" });
  const without = await mailRate(world, seconds);
  const send = (place: number) =>
    callService(world, {
      ...{ port, path: `/v2/automationtemplates/${keyOf(place)}/send` },
      body: { to: { email: `${keyOf(place)}@example.org` } },
    });
  for (let place = 0; place < HOSTILE; place++) await send(place);
  const before = await endedBesides(world, message);
  const beside = await mailRate(world, seconds);
  const after = await endedBesides(world, message);
  return toRow({ without, beside, seconds, before, after });
}

/** Returns the mails a second that the server takes during a stretch from now on. */
async function mailRate({ sink }: MessageWorld, seconds: number): Promise<number> {
  await sink.run({ kind: "take" }, sinkTaken);
  const [startedAtMs, startedAt] = [performance.now(), performance.timeOrigin + performance.now()];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const { to, at } = await sink.run({ kind: "take" }, sinkTaken);
  const stranger = to.find((address) => address.startsWith("hostile"));
  if (stranger !== undefined) throw new Error(`a template that renders forever was sent to ${stranger}`);
  const tookMs = performance.now() - startedAtMs;
  return (1_000 * at.filter((ms) => ms >= startedAt && ms < startedAt + tookMs).length) / tookMs;
}

/** Counts the sends of the templates that were ended. */
async function endedBesides({ postgres }: MessageWorld, message: string): Promise<number> {
  const text =
    "SELECT count(*) AS ended FROM sends WHERE message <> $1 AND state = 'skipped' AND reason = 'render-failed'";
  const [row] = await postgres.query<{ ended: number }>({ text }, [message]);
  return row?.ended ?? 0;
}

interface Seen {
  readonly without: number;
  readonly beside: number;
  readonly seconds: number;
  /** Templates that had been ended before the stretch, and after it. */
  readonly before: number;
  readonly after: number;
}

function toRow({ without, beside, seconds, before, after }: Seen): Row {
  const ratio = beside / without;
  return {
    path: "hostile-templates",
    what: `a campaign under ${PER_SECOND}/s, ${HOSTILE} hostile template sends beside it, ${seconds} s`,
    ours: { eventsPerSecond: beside },
    limits: [{ name: "the campaign alone, before", figures: { eventsPerSecond: without }, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of the rate without them"),
    notes: [`hostile sends ended within the stretch ${after - before}, by its end ${after} of ${HOSTILE}`],
  };
}
