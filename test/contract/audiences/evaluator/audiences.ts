import type { Rule } from "./rule.ts";

/** Saved audiences of the account, of which one refers to the other. */
export const AUDIENCES: readonly { readonly id: string; readonly key: string; readonly criteria: Rule }[] = [
  {
    id: "65f0c0ffee65f0c0ffee0001",
    key: "buyers",
    criteria: {
      or: [
        { order: true, count: { op: "gte", value: 2 } },
        { list: "vip", op: "in" },
      ],
      exclude: { field: "attributes.vip", op: "eq", value: true },
    },
  },
  {
    id: "65f0c0ffee65f0c0ffee0002",
    key: "calm_buyers",
    criteria: { and: [{ audience: "buyers" }, { not: { event: "click", within: { last: { n: 90, unit: "day" } } } }] },
  },
];
