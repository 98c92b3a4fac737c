import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createHealth } from "./getHealth.ts";

const there = { ping: async () => undefined };
const away = { ping: async () => Promise.reject(new Error("no answer")) };
const clock = manualClock(0);

test("health is ok while both stores answer", async () => {
  const health = createHealth({ postgres: there, clickHouse: there, clock });
  expect(await health()).toEqual({ status: 200, body: { status: "ok" } });
});

test.each([
  { postgres: away, clickHouse: there },
  { postgres: there, clickHouse: away },
])("health is 503 while a store does not answer", async (stores) => {
  await expect(createHealth({ ...stores, clock })()).rejects.toMatchObject({
    status: 503,
    code: "SERVICE_UNAVAILABLE",
  });
});

test("the stores are asked once a second, however many ask", async () => {
  let asked = 0;
  const counting = {
    ping: async () => {
      asked += 1;
    },
  };
  const health = createHealth({ postgres: counting, clickHouse: there, clock });
  await Promise.all(Array.from({ length: 100 }, health));
  expect(asked).toBe(1);
  clock.advance(1_000);
  await health();
  expect(asked).toBe(2);
});
