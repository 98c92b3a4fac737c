import { isJsonObject, pointer } from "./problems.ts";

/** A regular expression of criteria, and the JSON pointer to it. */
export interface NamedRegex {
  readonly path: string;
  readonly value: string;
}

/** Finds the regular expressions of criteria that the parser has taken, whose depth and number are bounded. */
export function regexesOf(input: unknown, path = ""): NamedRegex[] {
  if (Array.isArray(input)) return input.flatMap((entry: unknown, index) => regexesOf(entry, pointer(path, index)));
  if (!isJsonObject(input)) return [];
  if (input.op === "regex" && typeof input.value === "string") {
    return [{ path: pointer(path, "value"), value: input.value }];
  }
  return Object.entries(input).flatMap(([name, member]) => regexesOf(member, pointer(path, name)));
}
