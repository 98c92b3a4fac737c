import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { testHomeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { lanesOf, projectNames, type Suite } from "./lanes.ts";
import { readProgress } from "./progress.ts";
import { addTallies, closingLines, nothing, type Tally, tallyReport } from "./tally.ts";
import { runScript, runScriptByLines, vitest } from "./tool.ts";
import { bundleForTests, endWithParent, withServices } from "./withServices.ts";

const PROGRESS_REPORTER = "./infra/src/run/progressReporter.ts";
const LANE_PORTS_ABOVE = 700;

/**
 * `npm test`: every Vitest project, on services of its own. `--project NAME` (again and again) runs some;
 * what is neither goes to Vitest (`npm test -- --project contract kafka`). It ends with what failed and why, once more, and with
 * "N passed, N failed".
 */
await runMain(async () => {
  endWithParent();
  const { projects, paths } = parseSuiteArgs(process.argv.slice(2));
  const lanes = lanesOf(projects, paths);
  const services = createLaneServices();
  const run = lanes.length > 1 ? runScriptByLines : runScript;
  const tallies = await Promise.all(lanes.map((lane, at) => runLane(lane, { run, withServices: services(at) })));
  const tally = tallies.reduce(addTallies, nothing);
  process.stdout.write(closingLines(tally));
  process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
});

function parseSuiteArgs(args: string[]): { projects: readonly string[]; paths: readonly string[] } {
  const all = projectNames();
  const options = { project: { type: "string", multiple: true, default: all } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = values.project.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Failure(`there is no suite ${unknown}; there are ${all.join(", ")}.`);
  return { projects: values.project, paths: positionals };
}

type Work = (env: NodeJS.ProcessEnv) => Promise<Tally>;

/** How a lane's suites run: how their output is shown, and where their services come from. */
interface Running {
  readonly run: typeof runScript;
  readonly withServices: (work: Work) => Promise<Tally>;
}

async function runLane(lane: readonly Suite[], { run, withServices }: Running): Promise<Tally> {
  const runAll = async (suites: readonly Suite[], env: NodeJS.ProcessEnv) => {
    let sum = nothing;
    for (const suite of suites) sum = addTallies(sum, await runSuite(suite, env, run));
    return sum;
  };
  const [quick, onServices] = [
    lane.filter((suite) => !suite.needsServices),
    lane.filter((suite) => suite.needsServices),
  ];
  const tally = await runAll(quick, process.env);
  if (onServices.length === 0) return tally;
  try {
    return addTallies(tally, await withServices((env) => runAll(onServices, env)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return addTallies(tally, withoutServices(onServices, error));
  }
}

/** Suites that had no services did not run, which is one failure each. */
function withoutServices(suites: readonly Suite[], { message }: Failure): Tally {
  process.stderr.write(`headwater: ${message}\n`);
  const failures = suites.map(({ name }) => ({
    title: `suite ${name}: its services could not be started`,
    reason: message,
  }));
  return { ...nothing, failed: suites.length, failures };
}

/**
 * Services of each lane. They start one after another, for the first start fills the cache of all, and after the programs were bundled.
 * With TEST_SERVICES=containers nothing is started here: each suite's own set-up takes containers.
 */
function createLaneServices(): (at: number) => Running["withServices"] {
  if (process.env.TEST_SERVICES === "containers") return () => (work) => work(process.env);
  let before: Promise<unknown> | undefined;
  return (at) => async (work) => {
    before ??= bundleForTests("suites");
    const earlier = before;
    const { promise, resolve } = Promise.withResolvers<void>();
    before = Promise.allSettled([earlier, promise]);
    await earlier;
    const name = at === 0 ? "suites" : `suites-${at + 1}`;
    try {
      return await withServices({ name, portsAbove: LANE_PORTS_ABOVE * at }, (env) => {
        resolve();
        return work(env);
      });
    } finally {
      resolve();
    }
  };
}

async function runSuite(
  { name, project, paths = [] }: Suite,
  env: NodeJS.ProcessEnv,
  run: typeof runScript,
): Promise<Tally> {
  const file = name.replaceAll(" ", "-");
  const report = join(testHomeFolder, "reports", `${file}.json`);
  const progress = join(testHomeFolder, "reports", `${file}.progress.ndjson`);
  await mkdir(join(testHomeFolder, "reports"), { recursive: true });
  for (const old of [report, progress]) await rm(old, { force: true });
  say(`suite ${name}`);
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--reporter=${PROGRESS_REPORTER}`,
    `--outputFile.json=${report}`,
  ];
  const args = ["run", "--project", project, ...reporters, ...paths];
  const code = await run(vitest, args, { ...env, HEADWATER_TEST_PROGRESS: progress });
  const parsed: unknown = existsSync(report) ? JSON.parse(await readFile(report, "utf8")) : undefined;
  const lines = existsSync(progress) ? await readFile(progress, "utf8") : "";
  return tallyReport(name, parsed, code, readProgress(lines));
}
