import { members, operations, type Row, type ServiceAnswer, type ServiceRequest } from "@headwater/api-client";
import type { Command } from "commander";
import type { Call, CallOf } from "../call.ts";
import { addGroup, addLeaf, type LeafCommand } from "../commands/command.ts";
import { confirm } from "../confirm.ts";
import { checkFields, isFreeForm, missingField } from "../output/fields.ts";
import { memberAt } from "../output/member.ts";
import { createRowWriter } from "../output/rowWriter.ts";
import { pick, showOne, showRows } from "../output/show.ts";
import type { ApiLeaf } from "./apiLeaf.ts";
import { rowsMaxOf } from "./limits.ts";
import { isMembers } from "./readInput.ts";
import { addRequestOptions, kindOf, queryOf, toRequest } from "./request.ts";
import { showJob, waitOf } from "./wait.ts";

/** A resource of the API as a group of commands; what is no single operation comes as a command of its own. */
export interface Resource {
  readonly name: string;
  readonly summary: string;
  readonly leaves: readonly (ApiLeaf | LeafCommand)[];
  readonly groups?: readonly Resource[];
}

/** Hangs a resource and all its commands into the tree. */
export function addResource(parent: Command, { name, summary, leaves, groups = [] }: Resource, callOf: CallOf): void {
  const group = addGroup(parent, name, summary);
  for (const leaf of leaves) addLeaf(group, "run" in leaf ? leaf : toCommand(leaf), callOf);
  for (const inner of groups) addResource(group, inner, callOf);
}

function toCommand(leaf: ApiLeaf): LeafCommand {
  const runs = { list: runList, read: runRead, write: runWrite };
  return {
    usage: leaf.usage,
    summary: leaf.summary,
    examples: leaf.examples,
    options: (command) => addRequestOptions(command, leaf),
    run: (call, args, input) => runs[kindOf(leaf)](call, leaf, { args, given: isMembers(input) ? input : {} }),
  };
}

interface Typed {
  readonly args: readonly string[];
  readonly given: object;
}

const SAMPLE_ROWS = 100;

/** Shows pages as they come: what is held is one page, and the next is asked for when this one is on its way out. */
async function runList(call: Call, leaf: ApiLeaf, typed: Typed): Promise<void> {
  const { terminal, options } = call;
  if (options.fields !== undefined) checkFields(options.fields, members[leaf.operation]);
  const rowsMax = rowsMaxOf(typed.given);
  const writer = createRowWriter(call, options.fields ?? leaf.columns ?? []);
  const view =
    ({ fields } = options) =>
    (row: Row) =>
      fields === undefined ? row : pick(row, fields);
  const path = typed.args.slice(0, pathsOf(leaf));
  const query = queryOf(leaf, typed, options.fields);
  let isCut = false;
  const missing = new Set(isFreeForm(members[leaf.operation]) ? options.fields : []);
  let isEmpty = true;
  for await (const { rows, isLast } of call.service().pages(leaf.operation, { path, query, rowsMax })) {
    for (const name of missing) if (rows.some((row) => memberAt(row, name) !== undefined)) missing.delete(name);
    isEmpty &&= rows.length === 0;
    writer.write(rows.map(view()));
    await terminal.drained();
    isCut = !isLast;
  }
  writer.end();
  if (isCut && options.format === "table") terminal.say("More rows exist: use --limit <n> or --all.");
  if (missing.size > 0 && !isEmpty) await sayMissing(call, leaf, { typed, path, missing });
}

/** Reports names that no shown row has, each with the nearest one of the first rows. */
async function sayMissing(
  call: Call,
  leaf: ApiLeaf,
  {
    typed,
    path,
    missing,
  }: { readonly typed: Typed; readonly path: readonly string[]; readonly missing: Iterable<string> },
): Promise<void> {
  const present = new Set<string>();
  const asked = { path, query: queryOf(leaf, typed, undefined), rowsMax: SAMPLE_ROWS };
  for await (const { rows } of call.service().pages(leaf.operation, asked))
    for (const name of rows.flatMap((row) => Object.keys(row))) present.add(name);
  for (const name of missing) call.terminal.say(missingField(name, [...present]));
}

