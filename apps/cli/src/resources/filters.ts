import type { ApiOption } from "../requests/apiLeaf.ts";
import { pairOf } from "../requests/readInput.ts";

/** A filter of a list that is one parameter of its query. */
export function filter(flags: string, query: string, about: string): ApiOption {
  return { flags, query, about };
}

/** A member of the body that has an option of its own. */
export function member(flags: string, name: string, about: string): ApiOption {
  return { flags, member: name, about };
}

/** A member of the body that is a list, typed with commas. */
export function list(flags: string, name: string, about: string): ApiOption {
  return { flags, member: name, about, value: (typed) => typed.split(",").map((one) => one.trim()) };
}

/** A range of time: from this instant on, and before that one. */
export function between(name: string, what: string): readonly ApiOption[] {
  return [
    filter("--since <time>", `${name}[gte]`, `${what} at or after; a date or ISO 8601, in the account's time zone`),
    filter("--until <time>", `${name}[lt]`, `${what} before`),
  ];
}

/** `--where name=value`, as often as wanted: each is a parameter, by the name that `named` makes of it. */
export function where(flags: string, about: string, named: (name: string) => string = (name) => name): ApiOption {
  const pair = (typed: string) => {
    const [name, value] = pairOf(typed, flags.split(" ")[0] ?? flags);
    return [named(name), value] as const;
  };
  return { flags, about, pair };
}

/** Filters of the sends of a message or a template. */
export const SENDS: readonly ApiOption[] = [
  filter("--state <state>", "state", "in this state"),
  filter("--reason <reason>", "reason", "for this reason"),
  filter("--cid <cID>", "cID", "to this contact"),
];
