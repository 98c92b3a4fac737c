import type { App } from "../processes/app.ts";
import { INTAKE_TOPIC } from "../records/fillTopic.ts";
import type { Bench } from "../world/services.ts";
import { topicEnds } from "../world/topics.ts";
import type { World } from "../world/world.ts";
import { readNextOffsets } from "./nextOffsets.ts";
import { readStoreUsage, usageSince } from "./storeUsage.ts";
import type { Stretch } from "./tally.ts";

const POLL_MS = 20;
const STUCK_MS = 180_000;
/** Share of a range after which it counts although it is not warm: the rest has to be long enough to say something. */
const WARM_SHARE_MAX = 0.5;
/** Ends of the partitions of the intake topic. */
export type Ends = ReadonlyMap<number, number>;

export interface Range {
  readonly before: Ends;
  readonly after: Ends;
  readonly records: number;
}

export function intakeEnds({ services }: Bench): Promise<Ends> {
  return topicEnds(services.kafkaBrokers, INTAKE_TOPIC);
}

/** Beginning and end of a projector's timing. */
export interface Course {
  readonly range: Range;
  /** The group that is warm once it has worked for so many seconds, or has done half of the range. The stretch begins then. */
  readonly begins: { readonly group: string; readonly warmSeconds: number };
  /** The group whose end of the range ends it. */
  readonly endsWith: string;
}

/**
 * Follows a projector through a range of the intake topic by its stored offsets. Frames hold about as many records each,
 * so the share of frames done is the share of records done.
 */
export async function followProjector(
  bench: Bench,
  { world, app }: { readonly world: World; readonly app: App },
  { range, begins, endsWith }: Course,
): Promise<Stretch> {
  const deadlineMs = performance.now() + STUCK_MS;
  const begun = await begin(world, app, { range, begins, deadlineMs });
  const stores = readStoreUsage(bench);
  while ((await shareDone(world, endsWith, range)) < 1) await pause(deadlineMs, endsWith);
  return {
    events: range.records * (1 - begun.share),
    seconds: (performance.now() - begun.atMs) / 1_000,
    cpuSeconds: app.cpuSeconds() - begun.cpuSeconds,
    stores: usageSince(stores, readStoreUsage(bench)),
  };
}

async function begin(
  world: World,
  app: App,
  { range, begins, deadlineMs }: Pick<Course, "range" | "begins"> & { readonly deadlineMs: number },
) {
  let firstAtMs: number | undefined;
  for (;;) {
    const share = await shareDone(world, begins.group, range);
    const atMs = performance.now();
    if (share > 0) firstAtMs ??= atMs;
    const isWarm = firstAtMs !== undefined && atMs - firstAtMs >= begins.warmSeconds * 1_000;
    if (share >= 1)
      throw new Error(`${begins.group} was through its range before it could be measured: take more --seconds`);
    if (isWarm || share >= WARM_SHARE_MAX) return { share, atMs, cpuSeconds: app.cpuSeconds() };
    await pause(deadlineMs, begins.group);
  }
}

async function pause(deadlineMs: number, what: string): Promise<void> {
  if (performance.now() > deadlineMs) throw new Error(`${what} does not come to its end`);
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function shareDone(world: World, group: string, { before, after }: Range): Promise<number> {
  const rows = await readNextOffsets(world, group);
  const stored = new Map(
    rows.filter(({ topic }) => topic === INTAKE_TOPIC).map((row) => [row.partition, row.nextOffset]),
  );
  let done = 0;
  let all = 0;
  for (const [partition, to] of after) {
    const from = before.get(partition) ?? 0;
    all += to - from;
    done += Math.max(0, Math.min(stored.get(partition) ?? 0, to) - from);
  }
  return done / all;
}

/** Waits until the relay and the history group have dealt with all that was stored. */
export async function untilHistoryIsDone({ services }: Bench, { postgres }: World): Promise<void> {
  const deadlineMs = performance.now() + STUCK_MS;
  while (!(await isHistoryDone(services.kafkaBrokers, postgres))) await pause(deadlineMs, "history");
}

/** Waits until every group has dealt with all that is in the log, and nothing waits in the outbox. */
export async function untilAllIsDone(bench: Bench, world: World): Promise<void> {
  const deadlineMs = performance.now() + STUCK_MS;
  const range = { before: new Map(), after: await intakeEnds(bench), records: 0 };
  for (const group of ["state", "activities"]) {
    while ((await shareDone(world, group, range)) < 1) await pause(deadlineMs, group);
  }
  await untilHistoryIsDone(bench, world);
}

async function isHistoryDone(brokers: string, postgres: World["postgres"]): Promise<boolean> {
  const [left] = await postgres.query<{ count: number }>({ text: "SELECT count(*) FROM outbox" });
  if (left?.count !== 0) return false;
  const rows = await readNextOffsets({ postgres }, "history");
  const ends = await topicEnds(brokers, "changes.contacts");
  return [...ends].every(([partition, end]) => {
    const row = rows.find((one) => one.topic === "changes.contacts" && one.partition === partition);
    return end === 0 || (row !== undefined && row.nextOffset >= end);
  });
}
