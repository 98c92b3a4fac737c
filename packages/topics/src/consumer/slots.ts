/** A bound on how many partitions are worked on at a time; the one that waited longest goes first. */
export interface Slots {
  /** @returns what gives the slot back; calling it twice changes nothing. */
  take(): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  function giveBack(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isReturned = false;
      return () => {
        if (!isReturned) giveBack();
        isReturned = true;
      };
    },
  };
}
