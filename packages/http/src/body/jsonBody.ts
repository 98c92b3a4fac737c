import { isDeeperThan } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";
import { type MemberNames, parseExact } from "./exactNumbers.ts";
import { findForbidden, mayHoldForbidden } from "./forbidden.ts";
import { badEncoding } from "./refusedBody.ts";
import { textOf } from "./text.ts";

const LEVELS_MAX = 64;

const noMember: MemberNames = new Set<string>();

/**
 * The value of a JSON body.
 * @param exactMembers those whose numbers keep their digits: one that a double cannot hold becomes the text of them.
 * @throws HeadwaterError `INVALID_JSON_PROVIDED` with the given status; `VALIDATION_ERROR` for text or members that no
 * shape allows and for more than 64 levels.
 */
export function parseJsonBody(bytes: Buffer, parseErrorStatus: number, exactMembers = noMember): unknown {
  const text = textOf(bytes);
  if (text === undefined) throw badEncoding(parseErrorStatus, "UTF-8").error;
  const value = parseJson(text, exactMembers);
  if (value === NOT_JSON) throw notJson(parseErrorStatus);
  const forbidden = mayHoldForbidden(text) ? findForbidden(value) : undefined;
  if (forbidden !== undefined) throw refusal("VALIDATION_ERROR", forbidden.message, { details: [forbidden] });
  if (isDeeperThan(value, LEVELS_MAX)) {
    const detail = {
      path: "",
      code: "out_of_range",
      message: `The body is nested more than ${LEVELS_MAX} levels deep.`,
    };
    throw refusal("VALIDATION_ERROR", detail.message, { details: [detail] });
  }
  return value;
}

const NOT_JSON: unique symbol = Symbol("not JSON");

/** @returns NOT_JSON when the text cannot be parsed. */
function parseJson(text: string, exactMembers: MemberNames): unknown {
  try {
    return parseExact(text, exactMembers);
  } catch (error) {
    if (error instanceof SyntaxError) return NOT_JSON;
    throw error;
  }
}

export function notJson(status: number, extra: Readonly<Record<string, unknown>> = {}) {
  return refusal("INVALID_JSON_PROVIDED", "The body is not valid JSON.", { status, extra });
}
