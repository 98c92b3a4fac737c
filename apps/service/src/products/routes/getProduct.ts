import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { readProduct } from "@headwater/stores/products";
import { z } from "zod";
import { waitForAfter } from "../../consistency/after.ts";
import { afterQuery } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { productAnswer, productExample, productParams } from "../productShape.ts";
import { productRecord, versionOfProduct } from "../productView.ts";

const query = z.strictObject(afterQuery);

/** Throws 404 `RECORD_NOT_FOUND`. */
async function readOneProduct(
  productId: string,
  { number: account }: Pick<Account, "number">,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const row = await readProduct(postgres, { account, productId });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No product has this id.");
  return { status: 200, body: productRecord(row), headers: { ETag: etagOf(versionOfProduct(row)) } };
}

export function getProduct(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
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
