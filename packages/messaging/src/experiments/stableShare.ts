import { createHash } from "node:crypto";

const BYTES = 6;
const WHOLE = 2 ** (8 * BYTES);

/** Purposes for which contacts of a message are divided. */
export type SharePurpose = "holdout" | "test" | "variant";

/** Returns where a contact stands in a message, from 0 to below 1: always the same, and for each purpose another position. */
export function stableShare(purpose: SharePurpose, { message, contact }: Located): number {
  const hash = createHash("sha256").update(`${purpose}\n${message}\n${contact}`).digest();
  return hash.readUIntBE(0, BYTES) / WHOLE;
}

const PERCENT = 100;

/** Returns whether a contact is among those that get nothing: always the same contacts, and more of them for a higher percentage. */
export function isInHoldout(holdoutPercent: number, located: Located): boolean {
  return stableShare("holdout", located) * PERCENT < holdoutPercent;
}

export interface Located {
  /** Id of the message. */
  readonly message: string;
  /** Number of the contact. */
  readonly contact: number;
}

/** Returns the variant that a position falls to, by the weights. */
export function variantAt<Variant extends { readonly weight: number }>(
  variants: readonly Variant[],
  share: number,
): Variant | undefined {
  const position = share * variants.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const variant of variants) {
    below += variant.weight;
    if (position < below) return variant;
  }
  return variants.findLast(({ weight }) => weight > 0) ?? variants.at(-1);
}
