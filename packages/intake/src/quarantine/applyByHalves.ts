export interface HalvedRun {
  /** Applies the items from..to, or leaves nothing behind and throws. An item that is refused is only noted as that. */
  apply(range: ItemRange): Promise<void>;
  /** Recognizes an error that may be an item's. All others end the run. */
  isPoison(error: unknown): boolean;
  /** Called with a refused item and the error it met; what it throws ends the run. */
  refused(index: number, error: unknown): void;
}

export interface ItemRange {
  readonly from: number;
  readonly to: number;
  /** The single item of the range is refused: it failed by itself. */
  readonly isRefused: boolean;
}

/**
 * Applies items in their order, `atOnce` of them together; those that fail together are halved, down to the item that is refused
 * alone. An item fails over all before it that did not: of items that fail only one behind the other, the last is refused.
 * @throws an error that is no item's: one that `isPoison` denies, or that an item meets even when it is refused.
 */
export async function applyByHalves(run: HalvedRun, count: number, atOnce: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce) await applyRange(run, from, Math.min(from + atOnce, count));
}

async function applyRange(run: HalvedRun, from: number, to: number): Promise<void> {
  const error = await poisonOf(run, { from, to, isRefused: false });
  if (error === undefined) return;
  if (to - from > 1) {
    const middle = (from + to) >> 1;
    await applyRange(run, from, middle);
    return applyRange(run, middle, to);
  }
  const again = await poisonOf(run, { from, to, isRefused: true });
  // Refused it is neither loaded nor folded: what fails even so is none of its.
  if (again !== undefined) throw error.cause;
  run.refused(from, error.cause);
}

async function poisonOf(run: HalvedRun, range: ItemRange): Promise<{ readonly cause: unknown } | undefined> {
  try {
    await run.apply(range);
    return undefined;
  } catch (cause) {
    if (!run.isPoison(cause)) throw cause;
    return { cause };
  }
}
