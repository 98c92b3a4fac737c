import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { type ErrorCode, type ErrorDetail, toTimestamp } from "@headwater/contracts";
import { atPath, refusal } from "@headwater/http";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { type AcceptedRecord, validateItem } from "@headwater/intake/operations/validateItem";
import { DETAILS_FOUND_MAX, pointerStep } from "@headwater/kernel";
import type { ActivityBody } from "./activityBody.ts";

/**
 * The record of an activity, validated as intake does.
 * Throws 422 `RESERVED_ACTION` and `VALIDATION_ERROR`, with the paths of `/v2`'s body.
 */
export function toActivityRecord(
  body: ActivityBody,
  { account, scopes }: OnceCall["caller"],
  nowMs: number,
): AcceptedRecord {
  const named = wrongNames(body.properties ?? {}, "/properties");
  if (named.length > 0) throw refused("VALIDATION_ERROR", named);
  const { action: name, time = toTimestamp(nowMs), UID, properties, suppressTriggers } = body;
  const event = { name, time, ...(UID !== undefined && { UID }), ...(properties !== undefined && { properties }) };
  const suppresses = suppressTriggers === undefined ? {} : { suppressTriggers };
  const item = { contact: { identifiers: identifiersOf(body) }, contactactivities: [event], ...suppresses };
  const result = validateItem(createContactactivities, account, item, { nowMs, scopes });
  if (result.kind === "rejected")
    throw refused(
      result.code,
      result.details.map((detail) => located(detail, body)),
    );
  const [record] = result.records;
  if (record === undefined) throw new Error("an activity is one record");
  return record;
}

function identifiersOf({ identifiers = {}, email, cID }: ActivityBody) {
  return { ...identifiers, ...(email !== undefined && { email }), ...(cID !== undefined && { cID }) };
}

const DIGITS_ONLY = /^\d+$/;

/** Keys of digits only, or with a dot, at every level: they would be read as positions. The body's nesting is bounded. */
function wrongNames(members: object, at: string, found: ErrorDetail[] = []): ErrorDetail[] {
  for (const [name, value] of Object.entries(members)) {
    if (found.length >= DETAILS_FOUND_MAX) return found;
    const path = `${at}/${pointerStep(name)}`;
    const isWrong = !Array.isArray(members) && (name.includes(".") || DIGITS_ONLY.test(name));
    const message = "A property name must not contain a dot or consist of digits only.";
    if (isWrong) found.push({ path, code: "bad_value", message });
    if (typeof value === "object" && value !== null) wrongNames(value, path, found);
  }
  return found;
}

/** A path in intake's body as one in `/v2`'s. */
function located({ path, ...detail }: ErrorDetail, { email, cID }: ActivityBody): ErrorDetail {
  if (path === "/contact/identifiers/email" && email !== undefined) return { ...detail, path: "/email" };
  if (path === "/contact/identifiers/cID" && cID !== undefined) return { ...detail, path: "/cID" };
  const ofBody = path.replace(/^\/contactactivities\/0|^\/contact(?=\/)/, "");
  return { ...detail, path: ofBody === "/name" ? "/action" : ofBody };
}

function refused(code: ErrorCode, details: readonly ErrorDetail[]) {
  const [first] = details;
  return refusal(code, first === undefined ? "The activity is invalid." : atPath(first.path, first.message), {
    details,
  });
}
