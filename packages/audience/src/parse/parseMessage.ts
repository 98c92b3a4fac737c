import { parseMessageId } from "@headwater/contracts";
import type { MessageFilter } from "../leaves/event/event.ts";
import { addressField, channelsOf } from "./context.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, pointer, type Suggestion, shown } from "./problems.ts";

const MEMBERS = ["id", "key", "tag", "channel"] as const;

/** Parses `{id?, key?, tag?, channel?}`, the message that an event belongs to; all given members must match. */
export function parseMessage(input: unknown, at: string, parse: Parse): MessageFilter | undefined {
  const { problems } = parse;
  if (!isJsonObject(input))
    return problems.add("type_mismatch", at, "a message must be {id, key, tag, channel}", MEMBERS);
  checkMembers(problems, input, at, MEMBERS);
  const given = MEMBERS.filter((member) => input[member] !== undefined);
  if (given.length === 0) problems.add("bad_value", at, "a message must have one of its members", MEMBERS);
  for (const member of given) {
    const value = input[member];
    if (typeof value === "string" && value !== "") continue;
    const code = value === "" ? "bad_value" : "type_mismatch";
    problems.add(code, pointer(at, member), `the ${member} of a message must be a non-empty string`);
  }
  if (typeof input.channel === "string") expectChannel(input.channel, pointer(at, "channel"), parse);
  const { id, ...facts } = Object.fromEntries(
    given.flatMap((member) => (typeof input[member] === "string" ? [[member, input[member]] as const] : [])),
  );
  const parsed = parseMessageId(id ?? "");
  if (parsed === undefined) return facts;
  const { message, period } = parsed;
  return { ...facts, id: message, ...(period !== undefined && { period }) };
}

/** Limit of the channels that an error names. */
const SHOWN_CHANNELS_MAX = 20;

/** A misspelled channel would find no message in silence. */
function expectChannel(name: string, path: string, { context: { fields }, problems }: Parse): void {
  if (name === "" || fields.has(addressField(name))) return;
  const message = `"${shown(name)}" is not a channel of this account`;
  const suggest: Suggestion = ({ fields }, among) => {
    const channels = channelsOf(fields);
    const nearest = among("channel", () => channels)(name);
    return [...new Set([...nearest, ...channels])].slice(0, SHOWN_CHANNELS_MAX);
  };
  problems.addUnknown({ code: "unknown_reference", kind: "channel", path, name, message, suggest });
}
