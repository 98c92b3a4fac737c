import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { ContactWritten } from "./writeContact.ts";

type Refused = Extract<ContactWritten, { kind: "refused" }>;

/**
 * Returns the details of a refused write: each wrong attribute with its own reason, each list that is not there.
 * @param pathInBody finds a path of the record's contact in the body; lists are `/lists/<name>`.
 */
export function refusedDetails(
  { code, path, message, reasons, lists }: Refused,
  pathInBody: (path: string) => string,
): ErrorDetail[] {
  if (lists !== undefined) {
    return lists.map((name) => ({
      path: pathInBody(`/lists/${pointerStep(name)}`),
      code: "unknown_reference",
      message: `List ${JSON.stringify(name)} does not exist.`,
    }));
  }
  if (reasons === undefined) return [{ path: pathInBody(path), code: "bad_value", message }];
  const detail = DETAIL_CODES[code] ?? "bad_value";
  return reasons.map(({ name, message: why }) => ({
    path: pathInBody(`/attributes/${pointerStep(name)}`),
    code: detail,
    message: why,
  }));
}

const DETAIL_CODES: Readonly<Record<string, string>> = {
  UNKNOWN_ATTRIBUTE: "unknown_field",
  ATTRIBUTE_TYPE_MISMATCH: "type_mismatch",
};
