import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { Failure } from "../../infra/src/index.ts";
import { thisCheckout, withCheckout } from "./against/checkout.ts";
import { compareRows, toComparedTable } from "./against/compareRows.ts";
import { registerSchemas } from "./against/registerSchemas.ts";
import { type Baseline, readBaseline } from "./baseline/baseline.ts";
import { compareWithBaseline, toBaselineTable } from "./baseline/compareWithBaseline.ts";
import { activities } from "./paths/activities.ts";
import { audience } from "./paths/audience.ts";
import { chunks } from "./paths/chunks.ts";
import { clicks } from "./paths/clicks.ts";
import { compose } from "./paths/compose.ts";
import { cores } from "./paths/cores.ts";
import { dueRuns } from "./paths/dueRuns.ts";
import { exports } from "./paths/exports.ts";
import { firstEffect } from "./paths/firstEffect.ts";
import { hostileTemplates } from "./paths/hostileTemplates.ts";
import { imports } from "./paths/imports.ts";
import { ingress } from "./paths/ingress.ts";
import { listeners } from "./paths/listeners.ts";
import { memory } from "./paths/memory.ts";
import { messageStats } from "./paths/messageStats.ts";
import type { PathName } from "./paths/names.ts";
import { operations } from "./paths/operations.ts";
import { overload } from "./paths/overload.ts";
import { sendRate } from "./paths/sendRate.ts";
import { sends } from "./paths/sends.ts";
import { serviceCalls } from "./paths/serviceCalls.ts";
import { simulation } from "./paths/simulation.ts";
import { singles } from "./paths/singles.ts";
import { state } from "./paths/state.ts";
import { templateSends } from "./paths/templateSends.ts";
import { transform } from "./paths/transform.ts";
import { trends } from "./paths/trends.ts";
import { visible } from "./paths/visible.ts";
import { webhooks } from "./paths/webhooks.ts";
import { profileReport } from "./report/profile.ts";
import type { Row } from "./report/row.ts";
import { toTable } from "./report/table.ts";
import { endWithFailure } from "./world/endWithFailure.ts";
import { type Options, readOptions } from "./world/options.ts";
import { type Bench, openBench } from "./world/services.ts";

interface Path {
  readonly names: readonly PathName[];
  run(bench: Bench, wanted: readonly PathName[]): Promise<Row[]>;
}

/** Paths in the order they run; those that build on each other are one entry. */
const paths: readonly Path[] = [
  { names: ["ingress"], run: ingress },
  { names: ["singles"], run: singles },
  { names: ["state-new", "state-update"], run: state },
  { names: ["operations"], run: operations },
  { names: ["activities"], run: activities },
  { names: ["overload"], run: overload },
  { names: ["visible"], run: visible },
  { names: ["memory"], run: memory },
  { names: ["cores"], run: cores },
  { names: ["audience"], run: audience },
  { names: ["reads", "pages", "searches", "writes"], run: serviceCalls },
  { names: ["compose"], run: compose },
  { names: ["sends"], run: sends },
  { names: ["send-rate"], run: sendRate },
  { names: ["hostile-templates"], run: hostileTemplates },
  { names: ["chunks"], run: chunks },
  { names: ["template-sends"], run: templateSends },
  { names: ["clicks"], run: clicks },
  { names: ["message-stats"], run: messageStats },
  { names: ["exports"], run: exports },
  { names: ["imports"], run: imports },
  { names: ["transform"], run: transform },
  { names: ["trends"], run: trends },
  { names: ["listeners"], run: listeners },
  { names: ["first-effect"], run: firstEffect },
  { names: ["due-runs"], run: dueRuns },
  { names: ["webhooks"], run: webhooks },
  { names: ["simulation"], run: simulation },
];

/** `npm run bench`: every path next to its limit, in one run. The table goes to standard output, progress to standard error. */
async function main(options: Options): Promise<void> {
  if (process.platform !== "linux") throw new Failure("the bench reads processor times from /proc and runs on Linux.");
  const baseline = options.compare === undefined ? undefined : await readBaseline(options.compare);
  const bench = await openBench(options);
  try {
    if (options.against === undefined) await report(bench, { options, baseline, rows: await runPaths(bench, options) });
    else await compare(bench, options, options.against);
  } finally {
    await bench.close();
  }
}

/** Lets this tree and another commit take turns at each path; who begins changes from round to round. */
async function compare(bench: Bench, options: Options, commit: string): Promise<void> {
  await withCheckout(commit, async (other) => {
    const [ours, others]: [Row[], Row[]] = [[], []];
    await registerSchemas({ ...bench, checkout: other });
    for (let round = 0; round < options.rounds; round++) {
      const sides = [
        { checkout: other, into: others },
        { checkout: thisCheckout, into: ours },
      ];
      if (round % 2 === 1) sides.reverse();
      for (const run of wantedPaths(options)) {
        for (const { checkout, into } of sides) {
          bench.say(`round ${round + 1} of ${options.rounds}, ${checkout.name}`);
          into.push(...(await rowsOf(run, { ...bench, checkout, rounds: 1, withLimits: false })));
        }
      }
      bench.say(`after round ${round + 1}:\n${toComparedTable(compareRows(ours, others), other.name)}`);
    }
    const compared = compareRows(ours, others);
    await write(options, toComparedTable(compared, other.name), { compared, ours, others });
  });
}

function wantedPaths(options: Options): ((bench: Bench) => Promise<Row[]>)[] {
  return paths.flatMap(({ names, run }) => {
    const wanted = names.filter((name) => options.paths.includes(name));
    return wanted.length === 0 ? [] : [(bench: Bench) => run(bench, wanted)];
  });
}

async function runPaths(bench: Bench, options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const run of wantedPaths(options)) rows.push(...(await rowsOf(run, bench)));
  return rows;
}

/** Runs a path; one that fails is named, and the figures of the others are kept. */
async function rowsOf(run: (bench: Bench) => Promise<Row[]>, bench: Bench): Promise<Row[]> {
  try {
    return await run(bench);
  } catch (error) {
    if (error instanceof Failure) throw error;
    process.exitCode = 1;
    bench.say(`a path failed, its figures are missing: ${error instanceof Error ? error.stack : String(error)}`);
    return [];
  }
}

interface Report {
  readonly options: Options;
  readonly baseline: Baseline | undefined;
  readonly rows: readonly Row[];
}

async function report(bench: Bench, { options, baseline, rows }: Report): Promise<void> {
  await write(options, toTable(rows), { rows });
  if (baseline !== undefined) {
    const held = compareWithBaseline(rows, baseline, options);
    process.stdout.write(`\n${toBaselineTable(held)}`);
    if (held.some(({ isHeld }) => !isHeld)) process.exitCode = 1;
  }
  if (options.isProfiling) process.stdout.write(`\n${await profileReport(bench)}`);
}

async function write(options: Options, table: string, figures: object): Promise<void> {
  const seconds = Math.round(performance.now() / 1_000);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.versions.node}`;
  process.stdout.write(`\n${table}\n${machine}; ${seconds} s\n`);
  if (options.json === undefined) return;
  const at = new Date().toISOString();
  await writeFile(options.json, `${JSON.stringify({ at, machine, seconds, options, ...figures }, null, 2)}\n`);
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  endWithFailure(error);
}
