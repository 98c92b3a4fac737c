import type { Random } from "../harness/random.ts";
import { until } from "../harness/until.ts";
import { STORE_MS } from "./gates.ts";
import type { Person, SendsGround } from "./sendsGround.ts";

const DOMAINS = ["one.example.com", "two.example.com", "three.example.com"];
const ITEMS_AT_ONCE = 200;
const SEEN_TIMEOUT_MS = 120_000;
/** Audience of every message. */
export const AUDIENCE = { field: "attributes.plan", op: "eq", value: "seed" };
/** One of twenty of them: the audience of what recurs. */
export const FEW = { field: "attributes.wave", op: "eq", value: "w0" };
const WAVES = 20;
/** Returns whether a person is of the few. */
export const isOfFew = ({ customerId }: Person): boolean => Number(customerId.slice(1)) % WAVES === 0;

export function createPeople(count: number): Person[] {
  return Array.from({ length: count }, (_, n) => ({
    email: `p${n}@${DOMAINS[n % DOMAINS.length]}`,
    customerId: `c${n}`,
    number: 0,
    fate: "none" as const,
    isRefused: false,
    clicks: 0,
  }));
}

/** Sends the people through intake, all of them subscribed, and waits until an audience finds them. */
export async function seedPeople(
  { send, ground }: Pick<SendsGround, "send" | "ground">,
  account: number,
  people: readonly Person[],
): Promise<void> {
  for (let from = 0; from < people.length; from += ITEMS_AT_ONCE) {
    const items = people.slice(from, from + ITEMS_AT_ONCE).map(({ email, customerId }) => ({
      identifiers: { customer_id: customerId, email },
      ...{ canBeCreated: true, canBeUpdated: true, forceSubscribe: true },
      attributes: {
        plan: "seed",
        wave: `w${Number(customerId.slice(1)) % WAVES}`,
        channels: { email: { subscribeStatus: "subscribed" } },
      },
    }));
    await send("upsertContact/batch", { items });
  }
  const text = "SELECT value, contact FROM contact_identifiers WHERE account = $1 AND name = 'email'";
  const rows = await ground.postgres.query<{ value: string; contact: number }>({ text }, [account]);
  const numbers = new Map(rows.map(({ value, contact }) => [value, contact]));
  for (const person of people) person.number = numbers.get(person.email) ?? 0;
  const count = `SELECT count() AS seen FROM contact_fields_current FINAL
    WHERE account = ${account} AND field = 'attributes.plan'`;
  const check = async () => {
    const [row] = await ground.clickhouse.query<{ seen: number }>(count);
    return Number(row?.seen) >= people.length ? undefined : `an audience of ${row?.seen}`;
  };
  await until(check, { timeoutMs: SEEN_TIMEOUT_MS });
}

/** Unsubscribes people. Once this returns, no intent may be made for them any more. */
export async function unsubscribe({ call, ground }: SendsGround, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    person.fate = "unsubscribed";
    await call("PUT", `/v2/contacts/customer_id:${person.customerId}/unsubscribe/email`);
    const [row] = await ground.postgres.query<{ at: number }>({ text: `SELECT ${STORE_MS} AS at` });
    if (row !== undefined) person.unsubscribedAt = row.at;
  }
}

export async function erase({ call }: SendsGround, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    person.fate = "erased";
    await call("DELETE", `/v2/contacts/customer_id:${person.customerId}`);
  }
}

/** Merges people two by two; each becomes the other's. */
export async function merge({ call }: SendsGround, people: readonly Person[]): Promise<void> {
  for (const [index, person] of people.entries()) {
    const other = people[index + 1];
    if (index % 2 === 1 || other === undefined) continue;
    person.fate = "merged";
    other.fate = "merged";
    await call("POST", "/v2/contacts/merge", {
      ...{ sourceContact: `customer_id:${person.customerId}`, destinationContact: `customer_id:${other.customerId}` },
      options: {},
    });
  }
}

/** Draws people whom nothing happened to yet. */
export function drawPeople(people: readonly Person[], random: Random, count: number): Person[] {
  const free = people.filter(({ fate }) => fate === "none");
  return Array.from({ length: Math.min(count, free.length) }, () => free.splice(random.int(free.length), 1)[0]).filter(
    (person) => person !== undefined,
  );
}
