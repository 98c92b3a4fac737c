import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { enableOrchestration, withService } from "../automation/journeys.ts";
import { toFigures } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { emailOf } from "../records/items.ts";
import { atLeast, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const SIZES = { small: { waiting: 500_000, due: 100_000 }, large: { waiting: 5_000_000, due: 1_000_000 } } as const;
const AIM_RATIO = 0.4;
/** Runs that one transaction of ours moves, and one of the limit. */
const AT_ONCE = 500;
const POLL_MS = 100;
const STUCK_MS = 1_800_000;
const FAR_MS = 5 * 365 * 86_400_000;

/** Runs that come due together, each with an effect in the transaction that moves it, while many others wait. */
export async function dueRuns(bench: Bench): Promise<Row[]> {
  const { waiting, due } = SIZES[bench.scale];
  return withWorld(bench, "due_runs", async (world) => {
    await insertKnownContacts(world, 1);
    const projector = await startApp(bench, "projector", world.env);
    const pattern = await waitAtDelay(bench, world);
    await createRuns(world, pattern, { waiting, due });
    await world.postgres.execute({ text: "CREATE TABLE bench_runs (LIKE orchestration_runs INCLUDING ALL)" });
    await world.postgres.execute({ text: "INSERT INTO bench_runs SELECT * FROM orchestration_runs" });
    await world.postgres.execute({ text: "VACUUM ANALYZE orchestration_runs, bench_runs" });
    const bare = await updateAlone(world);
    bench.say(`due-runs, bare UPDATE: ${Math.round(bare.events / bare.seconds).toLocaleString("en")}/s`);
    const automation = await startApp(bench, "automation", world.env);
    const ours = await moveAll(world, automation, due);
    bench.say(`due-runs, ours: ${Math.round(ours.events / ours.seconds).toLocaleString("en")}/s`);
    await expectOneEffectEach(world, due);
    const figures = toFigures([ours], automation.peakMemoryMib());
    await Promise.all([automation.stop(), projector.stop()]);
    const limit = toFigures([bare]);
    const ratio = figures.eventsPerSecond / limit.eventsPerSecond;
    const count = (n: number) => n.toLocaleString("en");
    return [
      {
        ...{ path: "due-runs", what: `${count(due)} runs due together, ${count(waiting)} waiting`, ours: figures },
        limits: [{ name: `bare UPDATE of the same rows, ${AT_ONCE} at a time`, figures: limit, ratio }],
        aim: atLeast(ratio, AIM_RATIO, "of the bare UPDATE"),
      },
    ];
  });
}

/** Lets one contact come to a delay. @returns the id of its run. */
async function waitAtDelay(bench: Bench, world: World): Promise<string> {
  const orchestration = await withService(bench, world, async (port) => {
    const delay = (id: string, unit: string, next: string) => ({
      ...{ id, type: "delay", config: { for: { n: 1, unit } }, next: [{ id: next }] },
    });
    const actions = [
      delay("soon", "day", "reached"),
      { id: "reached", type: "goal", config: { name: "reached" }, next: [{ id: "late" }] },
      delay("late", "month", "end"),
      { id: "end", type: "exit" },
    ];
    const members = { name: "Due", trigger: { api: true }, composition: { draft: { actions } } };
    const id = await enableOrchestration(world, port, members);
    const body = { for: [{ contact: { email: emailOf(0) } }] };
    await callService(world, { port, path: `/v2/orchestrations/${id}/trigger`, body });
    return id;
  });
  const automation = await startApp(bench, "automation", world.env);
  try {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(POLL_MS)) {
      const [run] = await world.postgres.query<{ id: string; node: string; run: string }>(
        { text: "SELECT id, node, run FROM orchestration_runs WHERE orchestration = $1 AND due_at IS NOT NULL" },
        [orchestration],
      );
      if (run?.run.includes('"kind":"time"')) return run.id;
    }
    throw new Error("the run never came to its delay");
  } finally {
    await automation.stop();
  }
}

/** Copies a run that waits at a delay: some are due now, the others in years. */
async function createRuns(
  { postgres }: World,
  id: string,
  { waiting, due }: { readonly waiting: number; readonly due: number },
): Promise<void> {
  const text = `INSERT INTO orchestration_runs (account, id, orchestration, version, contact, key, state, node, entered_at, due_at, observed_until,
      sequence, run)
    SELECT r.account, k.id, r.orchestration, r.version, k.contact, r.key, r.state, r.node, r.entered_at, k.due_at, r.observed_until, r.sequence,
      replace(replace(replace(r.run, r.id, k.id), '"contact":' || r.contact, '"contact":' || k.contact), r.due_at::text, k.due_at::text)
    FROM orchestration_runs r, LATERAL (SELECT lpad(to_hex(n), 24, '0') AS id, 10000000 + n AS contact,
        r.entered_at + CASE WHEN n <= $2 THEN 0 ELSE ${FAR_MS} + n END AS due_at
      FROM generate_series($3::int, $4::int) n) k WHERE r.id = $1`;
  const total = waiting + due;
  const step = 50_000;
  for (let from = 1; from <= total; from += step)
    await postgres.execute({ text }, [id, due, from, Math.min(total, from + step - 1)]);
}

interface Moved {
  readonly events: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Times the process from the first run that it moves to the last. */
async function moveAll(world: World, app: App, due: number): Promise<Moved> {
  const left = z.object({ runs: z.number() });
  const text = "SELECT count(*)::int AS runs FROM orchestration_runs WHERE due_at <= $1";
  const nowMs = Date.now();
  let begun: { readonly runs: number; readonly atMs: number; readonly cpu: number } | undefined;
  for (const deadline = performance.now() + STUCK_MS; performance.now() < deadline; await sleep(POLL_MS)) {
    const { runs } = left.parse((await world.postgres.query({ text }, [nowMs]))[0]);
    if (runs < due) begun ??= { runs, atMs: performance.now(), cpu: app.cpuSeconds() };
    if (begun === undefined || runs > 0) continue;
    const seconds = (performance.now() - begun.atMs) / 1_000;
    return { events: begun.runs, seconds, cpuSeconds: app.cpuSeconds() - begun.cpu };
  }
  throw new Error("runs that are due do not move");
}

async function expectOneEffectEach({ postgres }: World, due: number): Promise<void> {
  const [row] = await postgres.query<{ goals: number; runs: number }>({
    text: "SELECT count(*)::int AS goals, count(DISTINCT run)::int AS runs FROM orchestration_goals",
  });
  if (row?.goals !== due || row.runs !== due) throw new Error(`${due} runs left ${JSON.stringify(row)} goals`);
}

/** Moves copies of the same rows, without reading, deciding or leaving anything else. */
async function updateAlone({ postgres }: World): Promise<{ readonly events: number; readonly seconds: number }> {
  const text = `UPDATE bench_runs r SET node = 'late', due_at = due_at + ${FAR_MS}, sequence = r.sequence + 1, run = r.run || ' '
    FROM (SELECT account, id FROM bench_runs WHERE due_at <= $1 ORDER BY due_at LIMIT ${AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED) d
    WHERE (r.account, r.id) = (d.account, d.id)`;
  const [startedAtMs, nowMs] = [performance.now(), Date.now()];
  let events = 0;
  for (;;) {
    const moved = await postgres.execute({ text }, [nowMs]);
    if (moved === 0) return { events, seconds: (performance.now() - startedAtMs) / 1_000 };
    events += moved;
  }
}
