import type { Random } from "../harness/random.ts";
import { createItems } from "./items.ts";
import type { Person } from "./people.ts";

/** One call of a sender, with how the sender behaves. */
export interface IntakeRequest {
  readonly path: string;
  readonly body: string;
  readonly records: number;
  /** Sent as Idempotency-Key, by every retry. */
  readonly key: string | undefined;
  /** The sender hangs up so long after it has sent the body, in milliseconds: it never learns the answer. */
  readonly hangsUpAfterMs: number | undefined;
}

const operations = [
  "createContactactivities",
  "createContactactivities",
  "createContactactivities",
  "upsertContact",
  "upsertContact",
  "addContactsToList",
  "removeContactsFromList",
  "upsertOrder",
  "upsertOrder",
  "addProductsToCart",
  "addProductsToCart",
  "removeProductsFromCart",
  "upsertSupplementsRecords",
] as const;

export interface RequestsOptions {
  readonly random: Random;
  readonly people: readonly [Person, ...Person[]];
  readonly batchItemsMax: number;
}

/** Requests one after another, the same for the same seed; what the servers answer changes nothing in them. */
export function createRequests({ random, people, batchItemsMax }: RequestsOptions): () => IntakeRequest {
  const items = createItems(random.fork("items"));
  let created = 0;
  return () => {
    created++;
    const operation = random.pick(operations);
    const count = random.chance(0.25) ? 1 : random.between(2, batchItemsMax);
    const bodies = Array.from({ length: count }, () => items[operation](random.pick(people)));
    const isKeyed = random.chance(0.3);
    const hangsUp = random.chance(isKeyed ? 0.25 : 0.04);
    const isSingle = count === 1 && random.chance(0.8);
    return {
      path: isSingle ? `/api/${operation}` : `/api/${operation}/batch`,
      body: JSON.stringify(isSingle ? bodies[0] : { items: bodies }),
      records: bodies.reduce((sum, body) => sum + recordsOf(body), 0),
      key: isKeyed ? `key-${created}` : undefined,
      hangsUpAfterMs: hangsUp ? random.int(40) : undefined,
    };
  };
}

function recordsOf(body: Readonly<Record<string, unknown>>): number {
  const several = body.contactactivities ?? body.records;
  return Array.isArray(several) ? several.length : 1;
}
