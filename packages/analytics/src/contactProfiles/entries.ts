import { type Account, parseTime, toTimestamp } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { fromCartRow } from "@headwater/records/carts/cart";
import { viewCart } from "@headwater/records/carts/cartView";
import type { AttributeClears } from "@headwater/records/contacts/attributeClears";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import type { StoredContact } from "@headwater/records/contacts/contacts";
import { type ChannelState, type Contact, subscribeStatusOf } from "@headwater/records/contacts/model";
import {
  cartOfPerson,
  listsOfPerson,
  mergesOfPerson,
  ordersOfPerson,
  type Person,
  type RecordOfPerson,
  recordsOfPerson,
} from "@headwater/records/contacts/profileReads";
import { subscriptionTimestamp, type TimestampName } from "@headwater/records/contacts/subscriptionTimestamps";
import { showOrder } from "@headwater/records/orders/orderView";
import { fromSupplementRecordRow } from "@headwater/records/supplements/supplement";
import { cartView } from "@headwater/records/views/cartView";
import { decimalNumber } from "@headwater/records/views/decimalNumber";
import { decimalsBy } from "@headwater/records/views/writtenDigits";

/** Kinds of what is known of a contact, in the order in which a profile holds them. */
export const ENTRY_TYPES = [
  "contact",
  "list",
  "order",
  "cart",
  "supplementRecord",
  "merge",
  "activity",
  "change",
  "listChange",
] as const;

/** One thing that is known of a contact. */
export interface Entry {
  readonly type: (typeof ENTRY_TYPES)[number];
  readonly data: object;
}

const ROWS_MAX = 500;

/** Contact of the profile. */
export interface Known {
  readonly person: Person;
  readonly contact: StoredContact;
  readonly account: Account;
  readonly clears: AttributeClears;
}

/** Yields everything that Postgres knows. */
export async function* entriesOfState(
  postgres: Postgres,
  { person, contact, account, clears }: Known,
): AsyncGenerator<Entry> {
  yield { type: "contact", data: contactData(fromRow(contact, clears), account.settings.timezone) };
  for (const { id, name, present, joinedAt } of await listsOfPerson(postgres, person)) {
    yield { type: "list", data: { id, name, member: present, joinedAt: toTimestamp(joinedAt) } };
  }
  yield* ordersOf(postgres, person, account);
  const cart = await cartOfPerson(postgres, person);
  if (cart !== undefined)
    yield { type: "cart", data: cartView(viewCart(fromCartRow(person.contact, cart)).document, decimalNumber) };
  yield* recordsOf(postgres, person);
  for (const { cid, at, stands } of await mergesOfPerson(postgres, person)) {
    yield { type: "merge", data: { cID: cid, at: toTimestamp(at), stands } };
  }
}

async function* ordersOf(postgres: Postgres, person: Person, { settings }: Account): AsyncGenerator<Entry> {
  const showing = { currency: settings.currency, writeDecimal: decimalsBy(decimalNumber) };
  for (let after = ""; ; ) {
    const rows = await ordersOfPerson(postgres, person, after, ROWS_MAX);
    for (const row of rows) {
      yield { type: "order", data: showOrder(row.orderId, row.doc, showing) };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_MAX) return;
    after = last.orderId;
  }
}

async function* recordsOf(postgres: Postgres, person: Person): AsyncGenerator<Entry> {
  for (let after = { supplementId: 0, id: "" }; ; ) {
    const rows: RecordOfPerson[] = await recordsOfPerson(postgres, person, after, ROWS_MAX);
    for (const row of rows) yield { type: "supplementRecord", data: recordData(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_MAX) return;
    after = { supplementId: last.supplementId, id: last.id };
  }
}

function recordData(row: RecordOfPerson): object {
  const { members } = fromSupplementRecordRow(row.supplementId, row.id, row);
  const fields = [...members].filter(([, { value }]) => value !== null).map(([name, { value }]) => [name, value]);
  const times = { ct: toTimestamp(row.createdAt), lm: toTimestamp(row.modifiedAt) };
  return { supplement: row.supplement, record: { ...Object.fromEntries(fields), id: row.id }, ...times };
}

/**
 * Returns a contact as its profile holds it.
 * @param timezone of the account: times of channels that were given as a date alone are its midnight.
 */
export function contactData(contact: Contact, timezone: string): object {
  const channels = [...contact.channels].map(([name, state]) => {
    const times = {
      subscribedAt: timeOf(state, "subscribedAt", timezone),
      unsubscribedAt: timeOf(state, "unsubscribedAt", timezone),
    };
    return [name, { address: state.address?.value, subscribeStatus: subscribeStatusOf(state), ...times }] as const;
  });
  return {
    cID: contact.cid,
    identifiers: Object.fromEntries(contact.identifiers),
    channels: Object.fromEntries(channels),
    attributes: Object.fromEntries(
      [...contact.attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])),
    ),
    createdAt: toTimestamp(contact.createdAt),
    lastModified: toTimestamp(contact.modifiedAt),
  };
}

function timeOf(state: ChannelState, name: TimestampName, timezone: string): string | undefined {
  const value = subscriptionTimestamp(state, name)?.value;
  const ms = typeof value === "string" ? parseTime(value, timezone) : undefined;
  return ms === undefined ? undefined : toTimestamp(ms);
}
