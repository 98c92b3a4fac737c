import { createTransport } from "nodemailer";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { MAIL_HEADERS, mailHtml } from "../messages/mail.ts";
import { addTransport, type MessageWorld, untilReached, withMessages } from "../messages/messageWorld.ts";
import { startApp } from "../processes/app.ts";
import { atMost, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import { sinkTaken } from "../tasks/messageTasks.ts";
import type { Bench } from "../world/services.ts";

const PER_SECOND = 100;
const SECONDS = { small: 10, large: 60 } as const;
const WARM_SECONDS = 5;
const CONNECTIONS = 8;
const KEY = "receipt";
const AIM_P99_MS = 500;
const WITHIN_MS = 60_000;

/** Calls that send a template, from when each is due until the mail server has accepted it, next to a bare client. */
export async function templateSends(bench: Bench): Promise<Row[]> {
  return withMessages(bench, "template_sends", async (world) => {
    const transportID = await addTransport(world, { connections: CONNECTIONS });
    await createTemplate(world, transportID);
    const sender = await startApp(bench, "sender", world.env);
    const { port } = world.service;
    const path = `/v2/automationtemplates/${KEY}/send`;
    const client = createTransport({
      host: "127.0.0.1",
      port: world.sinkPort,
      pool: true,
      maxConnections: CONNECTIONS,
    });
    try {
      const send = (email: string) => callService(world, { port, path, body: { to: { email } } });
      await steadily(world, { name: "warm", seconds: WARM_SECONDS, send });
      const ours = await steadily(world, { name: "ours", seconds: SECONDS[bench.scale], send });
      const bareSend = (to: string) => client.sendMail({ from: MAIL_HEADERS.fromEmail, to, html: mailHtml() });
      const bare = await steadily(world, { name: "bare", seconds: SECONDS[bench.scale], send: bareSend });
      return [toRow(ours, bare)];
    } finally {
      client.close();
      await sender.stop();
    }
  });
}

async function createTemplate(world: MessageWorld, transportID: string): Promise<void> {
  await callService(world, {
    ...{ port: world.service.port, path: "/v2/automationtemplates" },
    body: {
      ...{
        key: KEY,
        name: KEY,
        channel: "email",
        classification: "transactional",
        baseAggregation: "daily",
        transportID,
      },
      message: { headers: MAIL_HEADERS, content: { "text/html": mailHtml() } },
    },
  });
}

interface Steady {
  readonly name: string;
  readonly seconds: number;
  send(email: string): Promise<unknown>;
}

/** Sends at the rate, whatever becomes of those before. @returns times from when each was due to the server's acceptance. */
async function steadily(world: MessageWorld, { name, seconds, send }: Steady): Promise<Stretch> {
  const count = PER_SECOND * seconds;
  const before = await world.taken();
  await world.sink.run({ kind: "take" }, sinkTaken);
  const startedAtMs = performance.timeOrigin + performance.now();
  const dueAt = (position: number) => startedAtMs + (position * 1_000) / PER_SECOND;
  const addressOf = (place: number) => `${name}${place}@example.com`;
  const calls: Promise<unknown>[] = [];
  for (let index = 0; index < count; index++) {
    const waitMs = dueAt(index) - (performance.timeOrigin + performance.now());
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    calls.push(send(addressOf(index)));
  }
  await Promise.all(calls);
  await untilReached(world.taken, { atLeast: before + count, withinMs: WITHIN_MS, what: "mails" });
  const { to, at } = await world.sink.run({ kind: "take" }, sinkTaken);
  const acceptedAt = new Map(to.map((address, place) => [address, at[place] ?? Number.NaN]));
  const latencies = Array.from({ length: count }, (_, place) => (acceptedAt.get(addressOf(place)) ?? 0) - dueAt(place));
  return { events: count, seconds, latenciesMs: Float32Array.from(latencies) };
}

function toRow(mine: Stretch, bare: Stretch): Row {
  const [ours, limit] = [toFigures([mine]), toFigures([bare])];
  const p99 = ours.p99Ms ?? Number.NaN;
  return {
    path: "template-sends",
    what: `a template to one recipient, ${PER_SECOND}/s, until the server has accepted it`,
    ours,
    limits: [{ name: "nodemailer's pool", figures: limit, ratio: p99 / (limit.p99Ms ?? Number.NaN) }],
    aim: atMost(Math.round(p99), AIM_P99_MS, "ms p99"),
  };
}
