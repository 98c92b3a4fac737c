import type { SampleLeaf } from "../leaves.ts";
import type { LeafSet } from "./leafSet.ts";
import type { Scope } from "./scope.ts";

/** Hundredths of a percent. */
const PARTS = 10_000;

/** Contacts whose hash of salt and cID lies in the range: the same ones at every count. */
export function sampleLeaf(leaf: SampleLeaf, scope: Scope): LeafSet {
  const where = `account = ${scope.account} AND deleted = 0 AND ${sampleCondition(leaf, scope)}`;
  const set = scope.addSet(
    `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE ${where}${scope.within}`,
  );
  return { set, complement: false };
}

/** The condition on a row of `contacts_current`. */
export function sampleCondition({ salt, from, to }: SampleLeaf, { bind }: Scope): string {
  const place = `xxHash64(concat(${bind.string(`${salt}\n`)}, cid)) % ${PARTS}`;
  return `${place} >= ${bind.uint(from)} AND ${place} < ${bind.uint(to)}`;
}
