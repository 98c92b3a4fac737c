import type { Sliced } from "@headwater/kernel";
import { coreMsOnce } from "./coreTime.ts";

/** Runs work in slices to its end. @returns its result, and the longest time of a core that one step of it takes. */
export function longestMs<Result>(work: Sliced<Result>): { readonly ms: number; readonly result: Result } {
  let ms = 0;
  for (;;) {
    let step: IteratorResult<void, Result> | undefined;
    ms = Math.max(
      ms,
      coreMsOnce(() => {
        step = work.next();
      }),
    );
    if (step?.done === true) return { ms, result: step.value };
  }
}
