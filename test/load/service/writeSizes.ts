import type { SizesOfWrites } from "../tasks/bareServiceTask.ts";
import type { World } from "../world/world.ts";
import { TEMPLATE } from "./seedState.ts";

const DOCUMENTS = {
  contact: "SELECT octet_length(doc) AS bytes FROM contacts WHERE doc LIKE $1 LIMIT 1",
  order: "SELECT octet_length(doc) AS bytes FROM orders WHERE doc LIKE $1 LIMIT 1",
  record: "SELECT octet_length(doc) AS bytes FROM supplement_records WHERE id LIKE $1 LIMIT 1",
} as const;
const TOPICS = { contact: "changes.contacts", order: "changes.orders", record: "changes.supplements" } as const;

/** Bytes of the document and of the change record of one contact, order and record that the service has written. */
export async function sizesOfWrites(world: World): Promise<SizesOfWrites> {
  const [contact, order, record] = await Promise.all([
    sizeOf(world, "contact"),
    sizeOf(world, "order"),
    sizeOf(world, "record"),
  ]);
  return { contact, order, record };
}

async function sizeOf({ postgres }: World, name: keyof typeof DOCUMENTS) {
  const [document] = await postgres.query<{ bytes: number }>({ text: DOCUMENTS[name] }, [`%${TEMPLATE}%`]);
  const [outbox] = await postgres.query<{ bytes: number }>(
    { text: "SELECT octet_length(payload) AS bytes FROM outbox WHERE topic = $1 LIMIT 1" },
    [TOPICS[name]],
  );
  if (document === undefined || outbox === undefined) throw new Error(`the service has written no ${name}`);
  return { documentBytes: document.bytes, outboxBytes: outbox.bytes };
}
