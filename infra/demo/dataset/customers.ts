import { formatDecimal, type TenThousandths, timesCount } from "@headwater/contracts";
import type { Line } from "./lines.ts";

/** One customer, as the lines describe it. */
export interface Customer {
  readonly id: string;
  /** Country of the latest invoice: a few customers moved. */
  readonly country: string;
  readonly firstPurchase: string;
  readonly lastPurchase: string;
  /** Invoices that are no returns. */
  readonly orders: number;
  /** Goods bought less goods returned, in pounds. */
  readonly spent: TenThousandths;
}

/** Customers in the order the file names them first. */
export function toCustomers(lines: readonly Line[]): Customer[] {
  return [...Map.groupBy(lines, ({ customer }) => customer)].map(([id, own]) => toCustomer(id, own));
}

function toCustomer(id: string, lines: readonly Line[]): Customer {
  const byTime = lines.toSorted((left, right) => (left.time < right.time ? -1 : 1));
  const purchases = byTime.filter(({ isReturn }) => !isReturn);
  const dated = purchases.length > 0 ? purchases : byTime;
  return {
    id,
    country: byTime.at(-1)?.country ?? "",
    firstPurchase: dated.at(0)?.time ?? "",
    lastPurchase: dated.at(-1)?.time ?? "",
    orders: new Set(purchases.map(({ invoice }) => invoice)).size,
    spent: lines.reduce((sum, { price, quantity }) => sum + timesCount(price, quantity), 0n),
  };
}

/** The data set holds no addresses: a stable one under a domain that belongs to nobody. */
export function emailOf(customerId: string): string {
  return `customer-${customerId}@example.com`;
}

/** The body of `upsertContact`. */
export function toContactBody({ id, country, firstPurchase, lastPurchase, orders, spent }: Customer): object {
  const email = emailOf(id);
  return {
    identifiers: { email, customer_id: id },
    canBeCreated: true,
    canBeUpdated: true,
    attributes: {
      channels: { email: { address: email } },
      country,
      first_purchase: firstPurchase,
      last_purchase: lastPurchase,
      orders,
      total_spent: Number(formatDecimal(spent)),
    },
  };
}
