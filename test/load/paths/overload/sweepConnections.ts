import { type Stretch, toFigures } from "../../measure/tally.ts";
import { atLeast, type Row } from "../../report/row.ts";
import { type HttpLoadResult, httpLoadResult } from "../../tasks/httpLoadTask.ts";
import { ACCEPTED, BATCH, type Overloaded, REFUSALS, refuseLosses, taskOf } from "./overloaded.ts";

const CONNECTIONS = [16, 64, 256, 1_000];
const AIM_RATIO = 0.9;

interface Step {
  readonly connections: number;
  readonly stretches: Stretch[];
  refused: number;
}

/** Closed loops over more and more connections, up and down again: each next to the best of them. */
export async function sweepConnections(overloaded: Overloaded): Promise<Row[]> {
  const steps: Step[] = CONNECTIONS.map((connections) => ({ connections, stretches: [], refused: 0 }));
  const results: HttpLoadResult[] = [];
  for (const step of [...steps, ...steps.toReversed()]) results.push(await takeStep(step, overloaded));
  await refuseLosses(overloaded.bench, results);
  const figures = steps.map(({ stretches }) => toFigures(stretches));
  const peak = figures.reduce((best, next) => (next.eventsPerSecond > best.eventsPerSecond ? next : best));
  return steps.map(({ connections, stretches, refused }) => {
    const ours = toFigures(stretches);
    const ratio = ours.eventsPerSecond / peak.eventsPerSecond;
    return {
      path: "overload",
      what: `${connections.toLocaleString("en")} connections, batches of ${BATCH}`,
      ours,
      limits: [{ name: "the best of these", figures: peak, ratio }],
      aim: atLeast(ratio, AIM_RATIO, "of the peak"),
      notes: [
        `${refused} answers of ${REFUSALS.join(" and ")}, all with Retry-After; no accepted record lost or doubled`,
      ],
    };
  });
}

async function takeStep(step: Step, { bench, world, app, load }: Overloaded): Promise<HttpLoadResult> {
  const { connections } = step;
  bench.say(`overload: ${connections} connections`);
  const cpuBefore = app.cpuSeconds();
  const task = { ...taskOf(world), connections, seconds: bench.seconds, port: app.port, keepsRequestIds: true };
  const result = await load.run(task, httpLoadResult);
  const cpuSeconds = app.cpuSeconds() - cpuBefore;
  const events = (result.statuses.get(ACCEPTED) ?? 0) * BATCH;
  step.stretches.push({ ...result, events, cpuSeconds, generatorCpuSeconds: result.cpuSeconds });
  step.refused += REFUSALS.reduce((sum, status) => sum + (result.statuses.get(status) ?? 0), 0);
  return result;
}
