import { ACTIVITIES_GROUP, INTAKE_TOPICS } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { ensureLists } from "@headwater/records/lists/lists";
import type { Scale } from "../world/options.ts";
import { topicEnds } from "../world/topics.ts";
import type { World } from "../world/world.ts";
import { fieldRows, membershipRows, orderRows, version } from "./histories.ts";

/** Contacts that are searched. */
export const CONTACTS = 1_000_000;
/** Sizes of what is counted; as many orders as contacts. */
export const SIZES = {
  small: { contacts: 1_000_000, activities: 10_000_000 },
  large: { contacts: 10_000_000, activities: 100_000_000 },
} as const satisfies Record<Scale, { readonly contacts: number; readonly activities: number }>;

/** Contacts, orders or activities of one statement: the client gives up one that takes minutes. */
const ROWS_AT_ONCE = 1_000_000;
const SEED_TIMEOUT_MS = 600_000;
const MERGES_TIMEOUT_MS = 180_000;
const MERGES_POLL_MS = 250;

const ATTRIBUTES = ["country", "tier", "lifetime_value", "birthday"];
/** Lists, which get the numbers 1 and 2 in this order. */
export const LISTS = ["vip", "newsletter"];

/** Contacts, some of them merged, with histories of two versions, orders and activities of a year; the same ones in every run. */
export async function seedAudience(world: World, scale: Scale): Promise<void> {
  const { contacts, activities } = SIZES[scale];
  const account = world.account.number;
  await prepare(world);
  await seedNames(world);
  const statements = [
    ...inserts(account, contacts, { isPast: true }),
    ...mergesOf(account, contacts),
    ...ranges(contacts).flatMap((numbers) => orderRows({ account, contacts, numbers })),
    ...ranges(activities).map((numbers) => activityRows({ account, contacts, numbers })),
  ];
  await run(world, statements);
}

/** Numbers from 0 on, as tables of up to a million each. */
function ranges(total: number): string[] {
  const count = Math.ceil(total / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, range) => {
    const first = range * ROWS_AT_ONCE;
    return `numbers(${first}, ${Math.min(ROWS_AT_ONCE, total - first)})`;
  });
}

/** Makes the account older than its history, and known the version that all activities name: unknown, it would be taken for a loss of Postgres. */
async function prepare({ account, postgres, env }: World): Promise<void> {
  const age = "UPDATE intake.accounts SET created_at = now() - interval '3 years' WHERE number = $1";
  await postgres.execute({ text: age }, [account.number]);
  const [topic] = INTAKE_TOPICS;
  // Topics that earlier paths emptied begin later: what was before would be taken for lost.
  const end = (await topicEnds(env.KAFKA_BROKERS ?? "", topic)).get(0) ?? 0;
  const position =
    "INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset) VALUES ($1, $2, 0, 0, $3) ON CONFLICT DO NOTHING";
  await postgres.execute({ text: position }, [ACTIVITIES_GROUP, topic, Math.max(1, end)]);
}

/** Contacts, fields and lists alone: what contacts are searched by. */
export async function seedSearch(world: World): Promise<void> {
  await seedNames(world);
  await run(world, inserts(world.account.number, CONTACTS, { isPast: false }));
}

async function seedNames({ account: { number: account }, postgres }: World): Promise<void> {
  const nowMs = Date.now();
  const attributes = ATTRIBUTES.map((key) => ({ account, key }));
  await ensureAttributes(postgres, attributes, nowMs);
  for (const name of LISTS) await ensureLists(postgres, [{ account, name }], nowMs);
}

async function run({ clickhouse }: World, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await clickhouse.command(sql, {}, { timeoutMs: SEED_TIMEOUT_MS });
  await untilMergesRest(clickhouse);
}

