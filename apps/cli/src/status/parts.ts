import type { Row } from "../output/formats.ts";

/** One line of `headwater status`. */
export interface PartStatus extends Row {
  readonly part: string;
  readonly state: "ok" | "behind" | "differs" | "away" | "unknown";
  readonly detail: string;
}

/** Behind is how a stream lives, and what has no address is not part of this set-up; the rest somebody has to look at. */
export function isHealthy({ state }: PartStatus): boolean {
  return state !== "away" && state !== "differs";
}

/** Tries one part; whatever goes wrong is its state, and the others are looked at all the same. */
export async function look(part: string, question: () => Promise<string>): Promise<PartStatus> {
  try {
    return { part, state: "ok", detail: await question() };
  } catch (error) {
    return { part, state: "away", detail: error instanceof Error ? error.message : String(error) };
  }
}
