import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { productAnswer, productExample, productParams } from "../productShape.ts";
import { readProduct } from "../products.ts";
import { productRecord, versionOfProduct } from "../productView.ts";

const query = z.strictObject(afterQuery);

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readOneProduct(
  productId: string,
  { number: account }: Pick<Account, "number">,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const row = await readProduct(postgres, { account, productId });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No product has this id.");
  return { status: 200, body: productRecord(row), headers: { ETag: etagOf(versionOfProduct(row)) } };
}

export function getProduct(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/products/{productID}",
    operationId: "getProduct",
    summary: "Returns a product by its id.",
    tags: ["products"],
    answers: { 200: { description: "The product.", schema: productAnswer, example: productExample } },
    auth: "basic",
    scope: "products:read",
    rateClass: "read",
    params: productParams,
    query,
    handler: async ({ params: { productID }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "products", signal }, ports);
      return readOneProduct(productID, caller.account, ports);
    },
  });
}
