import { toMembers } from "@headwater/client";
import type { WarningEvent } from "./options.ts";

/** Returns the warnings of an answer that point into the request. */
export function warningsOf(body: unknown): WarningEvent[] {
  const { warnings } = toMembers(body);
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((one): WarningEvent[] => {
    const { path, code, message, suggestion, allowed } = toMembers(one);
    if (typeof path !== "string" || typeof code !== "string" || typeof message !== "string") return [];
    const names: readonly unknown[] = Array.isArray(allowed) ? allowed : [suggestion];
    return [{ path, code, message, meant: names.filter((name) => typeof name === "string") }];
  });
}
