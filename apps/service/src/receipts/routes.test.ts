import { expect, test } from "vitest";
import { serveService } from "../testService.ts";

const { send } = serveService(["receipts", "operations", "service"]);

test("a receipt of a write is applied at once, and one of nobody is unknown", async () => {
  const { headers } = await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  expect(await send("getReceipt", { params: { receipt: String(headers["headwater-receipt"]) } })).toMatchObject({
    status: 200,
    body: { state: "applied" },
  });
  expect((await send("getReceipt", { params: { receipt: "nonsense" } })).status).toBe(404);
});

test.each(["getHealth", "getFreshness", "getAccounting"])(
  "%s answers 200 while all stores are there",
  async (operation) => {
    expect((await send(operation)).status).toBe(200);
  },
);
