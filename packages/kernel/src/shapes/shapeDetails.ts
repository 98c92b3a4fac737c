import type { z } from "zod";
import { DETAILS_FOUND_MAX } from "../boundedDetails.ts";
import type { ErrorDetail } from "../errors.ts";
import { pointerStep } from "../text.ts";
import { REQUIRED } from "./describeIssue.ts";

const codes: Readonly<Record<string, string>> = {
  invalid_type: "type_mismatch",
  invalid_union: "type_mismatch",
  too_big: "out_of_range",
  too_small: "out_of_range",
};

/** Returns a detail, with a JSON pointer, for each of the first mistakes, one more than an answer shows, that `safeParse` found in a value. */
export function toDetails({ issues }: Pick<z.core.$ZodError, "issues">): ErrorDetail[] {
  return firstMistakes(issues).flatMap(detailsOf);
}

/** Returns the first mistakes among zod's findings: a bound that was compared with a value of another type is none of its own. */
export function firstMistakes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.filter((issue, at) => !isOfWrongType(issue, issues[at - 1])).slice(0, DETAILS_FOUND_MAX);
}

/** Returns whether a bound follows the wrong type of the same value: zod compares all that has a length. */
function isOfWrongType({ code, path }: z.core.$ZodIssue, before: z.core.$ZodIssue | undefined): boolean {
  if ((code !== "too_big" && code !== "too_small") || before?.code !== "invalid_type") return false;
  return path.length === before.path.length && path.every((step, at) => step === before.path[at]);
}

/** Returns a JSON pointer to what lies at a path. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${pointerStep(String(step))}`).join("");
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((name) => unknownMember([...issue.path, name], name));
  if (issue.code === "invalid_union") {
    const meant = branchMeant(issue);
    if (meant !== undefined) return meant.flatMap((one) => detailsOf({ ...one, path: [...issue.path, ...one.path] }));
  }
  return [toDetail(issue)];
}

/** Returns the detail of a mistake that is not one of unknown members, at its own path: the branches of a union are left out. */
export function toDetail(issue: z.core.$ZodIssue): ErrorDetail {
  const message = sentence(issue.path, issue.message);
  const detail = { path: pointerOf(issue.path), code: codeOf(issue), message };
  const allowed = allowedIn(issue);
  return allowed === undefined || detail.code === "required" ? detail : { ...detail, allowed };
}

/** A check of our own says in `params.allowed` what it takes. */
function allowedIn(issue: z.core.$ZodIssue): string[] | undefined {
  if (issue.code === "invalid_value") return issue.values.map(String);
  const allowed: unknown = issue.code === "custom" ? issue.params?.allowed : undefined;
  return Array.isArray(allowed) ? allowed.map(String) : undefined;
}

function unknownMember(path: readonly PropertyKey[], name: string): ErrorDetail {
  return { path: pointerOf(path), code: "unknown_field", message: `${JSON.stringify(name)} is not a known member.` };
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.message === REQUIRED) return "required";
  if (issue.code === "too_big" && issue.origin === "string") return "too_long";
  if (issue.code === "too_big" && issue.origin === "array") return "too_many";
  if (issue.code === "custom" && typeof issue.params?.code === "string") return issue.params.code;
  return codes[issue.code] ?? "bad_value";
}

/** Returns what is wrong with the only one of a union's shapes that the value has the type of; undefined when there is no such one. */
function branchMeant({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const [meant, ...others] = errors.filter((issues) => !issues.some(isOfAnotherType));
  return others.length === 0 ? meant : undefined;
}

function isOfAnotherType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && codeOf(issue) === "type_mismatch";
}

/** Names of members may be long: a path of more characters is left to the detail's `path`. */
const SUBJECT_CHARACTERS_MAX = 200;

/** Makes a sentence of a predicate ("must be a string"); other messages are sentences already. */
function sentence(path: readonly PropertyKey[], message: string): string {
  if (!/^[a-z]/.test(message)) return message;
  const position = path.map(String).join(".");
  const subject = position === "" || position.length > SUBJECT_CHARACTERS_MAX ? "The value" : `\`${position}\``;
  return `${subject} ${message}${/[.!?]$/.test(message) ? "" : "."}`;
}
