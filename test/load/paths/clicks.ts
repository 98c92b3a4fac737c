import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { serviceStretch } from "../measure/serviceStretch.ts";
import { toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { senderEnvironment } from "../messages/messageWorld.ts";
import { startApp } from "../processes/app.ts";
import { startWorker } from "../processes/worker.ts";
import type { Row } from "../report/row.ts";
import { servedAt } from "../tasks/bareServiceTask.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const LINKS = 20_000;
const CONNECTIONS = 64;
const PER_SECOND = 1_000;
const FOUND = 302;
const AIM_RATIO = 0.6;
const AIM_P99_MS = 20;
const MESSAGE = "65f0c0ffee65f0c0ffee0001";

/** Clicks that are redirected, their events on the log, next to Fastify that only redirects. */
export async function clicks(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "clicks", async (world) => {
    const env = { ...world.env, ...(await senderEnvironment(bench)) };
    const [app, bare, load] = await Promise.all([
      startApp(bench, "tracker", env),
      startWorker("bareRedirect.ts"),
      startWorker("httpLoad.ts"),
    ]);
    try {
      const limit = { pid: bare.pid, ...(await bare.run({}, servedAt)) };
      const task = taskOf(bench, world);
      const steady = { ...task, requestsPerSecond: PER_SECOND };
      const [ours = [], redirects = []] = await takeTurns(bench, "clicks", [
        { name: "ours", stretch: () => serviceStretch(load, app, task) },
        { name: "redirects alone", isLimit: true, stretch: () => serviceStretch(load, limit, task) },
      ]);
      const [atRate = [], bareAtRate = []] = await takeTurns(bench, `clicks at ${PER_SECOND}/s`, [
        { name: "ours", stretch: () => serviceStretch(load, app, steady) },
        { name: "redirects alone", isLimit: true, stretch: () => serviceStretch(load, limit, steady) },
      ]);
      const closed = { ours: toFigures(ours, app.peakMemoryMib()), limit: toFigures(redirects) };
      const open = { ours: toFigures(atRate, app.peakMemoryMib()), limit: toFigures(bareAtRate) };
      return toRows(closed, open);
    } finally {
      await Promise.all([load.stop(), bare.stop(), app.stop()]);
    }
  });
}

/** Links of as many mails: clicks of one mail in a row would be a machine's. */
function taskOf({ seconds }: Bench, { account, apiKey }: World) {
  const tokens = createTrackingTokens([Buffer.alloc(32, 7)]);
  const templates = Array.from({ length: LINKS }, (_, index) => {
    const cID = String(index + 1).padStart(24, "0");
    const names = { accountId: account.id, cID, channel: "email", composedAt: 1_790_000_000 };
    const link = { place: 1, url: `https://shop.example.com/p/${index}` };
    const send = { account: account.number, contact: index + 1, n: 1, message: MESSAGE, type: "b" } as const;
    return { method: "GET" as const, path: `/t/c/${tokens.seal({ kind: "click", ...send, names, link })}` };
  });
  const calls = { templates, numbers: { from: 0, count: 1 }, status: FOUND };
  return { apiKey, calls, connections: CONNECTIONS, seconds };
}

interface Sides {
  readonly ours: Row["ours"];
  readonly limit: Row["ours"];
}

function toRows(closed: Sides, open: Sides): Row[] {
  const ratio = (closed.ours.eventsPerCoreSecond ?? Number.NaN) / (closed.limit.eventsPerCoreSecond ?? Number.NaN);
  const p99 = open.ours.p99Ms ?? Number.NaN;
  const name = "Fastify that only redirects";
  return [
    {
      ...{ path: "clicks", what: `clicks, ${CONNECTIONS} connections`, ours: closed.ours },
      limits: [{ name, figures: closed.limit, ratio }],
      aim: { text: `≥ ${AIM_RATIO} per core-s`, isMet: ratio >= AIM_RATIO },
    },
    {
      ...{ path: "clicks", what: `clicks at ${PER_SECOND}/s`, ours: open.ours },
      limits: [{ name, figures: open.limit, ratio: p99 / (open.limit.p99Ms ?? Number.NaN) }],
      aim: { text: `≤ ${AIM_P99_MS} ms p99`, isMet: p99 <= AIM_P99_MS },
    },
  ];
}
