import type { ItemWarning } from "@headwater/contracts";
import { type Answer, atPath, refusal } from "@headwater/http";
import { type HeadwaterError, noteCut, pointerStep } from "@headwater/kernel";
import { limits } from "./limits.ts";
import type { AcceptedItem, RefusedItem, Verdict } from "./verdicts.ts";

/** All that was validated of one request. */
export interface Validated {
  readonly isBatch: boolean;
  readonly verdicts: readonly Verdict[];
  readonly accepted: readonly AcceptedItem[];
  readonly rejected: readonly RefusedItem[];
  /** Members of the envelope that nobody knows. */
  readonly unknownMembers: readonly string[];
}

export function sortVerdicts(
  verdicts: readonly Verdict[],
  isBatch: boolean,
  unknownMembers: readonly string[],
): Validated {
  const accepted: AcceptedItem[] = [];
  const rejected: RefusedItem[] = [];
  for (const verdict of verdicts) {
    if (verdict.kind === "accepted") accepted.push(verdict);
    else rejected.push(verdict);
  }
  return { isBatch, verdicts, accepted, rejected, unknownMembers };
}

/** Answer to a request whose records are on their way: all of it but the receipt, as text, so that its items need not be held meanwhile. */
export interface PreparedAnswer {
  readonly items: NonNullable<Answer["items"]>;
  /** Text that stands behind the receipt. */
  readonly tail: string;
}

/** Prepares the answer. Written by hand, because it is that of the hot path. */
export function prepareAnswer(validated: Validated, isVerbose: boolean): PreparedAnswer {
  const warnings = warningsOf(validated);
  const end = warnings.length === 0 ? "}" : `,"warnings":${JSON.stringify(warnings)}}`;
  const items = { accepted: validated.accepted.length, rejected: validated.rejected.length };
  if (!validated.isBatch) return { items, tail: end };
  const counts = `,"accepted":${items.accepted},"rejected":${items.rejected}`;
  return { items, tail: `${counts},"items":${JSON.stringify(itemsOf(validated, isVerbose))}${end}` };
}

/** Form of the answer to records that are in the log. */
export interface AcceptedForm {
  readonly status: number;
  /** JSON of members that stand before the others, each with a comma behind it. */
  readonly lead: string;
}

const ACCEPTED: AcceptedForm = { status: 202, lead: "" };

/** Answer for records that are in the log. */
export function acceptedAnswer(
  { items, tail }: PreparedAnswer,
  { requestId, receipt }: { readonly requestId: string; readonly receipt: string },
  { status, lead }: AcceptedForm = ACCEPTED,
): Answer {
  return { status, text: `{${lead}"requestId":"${requestId}","receipt":"${receipt}"${tail}`, items };
}

/** 200 with the verdicts of a call that writes nothing. */
export function verdictsAnswer(checked: Validated, requestId: string, isVerbose: boolean): Answer {
  const body = {
    requestId,
    valid: checked.accepted.length,
    rejected: checked.rejected.length,
    items: itemsOf(checked, isVerbose),
    warnings: warningsOf(checked),
  };
  return { status: 200, body };
}

/** 422 for a single body that is not right, or a batch of which nothing is taken. */
export function refusedRequest(judged: Validated, isVerbose: boolean): HeadwaterError {
  const [first] = judged.rejected;
  if (!judged.isBatch && first !== undefined) {
    const { code, message, path, details, found } = first;
    if (code === "PAYLOAD_TOO_LARGE") return tooLarge("bytes", limits.itemBytes);
    return refusal(code, noteCut(atPath(path, message), { found, shown: details.length }), { details });
  }
  const message =
    judged.accepted.length === 0
      ? "Every item of the batch is invalid."
      : "`strict` is set and at least one item is invalid; nothing was accepted.";
  const extra = { accepted: 0, rejected: judged.rejected.length, items: itemsOf(judged, isVerbose) };
  return refusal("VALIDATION_ERROR", message, { extra });
}

export function tooLarge(what: "bytes" | "items" | "records" | "bytes_written", max: number): HeadwaterError {
  return refusal("PAYLOAD_TOO_LARGE", `The request exceeds the limit of ${max} ${what.replace("_", " ")}.`, {
    extra: { limit: { what, max } },
  });
}

function itemsOf({ verdicts, rejected }: Validated, isVerbose: boolean): object[] {
  return (isVerbose ? verdicts : rejected).map((verdict) =>
    verdict.kind === "accepted" ? { index: verdict.index, status: "accepted" } : rejectedItem(verdict),
  );
}

/** A batch may hold many items with many faults each. */
const DETAILS_MAX = 10;

function rejectedItem({ index, code, message, path, details, found }: RefusedItem): object {
  const limit = code === "PAYLOAD_TOO_LARGE" ? { what: "bytes", max: limits.itemBytes } : undefined;
  const first = details.slice(0, DETAILS_MAX);
  const noted = noteCut(message, { found, shown: first.length });
  const view = { index, status: "rejected", code, message: noted, path, details: first };
  return limit === undefined ? view : { ...view, limit };
}

function warningsOf({ isBatch, accepted, unknownMembers }: Validated): object[] {
  const warnings: object[] = unknownMembers.slice(0, limits.warnings).map(unknownEnvelopeMember);
  for (const item of accepted) {
    for (const warning of item.warnings) {
      if (warnings.length === limits.warnings) return warnings;
      warnings.push(isBatch ? { index: item.index, ...warning } : warning);
    }
  }
  return warnings;
}

function unknownEnvelopeMember(name: string): ItemWarning {
  const path = `/${pointerStep(name)}`;
  const message = `${JSON.stringify(name)} is not a member of a batch and was ignored.`;
  return { path, code: "unknown_member", message };
}
