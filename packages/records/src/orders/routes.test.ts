import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["orders"]);
const order = {
  orderID: "536365",
  purchaseDate: "2026-01-09T08:26:00Z",
  email: "ada@example.com",
  items: [{ productID: "85123A", sku: "85123A", name: "Heart holder", qty: 6, itemPrice: "2.55" }],
};

test("an order is created, read, listed, changed and deleted", async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  expect(await send("createOrder", { body: order })).toMatchObject({ status: 201, body: { orderID: "536365" } });
  const params = { id: "536365" };
  expect(await send("getOrder", { params })).toMatchObject({ status: 200, body: { items: [{ qty: 6 }] } });
  expect(await send("listOrders")).toMatchObject({ status: 200, body: { data: [{ orderID: "536365" }] } });
  expect((await send("updateOrder", { params, body: { status: "shipped" } })).status).toBe(200);
  expect((await send("getOrder", { params })).body).toMatchObject({ status: "shipped" });
  expect(await send("deleteOrder", { params })).toMatchObject({ status: 200, body: { success: true } });
  expect((await send("getOrder", { params })).status).toBe(404);
});

test("an order names its contact by any identifier of the account in the place of its email", async () => {
  const contact = { channels: { email: { address: "grace@example.com" } }, attributes: { customer_id: "17850" } };
  const { cID } = (await send("createContact", { body: contact })).body;
  const { email: _, ...rest } = order;
  const body = { ...rest, orderID: "by customer", customer_id: 17850, colour: "red" };
  expect((await send("createOrder", { body })).status).toBe(201);
  const { body: stored } = await send("getOrder", { params: { id: "by customer" } });
  expect([stored.cID, "colour" in stored, "customer_id" in stored]).toEqual([cID, false, false]);
  expect(await send("createOrder", { body: { ...rest, orderID: "x", customer_id: {} } })).toMatchObject({
    status: 422,
    body: { details: [{ path: "/customer_id", code: "type_mismatch" }] },
  });
  expect(await send("createOrder", { body: { ...rest, orderID: "x", customer_id: null } })).toMatchObject({
    status: 422,
    body: { details: [{ path: "/cID", code: "required" }] },
  });
});

test("an order is written with a warning for each member that is ignored, and the name that it may have meant", async () => {
  const items = [{ ...order.items[0], itemprice: 2.55 }];
  const body = { ...order, orderID: "misspelled", items, storeId: "12", customer_id: "17850", properties: { any: 1 } };
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  const created = await send("createOrder", { body });
  expect(created.status).toBe(201);
  const warnings = [
    { path: "/items/0/itemprice", code: "unknown_member", suggestion: "itemPrice" },
    { path: "/storeId", code: "unknown_member", suggestion: "storeID" },
  ];
  expect(created.body.warnings).toMatchObject(warnings);
  const updated = await send("updateOrder", { params: { id: "misspelled" }, body: { statuss: "paid" } });
  expect(updated.body).toMatchObject({ success: true, warnings: [{ path: "/statuss", suggestion: "status" }] });
  expect((await send("updateOrder", { params: { id: "misspelled" }, body: { status: "paid" } })).body).toEqual({
    success: true,
    orderID: "misspelled",
  });
});

test("createOrder answers 404 for a contact that is not there", async () => {
  const { email: _, ...rest } = order;
  expect(
    await send("createOrder", { body: { ...rest, orderID: "of nobody", cID: "65f0c0ffee65f0c0ffee0099" } }),
  ).toMatchObject({
    status: 404,
    body: { code: "CONTACTS_CONTACT_NOT_FOUND" },
  });
});

test.each([
  [{ email: "n/a" }, "/email"],
  [{ identifiers: { customer_id: "none", loyalty: "-" } }, "/identifiers/customer_id"],
])("an order of %j is refused: it has no identifier of its contact", async (named, path) => {
  const { email: _, ...rest } = order;
  const answer = await send("createOrder", { body: { ...rest, orderID: "of nobody", ...named } });
  expect(answer).toMatchObject({
    status: 422,
    body: { code: "VALIDATION_ERROR", details: [{ path, code: "bad_value" }] },
  });
});

test("an order is its contact's by another identifier than one that says that there is no value", async () => {
  const body = { ...order, orderID: "by email", customer_id: "n/a" };
  const { status, body: answer } = await send("createOrder", { body });
  expect([status, answer.warnings]).toMatchObject([201, [{ path: "/customer_id", code: "missing_value" }]]);
});

test.each(["getOrder", "updateOrder", "deleteOrder"])("%s answers 404 for an unknown order", async (operation) => {
  expect((await send(operation, { params: { id: "nobody" } })).status).toBe(404);
});

test.each([
  { ...order, purchaseDate: "yesterday" },
  { ...order, items: "none" },
])("%j is refused with 422", async (body) => {
  expect((await send("createOrder", { body })).status).toBe(422);
});
