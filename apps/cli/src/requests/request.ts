import { operations, type QueryValue, requestOf, type ServiceRequest } from "@headwater/api-client";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, addPreview, addYes, parseWith } from "../options.ts";
import type { ApiLeaf, ApiOption, IdOf } from "./apiLeaf.ts";
import { addLimits } from "./limits.ts";
import { addInput, collect, isMembers, readInput } from "./readInput.ts";
import { addWait } from "./wait.ts";

export type LeafKind = "list" | "read" | "write";

export function kindOf({ operation }: Pick<ApiLeaf, "operation">): LeafKind {
  const { method, query } = operations[operation];
  if (method !== "GET") return "write";
  const names: readonly string[] = query;
  return names.includes("cursor") ? "list" : "read";
}

/** The options that follow from the operation, after those that the command has by itself. */
export function addRequestOptions(command: Command, leaf: ApiLeaf): Command {
  for (const option of leaf.options ?? []) command.addOption(toOption(option));
  const { query, headers } = operations[leaf.operation];
  const parameters: readonly string[] = query;
  const takes = (name: string) => parameters.includes(name);
  const kind = kindOf(leaf);
  if (leaf.input !== undefined) addInput(command);
  if (kind === "list") addLimits(command);
  if (takes("sort_by")) command.option("--sort <member>", "in the order of this member");
  if (takes("sort_dir")) command.addOption(new Option("--order <direction>", "which way").choices(["asc", "desc"]));
  if (takes("after")) command.option("--after <receipt>", "wait until what this receipt is of can be read");
  const named: readonly string[] = headers;
  if (named.includes("If-Match")) command.option("--if-match <etag>", "only if the record still has this ETag");
  if (kind === "write") addDryRun(addWait(addKey(command)));
  if (takes("dryRun")) addPreview(command);
  if (takes("expect"))
    command.option("--expect <digest>", "only while it changes what --preview with this digest said");
  return leaf.confirm !== undefined || takesAway(leaf) ? addYes(command) : command;
}

/** Returns whether the command removes something. Where that can be undone it never asks, and takes the answer all the same: scripts give it to all that remove. */
function takesAway({ operation }: ApiLeaf): boolean {
  return operations[operation].method === "DELETE";
}

function addKey(command: Command): Command {
  return command.option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key");
}

function toOption({ flags, about, choices, pair }: ApiOption): Option {
  const option = new Option(flags, about);
  if (choices !== undefined) option.choices(choices);
  return pair === undefined ? option : option.argParser(collect);
}

const common = z.object({
  sort: z.string().optional(),
  order: z.string().optional(),
  after: z.string().optional(),
  ifMatch: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
  expect: z.string().min(1).optional(),
});

/** Turns what was typed into the request that it means. @throws HeadwaterError `USAGE`. */
export async function toRequest(
  call: Pick<Call, "terminal" | "options" | "service">,
  leaf: ApiLeaf,
  { args, given: provided }: { readonly args: readonly string[]; readonly given: object },
): Promise<ServiceRequest> {
  const operation = leaf.operationFor?.(args, provided) ?? leaf.operation;
  const paths = operations[operation].path.split("{").length - 1;
  const { idempotencyKey, ifMatch, expect } = parseWith(common, provided);
  const body = await bodyOf(call, leaf, { args, given: provided });
  const path = args.slice(0, paths);
  if (path.some((value) => value === "")) throw usageError("An argument is empty.");
  return requestOf(operation, {
    path: leaf.idOf === undefined ? path : await withId(call, leaf.idOf, path),
    query: {
      ...queryOf(leaf, { args, given: provided }, call.options.fields),
      ...(call.options.preview && { dryRun: true }),
      ...(expect !== undefined && { expect }),
    },
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(ifMatch !== undefined && { ifMatch }),
  });
}

/** A dry run asks nobody: it shows what was typed. */
async function withId(
  call: Pick<Call, "terminal" | "options" | "service">,
  { isId, find }: IdOf,
  [typed = "", ...others]: readonly string[],
): Promise<readonly string[]> {
  const path = [typed, ...others];
  if (isId(typed)) return path;
  if (!call.options.dryRun) return [await find(call.service(), typed), ...others];
  call.terminal.say(`The id of ${typed} would be looked up first.`);
  return path;
}

export function queryOf(
  leaf: ApiLeaf,
  { args, given: received }: { readonly args: readonly string[]; readonly given: object },
  fields: readonly string[] | undefined,
): Readonly<Record<string, QueryValue>> {
  const { sort, order, after } = parseWith(common, received);
  const names: readonly string[] = operations[leaf.operation].query;
  const wanted = names.includes("fields") ? fields?.map((name) => name.split(".")[0] ?? name) : undefined;
  return {
    ...leaf.query?.(args),
    ...(sort !== undefined && { sort_by: sort }),
    ...(order !== undefined && { sort_dir: order }),
    ...(after !== undefined && { after }),
    ...(wanted !== undefined && { fields: [...new Set(wanted)].join(",") }),
    ...Object.fromEntries((leaf.options ?? []).flatMap((option) => parametersOf(option, typedOf(option, received)))),
  };
}

function parametersOf({ query, pair, value }: ApiOption, typed: unknown): (readonly [string, QueryValue])[] {
  if (Array.isArray(typed) && pair !== undefined) return typed.map((one) => pair(String(one)));
  if (typed === undefined || query === undefined) return [];
  const sent = typeof typed === "string" && value !== undefined ? value(typed) : typed;
  return [[query, String(sent)]];
}

async function bodyOf(
  call: Pick<Call, "terminal">,
  leaf: ApiLeaf,
  { args, given }: { readonly args: readonly string[]; readonly given: object },
): Promise<unknown> {
  const fromOptions = (leaf.options ?? []).flatMap((option): (readonly [string, unknown])[] => {
    const typed = typedOf(option, given);
    if (option.member === undefined || typed === undefined) return [];
    return [[option.member, typeof typed === "string" && option.value !== undefined ? option.value(typed) : typed]];
  });
  const members = [...Object.entries(leaf.body?.(args) ?? {}), ...fromOptions];
  const body = await readInput(call, given, members);
  if (body === undefined && leaf.input === "needed") {
    throw usageError("Say what to send: -f <file>, -f - for standard input, or --set member=value.");
  }
  if (leaf.defaults !== undefined && (body === undefined || isMembers(body)))
    return { ...leaf.defaults(args), ...body };
  return body ?? (operations[leaf.operation].hasBody ? {} : undefined);
}

function typedOf({ flags, about }: ApiOption, given: object): unknown {
  return Reflect.get(given, new Option(flags, about).attributeName());
}
