import { CRITERIA_LIMITS } from "../../limits.ts";
import { parseMeasure } from "../../parse/parseMeasure.ts";
import { parseProperties } from "../../parse/parseProperties.ts";
import type { Parse } from "../../parse/parserRun.ts";
import { checkMembers, type JsonObject, pointer } from "../../parse/problems.ts";
import { parseValues } from "../../parse/textTests.ts";
import { parseWindow } from "../../parse/windows.ts";
import type { EventLeaf } from "./event.ts";
import { eventOwner } from "./fields.ts";
import { parseMessage } from "./message.ts";

/** `{"event": action or actions, "where"?, "message"?, "count"? | "sum"?, "within"?, "last"?, "robots"?}`. */
export function parseEvent(input: JsonObject, path: string, parse: Parse): EventLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["event", "where", "message", "count", "sum", "within", "last", "robots"]);
  const actions = parseActions(input.event, pointer(path, "event"), parse);
  const where = parseProperties(input.where, pointer(path, "where"), eventOwner, parse);
  const message =
    input.message === undefined ? undefined : parseMessage(input.message, pointer(path, "message"), parse);
  const measure = parseMeasure(input, path, eventOwner, parse);
  const within = input.within === undefined ? undefined : parseWindow(input.within, pointer(path, "within"), parse);
  const last = input.last ?? false;
  const at = pointer(path, "last");
  if (typeof last !== "boolean") return problems.add("type_mismatch", at, "last must be true or false");
  if (last && input.sum !== undefined)
    return problems.add("bad_value", at, "a sum is over all events, not the last one");
  const robots = input.robots ?? false;
  if (typeof robots !== "boolean")
    return problems.add("type_mismatch", pointer(path, "robots"), "robots must be true or false");
  if (actions === undefined || measure === undefined) return undefined;
  const optional = { ...(message && { message }), ...(within && { within }), ...(robots && { robots }) };
  return { kind: "event", path, actions, where, measure, last, ...optional };
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
