import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readOrder } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";
import { orderRecord } from "../../views/orderView.ts";

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneOrder(orderId: string, account: Account, { postgres }: ServicePorts): Promise<Answer> {
  const row = await readOrder(postgres, account.number, orderId);
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "There is no order with this id.");
  return { status: 200, body: orderRecord(row, account.settings), headers: { ETag: `"${row.version}"` } };
}
