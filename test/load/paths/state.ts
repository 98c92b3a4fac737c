import { untilHistoryIsDone } from "../measure/progress.ts";
import { microsPerRecord } from "../measure/storeUsage.ts";
import { type Figures, type Stretch, toFigures } from "../measure/tally.ts";
import { STATE_ALONE, workOff } from "../measure/workOff.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import type { Filling } from "../records/fillTopic.ts";
import { atLeast, type Limit, type Row } from "../report/row.ts";
import { bareResult } from "../tasks/bareTasks.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import type { PathName } from "./names.ts";

const RECORDS_PER_SECOND = 12_000;
/** Partitions at a time and records of one transaction, as in the state group. */
const CONCURRENTLY = 4;
const BATCH_ROWS = 2_000;
const AIM_RATIO = 0.7;
const AIM_PER_SECOND = 20_000;

/**
 * Kafka to Postgres: contacts that are new, then most attributes of the same contacts changed. First stands the whole projector, which
 * relays and writes history at the same time, as it runs; then the state group alone, for the limits do no more.
 */
export async function state(bench: Bench, wanted: readonly PathName[]): Promise<Row[]> {
  return withWorld(bench, "state", (world) =>
    withWorld(bench, "bare_state", async (bareWorld) => {
      const bare = await startWorker("bareUpsert.ts");
      const turns = { "state-new": noTurns(), "state-update": noTurns() };
      for (let round = 0; round < bench.rounds; round++) {
        const run = { world, bareWorld, bare, firstContact: 2 * round * recordsOf(bench) };
        await takeTurn(bench, { ...run, version: 0 }, turns["state-new"]);
        if (wanted.includes("state-update")) await takeTurn(bench, { ...run, version: 1 }, turns["state-update"]);
      }
      await bare.stop();
      return ["state-new" as const, "state-update" as const]
        .filter((path) => wanted.includes(path))
        .flatMap((path) => toRows(path, turns[path]));
    }),
  );
}

interface Turns {
  readonly state: Stretch[];
  readonly whole: Stretch[];
  readonly bare: Stretch[];
  readonly bareRows: Stretch[];
  readonly peaksMib: number[];
}

function noTurns(): Turns {
  return { state: [], whole: [], bare: [], bareRows: [], peaksMib: [] };
}

interface Run {
  readonly world: World;
  readonly bareWorld: World;
  readonly bare: Worker;
  readonly firstContact: number;
  /** 0 makes the contacts, each later one changes them. */
  readonly version: number;
}

async function takeTurn(bench: Bench, run: Run, turns: Turns): Promise<void> {
  const what = run.version === 0 ? "new contacts" : "updates";
  const records = recordsOf(bench);
  const filling = { operation: "upsertContact", records, round: run.version } as const;
  const first = { ...filling, firstContact: run.firstContact };
  const second = { ...filling, firstContact: run.firstContact + records };
  const note = (side: string, stretches: Stretch[], stretch: Stretch) => {
    const { events, seconds } = stretch;
    stretches.push(stretch);
    bench.say(`${what}, ${side}: ${Math.round(events / seconds).toLocaleString("en")}/s`);
  };
  note("state alone", turns.state, await ours(bench, run, turns, { filling: first, parts: STATE_ALONE }));
  if (bench.withLimits) {
    const sizes = await rowSizes(run.world, records);
    note("bare upsert", turns.bare, await bareTurn(bench, run, { documentBytes: sizes.documentBytes }));
    note("all rows, bare", turns.bareRows, await bareTurn(bench, run, { ...sizes, identifiers: run.version === 0 }));
  }
  // What it would leave behind would be relayed at the cost of the next stretch.
  await run.world.postgres.execute({ text: "TRUNCATE outbox" });
  note("whole projector", turns.whole, await ours(bench, run, turns, { filling: second, parts: undefined }));
}

function recordsOf({ seconds, warmSeconds }: Bench): number {
  return Math.ceil(((warmSeconds + seconds) * RECORDS_PER_SECOND) / BATCH_ROWS) * BATCH_ROWS;
}

interface Part {
  readonly filling: Filling;
  /** Parts that the projector runs; all of it when undefined. */
  readonly parts: string | undefined;
}

async function ours(bench: Bench, { world }: Run, { peaksMib }: Turns, { filling, parts }: Part): Promise<Stretch> {
  const afterwards = () => (parts === undefined ? untilHistoryIsDone(bench, world) : Promise.resolve());
  const { stretch, peakMib } = await workOff(bench, world, { filling, parts, afterwards });
  peaksMib.push(peakMib);
  return stretch;
}

interface RowSizes {
  readonly documentBytes: number;
  readonly outboxBytes: number;
}

/** Bytes that a contact takes in the rows that a stretch of ours has just written. */
async function rowSizes({ postgres }: World, records: number): Promise<RowSizes> {
  const [measured] = await postgres.query<{ document: number; outbox: number }>({
    text: `SELECT (SELECT avg(octet_length(doc))::int FROM (SELECT doc FROM contacts LIMIT 1000) AS sample) AS document,
      (SELECT sum(octet_length(payload))::bigint FROM outbox) AS outbox`,
  });
  if (measured === undefined) throw new Error("an aggregate answers one row");
  return { documentBytes: measured.document, outboxBytes: measured.outbox / records };
}

/** Rows of all kinds are about other contacts than those of the plain upsert. */
const OTHER_CONTACTS = 500_000_000;

type BareRows = Pick<RowSizes, "documentBytes"> & { readonly outboxBytes?: number; readonly identifiers?: boolean };

function bareTurn(bench: Bench, { bareWorld, bare, firstContact }: Run, rows: BareRows): Promise<Stretch> {
  const isPlain = rows.outboxBytes === undefined;
  const task = {
    ...rows,
    url: bareWorld.env.POSTGRES_URL,
    batches: recordsOf(bench) / BATCH_ROWS,
    batchRows: BATCH_ROWS,
    concurrently: CONCURRENTLY,
    firstContact: isPlain ? firstContact : firstContact + OTHER_CONTACTS,
  };
  return bare.run(task, bareResult);
}

const titles = { "state-new": "new contacts", "state-update": "updates of the same contacts" } as const;

function toRows(path: keyof typeof titles, { state: alone, whole, bare, bareRows, peaksMib }: Turns): Row[] {
  const memoryMib = Math.max(...peaksMib);
  const ours = toFigures(whole, memoryMib);
  const state = toFigures(alone, memoryMib);
  const rows = beside(state, "the same with identifiers and outbox", bareRows);
  return [
    {
      path,
      what: `${titles[path]} into Postgres, whole projector`,
      ours,
      limits: [beside(ours, "ours, state alone", alone)],
      aim: atLeast(ours.eventsPerSecond, AIM_PER_SECOND, "a second"),
      micros: microsPerRecord("projector", whole),
    },
    {
      path,
      what: `${titles[path]} into Postgres, state alone`,
      ours: state,
      limits: [beside(state, "bare unnest upsert with an offset row", bare), rows],
      aim: atLeast(rows.ratio, AIM_RATIO, "of all rows, bare"),
      micros: microsPerRecord("projector", alone),
    },
  ];
}

function beside(figures: Figures, name: string, stretches: readonly Stretch[]): Limit {
  const limit = toFigures(stretches);
  return { name, figures: limit, ratio: figures.eventsPerSecond / limit.eventsPerSecond };
}
