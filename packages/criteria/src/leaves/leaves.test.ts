import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileCriteria } from "../compile/compileCriteria.ts";
import { createGrammar, criteriaSchema } from "../grammar/criteriaSchema.ts";
import { context } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";
import { compileTrend } from "../trend/compileTrend.ts";
import type { LeafDefinition } from "./leaf.ts";
import { leaves } from "./leaves.ts";

const account = { account: 7, basis: "recorded", timezone: "UTC", currency: "EUR", hasMerges: true } as const;
const now = Date.UTC(2026, 0, 31);
const count = { ...account, now };
const trend = { ...account, bounds: [now - 86_400_000, now], numbers: { from: 0, to: 100 } };
const examples = leaves.flatMap((leaf) => leaf.examples.map((rule) => [leaf.kind, rule] as const));

describe("an example of a leaf", () => {
  test.each(examples)("%s %j is a rule of that leaf, which the published grammar has", (kind, rule) => {
    expect(parseCriteria(rule, context)).toMatchObject({ kind: "ok", criteria: { kind, path: "" } });
    expect(criteriaSchema.safeParse(rule).success).toBe(true);
  });

  test.each(examples)("%s %j is counted, said of a contact, and followed by a trend", (_, rule) => {
    const parsed = parseCriteria(rule, context);
    if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
    const { sql, contact } = compileCriteria(parsed.criteria, { ...count, contact: 3 });
    expect(sql).toContain("AS count");
    expect(contact?.nodes).toMatchObject([{ path: "", in: "i0" }]);
    expect(compileTrend(parsed.criteria, trend).sql).toContain("AS entered");
  });
});

test("each leaf has a kind of its own", () => {
  const kinds = leaves.map(({ kind }) => kind);
  expect(kinds).toEqual([...new Set(kinds)]);
});

test("the page on audiences shows a rule of every leaf", () => {
  const page = readFileSync(new URL("../../../../docs/audiences.md", import.meta.url), "utf8");
  const rules = [...page.matchAll(/`(\{.*?\})`/g)].map(([, text = ""]) => text);
  const view = leaves.filter(({ kind }) => rules.some((rule) => rule.startsWith(`{"${kind}":`)));
  expect(view).toEqual(leaves);
});

describe("a leaf of a context above", () => {
  interface OpenedLeaf {
    readonly kind: "opened";
    readonly path: string;
    readonly message: string;
  }
  const opened: LeafDefinition<OpenedLeaf> = {
    kind: "opened",
    forms: [{ opened: z.string().min(1) }],
    examples: [{ opened: "m1" }],
    parse: ({ opened: message }, path, { problems }) =>
      typeof message === "string"
        ? { kind: "opened", path, message }
        : problems.add("type_mismatch", `${path}/opened`, "a message is named by its id"),
    select: ({ message }, scope) => {
      const where = `account = ${scope.account} AND action = 'open' AND message = ${scope.bind.string(message)}`;
      return {
        set: scope.addSet(`SELECT groupBitmapState(contact) FROM activities WHERE ${where}`),
        complement: false,
      };
    },
    trend: ({ message }, scope, points) => {
      const where = `message = ${scope.bind.string(message)}`;
      const rows = `SELECT contact AS owner, emptyArrayInt32() AS codes FROM activities WHERE ${where}`;
      return { set: points.addRows(rows), complement: false };
    },
    saw: (_, { bind }, contact) => `(SELECT ${bind.string("opens")} WHERE ${contact} > 0)`,
  };
  const table = [...leaves, opened];
  const rule = { and: [{ opened: "m1" }], exclude: { order: true } };

  test("is part of the language of the table that holds it", () => {
    const parsed = parseCriteria(rule, context, table);
    if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
    const compiled = compileCriteria(parsed.criteria, { ...count, contact: 3 }, table);
    expect(Object.values(compiled.params)).toEqual(expect.arrayContaining(["m1", "opens"]));
    expect(compiled.sql).toContain("action = 'open'");
    expect(compileTrend(parsed.criteria, trend, undefined, table).sql).toContain("FROM activities WHERE message");
    expect(createGrammar(table).criteriaSchema.safeParse(rule).success).toBe(true);
  });

  test("is unknown to the language without it", () => {
    expect(parseCriteria(rule, context)).toMatchObject({
      errors: [{ path: "/and/0/opened", code: "unknown_member", allowed: expect.arrayContaining(["order"]) }],
    });
    expect(criteriaSchema.safeParse(rule).success).toBe(false);
  });
});
