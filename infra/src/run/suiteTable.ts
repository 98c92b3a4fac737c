import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rootFolder } from "../../bootstrap/places.mjs";

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
const SERVICE = "service";

/** Zones with changes of clocks, and an odd offset on the other side of UTC: what reads a clock of the host fails in one of them. */
const HOST_ZONES = ["America/New_York", "Asia/Kathmandu"] as const;
/** Unit tests of what reads and writes dates: folders, and single files. */
const DATE_PATHS = [
  "packages/audience/",
  "packages/contracts/",
  "packages/domain/",
  "packages/messaging/src/liquid/",
  "packages/messaging/src/render/",
  "packages/operations/",
  "packages/projection/",
  "apps/cli/",
  "apps/worker/src/exports/",
  "apps/worker/src/imports/columns/",
  "apps/worker/src/imports/rows/",
  "apps/worker/src/imports/source/workbook.test.ts",
  "apps/worker/src/jobs/",
] as const;

/** Returns all suites in the order of their start, the long ones first. The contract suite is parted in two: the service's own, and the others. */
function allSuites(): Suite[] {
  const others = readdirSync(join(rootFolder, CONTRACT)).filter((name) => name !== SERVICE);
  return [
    { name: "unit", project: "unit", needsServices: false },
    ...HOST_ZONES.map((timezone) => unitIn(timezone)),
    onServices("service contract", "contract", [SERVICE]),
    onServices("contract", "contract", others),
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

/** Suites on real services that read or write a time anywhere. */
const ZONED_PROJECTS = ["contract", "pipeline"] as const;

/** Returns the arguments of `npm test` for each zone. Without a project of the caller's own they name those that read or write times. */
export function zonedArgs(given: readonly string[]): { readonly timezone: string; readonly args: readonly string[] }[] {
  const isNamed = given.some((one) => one === "--project" || one.startsWith("--project="));
  const projects = isNamed ? [] : ZONED_PROJECTS.flatMap((name) => ["--project", name]);
  return HOST_ZONES.map((timezone) => ({ timezone, args: [...projects, ...given] }));
}

/** Returns the suites of some projects. With `paths` of the caller's own each project is one suite, of those files. */
export function suitesOf(projects: readonly string[], paths: readonly string[]): Suite[] {
  const suites = allSuites().filter(({ project }) => projects.includes(project));
  if (paths.length === 0) return suites;
  const isFirst = ({ project }: Suite, at: number) => suites.findIndex((suite) => suite.project === project) === at;
  return suites.filter(isFirst).map((suite) => ({ ...suite, name: suite.project, paths }));
}
