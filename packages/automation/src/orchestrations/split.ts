import { hash } from "node:crypto";
import { isInHoldout } from "@headwater/messaging/experiments/stableShare";

/** Bits of a hash that a number of JavaScript holds exactly. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

export interface SplitBy {
  /** Id of the orchestration. */
  readonly orchestration: string;
  /** Id of the node. */
  readonly node: string;
  /** Number of the contact. */
  readonly contact: number;
}

/**
 * Returns the label of the path that a contact takes, always the same one, by weighted rendezvous hashing: each path has a score of its own,
 * and the highest wins. A path that is added takes contacts from the others and moves nobody between them.
 * @param paths weights are 0 or more, with a sum above 0.
 * @see https://www.ietf.org/archive/id/draft-ietf-bess-weighted-hrw-00.html, section 4.2
 */
export function choosePath<Path extends { readonly label: string; readonly weight: number }>(
  paths: readonly Path[],
  { orchestration, node, contact }: SplitBy,
): string | undefined {
  let chosen: { readonly label: string; readonly score: number } | undefined;
  for (const { label, weight } of paths) {
    if (weight === 0) continue;
    const digest = hash("sha256", JSON.stringify([orchestration, node, label, contact]), "buffer");
    // Half a step away from 0 and 1, so that the logarithm is finite and never 0.
    const share = (digest.readUIntBE(0, HASH_BYTES) + 0.5) / HASHES;
    const score = -weight / Math.log(share);
    if (chosen === undefined || score > chosen.score) chosen = { label, score };
  }
  return chosen?.label;
}

/** Returns whether a contact is held out of an orchestration: always the same contacts, and more of them for a higher percentage. */
export function isHeldOut(holdoutPercent: number, { orchestration, contact }: Omit<SplitBy, "node">): boolean {
  return isInHoldout(holdoutPercent, { message: orchestration, contact });
}
