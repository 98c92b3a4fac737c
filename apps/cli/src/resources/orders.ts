import type { Resource } from "../requests/run.ts";
import { between, filter } from "./filters.ts";

export const orders: Resource = {
  name: "orders",
  summary: "Orders of contacts.",
  leaves: [
    {
      usage: "ls",
      summary: "List orders, the latest first.",
      examples: [
        "headwater orders ls --email ada@example.com",
        "headwater orders ls --since 2026-01-01 --all -o ndjson > orders.ndjson",
      ],
      operation: "listOrders",
      columns: ["orderID", "purchaseDate", "status", "totalAmount", "currency", "cID"],
      options: [
        filter("--email <address>", "email", "of the contact with this address"),
        filter("--cid <cID>", "cID", "of this contact"),
        filter("--on <date>", "purchaseDate", "bought on this day"),
        ...between("purchaseDate", "bought"),
      ],
    },
    {
      usage: "get <order>",
      summary: "Show one order.",
      examples: ["headwater orders get 536365", "headwater orders get 536365 --json --fields orderID,totalAmount"],
      operation: "getOrder",
    },
    {
      usage: "create",
      summary: "Add an order.",
      examples: [
        "headwater orders create -f order.json",
        "headwater orders create -f - --set status=paid < order.json",
      ],
      operation: "createOrder",
      input: "needed",
    },
    {
      usage: "update <order>",
      summary:
        "Change members of an order: what is not named stays, null removes. `items`, if given, replace all items.",
      examples: [
        "headwater orders update 536365 --set status=shipped",
        "headwater orders update 536365 -f changes.json",
      ],
      operation: "updateOrder",
      input: "needed",
    },
    {
      usage: "delete <order>",
      summary: "Delete an order.",
      examples: ["headwater orders delete 536365 --yes"],
      operation: "deleteOrder",
      confirm: ([id]) => `Delete the order ${id}?`,
    },
  ],
};
