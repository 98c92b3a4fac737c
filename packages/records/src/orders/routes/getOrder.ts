import { waitForState } from "@headwater/api/consistency/after";
import { pickFields } from "@headwater/api/paging/listAnswer";
import { afterQuery, listQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { readOrder } from "../orderReads.ts";
import { ORDER_MEMBERS, orderRecord } from "../orderRecord.ts";
import { orderAnswer, orderExample } from "../orderSchema.ts";

const params = z.strictObject({ id: storableText(1_024) });
const query = z.strictObject({ ...afterQuery, fields: listQuery.fields });

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
async function readOneOrder(
  { orderId, fields }: { readonly orderId: string; readonly fields: string | undefined },
  account: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, ORDER_MEMBERS);
  const row = await readOrder(postgres, account.number, orderId);
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No order has this id.");
  return { status: 200, body: pick(orderRecord(row, account.settings)), headers: { ETag: etagOf(row.version) } };
}

export function getOrder(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
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
