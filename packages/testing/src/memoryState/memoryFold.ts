import type { BatchState } from "@headwater/projection";

/** Undefined when state was missing: then nothing that was folded counts. */
export function foldOver<Result>(state: BatchState, fold: () => Result): { readonly result: Result } | undefined {
  try {
    const result = fold();
    return state.needs.length > 0 ? undefined : { result };
  } catch (error) {
    if (state.needs.length === 0) throw error;
    return undefined;
  }
}
