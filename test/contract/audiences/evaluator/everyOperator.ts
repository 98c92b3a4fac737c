import { OPERATORS } from "@headwater/criteria";

const WORDS = ["red", "12"];
const DAYS = { n: 40, unit: "day" };
const POSITION = { lat: 50.9, lon: 7, distance: 60, unit: "km" };

/** A value for each operator of each type; operators without a value are left out. */
const values: Record<string, Record<string, unknown>> = {
  string: {
    ...{ eq: "red", neq: "red", in: WORDS, notIn: WORDS, contains: "e", notContains: "e", startsWith: "r" },
    ...{ endsWith: "e", domain: "example.com", regex: "^[rb]" },
  },
  number: { eq: 12.5, neq: 12, gt: 3, gte: 3, lt: 3, lte: 3, between: [0, 12], in: [1, 12.5], notIn: [1, 2] },
  date: {
    ...{ on: "2026-01-15", before: "2026-01-15", after: "2026-01-15T08:00:00Z", between: ["2025-06-01", "2026-01-15"] },
    ...{ inLast: DAYS, notInLast: DAYS, inNext: DAYS, anniversaryInNext: DAYS, anniversaryInLast: DAYS },
  },
  array: {
    ...{ contains: "red", notContains: "red", containsAny: ["red", 1], containsAll: ["red", 1] },
    ...{ lengthEq: 2, lengthGt: 1, lengthLt: 3 },
  },
  boolean: { eq: true },
  geo: { within: POSITION },
};

const fieldOf: Record<string, string> = {
  string: "attributes.color",
  number: "attributes.score",
  date: "attributes.born",
  array: "attributes.tags",
  boolean: "attributes.vip",
  geo: "attributes.home",
};

/** One rule for every operator of every type, on a field of that type, on a free one and on a property of an event. */
export const everyOperator: readonly object[] = Object.entries(values).flatMap(([type, ofType]) =>
  operatorsOf(type).flatMap((op) => {
    const condition = Object.hasOwn(ofType, op) ? { op, value: ofType[op] } : { op };
    return [
      { field: fieldOf[type], ...condition },
      { field: "attributes.free", ...condition },
      { event: ["browse", "open"], where: [{ field: "category", ...condition }] },
    ];
  }),
);

function operatorsOf(type: string): readonly string[] {
  return Object.entries(OPERATORS).find(([name]) => name === type)?.[1] ?? [];
}
