import { readdirSync } from "node:fs";
import { join } from "node:path";
import { rootFolder } from "../../bootstrap/places.mjs";

/** A run of Vitest: a project of `vitest.config.ts`, or the files of it whose path holds one of `paths`. */
export interface Suite {
  readonly name: string;
  readonly project: string;
  readonly needsServices: boolean;
  readonly paths?: readonly string[];
}

const CONTRACT = "test/contract";
const SERVICE = "service";

/**
 * Suites of one lane run one after another, the lanes side by side. Each lane has services of its own: an open transaction of one suite
 * would hold back what another reads of an outbox. They take about as long as each other. The contract suite is parted in two: the service's
 * own, and the others.
 */
function allLanes(): Suite[][] {
  const others = readdirSync(join(rootFolder, CONTRACT)).filter((name) => name !== SERVICE);
  return [
    [
      { name: "unit", project: "unit", needsServices: false },
      { name: "architecture", project: "architecture", needsServices: false },
      onServices("service contract", "contract", [SERVICE]),
      onServices("infra"),
    ],
    [onServices("contract", "contract", others), onServices("destinations")],
    [onServices("faults"), onServices("pipeline")],
  ];
}

function onServices(name: string, project = name, folders?: readonly string[]): Suite {
  const paths = folders?.map((folder) => `${CONTRACT}/${folder}/`);
  return { name, project, needsServices: true, ...(paths && { paths }) };
}

/** Names of all projects, in the order in which they are described. */
export function projectNames(): string[] {
  return [...new Set(allLanes().flatMap((lane) => lane.map(({ project }) => project)))];
}

/** Returns the lanes of some projects. With `paths` of the caller's own each project is one suite, of those files. */
export function lanesOf(projects: readonly string[], paths: readonly string[]): Suite[][] {
  const lanes = allLanes().map((lane) => lane.filter(({ project }) => projects.includes(project)));
  return (paths.length === 0 ? lanes : wholeProjects(lanes, paths)).filter((lane) => lane.length > 0);
}

function wholeProjects(lanes: readonly Suite[][], paths: readonly string[]): Suite[][] {
  const seen = new Set<string>();
  const isFirst = ({ project }: Suite) => seen.size < seen.add(project).size;
  return lanes.map((lane) => lane.filter(isFirst).map((suite) => ({ ...suite, name: suite.project, paths })));
}
