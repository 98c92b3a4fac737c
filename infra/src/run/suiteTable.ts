import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootFolder } from "../../bootstrap/places.mjs";

/** A run of Vitest: a project of `vitest.config.ts`, or the files of it whose path holds one of `paths`. */
export interface Suite {
  readonly name: string;
  readonly project: string;
  /**
   * `alone`: it measures processor time, on every core. `on services`: of the track that runs it. `in gaps`: it needs no services, or starts its
   * own, and gives way to those that have some.
   */
  readonly runs: "alone" | "on services" | "in gaps";
  readonly paths?: readonly string[];
  /** Time zone of its processes; absent: that of the host. */
  readonly timezone?: string;
}

const CONTRACT = "test/contract";
/**
 * Folders of the contract project by suite: each context is a suite, and so are the platform, and the programs with what all routes share.
 * Each suite loads all modules once more, so the smallest contexts go together.
 */
const CONTRACT_SUITES = {
  messaging: ["messaging"],
  intake: ["intake"],
  "analytics and audiences": ["analytics", "audiences"],
  "records, accounts and automation": ["records", "accounts", "automation"],
  platform: ["jobs", "stores", "topics"],
  programs: ["cli", "client", "conformance", "openApi", "service"],
} as const;

/** Zones with changes of clocks, and an odd offset on the other side of UTC: what reads a clock of the host fails in one of them. */
export const HOST_ZONES = ["America/New_York", "Asia/Kathmandu"] as const;
/** Tests of what reads and writes dates. */
export const DATE_PATHS = [
  "packages/criteria/**/*.test.ts",
  "packages/contracts/**/*.test.ts",
  "packages/analytics/src/{contactProfiles,exports}/**/*.test.ts",
  "packages/analytics/src/imports/{columns,rows}/**/*.test.ts",
  "packages/audiences/src/criteria/**/*.test.ts",
  "packages/intake/src/operations/**/*.test.ts",
  "packages/messaging/src/{batchMessages,experiments,liquid,pace,render,schedule}/**/*.test.ts",
  "packages/records/**/*.test.ts",
  "packages/automation/**/*.test.ts",
  "packages/jobs/src/sources/workbook.test.ts",
  "apps/cli/**/*.test.ts",
] as const;
const NAMES_A_DATE = /\bDate\b|\b(?:19|20)\d\d-\d\d|time ?zone|\bUTC\b|Intl\.|clock|\bDAY|_DAY|weekday|midnight/i;

/** Returns all suites in the order of their start, the long ones first, so that all tracks end at about the same time. */
function allSuites(): Suite[] {
  return [
    { name: "unit", project: "unit", runs: "alone" },
    ...HOST_ZONES.map((timezone) => unitIn(timezone)),
    onServices("faults"),
    onServices("destinations"),
    onServices("pipeline"),
    ...Object.entries(CONTRACT_SUITES).map(([name, folders]) => onServices(`contract, ${name}`, "contract", folders)),
    { name: "infra", project: "infra", runs: "in gaps" },
    { name: "architecture", project: "architecture", runs: "in gaps" },
  ];
}

function unitIn(timezone: string): Suite {
  return { name: `unit in ${timezone}`, project: "unit", runs: "in gaps", paths: dateTests(), timezone };
}

function onServices(name: string, project = name, folders?: readonly string[]): Suite {
  const paths = folders?.map((folder) => `${CONTRACT}/${folder}/`);
  return { name, project, runs: "on services", ...(paths && { paths }) };
}

/** A file that starts a Postgres takes as long as fifty others, and the pure code below it has tests of its own. */
const STARTS_POSTGRES = /\b(?:startMemoryPostgres|serveService)\b/;

/**
 * Returns the tests of `DATE_PATHS` that can depend on a clock of the host: those that name a date, a day, a zone or a clock. Those that
 * start a Postgres run in other zones with `npm run test:zones`.
 */
export function dateTests(patterns: readonly string[] = DATE_PATHS): string[] {
  const files = globSync(patterns, { cwd: rootFolder, exclude: ["**/node_modules"] });
  return files.filter((path) => dependsOnClock(readFileSync(join(rootFolder, path), "utf8"))).sort();
}

function dependsOnClock(source: string): boolean {
  return NAMES_A_DATE.test(source) && !STARTS_POSTGRES.test(source);
}

export function projectNames(): string[] {
  return [...new Set(allSuites().map(({ project }) => project))];
}

interface ZoneRun {
  readonly timezone: string;
  /** Arguments of `npm test`. */
  readonly args: readonly string[];
}

/**
 * Returns the runs of `npm run test:zones`, one for each zone, or for the one that the caller names by `--zone`. The other arguments are those
 * of `npm test`. Undefined for a zone that is none of `HOST_ZONES`.
 */
export function zoneRuns(input: readonly string[]): ZoneRun[] | undefined {
  const at = input.indexOf("--zone");
  if (at < 0) return HOST_ZONES.map((timezone) => ({ timezone, args: input }));
  const timezone = HOST_ZONES.find((zone) => zone === input[at + 1]);
  return timezone && [{ timezone, args: input.toSpliced(at, 2) }];
}

/**
 * Returns the suites of some projects. With `paths` of the caller's own each project is one suite, of those files.
 * @param hostZone in one of `HOST_ZONES` the whole unit suite runs, and no part of it once more.
 */
export function suitesOf(projects: readonly string[], paths: readonly string[], hostZone?: string): Suite[] {
  const isZoned = HOST_ZONES.some((zone) => zone === hostZone);
  const suites = allSuites().filter(
    ({ project, timezone }) => projects.includes(project) && !(isZoned && timezone !== undefined),
  );
  if (paths.length === 0) return suites;
  const isFirst = ({ project }: Suite, at: number) => suites.findIndex((suite) => suite.project === project) === at;
  return suites.filter(isFirst).map((suite) => ({ ...suite, name: suite.project, paths }));
}
