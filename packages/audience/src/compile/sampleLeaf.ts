import type { SampleLeaf } from "../leaves/sample/sample.ts";
import type { Scope } from "./scope.ts";
import type { LeafSet } from "./selection.ts";

/** The hash's last digits say the hundredth of a percent, those before them its ten-thousandth part. */
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
export function sampleCondition(leaf: SampleLeaf, scope: Scope): string {
  const { from, to, whole = PARTS } = leaf;
  const { bind } = scope;
  const place = samplePlace(leaf, scope);
  const scale = PARTS ** 2 / whole;
  return `${place} >= ${bind.uint(from * scale)} AND ${place} < ${bind.uint(to * scale)}`;
}

/** The contact's place in the sample, in millionths of a percent. */
export function samplePlace({ salt }: Pick<SampleLeaf, "salt">, { bind }: Scope): string {
  const hash = `xxHash64(concat(${bind.string(`${salt}\n`)}, cid))`;
  return `(${hash} % ${PARTS}) * ${PARTS} + intDiv(${hash}, ${PARTS}) % ${PARTS}`;
}
