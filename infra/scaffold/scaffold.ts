import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../bootstrap/failure.mjs";
import { applyEdits, createTree, type Edit, type Tree } from "./edits.ts";
import { commandEdits } from "./kinds/command.ts";
import { jobEdits } from "./kinds/job.ts";
import { leafEdits } from "./kinds/leaf.ts";
import { operationEdits } from "./kinds/operation.ts";
import { partnerEdits } from "./kinds/partner.ts";
import { resourceEdits } from "./kinds/resource.ts";
import { routeEdits } from "./kinds/route.ts";

interface Kind {
  edits(name: string, tree: Tree): Edit[];
  /** A script that makes what follows from the slice. */
  readonly generate?: string;
}

/** The API's document names routes, jobs and leaves of criteria: its client is generated again. */
const CLIENT = "infra/bootstrap/generate.mjs";

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["operation", { edits: operationEdits }],
  ["route", { edits: routeEdits, generate: CLIENT }],
  ["resource", { edits: resourceEdits, generate: CLIENT }],
  ["partner", { edits: partnerEdits }],
  ["command", { edits: commandEdits }],
  ["job", { edits: jobEdits, generate: CLIENT }],
  ["leaf", { edits: leafEdits, generate: CLIENT }],
]);

export const kindNames = [...kinds.keys()];

/** Makes a slice of a kind in the tree at `root`, formatted and with its generated parts; returns the files that it wrote. */
export function scaffold(root: string, kindName: string, name: string): string[] {
  const kind = kinds.get(kindName);
  if (kind === undefined) throw new Failure(`there is no kind ${kindName}; there are ${kindNames.join(", ")}.`);
  const changed = applyEdits(root, kind.edits(name, createTree(root)));
  format(root, changed);
  if (kind.generate !== undefined) run(root, "node", [kind.generate]);
  return changed;
}

/**
 * Formats files, sorts their imports and mends their style. Other rules read the whole project for ten seconds: `npm run verify` checks
 * them.
 */
function format(root: string, files: readonly string[]): void {
  const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  const linter = { rules: { style: config.linter.rules.style } };
  using folder = mkdtempDisposableSync(join(tmpdir(), "scaffold-format-"));
  writeFileSync(join(folder.path, "biome.json"), JSON.stringify({ ...config, linter, overrides: [] }));
  run(root, "biome", ["check", "--write", "--error-on-warnings", `--config-path=${folder.path}`, ...files]);
}

function run(root: string, tool: string, args: readonly string[]): void {
  const ended = spawnSync(join(root, "node_modules", ".bin", tool), args, { cwd: root, encoding: "utf8" });
  if (ended.status !== 0) throw new Failure(`${tool} failed on the new slice: ${ended.stdout}${ended.stderr}`);
}
