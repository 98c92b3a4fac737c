import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { testHomeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { readProgress } from "./progress.ts";
import { addTallies, closingLines, nothing, type Tally, tallyReport } from "./tally.ts";
import { runScript, runScriptByLines, vitest } from "./tool.ts";
import { bundleForTests, endWithParent, withServices } from "./withServices.ts";

const WITHOUT_SERVICES = ["unit", "architecture"];
const PROGRESS_REPORTER = "./infra/src/run/progressReporter.ts";
/**
 * Suites of one lane run one after another, the lanes side by side. Each lane has services of its own: an open transaction of one
 * suite would hold back what another reads of an outbox.
 */
const LANES = [["contract"], ["destinations", "pipeline", "faults", "infra"]];
const ON_SERVICES = LANES.flat();
const SECOND_LANE_PORTS_ABOVE = 700;

/**
 * `npm test`: every Vitest project, on services of its own. `--project NAME` (again and again) runs some;
 * what is neither goes to Vitest (`npm test -- --project contract kafka`). It ends with what failed and why, once more, and with
 * "N passed, N failed".
 */
await runMain(async () => {
  endWithParent();
  const { projects, rest } = parseSuiteArgs(process.argv.slice(2));
  const quick = WITHOUT_SERVICES.filter((name) => projects.includes(name));
  const onServices = ON_SERVICES.filter((name) => projects.includes(name));
  let tally = await runProjects(quick, { rest, env: process.env, run: runScript });
  if (onServices.length > 0) tally = addTallies(tally, await runOnServices(onServices, rest));
  process.stdout.write(closingLines(tally));
  process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
});

function parseSuiteArgs(args: string[]): { projects: readonly string[]; rest: readonly string[] } {
  const all = [...WITHOUT_SERVICES, ...ON_SERVICES];
  const options = { project: { type: "string", multiple: true, default: all } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = values.project.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Failure(`there is no suite ${unknown}; there are ${all.join(", ")}.`);
  return { projects: values.project, rest: positionals };
}

type Run = typeof runScript;

/** Settings of a suite's run: arguments for Vitest, its environment, and how its output is shown. */
interface Running {
  readonly rest: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly run: Run;
}

async function runProjects(names: readonly string[], running: Running): Promise<Tally> {
  let sum = nothing;
  for (const name of names) sum = addTallies(sum, await runProject(name, running));
  return sum;
}

/**
 * Suites that had no services did not run, which is one failure each. With TEST_SERVICES=containers nothing is started here:
 * each suite's own set-up takes containers.
 */
async function runOnServices(names: readonly string[], rest: readonly string[]): Promise<Tally> {
  const lanes = LANES.map((lane) => lane.filter((name) => names.includes(name))).filter((lane) => lane.length > 0);
  const run = lanes.length > 1 ? runScriptByLines : runScript;
  const runAll = async (envs: readonly NodeJS.ProcessEnv[]) => {
    const tallies = lanes.map((lane, at) => runProjects(lane, { rest, run, env: envs[at] ?? process.env }));
    return (await Promise.all(tallies)).reduce(addTallies, nothing);
  };
  if (process.env.TEST_SERVICES === "containers") return runAll([]);
  try {
    await bundleForTests("suites");
    return await withServicesOfEach(lanes.length, runAll);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`headwater: ${error.message}\n`);
    const failures = names.map((name) => ({
      title: `suite ${name}: its services could not be started`,
      reason: error.message,
    }));
    return { ...nothing, failed: names.length, failures };
  }
}

/** Starts the lanes' services one after another, for the first start fills the cache of all. */
function withServicesOfEach(
  lanes: number,
  work: (envs: readonly NodeJS.ProcessEnv[]) => Promise<Tally>,
  envs: readonly NodeJS.ProcessEnv[] = [],
): Promise<Tally> {
  const at = envs.length;
  if (at === lanes) return work(envs);
  const options =
    at === 0 ? { name: "suites" } : { name: `suites-${at + 1}`, portsAbove: SECOND_LANE_PORTS_ABOVE * at };
  return withServices(options, (env) => withServicesOfEach(lanes, work, [...envs, env]));
}

async function runProject(name: string, { rest, env, run }: Running): Promise<Tally> {
  const report = join(testHomeFolder, "reports", `${name}.json`);
  const progress = join(testHomeFolder, "reports", `${name}.progress.ndjson`);
  await mkdir(join(testHomeFolder, "reports"), { recursive: true });
  for (const file of [report, progress]) await rm(file, { force: true });
  say(`suite ${name}`);
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    `--reporter=${PROGRESS_REPORTER}`,
    `--outputFile.json=${report}`,
  ];
  const args = ["run", "--project", name, ...reporters, ...rest];
  const code = await run(vitest, args, { ...env, HEADWATER_TEST_PROGRESS: progress });
  const parsed: unknown = existsSync(report) ? JSON.parse(await readFile(report, "utf8")) : undefined;
  const lines = existsSync(progress) ? await readFile(progress, "utf8") : "";
  return tallyReport(name, parsed, code, readProgress(lines));
}
