import type { EventLeaf } from "../criteria.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import { parseCount } from "./comparisons.ts";
import { parseProperties } from "./parseProperties.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";
import { parseValues } from "./textTests.ts";
import { parseWindow } from "./windows.ts";

/** `{"event": action or actions, "where"?, "message"?, "count"?, "within"?, "last"?}`. */
export function parseEvent(input: JsonObject, path: string, parse: Parse): EventLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["event", "where", "message", "count", "within", "last"]);
  const actions = parseActions(input.event, pointer(path, "event"), parse);
  const where = parseProperties(input.where, pointer(path, "where"), "event", parse);
  const messageId =
    input.message === undefined ? undefined : parseMessage(input.message, pointer(path, "message"), parse);
  const count = parseCount(input.count, pointer(path, "count"), parse);
  const within = input.within === undefined ? undefined : parseWindow(input.within, pointer(path, "within"), parse);
  const last = input.last ?? false;
  if (typeof last !== "boolean")
    return problems.add("type_mismatch", pointer(path, "last"), "last must be true or false");
  if (actions === undefined || count === undefined) return undefined;
  const optional = { ...(messageId !== undefined && { messageId }), ...(within && { within }) };
  return { kind: "event", path, actions, where, count, last, ...optional };
}

function parseActions(input: unknown, at: string, parse: Parse): readonly string[] | undefined {
  if (Array.isArray(input)) {
    const actions = parseValues(input, at, parse, (entry, entryAt) => parseAction(entry, entryAt, parse));
    return actions && [...new Set(actions)];
  }
  const action = parseAction(input, at, parse);
  return action === undefined ? undefined : [action];
}

function parseAction(input: unknown, at: string, { problems }: Parse): string | undefined {
  if (typeof input !== "string") return problems.add("type_mismatch", at, "an action name must be a string");
  const max = CRITERIA_LIMITS.actionCharactersMax;
  if (input !== "" && input.length <= max) return input;
  return problems.add("bad_value", at, `an action name must have 1 to ${max} characters`);
}

/** A message is found by its id, which every event of a sending system carries; its key, tag and channel come with messages. */
function parseMessage(input: unknown, at: string, { problems }: Parse): string | undefined {
  if (!isJsonObject(input)) return problems.add("type_mismatch", at, "a message must be {id}", ["id"]);
  for (const member of ["key", "tag", "channel"]) {
    if (Object.hasOwn(input, member)) {
      return problems.add("bad_value", pointer(at, member), `messages by ${member} are not available yet`, ["id"]);
    }
  }
  checkMembers(problems, input, at, ["id"]);
  const id = input.id;
  if (typeof id === "string" && id !== "") return id;
  return problems.add("type_mismatch", pointer(at, "id"), "a message id must be a string");
}
