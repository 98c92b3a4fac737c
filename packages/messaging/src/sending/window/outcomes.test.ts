import { expect, test, vi } from "vitest";
import { Outcomes } from "./deliverWindow.ts";

test("outcomes are stored together, in their order, and at the latest at the end", async () => {
  const stored: (readonly number[])[] = [];
  const outcomes = new Outcomes<number>({ store: async (some) => void stored.push(some), storeWithinMs: 1 });
  outcomes.add(1);
  outcomes.add(2);
  await vi.waitFor(() => expect(stored).toEqual([[1, 2]]));
  outcomes.add(3);
  await outcomes.end();
  expect(stored).toEqual([[1, 2], [3]]);
});

test("a failure that nobody waits for yet is kept for the end, and later outcomes are stored", async () => {
  const stored: (readonly number[])[] = [];
  const store = async (some: readonly number[]) => {
    stored.push(some);
    if (stored.length === 1) throw new Error("refused");
  };
  const outcomes = new Outcomes<number>({ store, storeWithinMs: 1 });
  outcomes.add(1);
  await vi.waitFor(() => expect(stored).toEqual([[1]]));
  outcomes.add(2);
  await expect(outcomes.end()).rejects.toThrow("refused");
  expect(stored).toEqual([[1], [2]]);
});
