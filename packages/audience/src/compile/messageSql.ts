import type { MessageFilter } from "../leaves.ts";
import type { Scope } from "./scope.ts";

/** `account:message[:day]:type:contact:n` in `mc_id`. */
export const MESSAGE = "splitByChar(':', mc_id)[2]";
const DAY = "splitByChar(':', mc_id)[3]";

/** Conditions that an activity belongs to the message; `seen` is what bounds activities to those that were known. */
export function messageConditions(message: MessageFilter, seen: readonly string[], scope: Scope): string[] {
  const conditions = idConditions(message, scope);
  const facts = factConditions(message, scope);
  if (facts.length > 0) conditions.push(`${MESSAGE} IN (${messagesWith(facts, seen, scope)})`);
  return conditions;
}

/** Conditions on what the activity itself says of its message. */
export function idConditions({ id, day }: MessageFilter, { bind }: Scope): string[] {
  const conditions: string[] = [];
  if (id !== undefined) conditions.push(`${MESSAGE} = ${bind.string(id)}`);
  if (day !== undefined) conditions.push(`${DAY} = ${bind.string(day)}`);
  return conditions;
}

export interface Fact {
  /** A member of the properties of `message-sent`. */
  readonly member: string;
  /** Tests the JSON of that member, as `fact` holds it. */
  readonly test: (fact: string) => string;
}

/** Tags stand in an array, or one of them as a text. */
export function factConditions({ key, tag, channel }: MessageFilter, { bind }: Scope): Fact[] {
  const is = (text: string) => (fact: string) => `JSONExtractString(${fact}) = ${bind.string(text)}`;
  const facts: Fact[] = [];
  if (key !== undefined) facts.push({ member: "messageKey", test: is(key) });
  if (channel !== undefined) facts.push({ member: "channel", test: is(channel) });
  if (tag !== undefined) {
    const test = (fact: string) =>
      `(has(JSONExtract(${fact}, 'Array(String)'), ${bind.string(tag)}) OR ${is(tag)(fact)})`;
    facts.push({ member: "tags", test });
  }
  return facts;
}

/** Each fact of a message is what the newest `message-sent` says that says it. */
function messagesWith(facts: readonly Fact[], seen: readonly string[], { bind, account }: Scope): string {
  const newest = facts.map(({ member }, index) => {
    const said = `JSONExtractRaw(properties, ${bind.string(member)})`;
    return `argMaxIf(${said}, (time, ingested, uid), ${said} NOT IN ('', 'null')) AS fact${index}`;
  });
  const where = [`account = ${account}`, `action = ${bind.string("message-sent")}`, "mc_id != ''", ...seen];
  const told = `SELECT ${MESSAGE} AS message, ${newest.join(", ")} FROM activities WHERE ${where.join(" AND ")} GROUP BY message`;
  return `SELECT message FROM (${told}) WHERE ${facts.map(({ test }, index) => test(`fact${index}`)).join(" AND ")}`;
}
