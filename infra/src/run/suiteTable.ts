/** A run of Vitest: a project of `vitest.config.ts`, or the files of it whose path holds one of `paths`. */
export interface Suite {
  readonly name: string;
  readonly project: string;
  readonly needsServices: boolean;
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
  "records and accounts": ["records", "accounts"],
  platform: ["jobs", "stores", "topics"],
  programs: ["cli", "client", "conformance", "openApi", "service"],
} as const;

/** Zones with changes of clocks, and an odd offset on the other side of UTC: what reads a clock of the host fails in one of them. */
export const HOST_ZONES = ["America/New_York", "Asia/Kathmandu"] as const;
/** Unit tests of what reads and writes dates: folders, and single files. */
const DATE_PATHS = [
  "packages/criteria/",
  "packages/contracts/",
  "packages/analytics/src/contactProfiles/",
  "packages/analytics/src/exports/",
  "packages/analytics/src/imports/columns/",
  "packages/analytics/src/imports/rows/",
  "packages/audiences/src/criteria/",
  "packages/intake/src/operations/",
  "packages/messaging/src/batchMessages/",
  "packages/messaging/src/experiments/",
  "packages/messaging/src/liquid/",
  "packages/messaging/src/pace/",
  "packages/messaging/src/render/",
  "packages/messaging/src/schedule/",
  "packages/records/",
  "apps/cli/",
  "packages/jobs/src/sources/workbook.test.ts",
] as const;

/** Returns all suites in the order of their start, the long ones first, so that both runs end at about the same time. */
function allSuites(): Suite[] {
  return [
    { name: "unit", project: "unit", needsServices: false },
    ...HOST_ZONES.map((timezone) => unitIn(timezone)),
    ...Object.entries(CONTRACT_SUITES).map(([name, folders]) => onServices(`contract, ${name}`, "contract", folders)),
    onServices("faults"),
    onServices("destinations"),
    onServices("pipeline"),
    onServices("infra"),
    { name: "architecture", project: "architecture", needsServices: false },
  ];
}

function unitIn(timezone: string): Suite {
  return { name: `unit in ${timezone}`, project: "unit", needsServices: false, paths: DATE_PATHS, timezone };
}

function onServices(name: string, project = name, folders?: readonly string[]): Suite {
  const paths = folders?.map((folder) => `${CONTRACT}/${folder}/`);
  return { name, project, needsServices: true, ...(paths && { paths }) };
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
export function zoneRuns(given: readonly string[]): ZoneRun[] | undefined {
  const at = given.indexOf("--zone");
  if (at < 0) return HOST_ZONES.map((timezone) => ({ timezone, args: given }));
  const timezone = HOST_ZONES.find((zone) => zone === given[at + 1]);
  return timezone && [{ timezone, args: given.toSpliced(at, 2) }];
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
