import type { Ground } from "../harness/services.ts";
import { type Members, type ModelContact, membersOf, survivorOf } from "../model/shapes.ts";
import type { ModelState } from "../model/state.ts";
import type { Differences } from "./differences.ts";

interface ContactRow {
  readonly number: number;
  readonly cid: string;
  readonly createdAt: number;
  readonly mergedInto: number | null;
  readonly doc: string;
}

/** Contact numbers are drawn, cids are made of the log: one is known by the other. */
export type CidOf = ReadonlyMap<number, string>;

/** Contacts, identifiers, memberships and orders in Postgres are those of the model. @returns cids by number. */
export async function comparePostgres(ground: Ground, state: ModelState, differences: Differences): Promise<CidOf> {
  const contacts = await ground.postgres.query<ContactRow>({
    text: `SELECT number, cid, created_at AS "createdAt", merged_into AS "mergedInto", doc FROM contacts`,
  });
  const cidOf = new Map(contacts.map(({ number, cid }) => [number, cid]));
  differences.sameMaps(
    "contact",
    new Map(contacts.map((row) => [row.cid, storedContact(row, cidOf)])),
    new Map(state.contacts.all.map((contact) => [contact.cid, modelContact(contact)])),
  );
  await compareIdentifiers(ground, state, { differences, cidOf });
  await compareMemberships(ground, state, { differences, cidOf });
  await compareOrders(ground, state, { differences, cidOf });
  return cidOf;
}

export interface Comparing {
  readonly differences: Differences;
  readonly cidOf: CidOf;
}

function storedContact({ createdAt, mergedInto, doc }: ContactRow, cidOf: CidOf): unknown {
  if (mergedInto !== null) return { mergedInto: cidOf.get(mergedInto) };
  const { v, identifiers, attributes, channels } = membersOf(JSON.parse(doc));
  const version = (index: unknown) => listOf(v)[Number(index)];
  return {
    createdAt,
    identifiers: sorted(valuesByName(groupsOf(identifiers, 2))),
    attributes: sorted(
      groupsOf(attributes, 3).map(([name, value, index]) => [String(name), { value, version: version(index) }]),
    ),
    channels: sorted(
      groupsOf(channels, 2).map(([name, channel]) => [String(name), mapped(statusVersions(channel), version)]),
    ),
  };
}

/** Leaves out since when a channel is subscribed or unsubscribed, and what that follows from: the model does not know. */
function statusVersions(channel: unknown): Members {
  const { subscribedAt, unsubscribedAt, firstUnsubscribed, ...versions } = membersOf(channel);
  return versions;
}

/** Lists are stored flat: so many entries belong together. */
function groupsOf(flat: unknown, size: number): unknown[][] {
  const entries = listOf(flat);
  return Array.from({ length: entries.length / size }, (_, index) => entries.slice(index * size, (index + 1) * size));
}

/** A name stands before each of its values, the shown one first. */
function valuesByName(pairs: readonly unknown[][]): [string, unknown[]][] {
  const byName = Map.groupBy(pairs, ([name]) => String(name));
  return [...byName].map(([name, ofName]) => [name, ofName.map(([, value]) => value)]);
}

function modelContact(contact: ModelContact): unknown {
  if (contact.mergedInto !== undefined) return { mergedInto: survivorOf(contact).cid };
  return {
    createdAt: contact.createdAt,
    identifiers: sorted([...contact.identifiers]),
    attributes: sorted([...contact.attributes]),
    channels: sorted([...contact.channels]),
  };
}

async function compareIdentifiers({ postgres }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await postgres.query<{ name: string; value: string; contact: number }>({
    text: "SELECT name, value, contact FROM contact_identifiers",
  });
  differences.sameMaps(
    "identifier",
    new Map(rows.map(({ name, value, contact }) => [`${name}\n${value}`, cidOf.get(contact)])),
    new Map([...state.contacts.owners].map(([key, contact]) => [key, survivorOf(contact).cid])),
  );
}

async function compareMemberships({ postgres }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await postgres.query<{
    list: string;
    contact: number;
    present: boolean;
    joinedAt: number;
    version: string;
  }>({
    text: `SELECT l.name AS list, contact, present, joined_at AS "joinedAt", version FROM memberships m
      JOIN lists l ON l.account = m.account AND l.id = m.list`,
  });
  differences.sameMaps(
    "membership",
    new Map(rows.map(({ list, contact, ...row }) => [`${list}\n${cidOf.get(contact)}`, row])),
    new Map(
      [...state.memberships].map(([key, { present, joinedAt, version }]) => [key, { present, joinedAt, version }]),
    ),
  );
}

async function compareOrders({ postgres }: Ground, state: ModelState, { differences, cidOf }: Comparing) {
  const rows = await postgres.query<{ orderId: string; contact: number; doc: string }>({
    text: `SELECT order_id AS "orderId", contact, doc FROM orders`,
  });
  const stored = rows.map(({ orderId, contact, doc }) => {
    const { v, members } = membersOf(JSON.parse(doc));
    const entries = listOf(members).map((entry) => {
      const [name, value, index] = listOf(entry);
      return [String(name), { value, version: listOf(v)[Number(index)] }] as const;
    });
    return [orderId, { contact: cidOf.get(contact), members: sorted(entries) }] as const;
  });
  const expected = [...state.orders].map(([orderId, { contact, members }]) => {
    return [orderId, { contact: survivorOf(contact).cid, members: sorted([...members]) }] as const;
  });
  differences.sameMaps("order", new Map(stored), new Map(expected));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapped(members: Members, version: (index: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, index]) => [name, version(index)]));
}

/** Entries by name; what holds nothing is left out. */
function sorted(entries: Iterable<readonly [string, unknown]>): [string, unknown][] {
  return [...entries]
    .filter(([, value]) => JSON.stringify(value) !== "{}")
    .map(([name, value]): [string, unknown] => [name, value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
