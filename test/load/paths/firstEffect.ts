import { setTimeout as sleep } from "node:timers/promises";
import { enableOrchestration, withService } from "../automation/journeys.ts";
import { toFigures } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { emailOf } from "../records/items.ts";
import { atMost, type Row } from "../report/row.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const PER_SECOND = 2_000;
const BATCH = 100;
/** Activities of a batch that start a run each. */
const MATCHES = 5;
const EVERY_MS = (1_000 * BATCH) / PER_SECOND;
const AIM_P99_MS = 2_000;
const LOOK_MS = 20;
const STUCK_MS = 60_000;
/** Effects are looked for among those of the last seconds. */
const RECENT_MS = 30_000;
const ACTION = "left-cart";

/** Times the way from the 202 of an activity until the first effect of the run that it starts is stored, on a steady stream. */
export async function firstEffect(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "first_effect", async (world) => {
    const seconds = bench.seconds * bench.rounds;
    const firstBatch = Math.ceil((bench.warmSeconds * 1_000) / EVERY_MS);
    await insertKnownContacts(world, (firstBatch + batchesIn(seconds)) * BATCH);
    await withService(bench, world, (port) => {
      const actions = [{ id: "reached", type: "goal", config: { name: "reached" } }];
      const trigger = { event: { action: ACTION } };
      const entry = { reentry: "always" };
      return enableOrchestration(world, port, { name: "First", trigger, entry, composition: { draft: { actions } } });
    });
    // One after another: each looks for free ports.
    const ingress = await startApp(bench, "ingress", world.env);
    const projector = await startApp(bench, "projector", world.env);
    const automation = await startApp(bench, "automation", world.env);
    const apps = [ingress, projector, automation];
    try {
      await load(world, ingress.port, { seconds: bench.warmSeconds, firstBatch: 0 });
      const cpuBefore = apps.map((app) => app.cpuSeconds());
      const loaded = await load(world, ingress.port, { seconds, firstBatch });
      const cpuSeconds = apps.map((app, index) => app.cpuSeconds() - (cpuBefore[index] ?? 0));
      return [toRow(loaded, apps, cpuSeconds)];
    } finally {
      await Promise.all(apps.map((app) => app.stop()));
    }
  });
}

function batchesIn(seconds: number): number {
  return Math.floor((seconds * 1_000) / EVERY_MS);
}

interface Loaded {
  readonly events: number;
  readonly seconds: number;
  readonly latenciesMs: Float32Array;
}

interface Load {
  readonly seconds: number;
  /** Number of the first batch: each activity is about a contact of its own. */
  readonly firstBatch: number;
}

/** Sends batches in an open loop, and waits until every run has left its effect. */
async function load(world: World, port: number, { seconds, firstBatch }: Load): Promise<Loaded> {
  const startedAtMs = performance.now();
  const numbers = await contactNumbers(world);
  const acceptedAt = new Map<number, number>();
  const batches = batchesIn(seconds);
  const sending: Promise<void>[] = [];
  const seeing = seeEffects(world, acceptedAt, { runs: batches * MATCHES });
  for (let batch = 0; batch < batches; batch++) {
    await sleep(Math.max(0, startedAtMs + batch * EVERY_MS - performance.now()));
    sending.push(
      send(world, port, firstBatch + batch).then((contacts) => {
        const at = performance.now();
        for (const contact of contacts) acceptedAt.set(numbers.get(emailOf(contact)) ?? 0, at);
      }),
    );
  }
  await Promise.all(sending);
  const latenciesMs = await seeing;
  return { events: batches * BATCH, seconds: (performance.now() - startedAtMs) / 1_000, latenciesMs };
}

async function contactNumbers({ postgres, account }: World): Promise<ReadonlyMap<string, number>> {
  const rows = await postgres.query<{ value: string; contact: number }>(
    { text: "SELECT value, contact FROM contact_identifiers WHERE account = $1 AND name = 'email'" },
    [account.number],
  );
  return new Map(rows.map(({ value, contact }) => [value, contact]));
}

/** Posts one batch. @returns the contacts whose activities start a run. */
async function send({ apiKey }: World, port: number, batch: number): Promise<number[]> {
  const contacts = Array.from({ length: BATCH }, (_, at) => batch * BATCH + at);
  const time = new Date().toISOString();
  const items = contacts.map((contact, at) => ({
    contact: { identifiers: { email: emailOf(contact) } },
    contactactivities: [
      {
        name: at < MATCHES ? ACTION : "browse",
        time,
        properties: { sku: `sku-${at}`, url: "https://shop.example.com/p/1" },
      },
    ],
  }));
  const answer = await fetch(`http://127.0.0.1:${port}/api/createContactactivities/batch`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ items }),
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`the ingress answered ${answer.status}: ${text}`);
  return contacts.slice(0, MATCHES);
}

/** Looks for effects until there are as many as runs. @returns the time from each acceptance to when its effect was seen. */
async function seeEffects(
  { postgres, account }: World,
  acceptedAt: ReadonlyMap<number, number>,
  { runs }: { readonly runs: number },
): Promise<Float32Array> {
  const seenAt = new Map<string, { readonly contact: number; readonly at: number }>();
  const known = new Set((await goals({ postgres, account }, Date.now())).map(({ run }) => run));
  for (let lastMs = performance.now(); seenAt.size < runs; await sleep(LOOK_MS)) {
    const rows = await goals({ postgres, account }, Date.now());
    const at = performance.now();
    for (const { run, contact } of rows)
      if (!known.has(run) && !seenAt.has(run)) {
        seenAt.set(run, { contact, at });
        lastMs = at;
      }
    if (at - lastMs > STUCK_MS) throw new Error(`${seenAt.size} of ${runs} runs left their effect`);
  }
  // An effect may be seen before its 202 is.
  return Float32Array.from([...seenAt.values()], ({ contact, at }) =>
    Math.max(0, at - (acceptedAt.get(contact) ?? at)),
  );
}

function goals({ postgres, account }: Pick<World, "postgres" | "account">, nowMs: number) {
  return postgres.query<{ run: string; contact: number }>(
    {
      text: `SELECT g.run, r.contact FROM orchestration_goals g JOIN orchestration_runs r ON (r.account, r.id) = (g.account, g.run)
        WHERE g.account = $1 AND g.at >= $2`,
    },
    [account.number, nowMs - RECENT_MS],
  );
}

function toRow(loaded: Loaded, apps: readonly App[], cpuSeconds: readonly number[]): Row {
  const memory = apps.reduce((sum, app) => sum + app.peakMemoryMib(), 0);
  const cores = cpuSeconds.map((one) => (one / loaded.seconds).toFixed(2));
  const ours = toFigures([{ ...loaded, cpuSeconds: cpuSeconds.reduce((sum, one) => sum + one, 0) }], memory);
  return {
    path: "first-effect",
    what: `${PER_SECOND.toLocaleString("en")} activities/s, ${MATCHES} % of them start a run`,
    ours,
    limits: [],
    aim: atMost(ours.p99Ms ?? Number.POSITIVE_INFINITY, AIM_P99_MS, "ms p99"),
    notes: [
      `${loaded.latenciesMs.length} effects; cores: ingress ${cores[0]}, projector ${cores[1]}, automation ${cores[2]}`,
    ],
  };
}
