import type { Delivered } from "../frozen/handover.ts";

const CHARACTERS = 200;

/** Returns an answer's text as it is kept: one line of at most 200 characters. */
export function answerText(text: string): string {
  return text
    .slice(0, 2 * CHARACTERS)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, CHARACTERS);
}

/** Returns the outcome of a fault on our side. */
export function ours(text: string): Delivered {
  return { outcome: { kind: "transport-failure" }, text };
}
