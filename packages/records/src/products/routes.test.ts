import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["products"]);

test("products are created, created again, read, listed, changed and deleted", async () => {
  expect((await send("createProducts")).status).toBe(201);
  expect((await send("createProducts")).status).toBe(200);
  const params = { productID: "85123A" };
  expect(await send("getProduct", { params })).toMatchObject({ status: 200, body: { productID: "85123A" } });
  expect((await send("listProducts")).body.data).toHaveLength(2);
  expect(await send("updateProduct", { params, body: { price: "2.95" } })).toMatchObject({ status: 200 });
  expect((await send("deleteProduct", { params })).status).toBe(200);
  expect((await send("getProduct", { params })).status).toBe(404);
});

test.each(["getProduct", "updateProduct", "deleteProduct"])(
  "%s answers 404 for an unknown product",
  async (operation) => {
    expect((await send(operation, { params: { productID: "nobody" } })).status).toBe(404);
  },
);

test.each([[[]], [[{ productName: "nameless" }]], [[{ productID: "p", price: "much" }]]])(
  "%j is refused with 422",
  async (body) => {
    expect((await send("createProducts", { body })).status).toBe(422);
  },
);
