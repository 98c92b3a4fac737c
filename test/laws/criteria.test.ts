import { type CriteriaContext, compileCriteria, knownFields, parseCriteria } from "@headwater/criteria";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX, coreMs } from "./coreTime.ts";

const RUNS = 4;
const BYTES = 65_000;
const ATTRIBUTES = 20_000;
const LISTS = 100_000;

const attributes = Array.from(
  { length: ATTRIBUTES },
  (_, index) => [`${"property_of_a_contact_".repeat(4)}${index}`, "auto"] as const,
);
const channels = Array.from({ length: 1_000 }, (_, index) => `channel_of_an_app_${index}`);
const context: CriteriaContext = {
  fields: knownFields({ attributes, identifiers: ["email", "cID"], channels }),
  lists: Array.from({ length: LISTS }, (_, index) => ({ id: index + 1, name: `List-${index}` })),
};

type Rule = object;
const event = (where: Rule) => ({
  event: "browse",
  where: [where],
  count: { op: "gte", value: 3 },
  within: { last: "30 days" },
});

/** Rules of which a criteria is made as full as it may be. */
const rules: Readonly<Record<string, (index: number) => Rule>> = {
  "unknown fields": (index) => ({ field: `attributes.${"propery_of_a_contct_".repeat(4)}${index}`, op: "exists" }),
  "unknown lists": (index) => ({ list: `Lst-${index}x`, op: "in" }),
  "unknown channels": (index) => ({ event: "open", message: { channel: `chanel_of_an_ap_${index}` } }),
  lists: (index) => ({ list: LISTS - index, op: "in" }),
  "unknown members": (index) => Object.fromEntries([["field", "cID"], ...named(index, 30)]),
  "wide in": (index) => ({
    field: "identifiers.email",
    op: "in",
    value: Array.from({ length: 60 }, (_, at) => `${index}.${at}`),
  }),
  regexes: () => ({ field: "identifiers.email", op: "regex", value: `${"(a*)*".repeat(20)}[${"\\\\".repeat(70)}` }),
  "regexes of repeats": () => ({ field: "identifiers.email", op: "regex", value: "(x{1,1000}){1,1000}".repeat(13) }),
  events: (index) => event({ field: `a.b.c.${index}`, op: "eq", value: index }),
  "wrong values": (index) => ({ field: "createdAt", op: "between", value: [`${index}`, {}] }),
  "unknown operators": (index) => ({ field: "email", op: `conains${index}`, value: "x".repeat(200) }),
};

function named(index: number, count: number): (readonly [string, unknown])[] {
  return Array.from({ length: count }, (_, at) => [`opx${index}-${at}`, 1] as const);
}

const options = { account: 1, basis: "recorded", timezone: "UTC", now: 0, hasMerges: true, currency: "USD" } as const;

function stagesOf(criteria: object): Record<string, number> {
  const parse = coreMs(() => parseCriteria(criteria, context));
  const parsed = parseCriteria(criteria, context);
  if (parsed.kind === "invalid") return { parse, suggest: coreMs(() => parsed.errors) };
  return { parse, compile: coreMs(() => compileCriteria(parsed.criteria, options)) };
}

/** Builds as many rules as the bytes, the nodes and the depth allow. */
function filled(kinds: readonly string[], depth: number): object {
  const found: Rule[] = [];
  for (let bytes = 0; found.length < 190 - depth; ) {
    const rule = rules[kinds[found.length % kinds.length] ?? ""]?.(found.length) ?? {};
    bytes += JSON.stringify(rule).length + 1;
    if (bytes > BYTES) break;
    found.push(rule);
  }
  let criteria: object = { and: found };
  for (let level = 2; level < depth; level++) criteria = { or: [criteria] };
  return criteria;
}

describe("criteria at their bounds, of an account with very many names", () => {
  test.each(Object.keys(rules))(`of %s: no stage takes ${CORE_MS_MAX} ms of a core`, (kind) => {
    const others = fc.subarray(Object.keys(rules), { maxLength: 3 });
    fc.assert(
      fc.property(others, fc.integer({ min: 2, max: 9 }), (more, depth) => {
        const slow = Object.entries(stagesOf(filled([kind, ...more], depth))).filter(([, ms]) => ms > CORE_MS_MAX);
        expect(slow).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test("3,000 attributes and 20 misspelled ones are suggested in no time", () => {
    const own = attributes.slice(0, 3_000);
    const small = { ...context, fields: knownFields({ attributes: own, identifiers: ["email"] }) };
    const criteria = { and: Array.from({ length: 20 }, (_, index) => rules["unknown fields"]?.(index)) };
    const parsed = parseCriteria(criteria, small);
    if (parsed.kind === "ok") throw new Error("they are not known");
    expect(coreMs(() => parsed.errors)).toBeLessThan(CORE_MS_MAX);
    expect(parsed.errors.filter(({ allowed }) => allowed?.length === 3)).toHaveLength(20);
  });

  test("200 misspelled names of 200 characters beside 500 that are as long are suggested in no time", () => {
    const letters = (seed: number) =>
      Array.from({ length: 186 }, (_, at) => String.fromCharCode(97 + ((at * (seed + 7)) % 26))).join("");
    const own = Array.from({ length: 500 }, (_, index) => [`${letters(index)}${index}`, "auto"] as const);
    const long = { ...context, fields: knownFields({ attributes: own, identifiers: ["email"] }) };
    const criteria = {
      and: Array.from({ length: 199 }, (_, index) => ({ field: `attributes.${letters(index + 3)}x`, op: "exists" })),
    };
    const parsed = parseCriteria(criteria, long);
    if (parsed.kind === "ok") throw new Error("they are not known");
    expect(coreMs(() => parsed.errors)).toBeLessThan(CORE_MS_MAX);
    expect(parsed.errors).toHaveLength(199);
    expect(parsed.errors.filter(({ allowed }) => allowed !== undefined)).toHaveLength(20);
  });
});
