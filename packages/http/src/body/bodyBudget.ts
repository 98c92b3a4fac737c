/** Bytes of bodies that are held in memory at one time, over all requests. */
export interface BodyBudget {
  /** @returns false, and takes nothing, when there is not that much left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBodyBudget(bytesMax: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > bytesMax) return false;
      held += bytes;
      return true;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
