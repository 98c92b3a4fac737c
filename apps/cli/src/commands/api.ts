import { methods, withQuery } from "@headwater/api-client";
import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { confirm } from "../confirm.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addPreview, addYes, parseWith } from "../options.ts";
import { jsonOf } from "../output/rowWriter.ts";
import { showOne, showRows } from "../output/show.ts";
import { addInput, isMembers, readInput } from "../requests/readInput.ts";
import { showPreview, showRequest } from "../requests/run.ts";
import { addLeaf } from "./command.ts";

const schema = z.object({ idempotencyKey: z.string().min(1).optional(), ifMatch: z.string().optional() });

/** Any route, also one that has no command. */
export function addApi(program: Command, callOf: CallOf): void {
  addLeaf(
    program,
    {
      usage: "api <method> <path>",
      summary: "Send any request to the API and print the response.",
      examples: [
        "headwater api GET '/v2/contacts?per_page=5'",
        "headwater api PUT /v2/account --set timezone=Europe/London",
        "headwater api GET /v2/freshness -o csv",
      ],
      options: (command) =>
        addPreview(addDryRun(addYes(addInput(command))))
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key")
          .option("--if-match <etag>", "only if the record still has this ETag"),
      run: (call, args, input) => runApi(call, args, input),
    },
    callOf,
  );
}

async function runApi(call: Call, [typed = "", path = ""]: readonly string[], provided: unknown): Promise<void> {
  const method = methods.find((name) => name === typed.toUpperCase());
  if (method === undefined) throw usageError(`The method must be one of ${methods.join(", ")}, not ${typed}.`);
  if (!/^\/(v2|api)\//.test(path)) throw usageError("The path must start with /v2/ or /api/.");
  const { idempotencyKey, ifMatch } = parseWith(schema, provided);
  const body = await readInput(call, provided, []);
  const isPreview = call.options.preview;
  if (isPreview && method === "GET") throw usageError("--preview is for writes: a GET changes nothing.");
  const query = isPreview ? { dryRun: true } : {};
  const request = { method, path: withQuery(path, query), body, idempotencyKey, ifMatch };
  if (call.options.dryRun) return showRequest(call, request);
  if (isPreview) return showPreview(call, await call.service().request(request));
  if (method === "DELETE" && !(await confirm(call, `DELETE ${path}?`)))
    return call.terminal.say("Nothing was changed.");
  const answer = await call.service().request(request);
  showBody(call, answer.body, answer.text);
}

/** Shows the body as it came, indented for people; rows for the forms that are made of rows. */
function showBody(call: Call, body: unknown, text: string): void {
  const { terminal, options } = call;
  const rows = isMembers(body) && Array.isArray(body.data) ? body.data.filter(isMembers) : undefined;
  if (body === undefined) terminal.out(text);
  else if (!options.isFormatTyped && options.fields === undefined) terminal.out(`${jsonOf(body, true)}\n`);
  else if (rows !== undefined && options.format !== "json") showRows(call, Object.keys(rows[0] ?? {}), rows);
  else if (isMembers(body)) showOne(call, body);
  else terminal.out(`${jsonOf(body, terminal.isOutTerminal)}\n`);
}
