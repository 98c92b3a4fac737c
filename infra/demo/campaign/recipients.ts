import { formatDecimal, timesCount } from "@headwater/contracts";
import { type Customer, emailOf, toCustomers } from "../dataset/customers.ts";
import type { Line } from "../dataset/lines.ts";
import { type IntakeRequest, toRequest } from "../dataset/requests.ts";

export const RECIPIENTS = 100;
/** Audience of the letter. */
export const LETTER_LIST = "last-order-letter";
/** Products of an order that the letter names. */
const ITEMS_SHOWN = 5;

/** The customers who spent most, in that order, each subscribed and with the last order that was no return. */
export interface Recipients {
  readonly emails: readonly string[];
  readonly contacts: readonly IntakeRequest[];
  /** Puts them on the list, once they are known. */
  readonly list: readonly IntakeRequest[];
}

export function toRecipients(lines: readonly Line[]): Recipients {
  const bought = lines.filter(({ isReturn }) => !isReturn);
  const byCustomer = Map.groupBy(bought, ({ customer }) => customer);
  const chosen = toCustomers(bought)
    .toSorted(bySpend)
    .slice(0, RECIPIENTS)
    .map(({ id }) => id);
  const bodies = chosen.map((id) => toContactBody(id, byCustomer.get(id) ?? []));
  const identifiers = chosen.map((id) => ({ email: emailOf(id) }));
  return {
    emails: chosen.map(emailOf),
    contacts: [toRequest("upsertContact", bodies, bodies.length)],
    list: [toRequest("addContactsToList", [{ listName: LETTER_LIST, identifiers }], identifiers.length)],
  };
}

function bySpend(left: Customer, right: Customer): number {
  if (left.spent === right.spent) return left.id < right.id ? -1 : 1;
  return left.spent > right.spent ? -1 : 1;
}

function toContactBody(id: string, lines: readonly Line[]): object {
  const last = lines.toSorted((left, right) => (left.time < right.time ? -1 : 1)).at(-1);
  const order = lines.filter(({ invoice }) => invoice === last?.invoice);
  const total = order.reduce((sum, { price, quantity }) => sum + timesCount(price, quantity), 0n);
  return {
    identifiers: { email: emailOf(id) },
    canBeUpdated: true,
    attributes: {
      channels: { email: { address: emailOf(id), subscribeStatus: "subscribed" } },
      last_order: last?.invoice,
      last_order_at: last?.time,
      last_order_total: Number(formatDecimal(total)),
      last_order_lines: order.length,
      last_order_items: order.slice(0, ITEMS_SHOWN).map(({ quantity, description }) => `${quantity} × ${description}`),
    },
  };
}
