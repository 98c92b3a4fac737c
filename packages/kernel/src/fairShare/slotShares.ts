/** Slots of which each holder may take as many as it leaves free. */
export interface SlotShares<Holder> {
  readonly free: number;
  /** Returns whether the holder may take another one. */
  admits(holder: Holder): boolean;
  /** Holders that may take no other one. */
  full(): ReadonlySet<Holder>;
  take(holder: Holder): void;
  give(holder: Holder): void;
}

/**
 * Shares slots that are held for long, so that nothing waits for them in a queue: a holder that is alone has half of them, many have equal
 * parts, and the next one finds some (the dynamic threshold of Choudhury and Hahne, 1998).
 */
export function createSlotShares<Holder>(slots: number): SlotShares<Holder> {
  const heldBy = new Map<Holder, number>();
  let free = slots;
  const admits = (holder: Holder) => (heldBy.get(holder) ?? 0) < free;
  return {
    get free() {
      return free;
    },
    admits,
    full: () => new Set([...heldBy.keys()].filter((holder) => !admits(holder))),
    take(holder) {
      free -= 1;
      heldBy.set(holder, (heldBy.get(holder) ?? 0) + 1);
    },
    give(holder) {
      free += 1;
      const left = (heldBy.get(holder) ?? 0) - 1;
      if (left > 0) heldBy.set(holder, left);
      else heldBy.delete(holder);
    },
  };
}
