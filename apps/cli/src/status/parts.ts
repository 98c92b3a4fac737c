import type { Row } from "../output/formats.ts";

/** One line of `headwater status`. */
export interface PartStatus extends Row {
  readonly part: string;
  readonly state: "ok" | "behind" | "held" | "differs" | "away" | "unknown";
  readonly detail: string;
}

/**
 * Returns whether a part is healthy. Streams are behind all the time, and a part without an address does not belong to this installation;
 * anything else needs a person.
 */
export function isHealthy({ state }: PartStatus): boolean {
  return state !== "away" && state !== "differs" && state !== "held";
}

/** Returns whether anything was checked, and all of it is healthy. */
export function isEveryPartHealthy(parts: readonly PartStatus[]): boolean {
  return parts.every(isHealthy) && parts.some(({ state }) => state !== "unknown");
}

/** The line of a part whose address nobody gave. */
export function unknownPart(part: string): PartStatus {
  return { part, state: "unknown", detail: "no address is known" };
}

/** Tries one part; whatever goes wrong is its state, and the others are looked at all the same. */
export async function look(part: string, question: () => Promise<string>): Promise<PartStatus> {
  try {
    return { part, state: "ok", detail: await question() };
  } catch (error) {
    return { part, state: "away", detail: error instanceof Error ? error.message : String(error) };
  }
}
