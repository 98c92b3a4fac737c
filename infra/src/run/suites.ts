import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, runMain } from "../../bootstrap/failure.mjs";
import { testHomeFolder } from "../../bootstrap/places.mjs";
import { say } from "../../bootstrap/say.mjs";
import { readProgress } from "./progress.ts";
import { addTallies, closingLines, nothing, type Tally, tallyReport } from "./tally.ts";
import { runScript, vitest } from "./tool.ts";
import { endWithParent, withServices } from "./withServices.ts";

const WITHOUT_SERVICES = ["unit", "architecture"];
const PROGRESS_REPORTER = "./infra/src/run/progressReporter.ts";
const ON_SERVICES = ["contract", "pipeline", "faults"];

/**
 * `npm test`: every Vitest project, one after another, on services of its own. `--project NAME` (again and again) runs some;
 * what is neither goes to Vitest (`npm test -- --project contract kafka`). It ends with what failed and why, once more, and with
 * "N passed, N failed".
 */
await runMain(async () => {
  endWithParent();
  const { projects, rest } = parseSuiteArgs(process.argv.slice(2));
  const quick = WITHOUT_SERVICES.filter((name) => projects.includes(name));
  const onServices = ON_SERVICES.filter((name) => projects.includes(name));
  let tally = await runProjects(quick, rest, process.env);
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

async function runProjects(names: readonly string[], rest: readonly string[], env: NodeJS.ProcessEnv): Promise<Tally> {
  let sum = nothing;
  for (const name of names) sum = addTallies(sum, await runProject(name, rest, env));
  return sum;
}

/**
 * Suites that had no services did not run, which is one failure each. With TEST_SERVICES=containers nothing is started here:
 * each suite's own set-up takes containers.
 */
async function runOnServices(names: readonly string[], rest: readonly string[]): Promise<Tally> {
  if (process.env.TEST_SERVICES === "containers") return runProjects(names, rest, process.env);
  try {
    return await withServices({ name: "suites" }, (env) => runProjects(names, rest, env));
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

async function runProject(name: string, rest: readonly string[], env: NodeJS.ProcessEnv): Promise<Tally> {
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
  const code = await runScript(vitest, args, { ...env, HEADWATER_TEST_PROGRESS: progress });
  const parsed: unknown = existsSync(report) ? JSON.parse(await readFile(report, "utf8")) : undefined;
  const lines = existsSync(progress) ? await readFile(progress, "utf8") : "";
  return tallyReport(name, parsed, code, readProgress(lines));
}
