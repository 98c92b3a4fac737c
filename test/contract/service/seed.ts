import { type Account, type Json, versionOf } from "@headwater/contracts";
import { transports } from "@headwater/messaging/transports/postgres";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { toDocument } from "@headwater/records/contacts/contactDocument";
import { insertContacts } from "@headwater/records/contacts/contacts";
import { insertIdentifiers } from "@headwater/records/contacts/identifiers";
import type { Contact } from "@headwater/records/contacts/model";
import { ensureLists } from "@headwater/records/lists/lists";
import { upsertMemberships } from "@headwater/records/lists/memberships";
import { Members } from "@headwater/records/members/members";
import { toOrderDocument } from "@headwater/records/orders/orderDocument";
import { insertOrders } from "@headwater/records/orders/orders";
import { suppress } from "@headwater/records/suppressions/suppressions";

export interface SeedContact {
  readonly number: number;
  readonly cid: string;
  readonly identifiers?: Readonly<Record<string, string>>;
  readonly attributes?: Readonly<Record<string, Json>>;
  readonly channels?: Contact["channels"];
  readonly mergedInto?: number;
  readonly at?: number;
}

export const AT = Date.UTC(2026, 0, 9, 22, 47, 12);

export function versionAt(at: number): string {
  return versionOf(at, { lane: 1, partition: 0, offset: 1, place: 0 });
}

/** Contacts as the projector stores them in Postgres. */
export async function seedContacts(
  postgres: Postgres,
  account: Account,
  contacts: readonly SeedContact[],
): Promise<void> {
  const rows = contacts.map((contact) => {
    const { number, cid, mergedInto, at = AT, identifiers = {}, attributes = {} } = contact;
    const version = versionAt(at);
    const doc = toDocument({
      account: account.number,
      number,
      cid,
      createdAt: at,
      modifiedAt: at,
      version,
      mergedInto,
      identifiers: new Map(Object.entries(identifiers).map(([name, value]) => [name, [value]])),
      attributes: new Members(Object.entries(attributes).map(([name, value]) => [name, { value, version }])),
      channels: contact.channels ?? new Map(),
    });
    return {
      account: account.number,
      number,
      cid,
      createdAt: at,
      modifiedAt: at,
      version,
      mergedInto: mergedInto ?? null,
      doc,
    };
  });
  const identifiers = contacts.flatMap(({ number, mergedInto, identifiers: named = {} }) =>
    Object.entries(named).map(([name, value]) => ({
      account: account.number,
      name,
      value,
      contact: mergedInto ?? number,
    })),
  );
  await postgres.transaction(async (transaction) => {
    await insertContacts(transaction, rows, 1);
    await insertIdentifiers(transaction, identifiers);
  });
}

export interface SeedOrder {
  readonly orderId: string;
  readonly contact: number;
  readonly purchasedAt: number;
  readonly members?: Readonly<Record<string, Json>>;
}

export async function seedOrders(postgres: Postgres, account: Account, orders: readonly SeedOrder[]): Promise<void> {
  const version = versionAt(AT);
  const rows = orders.map(({ orderId, contact, purchasedAt, members = {} }) => {
    const input: Readonly<Record<string, Json>> = {
      purchaseDate: new Date(purchasedAt).toISOString(),
      items: [],
      ...members,
    };
    const entries = Object.entries(input).map(([name, value]) => [name, { value, version }] as const);
    const doc = toOrderDocument({ orderId, contact, members: new Map(entries) });
    return { account: account.number, orderId, contact, purchasedAt, version, doc };
  });
  await postgres.transaction(async (transaction) => void (await insertOrders(transaction, rows, 1)));
}

/** Lists with the numbers of their members. @returns ids by name. */
export async function seedLists(
  postgres: Postgres,
  account: Account,
  lists: Readonly<Record<string, readonly number[]>>,
): Promise<Map<string, number>> {
  const names = Object.keys(lists).map((name) => ({ account: account.number, name }));
  const stored = await ensureLists(postgres, names, AT);
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  const rows = Object.entries(lists).flatMap(([name, members]) =>
    members.map((contact) => ({
      account: account.number,
      list: ids.get(name) ?? 0,
      contact,
      present: true,
      joinedAt: AT,
      version: versionAt(AT),
    })),
  );
  await postgres.transaction(async (transaction) => void (await upsertMemberships(transaction, rows)));
  return ids;
}

/** The default transport of email, which sends nothing. */
export async function seedMailTransport(postgres: Postgres, { number: account }: Account): Promise<void> {
  const about = { name: "Their secret mail", channel: "email", type: "log", settings: "{}" } as const;
  const name = { account, key: "65f0c0ffee65f0c0ffee00c2" };
  const members = { ...about, isDefault: true, enabled: true };
  await postgres.transaction((transaction) => transports.insert(transaction, name, members, 0));
}

/** A suppressed domain. */
export async function seedSuppression(postgres: Postgres, { number: account }: Account, id: string): Promise<void> {
  const target = { kind: "domain", value: "secret.example" } as const;
  await postgres.transaction((transaction) =>
    suppress(transaction, { account, channel: "email", id, target, reason: "manual", nowMs: 0 }),
  );
}
