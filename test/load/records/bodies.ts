import { itemText, type OperationName } from "./items.ts";

export interface BodySeries {
  readonly operation: OperationName;
  /** Items of one body; 1 is a single call. */
  readonly batch: number;
  readonly bodies: number;
  /** The first contact's number: each item is about a contact of its own. */
  readonly firstContact: number;
  /** Round, as in `itemText`. */
  readonly round?: number | undefined;
}

/** Bodies of batches (`{"items":[…]}`) or of single calls. */
export function createBodies({ operation, batch, bodies, firstContact, round = 0 }: BodySeries): Buffer[] {
  return Array.from({ length: bodies }, (_, index) => {
    const from = firstContact + index * batch;
    const items = Array.from({ length: batch }, (_item, position) => itemText(operation, from + position, round));
    return Buffer.from(batch === 1 ? (items[0] ?? "") : `{"items":[${items.join(",")}]}`);
  });
}

/** Returns the route for bodies of the series. */
export function routeOf({ operation, batch }: Pick<BodySeries, "operation" | "batch">): string {
  return batch === 1 ? `/api/${operation}` : `/api/${operation}/batch`;
}
