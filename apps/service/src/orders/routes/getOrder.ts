import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { readOrder } from "@headwater/stores/orders";
import { z } from "zod";
import { waitForState } from "../../consistency/after.ts";
import { pickFields } from "../../paging/listAnswer.ts";
import { afterQuery, listQuery, storableText } from "../../paging/query.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { orderAnswer, orderExample } from "../orderSchema.ts";
import { ORDER_MEMBERS, orderRecord } from "../orderView.ts";

const params = z.strictObject({ id: storableText(1_024) });
const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneOrder(
  { orderId, fields }: { readonly orderId: string; readonly fields: string | undefined },
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, ORDER_MEMBERS);
  const row = await readOrder(postgres, account.number, orderId);
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No order has this id.");
  return { status: 200, body: pick(orderRecord(row, account.settings)), headers: { ETag: etagOf(row.version) } };
}

export function getOrder(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orders/{id}",
    operationId: "getOrder",
    summary: "Returns an order by its orderID.",
    tags: ["orders"],
    answers: { 200: { description: "The order.", schema: orderAnswer.partial(), example: orderExample } },
    auth: "basic",
    scope: "orders:read",
    rateClass: "read",
    params,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, query, caller } = call;
      return readOneOrder({ orderId: params.id, fields: query.fields }, caller.account, ports);
    },
  });
}
