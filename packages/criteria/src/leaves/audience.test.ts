import { expect, test } from "vitest";
import type { CriteriaContext, SavedAudience } from "../parse/context.ts";
import { context } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";

const NODES_MAX = 2_000;

function saved(all: Readonly<Record<string, object>>): CriteriaContext["audiences"] {
  return new Map(
    Object.entries(all).map(([key, criteria]): [string, SavedAudience] => [key, { id: key, key, criteria }]),
  );
}

function errorsOf(criteria: object, audiences: CriteriaContext["audiences"], self?: CriteriaContext["self"]): string[] {
  const parsed = parseCriteria(criteria, { ...context, ...(audiences && { audiences }), ...(self && { self }) });
  return parsed.kind === "ok" ? [] : parsed.errors.map(({ path, code }) => `${path} ${code}`);
}

test("criteria are ten references deep at most, whether they are saved or counted", () => {
  const chain: Record<string, object> = { a0: { and: [] } };
  for (let references = 1; references <= 11; references++) {
    const self = { id: `a${references}`, key: `a${references}` };
    const criteria = { audience: `a${references - 1}` };
    const errors = references <= 10 ? [] : ["/audience limit_exceeded"];
    expect(errorsOf(criteria, saved(chain), self)).toEqual(errors);
    expect(errorsOf(criteria, saved(chain))).toEqual(errors);
    chain[`a${references}`] = criteria;
  }
  const named = { ...context, audiences: saved(chain) ?? new Map(), namesAudience: true };
  const kindOf = (key: string) => parseCriteria({ and: [{ audience: key }] }, named).kind;
  expect([kindOf("a10"), kindOf("a11")]).toEqual(["ok", "invalid"]);
});

test("an audience of as many nodes as may be saved can be used", () => {
  const leaves = (count: number) => Array.from({ length: count }, () => ({ and: [] }));
  const wide = saved({ wide: { or: leaves(199) } });
  const many = (more: number) => ({
    or: [...Array.from({ length: 9 }, () => ({ audience: "wide" })), ...leaves(more)],
  });
  const nodes = 1 + 9 + 9 * 200;
  const self = { id: "x", key: "x" };
  for (const [more, isSaved] of [
    [NODES_MAX - nodes - 1, true],
    [NODES_MAX - nodes, false],
  ] as const) {
    expect(errorsOf(many(more), wide, self)).toEqual(isSaved ? [] : [" limit_exceeded"]);
    const used = new Map([...(wide ?? []), ...(saved({ x: many(more) }) ?? [])]);
    expect(errorsOf({ audience: "x" }, used)).toEqual(isSaved ? [] : ["/audience limit_exceeded"]);
  }
});

test("an audience by a number is refused", () => {
  expect(errorsOf({ audience: 5 }, undefined)).toEqual(["/audience type_mismatch"]);
});

test.each<[string, unknown, string]>([["a saved audience", { audience: "buyer" }, "buyers"]])(
  "%s that is unknown is reported with the nearest one",
  (_, rule, nearest) => {
    const parsed = parseCriteria(rule, context);
    expect(parsed.kind === "invalid" ? parsed.errors[0]?.allowed?.[0] : undefined).toBe(nearest);
  },
);
