import { type ErrorDetail, isDeeperInSlices, type Sliced } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";
import type { MemberNames } from "./exactNumbers.ts";
import { findForbiddenInSlices, mayHoldForbidden } from "./forbidden.ts";
import type { ParsedJson } from "./jsonAssembly.ts";
import { badEncoding } from "./refusedBody.ts";
import { parseInSlices } from "./slicedJson.ts";
import { textOf } from "./text.ts";

const LEVELS_MAX = 64;

const noMember: MemberNames = new Set<string>();

/**
 * Reads the value of a JSON body, in slices, so that a large one never holds the event loop.
 * @param exactMembers those whose numbers keep their digits: one that a double cannot hold becomes the text of them.
 * @throws HeadwaterError `INVALID_JSON_PROVIDED` with the given status; `VALIDATION_ERROR` for text or members that no
 * shape allows, for more than 64 levels, and for more values than any shape takes.
 */
export function* parseJsonBody(bytes: Buffer, parseErrorStatus: number, exactMembers = noMember): Sliced<unknown> {
  const text = textOf(bytes);
  if (text === undefined) throw badEncoding({ parseErrorStatus }, "UTF-8").error;
  const parsed = yield* parseJson(text, exactMembers);
  if (parsed === undefined) throw notJson(parseErrorStatus);
  const { value, isCrowded, wideLevel } = parsed;
  const forbidden = mayHoldForbidden(text) ? yield* findForbiddenInSlices(value) : undefined;
  if (forbidden !== undefined) throw invalid(forbidden);
  if (yield* isDeeperInSlices(value, LEVELS_MAX)) {
    throw invalid({
      path: "",
      code: "out_of_range",
      message: `The body is nested more than ${LEVELS_MAX} levels deep.`,
    });
  }
  if (isCrowded || wideLevel !== undefined) {
    throw invalid({ path: "", code: "too_many", message: "The body has too many members." });
  }
  return value;
}

function invalid(detail: ErrorDetail) {
  return refusal("VALIDATION_ERROR", detail.message, { details: [detail] });
}

/** @returns undefined for what is no JSON. */
function* parseJson(text: string, exactMembers: MemberNames): Sliced<ParsedJson | undefined> {
  try {
    return yield* parseInSlices(text, exactMembers);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function notJson(status: number, extra: Readonly<Record<string, unknown>> = {}) {
  return refusal("INVALID_JSON_PROVIDED", "The body is not valid JSON.", { status, extra });
}
