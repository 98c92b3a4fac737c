import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { toFigures } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { atLeast, atMost, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import { bareResult } from "../tasks/bareTasks.ts";
import { receiversCount, receiversPort, receiversTaken } from "../tasks/webhookTasks.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const ENDPOINTS = 200;
const EVENTS = { small: 100, large: 500 } as const;
/** Calls of an endpoint that are open at a time, in ours and in the limit. */
const OPEN_EACH = 10;
/** Events of the steady stream, for all endpoints each. */
const EVENTS_PER_SECOND = 2;
const AIM_RATIO = 0.5;
const AIM_P99_MS = 2_000;
const HANGING = "/hanging";
const POLL_MS = 50;
const STUCK_MS = 300_000;
const created = z.object({ id: z.string() });
const data = JSON.stringify({ operation: "upsertContact", code: "VALIDATION_ERROR", count: 1, about: "x".repeat(300) });

/** Deliveries to 200 endpoints one of which hangs: a backlog at once, then a steady stream. */
export async function webhooks(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "webhooks", async (plain) => {
    const keyFile = join(bench.folder, "settings.key");
    await writeFile(keyFile, Buffer.alloc(32, 7).toString("hex"), { mode: 0o600 });
    const env = { ...plain.env, HEADWATER_SETTINGS_KEY_FILE: keyFile, HEADWATER_OUTBOUND_ALLOW: "127.0.0.0/8" };
    const world = { ...plain, env };
    const [receivers, bare] = [await startWorker("webhookReceivers.ts"), await startWorker("bareWebhooks.ts")];
    const { port } = await receivers.run({ kind: "listen", hanging: HANGING }, receiversPort);
    const urls = Array.from({ length: ENDPOINTS }, (_, n) => `http://127.0.0.1:${port}${n === 0 ? HANGING : `/${n}`}`);
    const service = await startApp(bench, "service", env);
    for (const url of urls) {
      const body = { url, events: ["intake.rejected"] };
      created.parse(await callService(world, { port: service.port, path: "/v2/webhooks", body }));
    }
    await service.stop();
    const answering = urls.slice(1);
    const limit = await bare.run(
      {
        ...{ urls: answering, callsEach: EVENTS[bench.scale], openEach: OPEN_EACH },
        body: JSON.stringify({ type: "intake.rejected", timestamp: new Date().toISOString(), data: JSON.parse(data) }),
      },
      bareResult,
    );
    await receivers.run({ kind: "take" }, receiversTaken);
    await createEvents(world, "backlog", EVENTS[bench.scale]);
    const automation = await startApp(bench, "automation", env);
    const backlog = await deliverBacklog(receivers, automation, EVENTS[bench.scale] * answering.length);
    const latenciesMs = await deliverSteadily(bench, { world, receivers, answering: answering.length });
    const memory = automation.peakMemoryMib();
    await Promise.all([automation.stop(), receivers.stop(), bare.stop()]);
    const [ours, alone] = [toFigures([backlog], memory), toFigures([limit])];
    const steady = toFigures([
      { events: latenciesMs.length, seconds: latenciesMs.length / (EVENTS_PER_SECOND * answering.length), latenciesMs },
    ]);
    const ratio = ours.eventsPerSecond / alone.eventsPerSecond;
    return [
      {
        ...{ path: "webhooks", what: `a backlog for ${ENDPOINTS} endpoints, one of which hangs`, ours },
        limits: [{ name: "a loop that signs and posts to the others", figures: alone, ratio }],
        aim: atLeast(ratio, AIM_RATIO, "of the bare loop"),
      },
      {
        ...{
          path: "webhooks",
          what: "a steady stream for the same, until the others have it",
          ours: steady,
          limits: [],
        },
        aim: atMost(steady.p99Ms ?? Number.POSITIVE_INFINITY, AIM_P99_MS, "ms p99"),
      },
    ];
  });
}

/** Creates events with a delivery to every endpoint, as those of the change topics are. */
async function createEvents({ postgres, account }: World, name: string, count: number): Promise<void> {
  const now = Date.now();
  await postgres.transaction(async (transaction) => {
    await transaction.execute(
      {
        text: `INSERT INTO webhook_events (account, id, type, at, contact, data, is_truncated)
          SELECT $1, $2 || n, 'intake.rejected', $3, NULL, $4, false FROM generate_series(1, $5::int) n`,
      },
      [account.number, `${name}-`, now, data, count],
    );
    await transaction.execute(
      {
        text: `INSERT INTO webhook_deliveries (account, webhook, event, at, state, activation, next_at)
          SELECT w.account, w.id, $2 || n, $3, 'pending', w.activation, $3 FROM webhooks w, generate_series(1, $4::int) n WHERE w.account = $1`,
      },
      [account.number, `${name}-`, now, count],
    );
  });
}

/** Times the process from its first call to the last one of those that are answered. */
async function deliverBacklog(receivers: Worker, app: App, calls: number) {
  const cpuBefore = app.cpuSeconds();
  await untilCalled(receivers, calls);
  const { at } = await receivers.run({ kind: "take" }, receiversTaken);
  const times = at.toSorted();
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  return { events: calls, seconds, cpuSeconds: app.cpuSeconds() - cpuBefore };
}

async function untilCalled(receivers: Worker, wanted: number): Promise<void> {
  for (const deadline = performance.now() + STUCK_MS; ; await sleep(POLL_MS)) {
    const { calls } = await receivers.run({ kind: "count" }, receiversCount);
    if (calls >= wanted) return;
    if (performance.now() > deadline) throw new Error(`${calls} of ${wanted} calls came`);
  }
}

interface Steady {
  readonly world: World;
  readonly receivers: Worker;
  readonly answering: number;
}

/** Creates events one after another. @returns the time from each to when each receiver had it. */
async function deliverSteadily(bench: Bench, { world, receivers, answering }: Steady): Promise<Float32Array> {
  const events = Math.ceil(bench.seconds * bench.rounds * EVENTS_PER_SECOND);
  const startedAtMs = performance.now();
  for (let event = 0; event < events; event++) {
    await sleep(Math.max(0, startedAtMs + (event * 1_000) / EVENTS_PER_SECOND - performance.now()));
    await createEvents(world, `steady-${event}`, 1);
  }
  await untilCalled(receivers, events * answering);
  const { at, of } = await receivers.run({ kind: "take" }, receiversTaken);
  return Float32Array.from(at, (atMs, index) => atMs - (of[index] ?? Number.NaN));
}
