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
const document = JSON.parse(printed("apps/service/src/printDocument.ts"));
const types = astToString(await openapiTypescript(withOneError(document), { emptyObjectsUnknown: true }));
const files = {
  "paths.ts": types.replaceAll(EMPTY_EXPORTS, ""),
  "operations.ts": operationsOf(document),
  "members.ts": membersOf(document),
};
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${HEADER}${text}`);

/** A process of its own: a package imports no app. */
function printed(program: string): string {
  const options = { cwd: root, encoding: "utf8", maxBuffer: DOCUMENT_BYTES_MAX } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
