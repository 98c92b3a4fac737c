import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { callService } from "../service/callService.ts";
import { sinkCount, sinkPort } from "../tasks/messageTasks.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { MAIL_HEADERS, mailHtml } from "./mail.ts";
import { EVERYBODY } from "./recipients.ts";

const POLL_MS = 50;
const created = z.object({ id: z.string() });
const transportCreated = z.object({ id: z.string() });

/** An account that sends mail to a server of the bench. */
export interface MessageWorld extends World {
  readonly service: App;
  readonly sink: Worker;
  readonly sinkPort: number;
  /** Mails that the server has taken so far. */
  taken(): Promise<number>;
}

/** Runs a path in a world with a service and a mail server that takes everything. */
export function withMessages<Result>(
  bench: Bench,
  name: string,
  run: (world: MessageWorld) => Promise<Result>,
): Promise<Result> {
  return withWorld(bench, name, async (plain) => {
    const world = { ...plain, env: { ...plain.env, ...(await senderEnvironment(bench)) } };
    const [service, sink] = await Promise.all([startApp(bench, "service", world.env), startWorker("mailSink.ts")]);
    try {
      const { port } = await sink.run({ kind: "listen" }, sinkPort);
      const taken = async () => (await sink.run({ kind: "count" }, sinkCount)).mails;
      return await run({ ...world, service, sink, sinkPort: port, taken });
    } finally {
      await Promise.all([service.stop(), sink.stop()]);
    }
  });
}

/** Returns the variables of processes that send, and of the tracker. */
export async function senderEnvironment({ folder }: Bench): Promise<Record<string, string>> {
  const file = join(folder, "settings.key");
  await writeFile(file, Buffer.alloc(32, 7).toString("hex"), { mode: 0o600 });
  return {
    HEADWATER_SETTINGS_KEY_FILE: file,
    HEADWATER_PRIVATE_TRANSPORTS: "127.0.0.0/8",
    HEADWATER_TRACKING_URL: "http://127.0.0.1:8450",
    HEADWATER_MAIL_PORT: "0",
    HEADWATER_FILES_FOLDER: join(folder, "files"),
  };
}

export async function addTransport(world: MessageWorld, settings: object): Promise<string> {
  const { service, sinkPort: port } = world;
  const { id } = transportCreated.parse(
    await callService(world, {
      ...{ port: service.port, path: "/v2/transports" },
      body: {
        ...{ name: `t${Date.now()}`, channel: "email", type: "smtp" },
        settings: { host: "127.0.0.1", port, tls: "none", fromDomains: ["example.com"], ...settings },
      },
    }),
  );
  return id;
}

/** Makes a message to everybody and starts it. @returns its id. */
export async function startMessage(world: MessageWorld, transportId: string, html = mailHtml()): Promise<string> {
  const { port } = world.service;
  const { id } = created.parse(
    await callService(world, {
      ...{ port, path: "/v2/batchmessages" },
      body: {
        ...{ channel: "email", classification: "promotional", audience: EVERYBODY, transportID: transportId },
        message: {
          headers: { ...MAIL_HEADERS, replyEmail: "help@example.com" },
          content: { "text/html": html },
        },
      },
    }),
  );
  await callService(world, { port, path: `/v2/batchmessages/${id}/send`, method: "PUT" });
  return id;
}

/** Starts a message and waits until so many of its sends have a row. @returns its id. */
export function storeMessage(
  bench: Bench,
  world: MessageWorld,
  { transport, atLeast, withinMs }: { readonly transport: string; readonly atLeast: number; readonly withinMs: number },
): Promise<string> {
  return withProjector(bench, world, async () => {
    const id = await startMessage(world, transport);
    await untilReached(() => storedSends(world, id), { atLeast, withinMs, what: "rows" });
    return id;
  });
}

/** Counts the sends of a message that have a row. */
async function storedSends({ postgres }: MessageWorld, message: string): Promise<number> {
  const text = "SELECT count(*) AS rows FROM sends WHERE message = $1";
  const [row] = await postgres.query<{ rows: number }>({ text }, [message]);
  return row?.rows ?? 0;
}

/** Works while a projector runs: an audience is taken when ClickHouse has everything that was stored before. */
export async function withProjector<Result>(
  bench: Bench,
  { env }: MessageWorld,
  work: () => Promise<Result>,
): Promise<Result> {
  const projector = await startApp(bench, "projector", env);
  try {
    return await work();
  } finally {
    await projector.stop();
  }
}

/** Waits for a number to reach another. @throws Error after the time. */
export async function untilReached(
  check: () => Promise<number>,
  { atLeast, withinMs, what }: { readonly atLeast: number; readonly withinMs: number; readonly what: string },
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const seen = await check();
    if (seen >= atLeast) return;
    if (performance.now() > deadlineMs) throw new Error(`${what}: ${seen} of ${atLeast}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
