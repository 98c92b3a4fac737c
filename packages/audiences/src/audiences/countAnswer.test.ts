import { expect, test } from "vitest";
import { toCountAnswer } from "./countAnswer.ts";

const compiled = {
  nodes: [
    { path: "", column: "n0" },
    { path: "/and/0", column: "n1" },
  ],
  notes: [{ path: "/and/0", code: "ORDERS_IN_OTHER_CURRENCIES", column: "o1" }],
} as const;
const options = { explain: true, basis: "recorded", timezone: "UTC" } as const;

test.each(["", "/criteria"])("nodes are explained at their places in a body whose criteria stand at %j", (at) => {
  const row = { count: 2, n0: 2, n1: "3", o1: [["EUR"], [1]] } as const;
  const { explain } = toCountAnswer(row, compiled, options, { nowMs: 0, freshMs: 0, at });
  expect(explain).toEqual([
    { path: at, count: 2 },
    { path: `${at}/and/0`, count: 3, leftOut: { currencies: { EUR: 1 } } },
  ]);
});
