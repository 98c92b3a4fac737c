import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readOrder } from "@headwater/stores/orders";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { ORDER_MEMBERS, orderRecord } from "../orderView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
export async function readOneOrder(
  { orderId, fields }: { readonly orderId: string; readonly fields: string | undefined },
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, ORDER_MEMBERS);
  const row = await readOrder(postgres, account.number, orderId);
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No order has this id.");
  return { status: 200, body: pick(orderRecord(row, account.settings)), headers: { ETag: etagOf(row.version) } };
}
