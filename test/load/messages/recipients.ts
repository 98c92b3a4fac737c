import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { fieldRows, version } from "../audience/histories.ts";
import { callService } from "../service/callService.ts";
import { multipliedContacts, TEMPLATE } from "../service/seedState.ts";
import type { World } from "../world/world.ts";

/** Criteria that all recipients meet. */
export const EVERYBODY = { field: "attributes.tier", op: "eq", value: "gold" };

/** Address of the nth recipient. */
export const addressOf = (contact: number): string => `ann.${String(contact).padStart(9, "0")}@example.com`;

/** Makes recipients in both stores: rows as the service writes them, multiplied. */
export async function seedRecipients(world: World, { port, count }: { readonly port: number; readonly count: number }) {
  const { postgres, account } = world;
  await postgres.execute({ text: `SELECT setval('contact_numbers', ${count})` });
  await callService(world, {
    ...{ port, path: "/v2/contacts" },
    body: {
      channels: { email: { address: addressOf(TEMPLATE), subscribeStatus: "subscribed" } },
      attributes: { name: "Ann", tier: "gold" },
    },
  });
  for (const text of multipliedContacts(account.number, { count })) await postgres.execute({ text });
  await postgres.execute({ text: "VACUUM (ANALYZE)" });
  await seedAudienceOf(world, count);
}

async function seedAudienceOf({ postgres, clickhouse, account }: World, count: number): Promise<void> {
  await ensureAttributes(postgres, [{ account: account.number, key: "tier" }], Date.now());
  const size = { account: account.number, numbers: `numbers(${count})`, isPast: false, isThere: "1" };
  const statements = [
    `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
     SELECT ${account.number}, number + 1, leftPad(lower(hex(number)), 24, '0'), now64(3), now64(3), ${version("now64(3)")}, 0, 0, 1
     FROM numbers(${count})`,
    ...fieldRows({ ...size, name: "attributes.tier", kind: "string", text: "'gold'", number: "NULL" }),
  ];
  for (const sql of statements) await clickhouse.command(sql);
}
