/** The set of contacts, or of points, for which the test of a leaf holds. */
export interface LeafSet {
  readonly set: string;
  /** Selects all contacts but those of the set. */
  readonly complement: boolean;
}

/** Contacts as SQL: those of a set, or all but them. */
export interface Selection extends LeafSet {
  /** Each number of the set has a row in contacts_current, so only deleted ones need to be taken out of it. */
  readonly known: boolean;
}

/** SQL over sets: of contact numbers, or of points. */
export interface SetAlgebra {
  readonly none: string;
  or(left: string, right: string): string;
  and(left: string, right: string): string;
  /** The left set without the members of the right one. */
  without(left: string, right: string): string;
}

/** Sets of contact numbers. */
export const BITMAPS: SetAlgebra = {
  none: "bitmapBuild(emptyArrayUInt64())",
  or: (left, right) => `bitmapOr(${left}, ${right})`,
  and: (left, right) => `bitmapAnd(${left}, ${right})`,
  without: (left, right) => `bitmapAndnot(${left}, ${right})`,
};

export function nobody({ none }: SetAlgebra): Selection {
  return { set: none, complement: false, known: true };
}

export function everybody(sets: SetAlgebra): Selection {
  return allBut(nobody(sets));
}

export function allBut(selection: Selection): Selection {
  return { ...selection, complement: !selection.complement };
}

/** Complements stay unexpanded as long as they can: taking one needs the numbers of all contacts. */
export function intersect(sets: SetAlgebra, left: Selection, right: Selection): Selection {
  if (left.complement && right.complement) {
    return { set: sets.or(left.set, right.set), complement: true, known: left.known && right.known };
  }
  if (left.complement) return intersect(sets, right, left);
  if (right.complement) return { ...left, set: sets.without(left.set, right.set) };
  return { set: sets.and(left.set, right.set), complement: false, known: left.known || right.known };
}

export function unite(sets: SetAlgebra, left: Selection, right: Selection): Selection {
  return allBut(intersect(sets, allBut(left), allBut(right)));
}

/** All of them together, in pairs of pairs: a row of thousands nests no deeper than their logarithm. Undefined for none. */
export function combined(
  selections: readonly Selection[],
  combine: (left: Selection, right: Selection) => Selection,
): Selection | undefined {
  const [first, ...others] = selections;
  if (first === undefined || others.length === 0) return first;
  const half = Math.ceil(selections.length / 2);
  const [left, right] = [selections.slice(0, half), selections.slice(half)].map((part) => combined(part, combine));
  return left && right ? combine(left, right) : (left ?? right);
}
