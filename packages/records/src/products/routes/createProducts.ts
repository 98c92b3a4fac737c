import { successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { exactProductMembers, productBody } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { expectShallow } from "../storedProduct.ts";
import { upsertProducts } from "../upsertProducts.ts";

const PRODUCTS_MAX = 500;

const body = z.union([productBody, z.array(productBody).min(1).max(PRODUCTS_MAX)]);
type ProductsBody = z.output<typeof body>;

const status = z.enum(["created", "updated"]);

const upsertedAnswer = z.union([
  successShape.extend({ productID: z.string() }),
  successShape.extend({ items: z.array(z.strictObject({ productID: z.string(), status })) }),
]);
type UpsertStatus = z.output<typeof status>;

export const requestExample = {
  productID: "85123A",
  productName: "White hanging heart",
  price: 2.55,
  category: "home",
  variants: [{ sku: "85123A-w", attr: { colour: "white" }, qty: 12 }],
  sale: { enabled: true, price: "1.95", start: "2026-11-27", end: "2026-11-30" },
  enabled: true,
};
const upsertRequest = [requestExample, { productID: "22423", productName: "Cake stand", price: "10.95" }];

const upsertedExample = {
  success: true,
  items: [
    { productID: "85123A", status: "created" },
    { productID: "22423", status: "created" },
  ],
};

/** All or nothing. Throws 422. A product that stands twice in the array is made by the first and changed by the second. */
function addProducts(
  call: OnceCall,
  input: ProductsBody,
  { postgres, clock }: Pick<RoutePorts, "postgres" | "clock">,
): Promise<Answer> {
  const products = [input].flat();
  expectShallow(products.map((members, index) => ({ at: Array.isArray(input) ? `/${index}` : "", members })));
  return retryOnConflict(() =>
    runOnce(postgres, call, async (transaction) => {
      const { account } = call.caller;
      const upserted = await upsertProducts(transaction, { account, products, nowMs: clock.nowMs() });
      const items = upserted.map(({ productID, status }): Upserted => ({ productID, status }));
      const status = items.some((item) => item.status === "created") ? 201 : 200;
      const body = { success: true, ...(Array.isArray(input) ? { items } : { productID: input.productID }) };
      return { answer: { status, body }, kept: body };
    }),
  );
}

interface Upserted {
  readonly productID: string;
  readonly status: UpsertStatus;
}

export function createProducts(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/products",
    operationId: "createProducts",
    summary: "Creates or updates one product or an array of up to 500, all or nothing.",
    description:
      "Absent members stay unchanged, null removes a member. Values written here take precedence over those from orders and carts, regardless of their times.",
    tags: ["products"],
    answers: {
      200: {
        description: "All products existed and were updated.",
        schema: upsertedAnswer,
        example: { success: true, productID: "1" },
      },
      201: { description: "At least one product was created.", schema: upsertedAnswer, example: upsertedExample },
    },
    scope: "products:write",
    dryRun: "rolledBack",
    target: "productID",
    body,
    exactMembers: exactProductMembers,
    requestExample: upsertRequest,
    handler: ({ body: products, once }) => addProducts(once, products, ports),
  });
}
