/** Something that many share, of which each holder may have only a part. */
export interface Shares {
  /** @returns false, and takes nothing, when there is not that much left, or not for this holder. */
  take(holder: string, amount: number): boolean;
  give(holder: string, amount: number): void;
  /** Returns whether the holder has any of it. */
  holds(holder: string): boolean;
}

/**
 * Each holder may have at most `weight` times what is left free: one that is alone gets most of it, many get equal parts,
 * and there is always something left for the next (the dynamic threshold of Choudhury and Hahne, 1998).
 */
export function createShares({ max, weight }: { readonly max: number; readonly weight: number }): Shares {
  const heldBy = new Map<string, number>();
  let held = 0;
  return {
    take(holder, amount) {
      const own = (heldBy.get(holder) ?? 0) + amount;
      if (own > weight * (max - held - amount)) return false;
      held += amount;
      heldBy.set(holder, own);
      return true;
    },
    give(holder, amount) {
      const left = (heldBy.get(holder) ?? 0) - amount;
      held -= amount;
      if (left > 0) heldBy.set(holder, left);
      else heldBy.delete(holder);
    },
    holds: (holder) => heldBy.has(holder),
  };
}
