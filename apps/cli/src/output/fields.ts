import { nearestName } from "@headwater/kernel";
import { usageError } from "../failure.ts";

/**
 * Refuses names in `--fields` that no row can have.
 * @param known members as paths: `*` stands for any name, `**` at the end for the member itself and anything below it.
 * @throws HeadwaterError `USAGE` with the nearest name and the members.
 */
export function checkFields(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.filter((name) => isBelowPlain(name, known) || !known.some((path) => matches(name, path)));
  if (unknown.length === 0) return;
  const members = [...new Set(known.map((path) => path.split(".")[0]))].filter((name) => !name?.startsWith("*"));
  const each = unknown.map((name) => `${name || "an empty name"} is not a member.${suggestion(name, known)}`);
  throw usageError(`--fields: ${each.join(" ")} The members are ${members.join(", ")}.`);
}

/** Returns whether a path leads into a member that has no members: rows with members of any name have plain ones, too. */
function isBelowPlain(name: string, known: readonly string[]): boolean {
  const [top = "", ...rest] = name.split(".");
  return rest.length > 0 && known.includes(top) && !known.some((path) => path.startsWith(`${top}.`));
}

/** Returns a sentence about a name that no row has, where rows may have members of any name. */
export function missingField(name: string, present: readonly string[]): string {
  const nearest = nearestName(name, present);
  return `No row has ${name}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
}

/** Returns whether rows may have members of any name. */
export function isFreeForm(known: readonly string[]): boolean {
  return known.includes("**");
}

function matches(name: string, path: string): boolean {
  if (path === "**") return true;
  if (path.endsWith(".**")) {
    const parent = path.slice(0, -".**".length);
    const { length } = parent.split(".");
    return matches(name.split(".").slice(0, length).join("."), parent);
  }
  const wanted = path.split(".");
  const typed = name.split(".");
  return typed.length === wanted.length && wanted.every((part, at) => part === "*" || part === typed[at]);
}

/** Fills the names that a path leaves open with those that were typed. */
function suggestion(name: string, known: readonly string[]): string {
  const typed = name.split(".");
  const candidates = known.map((path) =>
    path
      .replace(/\.?\*\*$/, "")
      .split(".")
      .map((part, at) => (part === "*" ? (typed[at] ?? part) : part))
      .join("."),
  );
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : ` Did you mean ${nearest}?`;
}
