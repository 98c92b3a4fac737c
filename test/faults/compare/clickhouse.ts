import type { Ground } from "../harness/services.ts";
import { type ModelContact, type ModelOrder, membersOf, survivorOf } from "../model/shapes.ts";
import type { ModelState } from "../model/state.ts";
import { statusOf } from "../model/writing.ts";
import type { Differences } from "./differences.ts";
import type { CidOf } from "./postgres.ts";

interface Comparing {
  readonly differences: Differences;
  readonly cidOf: CidOf;
}

/** Activities in ClickHouse are those of the model, each once; its current state is the model's. */
export async function compareClickHouse(ground: Ground, state: ModelState, comparing: Comparing): Promise<void> {
  await compareActivities(ground, state, comparing);
  await compareContacts(ground, state, comparing);
  await compareFields(ground, state, comparing);
  await compareMemberships(ground, state, comparing);
  await compareOrders(ground, state, comparing);
}

async function compareActivities({ clickhouse }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const [counts] = await clickhouse.query<{ rows: number; records: number; places: number }>(
    `SELECT count() AS rows, uniqExact(record) AS records, uniqExact(lane, partition, log_offset, place) AS places
    FROM activities WHERE account > 0`,
  );
  const { size } = state.activities;
  differences.same("activities by row, record and place", counts, { rows: size, records: size, places: size });
  const rows = await clickhouse.query<{ record: string; contact: number; uid: string; action: string; time: number }>(
    "SELECT record, contact, uid, action, toUnixTimestamp64Milli(time) AS time FROM activities WHERE account > 0",
  );
  differences.sameMaps(
    "activity",
    new Map(rows.map(({ record, contact, uid, action, time }) => [record, [cidOf.get(contact), uid, action, time]])),
    new Map([...state.activities].map(([id, one]) => [id, [one.contact.cid, one.uid, one.name, one.timeMs]])),
  );
}

async function compareContacts({ clickhouse }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await clickhouse.query<{ cid: string; created: number; mergedInto: number }>(
    `SELECT cid, toUnixTimestamp64Milli(created_at) AS created, merged_into AS mergedInto
    FROM contacts_current FINAL WHERE account > 0`,
  );
  differences.sameMaps(
    "ClickHouse contact",
    new Map(rows.map(({ cid, created, mergedInto }) => [cid, { created, merged: mergedInto !== 0 }])),
    new Map(
      state.contacts.all.map(({ cid, createdAt, mergedInto }) => [
        cid,
        { created: createdAt, merged: mergedInto !== undefined },
      ]),
    ),
  );
  const aliases = await clickhouse.query<{ contact: number; survivor: number }>(
    "SELECT contact, survivor FROM contact_aliases FINAL WHERE account > 0",
  );
  differences.sameMaps(
    "alias",
    new Map(aliases.map(({ contact, survivor }) => [String(cidOf.get(contact)), cidOf.get(survivor)])),
    new Map(
      state.contacts.all.flatMap((one) => (one.mergedInto === undefined ? [] : [[one.cid, survivorOf(one).cid]])),
    ),
  );
}

/** Texts of all fields that the contact shows, by path. */
export function fieldsOf(contact: ModelContact): [string, string][] {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const attributes = [...contact.attributes]
    .filter(([, { value }]) => value !== null)
    .map(([name, { value }]): [string, string] => [`attributes.${name}`, text(value)]);
  const channels = [...contact.channels]
    .filter(([, channel]) => statusOf(channel) !== "none")
    .map(([name, channel]): [string, string] => [`channels.${name}.subscribeStatus`, statusOf(channel)]);
  const identifiers = [...contact.identifiers].map(([name, [view = ""]]): [string, string] => [
    `identifiers.${name}`,
    view,
  ]);
  return [...attributes, ...channels, ...identifiers];
}

async function compareFields({ clickhouse }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await clickhouse.query<{ contact: number; field: string; text: string }>(
    `SELECT contact, field, text FROM contact_fields_current FINAL
    WHERE account > 0 AND kind != 'removed' AND NOT match(field, 'channels[.].*[.](un)?subscribedAt')`,
  );
  const expected = state.contacts.all
    .filter(({ mergedInto }) => mergedInto === undefined)
    .flatMap((contact) => fieldsOf(contact).map(([path, text]): [string, string] => [`${contact.cid} ${path}`, text]));
  differences.sameMaps(
    "ClickHouse field",
    new Map(rows.map(({ contact, field, text }) => [`${cidOf.get(contact)} ${field}`, text])),
    new Map(expected),
  );
}

async function compareMemberships({ clickhouse, postgres }: Ground, state: ModelState, comparing: Comparing) {
  const { differences, cidOf } = comparing;
  const lists = await postgres.query<{ id: number; name: string }>({ text: "SELECT id, name FROM lists" });
  const nameOf = new Map(lists.map(({ id, name }) => [id, name]));
  const rows = await clickhouse.query<{ list: number; contact: number; joinedAt: number }>(
    `SELECT list, contact, toUnixTimestamp64Milli(joined_at) AS joinedAt FROM memberships_current FINAL
    WHERE account > 0 AND present = 1`,
  );
  differences.sameMaps(
    "ClickHouse membership",
    new Map(rows.map(({ list, contact, joinedAt }) => [`${nameOf.get(list)}\n${cidOf.get(contact)}`, joinedAt])),
    new Map([...state.memberships].flatMap(([key, one]) => (one.present ? [[key, one.joinedAt]] : []))),
  );
}

interface OrderRow {
  readonly id: string;
  readonly contact: number;
  readonly status: string;
  readonly counts: number;
  readonly total: string;
  readonly purchased: number;
}

async function compareOrders({ clickhouse }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await clickhouse.query<OrderRow>(
    `SELECT order_id AS id, contact, status, counts, toString(total) AS total,
      toUnixTimestamp64Milli(purchased_at) AS purchased FROM orders_current FINAL WHERE account > 0`,
  );
  const byCid = new Map(state.contacts.all.map((contact) => [contact.cid, contact]));
  const liveCid = (number: number) => {
    const contact = byCid.get(cidOf.get(number) ?? "");
    return contact === undefined ? undefined : survivorOf(contact).cid;
  };
  differences.sameMaps(
    "ClickHouse order",
    new Map(
      rows.map(({ id, contact, status, counts, total, purchased }) => [
        id,
        { contact: liveCid(contact), status, counts, total: Number(total), purchased },
      ]),
    ),
    new Map([...state.orders].map(([id, order]) => [id, orderFacts(order)])),
  );
}

function orderFacts({ contact, members }: ModelOrder) {
  const member = (name: string) => members.get(name)?.value;
  const items: readonly unknown[] = Array.isArray(member("items"))
    ? Array.from(Object.values(member("items") ?? []))
    : [];
  const cents = items.map(membersOf).reduce((sum, { itemPrice, qty }) => {
    return sum + Math.round(Number(itemPrice) * 100) * Number(qty);
  }, 0);
  const input = member("totalAmount");
  const status = String(member("status"));
  return {
    contact: survivorOf(contact).cid,
    status,
    counts: status === "Cancelled" ? 0 : 1,
    total: input === undefined ? cents / 100 : Number(input),
    purchased: Date.parse(String(member("purchaseDate"))),
  };
}
