import type { Account } from "@headwater/contracts";
import type { MemoryState, VersionedRecord } from "@headwater/testing";

/** Folds the records one by one and in cuts of the lengths. @returns the outcomes of both. */
export function foldInCuts(
  { account, one, cut }: { readonly account: Account; readonly one: MemoryState; readonly cut: MemoryState },
  records: readonly VersionedRecord[],
  cuts: readonly number[],
) {
  const outcomes = records.flatMap((record) => one.apply(account, [record]));
  const inCuts: unknown[] = [];
  for (let at = 0, step = 0; at < records.length; step++) {
    const length = cuts[step] ?? records.length;
    inCuts.push(...cut.apply(account, records.slice(at, at + length)));
    at += length;
  }
  return { outcomes, inCuts };
}
