import { expect, test } from "vitest";
import { z } from "zod";
import { ignoredMembersOf, unknownMembersOf } from "./unknownMembers.ts";

const line = z.object({ sku: z.string(), attr: z.record(z.string(), z.unknown()).nullish() });
const shape = z.object({
  name: z.string(),
  lines: z.array(line).optional(),
  free: z.looseObject({ known: z.string() }).optional(),
  kind: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("mail"), host: z.string() }),
    z.object({ kind: z.literal("hook"), url: z.string() }),
  ]),
  either: z.union([z.array(z.string()), z.record(z.string(), z.boolean())]).optional(),
});
const valid = { name: "n", kind: { kind: "mail", host: "h" } };
const reported = (value: object) =>
  unknownMembersOf(shape, { ...valid, ...value }).map(({ path, suggestion }) => [path, suggestion]);

test("nothing is reported of a value all of whose members are known or free", () => {
  const lines = [{ sku: "s", attr: { any: { thing: 1 } } }];
  expect(reported({ lines, free: { known: "k", other: { deep: 1 } }, either: { vip: true } })).toEqual([]);
});

test("members that no shape names are reported at every level with the nearest name", () => {
  expect(reported({ nmae: 1, lines: [{ sku: "s" }, { sku: "s", atr: {}, "a/b": 1 }] })).toEqual([
    ["/nmae", "name"],
    ["/lines/1/atr", "attr"],
    ["/lines/1/a~1b", undefined],
  ]);
});

test("a member of another branch of a union is reported, as a known name in the wrong location", () => {
  expect(reported({ kind: { kind: "mail", host: "h", url: "u" } })).toEqual([["/kind/url", undefined]]);
});

test("a body that misspells everywhere has 20 warnings", () => {
  const lines = Array.from({ length: 100 }, () => ({ sku: "s", sku2: 1 }));
  expect(reported({ lines })).toHaveLength(20);
});

test("members that answers alone have are read-only, at their own location", () => {
  const answer = z.strictObject({
    name: z.string(),
    ct: z.string(),
    lines: z.array(z.looseObject({ sku: z.string(), amount: z.number() })),
    kind: z.unknown(),
  });
  const sent = {
    ...valid,
    ct: "then",
    amount: 1,
    lines: [{ sku: "s", amount: 2, ct: 1 }],
    kind: { ...valid.kind, hots: 1 },
  };
  const { unknown, readOnly } = ignoredMembersOf(shape, sent, answer);
  expect(unknown.map(({ path }) => path)).toEqual(["/kind/hots", "/amount", "/lines/0/ct"]);
  expect(readOnly).toEqual([
    { path: ["ct"], value: "then" },
    { path: ["lines", 0, "amount"], value: 2 },
  ]);
  const lines = Array.from({ length: 100 }, () => ({ sku: "s", sku2: 1, amount: 1 }));
  const many = ignoredMembersOf(shape, { ...valid, lines }, answer);
  expect([many.unknown.length, many.readOnly.length]).toEqual([20, 100]);
});
