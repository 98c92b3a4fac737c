import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";
import { membersOf } from "./membersOf.ts";
import { withOneError } from "./oneError.ts";
import { operationsOf } from "./operationsOf.ts";

/**
 * Makes `src/generated` from the OpenAPI document of the service; with `--check` it writes nothing and exits 1 when a file
 * is not what the document gives today. The files stay as they are printed: no check of form looks at them.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = "packages/api-client/src/generated";
const isCheck = process.argv.includes("--check");
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;
const HEADER = "// Generated from the service's OpenAPI document by `npm run generate -w @headwater/api-client`.\n";
/** The library writes these two for every document; this one has neither. */
const EMPTY_EXPORTS = /^export type (webhooks|\$defs) = Record<string, never>;\n/gm;

const document = JSON.parse(printed("apps/service/src/printDocument.ts"));
const types = astToString(await openapiTypescript(withOneError(document), { emptyObjectsUnknown: true }));
const files = {
  "paths.ts": types.replaceAll(EMPTY_EXPORTS, ""),
  "operations.ts": operationsOf(document),
  "members.ts": membersOf(document),
};
for (const [name, text] of Object.entries(files)) {
  const made = `${HEADER}${text}`;
  const file = `${folder}/${name}`;
  if (textOf(`${root}${file}`) === made) continue;
  process.stdout.write(`${file} differs from the document\n`);
  if (isCheck) process.exitCode = 1;
  else writeFileSync(`${root}${file}`, made);
}

/** A process of its own: a package imports no app. */
function printed(program: string): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: DOCUMENT_BYTES_MAX } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
