import type { MessageFilter } from "../leaves/event/event.ts";
import { factsSql, type MessageFact, NO_TEST } from "../messages/messageFacts.ts";
import type { Scope } from "./scope.ts";

/** Conditions that an activity belongs to the message; `seen` is what bounds activities to those that were known. */
export function messageConditions(message: MessageFilter, seen: readonly string[], scope: Scope): string[] {
  const conditions = idConditions(message, scope);
  const facts = factConditions(message, scope);
  if (facts.length > 0) conditions.push(`message IN (${messagesWith(facts, seen, scope)})`);
  return conditions;
}

/** Conditions on what the activity itself says of its message. Sends of tests are of no message. */
export function idConditions({ id, period }: MessageFilter, { bind }: Scope): string[] {
  const conditions = [NO_TEST];
  if (id !== undefined) conditions.push(`message = ${bind.string(id)}`);
  if (period !== undefined) conditions.push(`message_period = ${bind.string(period)}`);
  return conditions;
}

export interface Fact {
  /** Names a member of the properties of `message-sent`. */
  readonly member: MessageFact;
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
function messagesWith(facts: readonly Fact[], seen: readonly string[], scope: Scope): string {
  const members = facts.map(({ member }) => member);
  const tests = facts.map(({ member, test }) => test(`fact_${member}`));
  return `SELECT message FROM (${factsSql(members, seen, scope)}) WHERE ${tests.join(" AND ")}`;
}
