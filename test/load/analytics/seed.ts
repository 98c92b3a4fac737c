import { ACTIVITIES_GROUP, INTAKE_TOPICS } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import type { Scale } from "../world/options.ts";
import type { World } from "../world/world.ts";

/** Sizes of what is exported and followed over a year. */
export const SIZES = {
  small: { contacts: 200_000, activities: 2_000_000 },
  large: { contacts: 10_000_000, activities: 100_000_000 },
} as const satisfies Record<Scale, { readonly contacts: number; readonly activities: number }>;

/** Activities of one statement. */
const AT_ONCE = 1_000_000;
const TIMEOUT_MS = 600_000;

/** Attributes with the SQL of their text and, of numbers, of their number. */
const ATTRIBUTES: readonly (readonly [key: string, kind: string, text: string, number?: string])[] = [
  ["first_name", "string", "['Ann', 'Bela', 'Chidi', 'Dorothea'][1 + cityHash64(number, 1) % 4]"],
  ["last_name", "string", "concat('von \"', toString(cityHash64(number, 2) % 100000), '\"')"],
  ["city", "string", "['Rotterdam', 'Guadalajara', 'San Diego'][1 + cityHash64(number, 3) % 3]"],
  ["country", "string", "['DE', 'FR', 'GB', 'US'][1 + cityHash64(number, 4) % 4]"],
  ["plan", "string", "['bronze', 'silver', 'gold'][1 + cityHash64(number, 5) % 3]"],
  ["birthday", "string", "toString(toDate('1950-01-01') + cityHash64(number, 6) % 20000)"],
  ["score", "number", "toString(cityHash64(number, 7) % 1000)", "cityHash64(number, 7) % 1000"],
  ["vip", "boolean", "if(cityHash64(number, 8) % 10 = 0, 'true', 'false')"],
];
export const ATTRIBUTE_KEYS = ATTRIBUTES.map(([key]) => key);

/** Makes contacts with eight attributes and an address, and their activities of a year; the same ones in every run. */
export async function seedAnalytics(world: World, { contacts, activities }: (typeof SIZES)[Scale]): Promise<void> {
  const { account, postgres } = world;
  const age = "UPDATE intake.accounts SET created_at = now() - interval '3 years' WHERE number = $1";
  await postgres.execute({ text: age }, [account.number]);
  // The position that all activities name: were it unknown, Postgres would be taken for one that lost it.
  const position =
    "INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset) VALUES ($1, $2, 0, 0, 1)";
  await postgres.execute({ text: position }, [ACTIVITIES_GROUP, INTAKE_TOPICS[0]]);
  const keys = ATTRIBUTE_KEYS.map((key) => ({ account: account.number, key }));
  await ensureAttributes(postgres, keys, Date.now());
  const statements = contactStatements(account.number, contacts);
  for (let first = 0; first < activities; first += AT_ONCE) {
    const rows = Math.min(AT_ONCE, activities - first);
    statements.push(activityStatement(account.number, contacts, { first, rows }));
  }
  for (const sql of statements) await world.clickhouse.command(sql, {}, { timeoutMs: TIMEOUT_MS });
}

function contactStatements(account: number, contacts: number): string[] {
  const field = (name: string, kind: string, text: string, number = "NULL") =>
    `INSERT INTO contact_fields_current (account, field, contact, kind, text, number, version, revision)
      SELECT ${account}, '${name}', number, '${kind}', ${text}, ${number}, '0', 1 FROM numbers(1, ${contacts})`;
  return [
    `INSERT INTO contacts_current (account, contact, cid, created_at, modified_at, version, merged_into, deleted, revision)
      SELECT ${account}, number, leftPad(lower(hex(number)), 24, '0'), now64(3), now64(3), '0', 0, 0, 1 FROM numbers(1, ${contacts})`,
    field("channels.email.address", "string", "concat('ann.', toString(number), '@example.com')"),
    ...ATTRIBUTES.map(([key, ...value]) => field(`attributes.${key}`, ...value)),
  ];
}

export interface ActivityRange {
  readonly first: number;
  readonly rows: number;
  /** Generation of the log that they are of; one before the first is below every watermark. */
  readonly generation?: number;
}

export function activityStatement(
  account: number,
  contacts: number,
  { first, rows, generation = 0 }: ActivityRange,
): string {
  return `INSERT INTO activities (account, contact, action, time, ingested, uid, record, mc_id, properties, topic_generation, lane, partition,
      log_offset, place)
    SELECT ${account}, 1 + cityHash64(number, 30) % ${contacts}, ['browse', 'open', 'search', 'purchase'][1 + cityHash64(number, 31) % 4],
      now64(3) - toIntervalSecond(cityHash64(number, 32) % 31536000) AS time, time, concat('uid-', toString(number)),
      concat('r-', toString(number)), '', concat('{"category":"', ['Shoes', 'Jackets', 'Kitchen'][1 + cityHash64(number, 33) % 3],
        '","price":', toString(cityHash64(number, 34) % 20000 / 100), ',"currency":"USD"}'), ${generation}, 1, 0, 0, 0
    FROM numbers(${first}, ${rows})`;
}
