import { refusal } from "@headwater/http";
import { type ErrorDetail, nearestName, safeParse, toDetails } from "@headwater/kernel";
import { z } from "zod";

/** Members that callers of other systems send, and that say nothing here. */
const PASSED_OVER: ReadonlySet<string> = new Set(["accountId", "accountID"]);

/** A body as JSON has it; which members it may have is looked at by `readClosed`. */
export const anyBody = z.record(z.string(), z.unknown());

/** A body in its shape, or all that is wrong with its shape. */
export type ReadBody<Body> =
  | { readonly kind: "ok"; readonly body: Body }
  | { readonly kind: "invalid"; readonly problems: readonly ErrorDetail[] };

/** Reads a body that may have no member it does not know: a misspelt option would do something else. */
export function readClosed<Body>(
  shape: z.ZodType<Body>,
  given: z.output<typeof anyBody>,
  names: readonly string[],
): ReadBody<Body> {
  const members = Object.entries(given).filter(([name]) => !PASSED_OVER.has(name));
  const parsed = safeParse(shape, Object.fromEntries(members));
  if (parsed.success) return { kind: "ok", body: parsed.data };
  return { kind: "invalid", problems: toDetails(parsed.error).map((detail) => withNearest(detail, names)) };
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
