import { parseMessageId } from "@headwater/contracts";
import type { Scope } from "../../compile/scope.ts";
import { factsSql, type MessageFact, NO_TEST } from "../../messages/messageFacts.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, isJsonObject, pointer, type Suggestion, shown } from "../../parse/problems.ts";
import { firstAfter, firstAt, type Points } from "../../trend/points.ts";
import { addressField, channelsOf } from "../field/fields.ts";
import type { MessageFilter } from "./event.ts";

const MEMBERS = ["id", "key", "tag", "channel"] as const;

/** Parses `{id?, key?, tag?, channel?}`, the message that an event belongs to; all given members must match. */
export function parseMessage(input: unknown, at: string, parse: Parse): MessageFilter | undefined {
  const { problems } = parse;
  if (!isJsonObject(input))
    return problems.add("type_mismatch", at, "a message must be {id, key, tag, channel}", MEMBERS);
  checkMembers(problems, input, at, MEMBERS);
  const provided = MEMBERS.filter((member) => input[member] !== undefined);
  if (provided.length === 0) problems.add("bad_value", at, "a message must have one of its members", MEMBERS);
  for (const member of provided) {
    const value = input[member];
    if (typeof value === "string" && value !== "") continue;
    const code = value === "" ? "bad_value" : "type_mismatch";
    problems.add(code, pointer(at, member), `the ${member} of a message must be a non-empty string`);
  }
  if (typeof input.channel === "string") expectChannel(input.channel, pointer(at, "channel"), parse);
  const { id, ...facts } = Object.fromEntries(
    provided.flatMap((member) => (typeof input[member] === "string" ? [[member, input[member]] as const] : [])),
  );
  const parsed = parseMessageId(id ?? "");
  if (parsed === undefined) return facts;
  const { message, period } = parsed;
  return { ...facts, id: message, ...(period !== undefined && { period }) };
}

/** Limit of the channels that an error names. */
const DISPLAYED_CHANNELS_MAX = 20;

/** A misspelled channel would find no message in silence. */
function expectChannel(name: string, path: string, { context: { fields }, problems }: Parse): void {
  if (name === "" || fields.has(addressField(name))) return;
  const message = `"${shown(name)}" is not a channel of this account`;
  const suggest: Suggestion = ({ fields }, among) => {
    const channels = channelsOf(fields);
    const nearest = among("channel", () => channels)(name);
    return [...new Set([...nearest, ...channels])].slice(0, DISPLAYED_CHANNELS_MAX);
  };
  problems.addUnknown({ code: "unknown_reference", kind: "channel", path, name, message, suggest });
}

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

interface Fact {
  /** Names a member of the properties of `message-sent`. */
  readonly member: MessageFact;
  /** Tests the JSON of that member, as `fact` holds it. */
  readonly test: (fact: string) => string;
}

/** Tags stand in an array, or one of them as a text. */
function factConditions({ key, tag, channel }: MessageFilter, { bind }: Scope): Fact[] {
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

interface OfMessages {
  readonly from: string;
  readonly first: readonly string[];
  readonly end: readonly string[];
}

/** Joins activities to the messages that have the wanted facts, at the points at which they have them. */
export function withMessages(
  message: MessageFilter | undefined,
  { from, scope, points }: { readonly from: string; readonly scope: Scope; readonly points: Points },
): OfMessages {
  const facts = message === undefined ? [] : factConditions(message, scope);
  const [one, ...others] = facts.map((fact) => messagesSaying(fact, scope, points));
  if (one === undefined) return { from, first: [], end: [] };
  const all = others.reduce(
    (left, right) =>
      `SELECT l.message AS message, greatest(l.said_from, r.said_from) AS said_from, least(l.said_until, r.said_until) AS said_until FROM (${left}) AS l INNER JOIN (${right}) AS r ON l.message = r.message WHERE said_from < said_until`,
    one,
  );
  return {
    from: `${from} INNER JOIN (SELECT message AS said_of, said_from, said_until FROM (${all})) AS m ON r.message = m.said_of`,
    first: ["m.said_from"],
    end: ["m.said_until"],
  };
}

/** A fact is what the newest `message-sent` says that was seen; of several that are first seen at one point only the newest can be it. */
function messagesSaying({ member, test }: Fact, { bind, account }: Scope, points: Points): string {
  const said = `JSONExtractRaw(properties, ${bind.string(member)})`;
  const seen = [firstAfter("time", points, bind)];
  if (points.isRecorded) seen.push(firstAt("ingested", points, bind));
  const known = points.isRecorded ? [`ingested <= ${points.last}`] : [];
  const where = [
    `account = ${account}`,
    `action = ${bind.string("message-sent")}`,
    "message != ''",
    NO_TEST,
    `${said} NOT IN ('', 'null')`,
    `time < ${points.last}`,
    ...known,
  ];
  const first = seen.length === 1 ? seen.join("") : `greatest(${seen.join(", ")})`;
  const position = "(time, ingested, uid)";
  const newest = `SELECT message, ${first} AS said_from, argMax(${said}, ${position}) AS fact, max(${position}) AS place FROM activities WHERE ${where.join(" AND ")} GROUP BY message, said_from`;
  const later = "ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING";
  const until = `toInt32(${points.end} - max(${points.end} - said_from) OVER (PARTITION BY message ${later})) AS said_until`;
  return `SELECT message, said_from, said_until FROM (SELECT message, said_from, fact, ${until} FROM (${newest})) WHERE said_from < said_until AND ${test("fact")}`;
}
