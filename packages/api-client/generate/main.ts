import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { membersOf } from "./membersOf.ts";
import { withOneError } from "./oneError.ts";
import { operationsOf } from "./operationsOf.ts";

/**
 * Writes the client's generated files, made from the OpenAPI document of the service, into the folder that is its argument.
 * `infra/bootstrap/apiClient.mjs` runs it and decides when. The files stay as they are printed: no check of form reads them.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;
const HEADER = "// Generated from the service's OpenAPI document by `npm run generate`.\n";
/** The library writes these two for every document; this one has neither. */
const EMPTY_EXPORTS = /^export type (webhooks|\$defs) = Record<string, never>;\n/gm;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("The folder to write into is missing.");
const document = withoutDryRuns(JSON.parse(printed("apps/service/src/printDocument.ts")));
const types = astToString(await openapiTypescript(withOneError(document), { emptyObjectsUnknown: true }));
const files = {
  "paths.ts": types.replaceAll(EMPTY_EXPORTS, ""),
  "operations.ts": operationsOf(document),
  "members.ts": membersOf(document),
};
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${HEADER}${text}`);

/**
 * Leaves the answer of dry runs out of those of each write, so that a caller of a write has the type of what it writes. `dryRun` of the client
 * returns the other one.
 */
function withoutDryRuns(node: unknown): ReturnType<typeof JSON.parse> {
  if (Array.isArray(node)) return node.map(withoutDryRuns);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).flatMap(([name, member]) => {
    if (name === "200" && isOfDryRun(member?.content?.["application/json"]?.schema)) return [];
    if (name !== "anyOf" || !Array.isArray(member)) return [[name, withoutDryRuns(member)]];
    const others = member.filter((one) => !isOfDryRun(one)).map(withoutDryRuns);
    return others.length === 1 && others.length < member.length ? Object.entries(others[0]) : [[name, others]];
  });
  return Object.fromEntries(entries);
}

function isOfDryRun(schema: unknown): boolean {
  return Reflect.get(Object(schema), "$ref") === "#/components/schemas/DryRun";
}

/** A process of its own: a package imports no app. */
function printed(program: string): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: DOCUMENT_BYTES_MAX } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
