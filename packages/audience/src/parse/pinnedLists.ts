import { isJsonObject } from "./problems.ts";

/** Criteria with every list named by what `replace` gives for it; undefined leaves it as it is. */
export function withLists(input: unknown, replace: (list: string | number) => string | number | undefined): unknown {
  if (Array.isArray(input)) return input.map((entry: unknown) => withLists(entry, replace));
  if (!isJsonObject(input)) return input;
  const { list } = input;
  if (typeof list === "string" || typeof list === "number") return { ...input, list: replace(list) ?? list };
  return Object.fromEntries(
    Object.entries(input).map(([name, member]) => [name, RULES.has(name) ? withLists(member, replace) : member]),
  );
}

/** The members of a rule that hold rules. */
const RULES: ReadonlySet<string> = new Set(["and", "or", "not", "exclude"]);
