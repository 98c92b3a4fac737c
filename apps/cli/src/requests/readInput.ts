import type { Command } from "commander";
import { z } from "zod";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { parseWith } from "../options.ts";

const schema = z.object({
  file: z.string().optional(),
  set: z.array(z.string()).default([]),
  setJson: z.array(z.string()).default([]),
});

type Members = Readonly<Record<string, unknown>>;

/** Ways to say a body: a file, and single members that go on top of it. */
export function addInput(command: Command): Command {
  return command
    .option("-f, --file <file>", "the JSON to send; - for standard input")
    .option("--set <member=text>", "a member, dotted for one within another; may be repeated", collect)
    .option("--set-json <member=json>", "the same with JSON for a value: a number, null, a list", collect);
}

/** The body that file, arguments, options and `--set` give together; undefined when none of them says anything. */
export async function readInput(
  call: Pick<Call, "terminal">,
  input: unknown,
  members: readonly (readonly [string, unknown])[],
): Promise<unknown> {
  const { file, set, setJson } = parseWith(schema, input);
  const document = file === undefined ? undefined : await readDocument(file, call.terminal);
  const texts = set.map((typed) => pairOf(typed, "--set"));
  const values = setJson.map((typed) => jsonPairOf(typed));
  const all = [...members, ...texts, ...values];
  if (all.length === 0) return document;
  if (document !== undefined && !isMembers(document))
    throw usageError(`${file} is not a JSON object: members cannot be set in it.`);
  return all.reduce<Members>((body, [path, value]) => withMember(body, path.split("."), value), document ?? {});
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `name=value`, cut at the first sign. @throws HeadwaterError `USAGE`. */
export function pairOf(typed: string, option: string): readonly [string, string] {
  const at = typed.indexOf("=");
  if (at > 0) return [typed.slice(0, at), typed.slice(at + 1)];
  throw usageError(`${option} takes name=value, and not ${typed}.`);
}

export function collect(typed: string, before: readonly string[] = []): readonly string[] {
  return [...before, typed];
}

/** `name=json`. @throws HeadwaterError `USAGE`. */
export function jsonPairOf(typed: string): readonly [string, unknown] {
  const [name, text] = pairOf(typed, "--set-json");
  try {
    return [name, JSON.parse(text)];
  } catch (cause) {
    throw usageError(`--set-json ${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function withMember(body: Members, [name = "", ...rest]: readonly string[], value: unknown): Members {
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  const set = rest.length === 0 ? value : withMember(isMembers(inner) ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(body).filter(([other]) => other !== name), [name, set]]);
}
