/**
 * A set of points as SQL: an array of codes in Int32, `point * 2` where it is entered and `point * 2 + 1` where it is left. The set holds
 * a point when the codes up to the end of that point add up, +1 and -1, to a number that passes.
 */
export const NO_STEPS = "emptyArrayInt32()";

/** Weight of a code. */
const WEIGHT = "code -> 1 - 2 * bitAnd(code, 1)";

/**
 * Answers the codes of the points at which a running sum passes: ascending, entered and left by turns.
 * @param holds tests the sum; it must not pass 0, from which the sum begins.
 */
export function steps(codes: string, holds: (sum: string) => string = (sum) => `${sum} > 0`): string {
  return turning("codes", `arrayCumSum(${WEIGHT}, codes)`, `arraySort(${codes})`, holds);
}

/** The same for pairs of a code and what it adds. */
export function weightedSteps(pairs: string, holds: (sum: string) => string): string {
  const sorted = `arraySort(pair -> pair.1, ${pairs})`;
  return turning("tupleElement(pairs, 1)", "arrayCumSum(pair -> pair.2, pairs)", sorted, holds, "pairs");
}

/** Lambdas over arrays of one element name what is used more than once, so that nested sets grow the statement by their size only. */
function turning(
  codes: string,
  sums: string,
  sorted: string,
  holds: (sum: string) => string,
  name: "codes" | "pairs" = "codes",
): string {
  const states = `arrayMap((code, sum) -> code - bitAnd(code, 1) + if(${holds("sum")}, 0, 1), ${codes}, ${sums})`;
  const lastOfPoint =
    "arrayFilter((state, next) -> intDiv(state, 2) != intDiv(next, 2), states, arraySlice(arrayPushBack(states, toInt64(-9)), 2))";
  const turned =
    "arrayFilter((state, before) -> bitAnd(state, 1) != bitAnd(before, 1), ends, arrayPopBack(arrayPushFront(ends, toInt64(1))))";
  const ended = `arrayMap(ends -> ${turned}, [arrayMap(states -> ${lastOfPoint}, [arrayMap(${name} -> ${states}, [${sorted}])[1]])[1]])[1]`;
  return `CAST(${ended}, 'Array(Int32)')`;
}

/** The points that all the sets hold, each of codes whose sum is 0 or 1. */
export function allOf(sets: readonly string[]): string {
  const [first = NO_STEPS, ...others] = sets;
  return others.length === 0 ? first : steps(`arrayConcat(${sets.join(", ")})`, (sum) => `${sum} = ${sets.length}`);
}

export function anyOf(sets: readonly string[]): string {
  const [first = NO_STEPS, ...others] = sets;
  return others.length === 0 ? first : steps(`arrayConcat(${sets.join(", ")})`);
}

export function withoutSteps(set: string, excluded: string): string {
  return steps(`arrayConcat(${set}, ${turnedAround(excluded)})`, (sum) => `${sum} = 1`);
}

/** All points but those of the set, as codes whose sum is 0 or 1. */
export function complementOf(set: string): string {
  return `arrayPushFront(${turnedAround(set)}, toInt32(0))`;
}

function turnedAround(set: string): string {
  return `arrayMap(code -> toInt32(bitXor(code, 1)), ${set})`;
}
