import { z } from "zod";
import { type Analysts, runJob, withAnalysts } from "../analytics/analysts.ts";
import { httpStretch } from "../measure/httpStretch.ts";
import { untilAllIsDone } from "../measure/progress.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { startApp } from "../processes/app.ts";
import { emailOf } from "../records/items.ts";
import { atLeast, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { withHttpTargets } from "./httpTargets.ts";

const ROWS = { small: 60_000, large: 1_000_000 } as const;
const BATCH = 100;
const BODIES = 400;
const CONNECTIONS = 16;
const AIM_RATIO = 0.7;
const HEADER = "email,first_name,last_name,city,country,plan,birthday,score,vip,note";
const uploaded = z.object({ url: z.string() });

/** Rows that an import has written to the log, by the worker's processor time, next to the ingress with batches of 100 contacts. */
export async function imports(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "imports", (world) =>
    withAnalysts(bench, world, (analysts) =>
      withHttpTargets(bench, world, async ({ ingress, load }) => {
        const projector = await startApp(bench, "projector", world.env);
        const [ours, byHttp]: [Stretch[], Stretch[]] = [[], []];
        const series = { operation: "upsertContact", batch: BATCH, bodies: BODIES, firstContact: 100_000_000 } as const;
        const task = { apiKey: world.apiKey, series, connections: CONNECTIONS, seconds: bench.seconds };
        // The first round warms both.
        for (let round = 0; round <= bench.rounds; round++) {
          const stretch = await imported(bench, world, { analysts, round });
          const other = await httpStretch(load, ingress, task);
          await untilAllIsDone(bench, world);
          if (round > 0) ours.push(stretch);
          if (round > 0) byHttp.push(other);
        }
        await projector.stop();
        return [toRow(ours, byHttp, analysts.worker.peakMemoryMib())];
      }),
    ),
  );
}

async function imported(
  bench: Bench,
  world: World,
  { analysts, round }: { readonly analysts: Analysts; readonly round: number },
): Promise<Stretch> {
  const rows = ROWS[bench.scale];
  const path = await upload(world, analysts, fileOf(round * rows, rows));
  const body = { source: { transport: "file", path }, hasHeader: true };
  const job = await runJob(world, analysts, { path: "/v2/contactimports", body });
  const { result, seconds, cpuSeconds } = job;
  if (result?.inserted !== rows) throw new Error(`import: ${JSON.stringify(result)}`);
  const rate = Math.round(rows / cpuSeconds);
  bench.say(`imports, round ${round}: ${seconds.toFixed(2)} s, ${rate} rows per core-second of the worker`);
  return { events: rows, seconds, cpuSeconds };
}

/** A file of contacts that nobody knows yet, of about as many bytes a row as the ingress gets. */
function fileOf(first: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const n = first + at;
    const note = `a note about the ${n}th contact, "quoted"`.replaceAll('"', '""');
    return `${emailOf(n)},Ann,von ${n % 997},Rotterdam,NL,gold,1980-0${1 + (n % 9)}-1${n % 10},${n % 1_000},${n % 2 === 0},"${note}"`;
  });
  return `${HEADER}\n${lines.join("\n")}\n`;
}

async function upload({ apiKey }: World, { service }: Analysts, text: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/v2/uploads?name=contacts.csv`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` },
    body: text,
  });
  return uploaded.parse(await answer.json()).url;
}

function toRow(ours: readonly Stretch[], byHttp: readonly Stretch[], memoryMib: number): Row {
  const [mine, ingress] = [toFigures(ours, memoryMib), toFigures(byHttp)];
  const ratio = (mine.eventsPerCoreSecond ?? 0) / (ingress.eventsPerCoreSecond ?? Number.NaN);
  return {
    ...{ path: "imports", what: "contacts with ten columns, csv", ours: mine },
    limits: [{ name: `ingress, batches of ${BATCH} upsertContact`, figures: ingress, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of the ingress, per core-s"),
  };
}
