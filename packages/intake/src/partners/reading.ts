import { parseTime, toTimestamp } from "@headwater/contracts";
import { hasForbiddenText, runAtOnce, type Sliced, toDetails } from "@headwater/kernel";
import { z } from "zod";

/** An id as senders write it: text or a number. Numbers beyond 2^53 were read as the text of their digits. */
export const id = z.union([z.string().trim().min(1).max(512), z.number()]);

/** An id that may be absent: an empty text says so, too. */
export const maybeId = z
  .union([z.string().trim().max(512), z.number()])
  .transform((input) => (input === "" ? undefined : input))
  .optional();

/** The id of a partner's list, which is looked up in Postgres: that keeps neither NUL nor half of a surrogate pair. */
export const listId = id.refine((provided) => !hasForbiddenText(provided), {
  message: "Text must not contain NUL or unpaired surrogates.",
});

/** Ids are kept as text: `123`, `"123"` and `123.0` are one. */
export function idText(received: z.infer<typeof id>): string {
  return typeof received === "number" ? String(received) : received;
}

/** A whole number as senders write it: `2`, `2.0`, `"2"` or `"2.0"`. Undefined for anything else. */
export function wholeOf(given: unknown): number | undefined {
  const number = typeof given === "string" && /^[+-]?\d+(\.0+)?$/.test(given.trim()) ? Number(given) : given;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

/** Text of a member that may come as a number; undefined when it is neither, or empty. */
export function textOf(given: unknown): string | undefined {
  if (typeof given === "number") return String(given);
  return typeof given === "string" && given.trim() !== "" ? given : undefined;
}

/** Returns a text in lower case, and anything else as it is: senders write names of actions in any case. */
export function lowerCase(given: unknown): unknown {
  return typeof given === "string" ? given.toLowerCase() : given;
}

/** Returns whether a text says nothing: senders write an empty one for what is absent. */
export function isBlank(given: unknown): boolean {
  return typeof given === "string" && given.trim() === "";
}

/** ISO 8601 stays as it was written; a number counts milliseconds since 1970. Undefined for anything else. */
export function timeOf(given: unknown): string | undefined {
  if (typeof given === "string") return parseTime(given) === undefined ? undefined : given;
  return typeof given === "number" && Math.abs(given) < TIME_MS_MAX ? toTimestamp(given) : undefined;
}

/** The greatest time a Date holds. */
const TIME_MS_MAX = 8.64e15;

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the first reason why a part does not have its shape. */
export function whyNot({ issues }: Pick<z.ZodError, "issues">): string {
  return toDetails({ issues: issues.slice(0, 1) })[0]?.message ?? "The value is invalid.";
}

/** The text under members, each in the one before; undefined when it is not there, no text, or empty. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce((at: unknown, name) => (isMembers(at) ? at[name] : undefined), value);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Members that are there, for an object that holds no undefined. */
export function present<Value extends object>(
  members: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> };
export function present(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * A copy without the members that real senders write for what is absent: `null`, `{}` and `[]`, but for the empty list that is the whole
 * push. Elements of arrays stay, for each is a part that is validated by itself; values under free-form names stay as they are.
 */
export function withoutAbsent(value: unknown): unknown {
  return runAtOnce(withoutAbsentInSlices(value));
}

/** Lists that are the whole push: an empty one says that there is nothing to do, and a missing one says nothing. */
const wholePushes: ReadonlySet<string> = new Set(["contacts"]);

/** Members whose own members are the sender's. */
const freeForm: ReadonlySet<string> = new Set([
  "attributes",
  "properties",
  "user_attributes",
  "userIdentities",
  "attr",
]);

export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** A container that is being copied. */
interface Copy {
  readonly values: readonly unknown[];
  /** Undefined for arrays. */
  readonly names: readonly string[] | undefined;
  readonly kept: [string, unknown][];
  readonly elements: unknown[];
  next: number;
}

/** Values that are copied between two stops. */
const VALUES_PER_STEP = 1_024;

/** Copies as `withoutAbsent` does, and stops every thousand values, for a value of any size and depth. */
export function* withoutAbsentInSlices(value: unknown): Sliced<unknown> {
  const around = copyOf([value]);
  const copies: Copy[] = around === undefined ? [] : [around];
  for (let seen = 1; ; seen++) {
    const copy = copies.at(-1);
    if (copy === undefined) return around?.elements[0];
    if (copy.next < copy.values.length) copyNext(copy, copies);
    else closeCopy(copy, copies);
    if (seen % VALUES_PER_STEP === 0) yield;
  }
}

function copyNext(copy: Copy, copies: Copy[]): void {
  const inner = copy.values[copy.next];
  const name = copy.names?.[copy.next];
  const deeper = name !== undefined && freeForm.has(name) ? undefined : copyOf(inner);
  if (deeper !== undefined) copies.push(deeper);
  else keep(copy, inner);
}

function closeCopy({ names, kept: stored, elements }: Copy, copies: Copy[]): void {
  copies.pop();
  const outer = copies.at(-1);
  if (outer !== undefined) keep(outer, names === undefined ? elements : Object.fromEntries(stored));
}

/** Takes the value that is next into the copy, and goes on behind it. */
function keep(copy: Copy, value: unknown): void {
  const name = copy.names?.[copy.next];
  copy.next += 1;
  if (name === undefined) copy.elements.push(value);
  else if (!isAbsent(value) || (Array.isArray(value) && wholePushes.has(name))) copy.kept.push([name, value]);
}

/** @returns undefined for what holds nothing. */
function copyOf(value: unknown): Copy | undefined {
  if (Array.isArray(value)) return { values: value, names: undefined, kept: [], elements: [], next: 0 };
  if (!isMembers(value)) return undefined;
  return { values: Object.values(value), names: Object.keys(value), kept: [], elements: [], next: 0 };
}
