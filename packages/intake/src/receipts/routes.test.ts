import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["receipts", "operations", "service"]);

test("a receipt of a write is applied at once, and one of nobody is unknown", async () => {
  const { headers } = await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  expect(await send("getReceipt", { params: { receipt: String(headers["headwater-receipt"]) } })).toMatchObject({
    status: 200,
    body: { state: "applied" },
  });
  expect((await send("getReceipt", { params: { receipt: "nonsense" } })).status).toBe(404);
});

test("a write of definitions has a receipt too, also when it is repeated; a refused one has none", async () => {
  const call = { body: { name: "vip" }, headers: { "idempotency-key": "list-1" } };
  const first = await send("createAccountlist", call);
  const again = await send("createAccountlist", call);
  expect([first.status, again.status, again.headers["idempotency-replayed"]]).toEqual([201, 201, "true"]);
  for (const { headers } of [first, again]) {
    const params = { receipt: String(headers["headwater-receipt"]) };
    expect(await send("getReceipt", { params })).toMatchObject({
      status: 200,
      body: { state: "applied", records: { applied: 1, pending: 0 } },
    });
  }
  const refused = await send("createAccountlist", { body: {} });
  expect([refused.status, refused.headers["headwater-receipt"]]).toEqual([422, undefined]);
});

test.each(["getHealth", "getFreshness", "getAccounting"])(
  "%s answers 200 while all stores are there",
  async (operation) => {
    expect((await send(operation)).status).toBe(200);
  },
);
