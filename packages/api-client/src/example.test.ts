import { readFileSync } from "node:fs";
import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { addOrder } from "./example.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("the README's example is the one that is checked here", () => {
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("./example.ts")}\`\`\`\n`);
});

test("the example adds an order, waits for it and counts", async () => {
  await using service = await startStubApi(({ method, path }) => {
    if (method === "POST") return { status: 201, body: { success: true }, headers: { "headwater-receipt": "token" } };
    if (path.startsWith("/v2/orders?"))
      return { status: 200, body: { data: [{}, {}], pagination: { next_cursor: null } } };
    return { status: path === "/v2/orders/536365?after=token" ? 200 : 500, body: { orderID: "536365" } };
  });
  expect(await addOrder(service.url, "hw_key")).toEqual({ orderID: "536365", orders: 2 });
});
