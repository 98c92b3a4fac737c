import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "./fairQueue.ts";

interface Item {
  readonly flow: string;
  readonly cost: number;
}
const QUANTUM = 10;
const COST_MAX = 40;
const queueOf = (weightOf?: (flow: string | number) => number) =>
  createFairQueue<Item>({ quantum: QUANTUM, costOf: ({ cost }) => cost, weightOf });

function drain<Kind>(queue: { next(): Kind | undefined }, most = Number.POSITIVE_INFINITY): Kind[] {
  const taken: Kind[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    taken.push(next);
    if (taken.length >= most) break;
  }
  return taken;
}

test("a flow with one item waits for one turn of each other flow, however much those have queued", () => {
  const queue = queueOf();
  for (let n = 0; n < 1_000; n++) queue.add("hostile", { flow: "hostile", cost: QUANTUM });
  queue.add("honest", { flow: "honest", cost: 1 });
  expect(drain(queue, 2).map(({ flow }) => flow)).toEqual(["hostile", "honest"]);
});

test("a flow of weight two is served twice as much", () => {
  const queue = queueOf((flow) => (flow === "heavy" ? 2 : 1));
  for (let n = 0; n < 90; n++) for (const flow of ["heavy", "light"]) queue.add(flow, { flow, cost: QUANTUM });
  const served = drain(queue, 90).filter(({ flow }) => flow === "heavy");
  expect(served).toHaveLength(60);
});

test("a flow that may not be served keeps its place, and others go on", () => {
  const queue = queueOf();
  queue.add("held", { flow: "held", cost: 1 });
  queue.add("free", { flow: "free", cost: 1 });
  const mayServe = (flow: string | number) => flow !== "held";
  expect(queue.next(mayServe)?.flow).toBe("free");
  expect(queue.next(mayServe)).toBeUndefined();
  expect(queue.next()?.flow).toBe("held");
  expect([...queue.flows()]).toEqual([]);
});

test("the longest flow loses its newest item", () => {
  const queue = queueOf();
  for (const [flow, cost] of [
    ["a", 1],
    ["b", 2],
    ["b", 3],
  ] as const)
    queue.add(flow, { flow, cost });
  expect(queue.longest()).toBe(2);
  expect(queue.removeFromLongest()).toEqual({ flow: "b", item: { flow: "b", cost: 3 } });
  expect([queue.size(), queue.size("b")]).toEqual([2, 1]);
});

const arrivals = fc.array(
  fc.record({ flow: fc.constantFrom("a", "b", "c", "d"), cost: fc.integer({ min: 1, max: COST_MAX }) }),
  { maxLength: 200 },
);

test("law: nothing is lost, made up or overtaken within its flow, and the queue gives as long as it has", () => {
  fc.assert(
    fc.property(arrivals, fc.array(fc.boolean()), (items, takes) => {
      const queue = queueOf();
      const taken: Item[] = [];
      items.forEach((item, index) => {
        queue.add(item.flow, item);
        const next = takes[index] ? queue.next() : undefined;
        if (next !== undefined) taken.push(next);
      });
      expect(queue.size()).toBe(items.length - taken.length);
      taken.push(...drain(queue));
      for (const flow of ["a", "b", "c", "d"]) {
        const of = (all: readonly Item[]) => all.filter((item) => item.flow === flow);
        expect(of(taken)).toEqual(of(items));
      }
    }),
  );
});

test("law: while two flows both wait, what they were served differs by no more than a quantum and two items", () => {
  fc.assert(
    fc.property(arrivals, (items) => {
      const queue = queueOf();
      for (const item of items) queue.add(item.flow, item);
      const served = new Map<string, number>();
      for (let next = queue.next(); next !== undefined; next = queue.next()) {
        served.set(next.flow, (served.get(next.flow) ?? 0) + next.cost);
        const waiting = [...queue.flows()].map((flow) => served.get(String(flow)) ?? 0);
        const spread = waiting.length === 0 ? 0 : Math.max(...waiting) - Math.min(...waiting);
        expect(spread).toBeLessThanOrEqual(QUANTUM + 2 * COST_MAX);
      }
    }),
  );
});
