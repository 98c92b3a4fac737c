import { ensureAttributes } from "@headwater/stores/attributes";
import { ensureLists } from "@headwater/stores/lists";
import type { World } from "../world/world.ts";

export const CONTACTS = 1_000_000;
export const ACTIVITIES = 10_000_000;
const ORDERS = 1_000_000;
const SEED_TIMEOUT_MS = 180_000;
const MERGES_TIMEOUT_MS = 60_000;
const MERGES_POLL_MS = 250;

const ATTRIBUTES = ["country", "tier", "lifetime_value", "birthday"];
/** Lists, which get the numbers 1 and 2 in this order. */
export const LISTS = ["vip", "newsletter"];

/** Contacts, fields, lists, orders and activities straight into the tables, the same ones in every run. */
export async function seedAudience(world: World): Promise<void> {
  await seedSearch(world);
  for (const sql of [orders(world.account.number), activities(world.account.number)]) {
    await world.clickhouse.command(sql, {}, { timeoutMs: SEED_TIMEOUT_MS });
  }
  await untilMergesRest(world.clickhouse);
}

/** Contacts, fields and lists alone: what contacts are searched by. */
export async function seedSearch({ account, postgres, clickhouse }: World): Promise<void> {
  const nowMs = Date.now();
  await ensureAttributes(
    postgres,
    ATTRIBUTES.map((key) => ({ account: account.number, key })),
    nowMs,
  );
  for (const name of LISTS) await ensureLists(postgres, [{ account: account.number, name }], nowMs);
  for (const sql of inserts(account.number)) {
    await clickhouse.command(sql, {}, { timeoutMs: SEED_TIMEOUT_MS });
  }
  await untilMergesRest(clickhouse);
}

/** Parts are merged in the background: the comparison begins when the tables have come to rest. */
async function untilMergesRest(clickhouse: World["clickhouse"]): Promise<void> {
  const deadlineMs = performance.now() + MERGES_TIMEOUT_MS;
  const running = "SELECT count() AS merges FROM system.merges WHERE database = currentDatabase()";
  for (;;) {
    const [row] = await clickhouse.query<{ merges: number }>(running);
    if (row?.merges === 0 || performance.now() > deadlineMs) return;
    await new Promise((resolve) => setTimeout(resolve, MERGES_POLL_MS));
  }
}

/** `hash(n)` is a number that looks random; every use takes another salt. */
const hash = (salt: number) => `cityHash64(number, ${salt})`;
const version = "leftPad('', 32, '0')";

function inserts(account: number): string[] {
  const field = (name: string, kind: string, text: string, number = "NULL") =>
    `INSERT INTO contact_fields_current (account, field, contact, kind, text, number, version, revision)
     SELECT ${account}, '${name}', number + 1, '${kind}', ${text}, ${number}, ${version}, 1 FROM numbers(${CONTACTS})`;
  const worth = `intDiv(${hash(3)} % 2000000, 1) / 1000`;
  return [
    `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
     SELECT ${account}, number + 1, leftPad(lower(hex(number)), 24, '0'), now64(3) - toIntervalSecond(${hash(1)} % 90000000),
       now64(3), ${version}, 0, 0, 1 FROM numbers(${CONTACTS})`,
    field("attributes.country", "string", `['DE', 'FR', 'GB', 'US', 'NL', 'ES', 'IT', 'SE'][1 + ${hash(2)} % 8]`),
    field("attributes.tier", "string", `['bronze', 'silver', 'gold', 'platinum'][1 + ${hash(4)} % 4]`),
    field("attributes.lifetime_value", "number", `toString(${worth})`, worth),
    field("attributes.birthday", "string", `toString(toDate('1950-01-01') + ${hash(5)} % 20000)`),
    field("identifiers.email", "string", "concat('ann.', toString(number), '@example.com')"),
    field("channels.email.subscribeStatus", "string", `if(${hash(6)} % 10 < 7, 'subscribed', 'unsubscribed')`),
    ...LISTS.map(
      (_, index) =>
        `INSERT INTO memberships_current (account, list, contact, present, joined_at, version, revision)
         SELECT ${account}, ${index + 1}, number + 1, 1, now64(3) - toIntervalSecond(${hash(7)} % 30000000), ${version}, 1
         FROM numbers(${CONTACTS}) WHERE ${hash(8 + index)} % 10 < ${index * 3 + 1}`,
    ),
  ];
}

function orders(account: number): string {
  return `INSERT INTO orders_current (account, order_id, contact, purchased_at, status, counts, currency, total, document, deleted, version, revision)
    WITH toDecimal64(${hash(20)} % 40000 / 100, 4) AS amount, ${hash(21)} % 20 = 0 AS cancelled
    SELECT ${account}, concat('A-', toString(number)), 1 + ${hash(22)} % ${CONTACTS}, now64(3) - toIntervalSecond(${hash(23)} % 63000000),
      if(cancelled, 'cancelled', 'completed'), if(cancelled, 0, 1), 'USD', amount,
      concat('{"orderID":"A-', toString(number), '","status":"', if(cancelled, 'cancelled', 'completed'), '","totalAmount":"', toString(amount), '"}'),
      0, ${version}, 1 FROM numbers(${ORDERS})`;
}

function activities(account: number): string {
  return `INSERT INTO activities (account, contact, action, time, ingested, uid, record, properties)
    SELECT ${account}, 1 + ${hash(30)} % ${CONTACTS}, ['browse', 'browse', 'browse', 'open', 'open', 'click', 'search', 'purchase'][1 + ${hash(31)} % 8],
      now64(3) - toIntervalSecond(${hash(32)} % 31536000), now64(3), concat('uid-', toString(number)), concat('r-', toString(number)),
      concat('{"category":"', ['Shoes', 'Jackets', 'Kitchen', 'Garden', 'Electronics', 'Toys'][1 + ${hash(33)} % 6],
        '","price":', toString(${hash(34)} % 20000 / 100), ',"currency":"USD"}')
    FROM numbers(${ACTIVITIES})`;
}
