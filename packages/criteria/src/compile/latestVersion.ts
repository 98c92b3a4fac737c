import { timeOfVersion } from "@headwater/contracts";
import type { Scope } from "./scope.ts";

/** The number of a version: ClickHouse compares it at once, and keeps it without the memory that a text takes. */
const NUMBER = "reinterpretAsUInt128(reverse(unhex(version)))";

/**
 * Columns and aggregates that select the latest version of each thing in a history. Rows are tested before they are grouped:
 * a group then holds a number of a fixed size, in the place of texts and documents.
 */
export const latestVersion = {
  /** A column that orders versions. */
  ranked: `${NUMBER} AS rank`,
  /** The same, where of one version the greatest revision holds. */
  rankedByRevision: `bitOr(bitShiftLeft(toUInt256(${NUMBER}), 64), toUInt256(revision)) AS rank`,
  /** True where the latest version passes. Rank and verdict are one number, whose greatest is cheaper than `argMax`; its first bits are 0. */
  passes: "bitAnd(max(bitOr(bitShiftLeft(rank, 1), passes)), 1) = 1",
  /** Reads a column of the latest version; it must not be NULL, which would let an earlier one hold. */
  of: (column: string) => `argMax(${column}, rank)`,
} as const;

/** A column `passes`: 1 where all conditions hold, 0 where one does not or is NULL. */
export function passes(conditions: readonly string[]): string {
  return `toUInt8(ifNull(${conditions.map((condition) => `(${condition})`).join(" AND ")}, 0)) AS passes`;
}

/** The last clear that counts: at a past moment a later one has not happened yet. */
export function lastClear(clears: readonly string[] = [], { historyAt, clock }: Scope): string | undefined {
  const seen = historyAt === undefined ? clears : clears.filter((clear) => timeOfVersion(clear) <= clock.reference);
  return seen.toSorted().at(-1);
}
