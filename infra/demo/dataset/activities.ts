import { formatDecimal } from "@headwater/contracts";
import { emailOf } from "./customers.ts";
import type { Line } from "./lines.ts";

/** Events in one body of `createContactactivities`. */
const EVENTS_MAX = 100;

export interface ActivitiesBody {
  readonly body: object;
  readonly events: number;
}

/** Each line is an activity of its customer, `purchase` or `return`; up to 100 of them share a body. */
export function toActivitiesBodies(lines: readonly Line[]): ActivitiesBody[] {
  return [...Map.groupBy(lines, ({ customer }) => customer)].flatMap(([customer, own]) => {
    const contact = { identifiers: { email: emailOf(customer) } };
    const bodies: ActivitiesBody[] = [];
    for (let from = 0; from < own.length; from += EVENTS_MAX) {
      const some = own.slice(from, from + EVENTS_MAX);
      bodies.push({ body: { contact, contactactivities: some.map(toEvent) }, events: some.length });
    }
    return bodies;
  });
}

function toEvent(line: Line): object {
  return {
    name: line.isReturn ? "return" : "purchase",
    time: line.time,
    UID: `${line.invoice}-${line.place}`,
    properties: {
      invoice: line.invoice,
      stockCode: line.stockCode,
      description: line.description,
      qty: line.quantity,
      price: Number(formatDecimal(line.price)),
    },
  };
}
