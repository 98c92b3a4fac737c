import { formatDecimal } from "@headwater/contracts";
import { emailOf } from "./customers.ts";
import type { Line } from "./lines.ts";

/** The bodies of `upsertOrder`, one an invoice; a return is an order with negative lines under its own number and without a status, so that sums are net. */
export function toOrderBodies(lines: readonly Line[]): object[] {
  return [...Map.groupBy(lines, ({ invoice }) => invoice)].map(([invoice, own]) => toOrderBody(invoice, own));
}

function toOrderBody(invoice: string, lines: readonly Line[]): object {
  const times = lines.map(({ time }) => time).sort();
  const customer = lines[0]?.customer ?? "";
  return {
    contact: { identifiers: { email: emailOf(customer) } },
    order: {
      orderID: invoice,
      purchaseDate: times[0],
      currency: "GBP",
      customerID: customer,
      items: lines.map((line) => ({
        productID: line.stockCode,
        sku: line.stockCode,
        name: line.description,
        itemPrice: formatDecimal(line.price),
        qty: line.quantity,
      })),
    },
  };
}
