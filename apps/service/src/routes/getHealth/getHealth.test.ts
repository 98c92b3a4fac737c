import { expect, test } from "vitest";
import { health } from "./handler.ts";

const there = { ping: async () => undefined };
const away = { ping: async () => Promise.reject(new Error("no answer")) };

test("it is ok while both stores answer", async () => {
  expect(await health({ postgres: there, clickHouse: there })).toEqual({ status: 200, body: { status: "ok" } });
});

test.each([
  { postgres: away, clickHouse: there },
  { postgres: there, clickHouse: away },
])("it is 503 while one does not", async (stores) => {
  await expect(health(stores)).rejects.toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
});
