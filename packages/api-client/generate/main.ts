import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { withOneError } from "./oneError.ts";
import { operationsOf } from "./operationsOf.ts";

/**
 * Makes `src/generated` from the OpenAPI document of the service; with `--check` it writes nothing and exits 1 when a file
 * is not what the document gives today.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = "packages/api-client/src/generated";
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const HEADER = "// Generated from the service's OpenAPI document by `npm run generate -w @headwater/api-client`.\n";

const document = JSON.parse(run("node", ["apps/service/src/printDocument.ts"]));
/** The library writes these two for every document; this one has neither. */
const EMPTY_EXPORTS = /^export type (webhooks|\$defs) = Record<string, never>;\n/gm;
const types = astToString(await openapiTypescript(withOneError(document), { emptyObjectsUnknown: true }));
const files = {
  "paths.ts": types.replaceAll(EMPTY_EXPORTS, ""),
  "operations.ts": operationsOf(document),
};
const stale = Object.entries(files).filter(([name, text]) => !isAsMade(`${folder}/${name}`, text));
for (const [name] of stale) process.stdout.write(`${folder}/${name} differs from the document\n`);
if (stale.length > 0 && process.argv.includes("--check")) process.exitCode = 1;

/** Formatted as all code is, though the checks leave the folder out. Compares, and outside of a check writes what differs. */
function isAsMade(path: string, text: string): boolean {
  const made = run(
    "node_modules/.bin/biome",
    ["format", "--stdin-file-path=packages/api-client/src/paths.ts"],
    `${HEADER}${text}`,
  );
  const file = `${root}${path}`;
  const isSame = readOrNothing(file) === made;
  if (!isSame && !process.argv.includes("--check")) writeFileSync(file, made);
  return isSame;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

function run(command: string, args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    input,
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}
