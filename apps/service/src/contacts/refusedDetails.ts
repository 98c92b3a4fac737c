import type { ContactWritten } from "@headwater/domain/contact";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";

type Refused = Extract<ContactWritten, { kind: "refused" }>;

/** Returns the details of a refused write: each wrong attribute with its own reason. @param placeOf finds a place of the record's contact in the body. */
export function refusedDetails(
  { code, path, message, reasons }: Refused,
  placeOf: (path: string) => string,
): ErrorDetail[] {
  if (reasons === undefined) return [{ path: placeOf(path), code: "bad_value", message }];
  const detail = DETAIL_CODES[code] ?? "bad_value";
  return reasons.map(({ name, message: why }) => ({
    path: placeOf(`/attributes/${pointerStep(name)}`),
    code: detail,
    message: why,
  }));
}

const DETAIL_CODES: Readonly<Record<string, string>> = {
  UNKNOWN_ATTRIBUTE: "unknown_field",
  ATTRIBUTE_TYPE_MISMATCH: "type_mismatch",
};
