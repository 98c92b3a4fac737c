import { expect, test } from "vitest";
import { type Costs, predict, processesFor } from "./model.ts";

const costs: Costs = { ours: 12, stores: 4, load: 4 };

test("one core does what all processes together leave it", () => {
  expect(predict(costs, { cores: 1, processes: 1, isLoadApart: false })).toBeCloseTo(50_000);
  expect(predict(costs, { cores: 1, processes: 1, isLoadApart: true })).toBeCloseTo(62_500);
});

test("a process of one thread bounds what more cores do, until there are more of it", () => {
  expect(predict(costs, { cores: 2, processes: 1, isLoadApart: false })).toBeCloseTo(1e6 / 12);
  expect(predict(costs, { cores: 2, processes: 2, isLoadApart: false })).toBeCloseTo(100_000);
  expect(predict(costs, { cores: 4, processes: 3, isLoadApart: true })).toBeCloseTo(250_000);
  expect(processesFor(costs, { cores: 4, isLoadApart: true })).toBe(3);
  expect(processesFor(costs, { cores: 8, isLoadApart: true })).toBe(6);
});
