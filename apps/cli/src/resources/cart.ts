import type { Resource } from "../requests/run.ts";

/** Carts are the contact's: every command names the contact first. */
export const cart: Resource = {
  name: "cart",
  summary: "The cart of a contact.",
  leaves: [
    {
      usage: "get <contact>",
      summary: "Show the cart.",
      examples: ["headwater contacts cart get ada@example.com"],
      operation: "getCart",
    },
    {
      usage: "set <contact>",
      summary: "Replace the cart.",
      examples: ["headwater contacts cart set ada@example.com -f cart.json"],
      operation: "setCart",
      input: "needed",
    },
    {
      usage: "update <contact>",
      summary: "Change members of the cart.",
      examples: ["headwater contacts cart update ada@example.com --set url=https://shop.example.com/cart/C-1001"],
      operation: "updateCart",
      input: "needed",
    },
    {
      usage: "clear <contact>",
      summary: "Empty the cart.",
      examples: ["headwater contacts cart clear ada@example.com --yes"],
      operation: "clearCart",
      confirm: ([contact]) => `Empty the cart of ${contact}?`,
    },
    {
      usage: "add <contact>",
      summary: "Add a product to the cart.",
      examples: ["headwater contacts cart add ada@example.com -f line.json --set-json qty=2"],
      operation: "addCartitem",
      input: "needed",
    },
    {
      usage: "remove <contact> <product> <qty> [sku]",
      summary: "Remove a quantity of a product from the cart: from one SKU, or from its lines in order.",
      examples: [
        "headwater contacts cart remove ada@example.com 85123A 2",
        "headwater contacts cart remove ada@example.com 85123A 1 85123A-w",
      ],
      operation: "removeCartitem",
      operationFor: ({ length }) => (length > 3 ? "removeCartitemOfSku" : "removeCartitem"),
    },
  ],
};
