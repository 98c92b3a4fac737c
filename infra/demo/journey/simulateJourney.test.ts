import { expect, test } from "vitest";
import { tableOf } from "./simulateJourney.ts";

test("the table shows the numbers of a simulation right below each other", () => {
  const edge = (from: string, label: string, count: number) => ({ from, label, to: null, count });
  const edges = [edge("silence", "0", 12_345), edge("silence", "timeout", 900), edge("return", "0", 100)];
  expect(tableOf({ entered: 1_000, live: 100, edges: [...edges, edge("return", "timeout", 750)] })).toEqual([
    "    1,000  customers bought for the first time",
    "   12,345  times somebody bought again within 30 days",
    "      900  customers were silent for 30 days",
    "      100  of them bought again within 30 days more",
    "      750  of them did not",
    "      100  customers were on their way when the data end",
  ]);
});