/** Parts are merged in the background: the comparison begins when the tables have come to rest. */
async function untilMergesRest(clickhouse: World["clickhouse"]): Promise<void> {
  const deadlineMs = performance.now() + MERGES_TIMEOUT_MS;
  const running = "SELECT count() AS merges FROM system.merges WHERE database = currentDatabase()";
  for (;;) {
    const [row] = await clickhouse.query<{ merges: number | string }>(running);
    if (Number(row?.merges) === 0 || performance.now() > deadlineMs) return;
    await new Promise((resolve) => setTimeout(resolve, MERGES_POLL_MS));
  }
}

/** `hash(n)` is a number that seems random; every use takes another salt. */
const hash = (salt: number) => `cityHash64(number, ${salt})`;
/** Selects the merged contacts: of a hundred the last, which was merged into the one before it. */
const MERGED = "number % 100 = 99";

function inserts(account: number, contacts: number, { isPast }: { readonly isPast: boolean }): string[] {
  return ranges(contacts).flatMap((numbers) => insertsOf({ account, numbers, isPast }));
}

interface ContactRows {
  readonly account: number;
  readonly numbers: string;
  readonly isPast: boolean;
}

function insertsOf({ account, numbers, isPast }: ContactRows): string[] {
  const isMerged = isPast ? MERGED : "0";
  const size = { account, numbers, isPast, isThere: isPast ? `NOT (${MERGED})` : "1" };
  const field = (name: string, kind: string, text: string, number = "NULL") =>
    fieldRows({ ...size, name, kind, text, number });
  const worth = `intDiv(${hash(3)} % 2000000, 1) / 1000`;
  return [
    `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
     SELECT ${account}, number + 1, leftPad(lower(hex(number)), 24, '0'), now64(3) - toIntervalSecond(${hash(1)} % 90000000),
       now64(3), ${version("now64(3)")}, if(${isMerged}, number, 0), ${isMerged}, 1 FROM ${numbers}`,
    ...field("attributes.country", "string", `['DE', 'FR', 'GB', 'US', 'NL', 'ES', 'IT', 'SE'][1 + ${hash(2)} % 8]`),
    ...field("attributes.tier", "string", `['bronze', 'silver', 'gold', 'platinum'][1 + ${hash(4)} % 4]`),
    ...field("attributes.lifetime_value", "number", `toString(${worth})`, worth),
    ...field("attributes.birthday", "string", `toString(toDate('1950-01-01') + ${hash(5)} % 20000)`),
    ...field("identifiers.email", "string", "concat('ann.', toString(number), '@example.com')"),
    ...field("channels.email.subscribeStatus", "string", `if(${hash(6)} % 10 < 7, 'subscribed', 'unsubscribed')`),
    ...LISTS.flatMap((_, index) =>
      membershipRows({ ...size, list: index + 1, isMember: `${hash(8 + index)} % 10 < ${index * 3 + 1}` }),
    ),
  ];
}

function mergesOf(account: number, contacts: number): string[] {
  return [
    `INSERT INTO contact_aliases (account, contact, survivor, revision)
     SELECT ${account}, number + 1, number, 1 FROM numbers(${contacts}) WHERE ${MERGED}`,
  ];
}

interface ActivityRows {
  readonly account: number;
  readonly contacts: number;
  readonly numbers: string;
}

function activityRows({ account, contacts, numbers }: ActivityRows): string {
  return `INSERT INTO activities (account, contact, action, time, ingested, uid, record, mc_id, properties)
    SELECT ${account}, 1 + ${hash(30)} % ${contacts}, ['browse', 'browse', 'browse', 'open', 'open', 'click', 'search', 'purchase'][1 + ${hash(31)} % 8] AS action,
      now64(3) - toIntervalSecond(${hash(32)} % 31536000) AS time, time, concat('uid-', toString(number)), concat('r-', toString(number)),
      if(action IN ('open', 'click'), concat('a:m', toString(${hash(35)} % 20), ':b:c:', toString(number)), ''),
      concat('{"category":"', ['Shoes', 'Jackets', 'Kitchen', 'Garden', 'Electronics', 'Toys'][1 + ${hash(33)} % 6],
        '","price":', toString(${hash(34)} % 20000 / 100), ',"currency":"USD"}')
    FROM ${numbers}`;
}
