import { ClientError, createServiceClient, dataOf } from "@headwater/api-client";

/** Adds an order, reads it back and counts the contact's orders. */
export async function addOrder(baseUrl: string, apiKey: string) {
  const client = createServiceClient({ baseUrl, apiKey });
  const body = { orderID: "536365", purchaseDate: "2026-01-09", email: "ada@example.com", items: [] };
  const { response } = await client.api.POST("/v2/orders", { body });
  const after = response.headers.get("headwater-receipt") ?? "";
  const order = dataOf(
    await client.api.GET("/v2/orders/{id}", { params: { path: { id: "536365" }, query: { after } } }),
  );
  let orders = 0;
  try {
    for await (const { rows } of client.pages("listOrders", { query: { email: "ada@example.com" } }))
      orders += rows.length;
  } catch (error) {
    if (!(error instanceof ClientError && error.code === "CONTACTS_CONTACT_NOT_FOUND")) throw error;
  }
  return { orderID: order.orderID, orders };
}
