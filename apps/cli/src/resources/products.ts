import type { Resource } from "../requests/run.ts";

export const products: Resource = {
  name: "products",
  summary: "The catalogue of products.",
  leaves: [
    {
      usage: "ls",
      summary: "List products.",
      examples: ["headwater products ls", "headwater products ls --all -o csv --fields productID,productName,price"],
      operation: "listProducts",
      columns: ["productID", "productName", "category", "price", "totalQty", "enabled"],
    },
    {
      usage: "get <product>",
      summary: "Show one product.",
      examples: ["headwater products get 85123A"],
      operation: "getProduct",
    },
    {
      usage: "create",
      summary: "Create or change products: one object or a list of them.",
      examples: [
        "headwater products create -f products.json",
        "headwater products create --set productID=22423 --set productName='Cake stand' --set price=10.95",
      ],
      operation: "createProducts",
      input: "needed",
    },
    {
      usage: "update <product>",
      summary: "Change members of a product. Absent members stay, null removes one.",
      examples: ["headwater products update 85123A --set price=2.95 --set-json inStock=false"],
      operation: "updateProduct",
      input: "needed",
    },
    {
      usage: "delete <product>",
      summary: "Delete a product.",
      examples: ["headwater products delete 85123A --yes"],
      operation: "deleteProduct",
      confirm: ([id]) => `Delete the product ${id}?`,
    },
  ],
};
