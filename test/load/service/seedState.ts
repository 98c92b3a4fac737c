import { ensureLists } from "@headwater/records/lists/lists";
import { LISTS } from "../audience/seed.ts";
import { itemText, SUPPLEMENT } from "../records/items.ts";
import type { World } from "../world/world.ts";
import { callService } from "./callService.ts";

/** The one contact, order and record that the service makes itself; its digits stand in no version. */
export const TEMPLATE = 987_654_321;

export interface Seeding {
  /** Contacts, orders and records of this number are made: numbers 1 to it. */
  readonly count: number;
}

export const ordersOf = ({ count }: Seeding) => Math.min(count, 200_000);

/**
 * Rows as the service writes them, of one contact with an order and a record, are multiplied in Postgres: same documents, same
 * bytes, and another number in each. Four of ten contacts are on the second list, one of ten is on the first.
 */
export async function seedState(world: World, { servicePort, count }: Seeding & { servicePort: number }) {
  await world.postgres.execute({ text: `SELECT setval('contact_numbers', ${count})` });
  for (const name of LISTS) await ensureLists(world.postgres, [{ account: world.account.number, name }], Date.now());
  await createTemplates(world, servicePort);
  for (const text of multiplied(world.account.number, { count })) await world.postgres.execute({ text });
  await world.postgres.execute({ text: "VACUUM (ANALYZE)" });
  await world.postgres.execute({ text: "CHECKPOINT" });
}

async function createTemplates(world: World, servicePort: number): Promise<void> {
  const contact = JSON.parse(itemText("upsertContact", TEMPLATE));
  const { channels, ...attributes } = contact.attributes;
  const { customer_id } = contact.identifiers;
  const { order } = JSON.parse(itemText("upsertOrder", TEMPLATE));
  const [record] = JSON.parse(itemText("upsertSupplementsRecords", TEMPLATE)).records;
  const indexes = [{ field: "year", type: "number" }];
  const email = channels.email.address;
  const send = (path: string, body: object) => callService(world, { port: servicePort, path, body });
  await send("/v2/contacts", { channels, attributes: { ...attributes, customer_id }, identifyBy: ["customer_id"] });
  await send("/v2/orders", { ...order, email });
  await send("/v2/supplements", { key: SUPPLEMENT, indexes, contactObject: true });
  await send(`/v2/supplements/${SUPPLEMENT}/records`, record);
}

const numbered = (column: string) => `replace(${column}, '${TEMPLATE}', lpad(n::text, 9, '0'))`;
const each = (upTo: number) => `generate_series(1, ${upTo}) AS n`;
const templateOf = (account: number, count: number) =>
  `(SELECT * FROM contacts WHERE account = ${account} AND number = ${count} + 1) AS c`;

/** Statements that multiply the contact that the service made as number `count + 1`. */
export function multipliedContacts(account: number, { count }: Seeding): string[] {
  return [
    `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, merged_into, doc)
      SELECT account, n, lpad(to_hex(n - 1), 24, '0'), created_at, modified_at, version, revision, NULL, ${numbered("doc")}
      FROM ${templateOf(account, count)}, ${each(count)}`,
    `INSERT INTO contact_identifiers (account, name, value, contact)
      SELECT account, name, ${numbered("value")}, n FROM (SELECT * FROM contact_identifiers WHERE account = ${account}) AS i, ${each(count)}`,
  ];
}

function multiplied(account: number, { count }: Seeding): string[] {
  const orders = ordersOf({ count });
  const template = templateOf(account, count);
  return [
    ...multipliedContacts(account, { count }),
    `INSERT INTO memberships (account, list, contact, present, joined_at, version)
      SELECT c.account, list, n, true, c.created_at, c.version FROM ${template}, ${each(count)}, (VALUES (1, 1), (2, 4)) AS l (list, share)
      WHERE n * 7 % 10 < share`,
    `INSERT INTO orders (account, order_id, contact, purchased_at, version, revision, doc)
      SELECT account, ${numbered("order_id")}, n, purchased_at - n * 1000, version, revision, ${numbered("doc")}
      FROM (SELECT * FROM orders WHERE account = ${account}) AS o, ${each(orders)}`,
    `INSERT INTO supplement_records (account, supplement, id, contact, created_at, modified_at, version, revision, doc)
      SELECT account, supplement, ${numbered("id")}, n, created_at, modified_at, version, revision, ${numbered("doc")}
      FROM (SELECT * FROM supplement_records WHERE account = ${account}) AS r, ${each(orders)}`,
    `INSERT INTO supplement_index_entries (account, supplement, slot, key, id)
      SELECT account, supplement, slot, key, ${numbered("id")}
      FROM (SELECT * FROM supplement_index_entries WHERE account = ${account}) AS e, ${each(orders)}`,
  ];
}
