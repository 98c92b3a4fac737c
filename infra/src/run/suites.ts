import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { testHomeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { BUNDLES } from "../programs.ts";
import { readProgress } from "./progress.ts";
import { projectNames, type Suite, suitesOf } from "./suiteTable.ts";
import { addTallies, closingLines, nothing, type Tally, tallyReport } from "./tally.ts";
import { runScript, runScriptByLines, vitest } from "./tool.ts";
import { bundleForTests, endWithParent, withServices } from "./withServices.ts";

const PROGRESS_REPORTER = "./infra/src/run/progressReporter.ts";
/** Two suites on services keep two cores busy for most of the time. */
const TRACKS = 2;
const TRACK_PORTS_ABOVE = 700;
/** Suites without services run at this priority in the gaps, when the others wait for a timer or a disk. */
const GAP_NICENESS = 5;
/** A test in the gaps gets a fraction of a core. */
const GAP_TEST_MS_MAX = 600_000;

/**
 * `npm test`: every Vitest project, on services of its own. `--project NAME` (again and again) runs some;
 * what is neither goes to Vitest (`npm test -- --project contract kafka`). It ends with how long each suite took, what failed and why, once
 * more, and with "N passed, N failed".
 */
await runMain(async () => {
  endWithParent();
  const { projects, paths } = parseSuiteArgs(process.argv.slice(2));
  const suites = suitesOf(projects, paths, process.env.TZ);
  const alone = suites.filter(({ runs }) => runs === "alone");
  const others = suites.filter(({ runs }) => runs !== "alone");
  let tally = nothing;
  if (alone.length > 0 && paths.length === 0) await bundleForUnits();
  for (const suite of alone) tally = addTallies(tally, await runSuite(suite, { env: process.env, run: runScript }));
  if (others.length > 0) tally = addTallies(tally, await runInTracks(others));
  process.stdout.write(closingLines(tally));
  process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
});

/**
 * Bundles the processes of foreign content, which many unit tests start; a few files alone start fewer than the bundles would pay for. What
 * cannot be bundled starts from its source, and the suites on services report why.
 */
async function bundleForUnits(): Promise<void> {
  try {
    await bundleForTests("suites");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

function parseSuiteArgs(args: string[]): { projects: readonly string[]; paths: readonly string[] } {
  const all = projectNames();
  const options = { project: { type: "string", multiple: true, default: all } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = values.project.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Failure(`there is no suite ${unknown}; there are ${all.join(", ")}.`);
  return { projects: values.project, paths: positionals };
}

/**
 * Tracks take one suite after another. Each track on services has its own: an open transaction of one suite would hold back what another
 * reads of an outbox. They start one after another, for the first start fills the cache of all. With TEST_SERVICES=containers nothing is
 * started here: each suite's own set-up takes containers. One more track gives way to them.
 */
async function runInTracks(suites: readonly Suite[]): Promise<Tally> {
  const onServices = suites.filter(({ runs }) => runs === "on services");
  const inGaps = suites.filter(({ runs }) => runs === "in gaps");
  const tracks = Math.min(TRACKS, onServices.length);
  const run = tracks + inGaps.length > 1 ? runScriptByLines : runScript;
  const giveWay: Run = (script, args, env) => runScriptByLines(script, args, env, GAP_NICENESS);
  const tallies = await Promise.all([
    runOnServices(onServices, { lanes: tracks, run }),
    runTrack([...inGaps], { env: process.env, run: tracks > 0 ? giveWay : run }),
  ]);
  return tallies.reduce(addTallies);
}

/** Runs one suite after another; other tracks may take from the same. */
async function runTrack(left: Suite[], running: Running): Promise<Tally> {
  let sum = nothing;
  for (let suite = left.shift(); suite; suite = left.shift()) sum = addTallies(sum, await runSuite(suite, running));
  return sum;
}

async function runOnServices(
  suites: readonly Suite[],
  { lanes, run }: { readonly lanes: number; readonly run: Run },
): Promise<Tally> {
  if (lanes === 0) return nothing;
  const left = [...suites];
  const runAll = async (envs: readonly NodeJS.ProcessEnv[]) =>
    (await Promise.all(envs.map((env) => runTrack(left, { env, run })))).reduce(addTallies);
  if (process.env.TEST_SERVICES === "containers") return runAll(Array(lanes).fill(process.env));
  try {
    if (process.env[BUNDLES] === undefined) await bundleForTests("suites");
    return await withServicesOfEach(lanes, runAll);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return withoutServices(suites, error);
  }
}

/** Counts suites that had no services, and so did not run, as one failure each. */
function withoutServices(suites: readonly Suite[], { message }: Failure): Tally {
  process.stderr.write(`headwater: ${message}\n`);
  const failures = suites.map(({ name }) => ({
    title: `suite ${name}: its services could not be started`,
    reason: message,
  }));
  return { ...nothing, failed: suites.length, failures };
}

function withServicesOfEach(
  lanes: number,
  work: (envs: readonly NodeJS.ProcessEnv[]) => Promise<Tally>,
  envs: readonly NodeJS.ProcessEnv[] = [],
): Promise<Tally> {
  const at = envs.length;
  if (at === lanes) return work(envs);
  const options = at === 0 ? { name: "suites" } : { name: `suites-${at + 1}`, portsAbove: TRACK_PORTS_ABOVE * at };
  return withServices(options, (env) => withServicesOfEach(lanes, work, [...envs, env]));
}

/** Starts Vitest, with its output on our terminal. */
type Run = typeof runScript;

interface Running {
  readonly env: NodeJS.ProcessEnv;
  readonly run: Run;
}

async function runSuite({ name, project, runs, paths = [], timezone }: Suite, { env, run }: Running): Promise<Tally> {
  const file = name.replaceAll(/[ ,/]+/g, "-");
  const report = join(testHomeFolder, "reports", `${file}.json`);
  const progress = join(testHomeFolder, "reports", `${file}.progress.ndjson`);
  await mkdir(join(testHomeFolder, "reports"), { recursive: true });
  for (const old of [report, progress]) await rm(old, { force: true });
  say(`suite ${name}`);
  const startedAtMs = performance.now();
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--reporter=${PROGRESS_REPORTER}`,
    `--outputFile.json=${report}`,
  ];
  const timeout = runs === "in gaps" ? [`--testTimeout=${GAP_TEST_MS_MAX}`] : [];
  const args = ["run", "--project", project, ...reporters, ...timeout, ...paths];
  const zone = timezone === undefined ? {} : { TZ: timezone };
  const code = await run(vitest, args, { ...env, ...zone, HEADWATER_TEST_PROGRESS: progress });
  const parsed: unknown = existsSync(report) ? JSON.parse(await readFile(report, "utf8")) : undefined;
  const lines = existsSync(progress) ? await readFile(progress, "utf8") : "";
  const durations = [{ suite: name, durationMs: performance.now() - startedAtMs }];
  return { ...tallyReport(name, parsed, code, readProgress(lines)), durations };
}
