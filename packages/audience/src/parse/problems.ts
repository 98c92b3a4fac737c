import { pointerStep } from "@headwater/kernel";
import { nearestNames } from "./nearest.ts";

export type CriteriaErrorCode =
  | "unknown_member"
  | "unknown_operator"
  | "unknown_field"
  | "type_mismatch"
  | "bad_value"
  | "unknown_reference"
  | "cycle"
  | "limit_exceeded";

/** One detail of `INVALID_AUDIENCE_RULES`; `path` is a JSON pointer into the criteria object. */
export interface CriteriaError {
  readonly path: string;
  readonly code: CriteriaErrorCode;
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Collects every error of one criteria object. */
export interface Problems {
  readonly errors: readonly CriteriaError[];
  add(code: CriteriaErrorCode, path: string, message: string, allowed?: readonly string[]): undefined;
}

export function createProblems(): Problems {
  const errors: CriteriaError[] = [];
  return {
    errors,
    add(code, path, message, allowed) {
      errors.push(allowed === undefined ? { path, code, message } : { path, code, message, allowed });
      return undefined;
    },
  };
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(input: unknown): input is JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/** Appends one reference token to a JSON pointer (RFC 6901). */
export function pointer(path: string, member: string | number): string {
  return `${path}/${pointerStep(String(member))}`;
}

/** Reports members that the shape does not name, each with the members that are allowed, the nearest first. */
export function checkMembers(problems: Problems, node: JsonObject, path: string, allowed: readonly string[]): void {
  for (const member of Object.keys(node)) {
    if (!allowed.includes(member)) {
      const sorted = [...new Set([...nearestNames(member, allowed), ...allowed])];
      problems.add("unknown_member", pointer(path, member), `"${shown(member)}" is not a member here`, sorted);
    }
  }
}

/** A text of the caller shortened for a message. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
