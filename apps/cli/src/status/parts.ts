import type { Row } from "../output/formats.ts";

/** One line of `headwater status`. */
export interface PartStatus extends Row {
  readonly part: string;
  readonly state: "ok" | "behind" | "held" | "differs" | "away" | "unknown";
  readonly detail: string;
}

/** Behind is how a stream lives, and what has no address is not part of this set-up; the rest somebody has to look at. */
export function isHealthy({ state }: PartStatus): boolean {
  return state !== "away" && state !== "differs" && state !== "held";
}

/** Whether anything was looked at, and all of it is as it should be. */
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
