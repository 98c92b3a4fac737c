import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("a bounded number of tasks runs at once, and one holder's many delay no other holder", async () => {
  const turns = createTurns({ atOnceMax: 2 });
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const task = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(name);
    running -= 1;
  };
  const many = Array.from({ length: 50 }, (_, n) => turns.run("greedy", task(`greedy ${n}`)));
  const one = turns.run("modest", task("modest"));
  await Promise.all([...many, one]);
  expect([most, order.length]).toEqual([2, 51]);
  expect(order.indexOf("modest")).toBeLessThan(6);
});

test("a task that fails gives its turn on", async () => {
  const turns = createTurns({ atOnceMax: 1 });
  const failed = turns.run("a", () => Promise.reject(new Error("no")));
  const next = turns.run("b", async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect([await next, await turns.run("a", async () => "again")]).toEqual(["done", "again"]);
});
