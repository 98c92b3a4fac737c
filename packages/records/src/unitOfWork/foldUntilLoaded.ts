import { BatchState } from "./batchState.ts";
import type { LoadedRows, StateRead } from "./loadedRows.ts";

/**
 * Runs a fold, or a part of one pass, over loaded state.
 * @returns undefined when it read state that was not loaded: whatever it returned or threw over stand-ins says nothing.
 */
export function foldOver<Result>(state: BatchState, fold: () => Result): { readonly result: Result } | undefined {
  try {
    const result = fold();
    return state.unloaded.length > 0 ? undefined : { result };
  } catch (error) {
    if (state.unloaded.length === 0) throw error;
    return undefined;
  }
}

export interface FoldRun<Result> {
  readonly rows: LoadedRows;
  readonly seenActivity?: ((key: string) => boolean) | undefined;
  /** Passes over the state before `exhausted` is thrown. */
  readonly roundsMax: number;
  /** One pass; its result counts only when the state holds all that it read. What it throws ends the run: see `foldOver`. */
  pass(state: BatchState): Promise<Result | undefined> | Result | undefined;
  /** Loads into `rows` what the pass read and did not find loaded. */
  load(reads: readonly StateRead[]): Promise<void>;
  /** Makes the error of a fold that still asks for state after `roundsMax` passes. */
  exhausted(): Error;
}

export interface FoldedState<Result> {
  readonly result: Result;
  readonly state: BatchState;
}

/**
 * Folds over the loaded rows, loads what the pass read beyond them, and folds again from the beginning until nothing is missing. Each
 * pass finds all that is missing, so the number of passes is that of the reads that depend on one another, not that of the records.
 */
export async function foldUntilLoaded<Result>(run: FoldRun<Result>): Promise<FoldedState<Result>> {
  for (let round = 0; round < run.roundsMax; round++) {
    const state = new BatchState(run.rows, run.seenActivity);
    const result = await run.pass(state);
    if (state.unloaded.length === 0 && result !== undefined) return { result, state };
    await run.load(state.unloaded);
  }
  throw run.exhausted();
}
