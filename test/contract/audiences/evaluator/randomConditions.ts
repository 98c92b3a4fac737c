import fc from "fast-check";
import { NOW } from "./randomWorld.ts";

const DAY = 86_400_000;
const text = fc.constantFrom("red", "blue", "12", "12.5", "e", "true", "[x]", "ün", "b");
const number = fc.constantFrom(-2, 0, 1, 5, 12, 12.5, 20);
const span = fc.record({
  n: fc.integer({ min: 1, max: 13 }),
  unit: fc.constantFrom("hour", "day", "week", "month", "year"),
});
const daySpan = fc.oneof(
  fc.record({ n: fc.integer({ min: 1, max: 13 }), unit: fc.constantFrom("day", "week", "month") }),
  fc.record({ n: fc.constantFrom(1, 24, 25, 1_441), unit: fc.constantFrom("minute", "hour") }),
);
const instant = fc.oneof(
  fc.integer({ min: -400, max: 10 }).map((days) => new Date(NOW + days * DAY).toISOString().slice(0, 10)),
  fc.integer({ min: -400, max: 10 }).map((days) => new Date(NOW + days * DAY).toISOString()),
  fc.constant("2026-01-05T10:00:00+05:30"),
);
const instantPair = fc.tuple(instant, instant).map((pair) => pair.toSorted((a, b) => Date.parse(a) - Date.parse(b)));

export const window = fc.oneof(
  fc.record({ last: span }),
  fc.record({ next: span }),
  instantPair.filter(([a, b]) => Date.parse(a ?? "") + DAY < Date.parse(b ?? "")).map(([from, to]) => ({ from, to })),
  instant.map((from) => ({ from })),
  instant.map((to) => ({ to })),
  fc.constant({
    between: [
      { n: 90, unit: "day" },
      { n: 2, unit: "week" },
    ],
  }),
  fc.constant({
    between: [
      { n: 1, unit: "year" },
      { n: 0, unit: "day" },
    ],
  }),
  fc.constantFrom([30, 1], [31, 1], [60, 2]).chain(([days, months]) => {
    const points = [
      { n: days, unit: "day" },
      { n: months, unit: "month" },
    ];
    return fc.constantFrom({ between: points }, { between: points.toReversed() });
  }),
);

export const withCi = (rule: fc.Arbitrary<object>) =>
  fc.tuple(rule, fc.constantFrom({}, { ci: true })).map(([a, b]) => ({ ...a, ...b }));
export const op = (name: string, value: fc.Arbitrary<unknown>) => value.map((v) => ({ op: name, value: v }));
export const presence = fc.constantFrom({ op: "exists" }, { op: "notExists" });
const texts = fc.array(text, { minLength: 1, maxLength: 3 });
const numbers = fc.array(number, { minLength: 1, maxLength: 3 });
const elements = fc.array(fc.oneof(text, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 2 });
const numberPair = fc.tuple(number, number).map((pair) => pair.toSorted((a, b) => a - b));

export const ofString = withCi(
  fc.oneof(
    op("eq", text),
    op("neq", text),
    op("in", texts),
    op("notIn", texts),
    op("contains", text),
    op("notContains", text),
    op("startsWith", text),
    op("endsWith", text),
    op("domain", fc.constantFrom("example.com", "EXAMPLE.com")),
    op("regex", fc.constantFrom("^r", "e.$", "[0-9]+", "b(l|r)ue", "d.b", "^.*$")),
  ),
);
export const ofNumber = fc.oneof(
  ...["eq", "neq", "gt", "gte", "lt", "lte"].map((name) => op(name, number)),
  op("between", numberPair),
  op("in", numbers),
  op("notIn", numbers),
);
export const ofDate = fc.oneof(
  ...["on", "before", "after"].map((name) => op(name, instant)),
  op("between", instantPair),
  ...["inLast", "notInLast", "inNext"].map((name) => op(name, span)),
  fc.constant({ op: "today" }),
  op("anniversaryInNext", daySpan),
  op("anniversaryInLast", daySpan),
);
export const ofArray = fc.oneof(
  op("contains", text),
  op("notContains", text),
  op("containsAny", elements),
  op("containsAll", elements),
  ...["lengthEq", "lengthGt", "lengthLt"].map((name) => op(name, fc.integer({ min: 0, max: 3 }))),
);
export const ofBoolean = op("eq", fc.boolean());
const reach = { distance: fc.constantFrom(10, 60, 900), unit: fc.constantFrom("km", "mi") };
export const ofGeo = op(
  "within",
  fc.oneof(
    fc.record({ lat: fc.constant(50.9), lon: fc.constant(7), ...reach }),
    fc.record({ postalCode: fc.constant("53 111"), country: fc.constant("de"), ...reach }),
  ),
);
export const ofAuto = fc.oneof(ofString, ofNumber, ofDate, ofArray, ofBoolean, ofGeo, presence);