async function runRead(call: Call, leaf: ApiLeaf, typed: Typed): Promise<void> {
  checkAnswerFields(call, leaf);
  const answer = await call.service().request(await toRequest(call, leaf, typed));
  showAnswer(call, leaf, answer);
}

async function runWrite(call: Call, leaf: ApiLeaf, typed: Typed): Promise<void> {
  const request = await toRequest(call, leaf, typed);
  await sendWrite(call, request, { typed, leaf });
}

/** Checks `--fields` before anything is sent: the answer may be that of the operation, or a job that it starts. */
function checkAnswerFields({ options: { fields } }: Call, { operation, rowsIn }: ApiLeaf): void {
  if (fields !== undefined && rowsIn === undefined) checkFields(fields, [...members[operation], ...members.getJob]);
}

/** Shows it for a dry run, asks where it has to, sends it, and follows its job when that is wanted. */
async function sendWrite(
  call: Call,
  request: ServiceRequest,
  { typed, leaf }: { readonly typed: Typed; readonly leaf: ApiLeaf },
): Promise<void> {
  if (call.options.dryRun) return showRequest(call, request);
  if (call.options.preview) return showPreview(call, await call.service().request(request));
  checkAnswerFields(call, leaf);
  if (leaf.confirm !== undefined && !(await confirm(call, leaf.confirm(typed.args)))) {
    return call.terminal.say("Nothing was changed.");
  }
  const service = call.service();
  const answer = await service.request(request);
  const { wait, receipt, timeoutMs } = waitOf(typed.given);
  const token = answer.headers.get("headwater-receipt");
  if (receipt) return call.terminal.out(`${token ?? ""}\n`);
  const jobId = isMembers(answer.body) ? answer.body.jobId : undefined;
  if (typeof jobId !== "string") return showAnswer(call, leaf, answer);
  if (wait) return showJob(call, service, { id: jobId, timeoutMs });
  call.terminal.say(`A job was started: headwater jobs wait ${jobId}`);
  showAnswer(call, leaf, answer);
}

/** Shows the request of a `--dry-run`, without the key. */
export function showRequest(call: Call, { method, path, body, idempotencyKey, ifMatch }: ServiceRequest): void {
  call.terminal.say("Nothing is sent. This would be:");
  showOne(call, {
    method,
    path,
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    ...(ifMatch !== undefined && { "If-Match": ifMatch }),
    ...(body !== undefined && { body }),
  });
}

/** Shows what a write would change: its members in tables, everything that the service said in JSON. */
export function showPreview(call: Call, { body, text }: ServiceAnswer): void {
  const { terminal, options } = call;
  if (!isMembers(body) || !Array.isArray(body.changes)) {
    terminal.out(`${text}\n`);
    return;
  }
  const { status, starts, digest, changes } = body;
  terminal.say(`Nothing was changed. The answer would be ${status}; starts: ${starts}; digest: ${digest}`);
  if (options.format === "json" || options.format === "ndjson") showOne(call, body);
  else showRows(call, CHANGE_COLUMNS, changes.filter(isMembers));
}

const CHANGE_COLUMNS = ["path", "from", "to"];

function showAnswer(call: Call, { operation, rowsIn, columns = [] }: ApiLeaf, { body, text }: ServiceAnswer): void {
  const rows = rowsIn !== undefined && isMembers(body) ? body[rowsIn] : undefined;
  const isTabular = call.options.format === "table" || call.options.format === "csv";
  if (isTabular && Array.isArray(rows)) showRows(call, columns, rows.filter(isMembers));
  else if (isMembers(body)) showOne(call, body, members[operation]);
  else call.terminal.out(`${text}\n`);
}

function pathsOf({ operation }: ApiLeaf): number {
  return operations[operation].path.split("{").length - 1;
}
