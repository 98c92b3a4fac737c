import type { SampleLeaf } from "../leaves.ts";
import type { LeafSet } from "./fieldLeaf.ts";
import type { Scope } from "./scope.ts";

/** Hundredths of a percent. */
const PARTS = 10_000;

/** Contacts whose hash of salt and cID lies in the range: the same ones at every count. */
export function sampleLeaf({ salt, from, to }: SampleLeaf, scope: Scope): LeafSet {
  const { bind, account } = scope;
  const place = `xxHash64(concat(${bind.string(`${salt}\n`)}, cid)) % ${PARTS}`;
  const where = `account = ${account} AND deleted = 0 AND ${place} >= ${bind.uint(from)} AND ${place} < ${bind.uint(to)}`;
  const set = scope.addSet(
    `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE ${where}${scope.within}`,
  );
  return { set, complement: false };
}
