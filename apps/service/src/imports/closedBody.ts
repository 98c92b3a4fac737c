import { refusal } from "@headwater/http";
import { type ErrorDetail, safeParse, toDetails } from "@headwater/kernel";
import { nearestName } from "@headwater/operations";
import { z } from "zod";

/** Members that callers of other systems send, and that say nothing here. */
const PASSED_OVER: ReadonlySet<string> = new Set(["accountId", "accountID"]);

/** A body as JSON has it; which members it may have is looked at by `parseClosed`. */
export const anyBody = z.record(z.string(), z.unknown());

/** Reads a body that may have no member it does not know: a misspelt option would do something else. @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`. */
export function parseClosed<Body>(
  shape: z.ZodType<Body>,
  given: z.output<typeof anyBody>,
  names: readonly string[],
): Body {
  const members = Object.entries(given).filter(([name]) => !PASSED_OVER.has(name));
  const parsed = safeParse(shape, Object.fromEntries(members));
  if (parsed.success) return parsed.data;
  throw importRefused(toDetails(parsed.error).map((detail) => withNearest(detail, names)));
}

export function importRefused(details: readonly ErrorDetail[]) {
  const [first] = details;
  const { message = "The import cannot be started.", path = "" } = first ?? {};
  const at = path === "" ? "" : ` ${path.slice(1)}:`;
  return refusal("IMPORT_CONFIGURATION_ERROR", `The import is not configured correctly.${at} ${message}`, { details });
}

function withNearest(detail: ErrorDetail, names: readonly string[]): ErrorDetail {
  if (detail.code !== "unknown_field") return detail;
  const nearest = nearestName(detail.path.slice(detail.path.lastIndexOf("/") + 1), names);
  return nearest === undefined ? detail : { ...detail, allowed: [nearest] };
}
