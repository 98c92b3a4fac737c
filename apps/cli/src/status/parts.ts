import type { Row } from "../output/formats.ts";

/** One line of `headwater status`. */
export interface PartStatus extends Row {
  readonly part: string;
  readonly state:
    | "ok"
    | "behind"
    | "degraded"
    | "held"
    | "stuck"
    | "lost"
    | "missing"
    | "differs"
    | "refused"
    | "away"
    | "unknown";
  readonly detail: string;
}

/**
 * Returns whether a part is healthy. Streams are behind all the time, addresses in a former form are found all the same, what a process waits
 * for has a line of its own, and a part without an address does not belong to this installation; anything else needs a person.
 */
export function isHealthy({ state }: PartStatus): boolean {
  return HEALTHY.has(state);
}

const HEALTHY: ReadonlySet<PartStatus["state"]> = new Set(["ok", "behind", "degraded", "unknown"]);

/** Returns whether anything was checked, and all of it is healthy. */
export function isEveryPartHealthy(parts: readonly PartStatus[]): boolean {
  return parts.every(isHealthy) && parts.some(({ state }) => state !== "unknown");
}

/** Returns whether the key is all that is wrong. */
export function isKeyRefused(parts: readonly PartStatus[]): boolean {
  const wrong = parts.filter((part) => !isHealthy(part));
  return wrong.length > 0 && wrong.every(({ state }) => state === "refused");
}

/** An address answers that it does not take the key. */
export class KeyRefused extends Error {}

/** The line of a part whose address nobody gave. */
export function unknownPart(part: string): PartStatus {
  return { part, state: "unknown", detail: "no address is known" };
}

/** Tries one part, which is ok when the answer is only a detail; whatever goes wrong is its state, and the others are checked all the same. */
export async function look(
  part: string,
  question: () => Promise<string | Pick<PartStatus, "state" | "detail">>,
): Promise<PartStatus> {
  try {
    const answer = await question();
    return typeof answer === "string" ? { part, state: "ok", detail: answer } : { part, ...answer };
  } catch (error) {
    return failedPart(part, error);
  }
}

/** Returns the line of a part whose check failed. */
export function failedPart(part: string, error: unknown): PartStatus {
  const state = error instanceof KeyRefused ? "refused" : "away";
  return { part, state, detail: error instanceof Error ? error.message : String(error) };
}
