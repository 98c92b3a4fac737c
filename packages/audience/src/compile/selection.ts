/** Contacts as SQL: those of a bitmap of contact numbers, or all but them. */
export interface Selection {
  readonly set: string;
  /** Selects all contacts but those of the set. */
  readonly complement: boolean;
  /** Each number of the set has a row in contacts_current, so only deleted ones need to be taken out of it. */
  readonly known: boolean;
}

const NO_NUMBERS = "bitmapBuild(emptyArrayUInt64())";
export const NOBODY: Selection = { set: NO_NUMBERS, complement: false, known: true };
export const EVERYBODY: Selection = { set: NO_NUMBERS, complement: true, known: true };

export function allBut(selection: Selection): Selection {
  return { ...selection, complement: !selection.complement };
}

/** Complements stay unexpanded as long as they can: taking one needs the numbers of all contacts. */
export function intersect(left: Selection, right: Selection): Selection {
  if (left.complement && right.complement) {
    return { set: `bitmapOr(${left.set}, ${right.set})`, complement: true, known: left.known && right.known };
  }
  if (left.complement) return intersect(right, left);
  if (right.complement) return { ...left, set: `bitmapAndnot(${left.set}, ${right.set})` };
  return { set: `bitmapAnd(${left.set}, ${right.set})`, complement: false, known: left.known || right.known };
}

export function unite(left: Selection, right: Selection): Selection {
  return allBut(intersect(allBut(left), allBut(right)));
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
