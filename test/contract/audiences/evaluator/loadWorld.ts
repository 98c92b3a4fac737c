import { randomUUID } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { toNumber } from "@headwater/contracts";
import {
  type CartWrite,
  cartDocument,
  formatTenThousandths,
  orderDocument,
  type RecordWrite,
  recordDocument,
  survivorOf,
  type Value,
  versionAt,
  type World,
} from "./model.ts";

const NOT_COUNTING = ["cancelled", "canceled", "refunded", "returned", "failed", "voided"];
const time = (ms: number) => new Date(ms).toISOString().replace("T", " ").slice(0, 23);

/** Writes a world as the history group would: every write to the history, the present to the current tables. */
export async function loadWorld(clickHouse: ClickHouse, account: number, world: World): Promise<void> {
  const insert = async (table: string, rows: readonly object[]) => {
    const [first] = rows;
    if (first === undefined) return;
    const names = Object.keys(first).filter((name) => name !== "at" || table.endsWith("_history"));
    const columns = ["account", ...names];
    const cells = (row: object) => [account, ...names.map((name) => Reflect.get(row, name))];
    const body = rows.map((row) => JSON.stringify(cells(row))).join("\n");
    await clickHouse.insertBlock({ table, columns, body, token: randomUUID() });
  };
  await insert(
    "contact_aliases",
    [...world.aliases].map(([contact, survivor]) => ({ contact, survivor, revision: 1 })),
  );
  await insert("contacts_current", contactRows(world));
  await insert("contact_fields_history", world.fields.map(fieldRow));
  await insert(
    "contact_fields_current",
    world.fields.map((write) => ({ ...fieldRow(write), revision: 1 })).slice(0, 100),
  );
  await insert("contact_fields_current", currentFields(world));
  const members = world.memberships.map((write) => ({
    list: write.list,
    contact: write.contact,
    present: write.present ? 1 : 0,
    joined_at: time(write.joinedAt),
    version: versionAt(write.at),
    at: time(write.at),
  }));
  await insert("memberships_history", members);
  await insert("memberships_current", currentMemberships(world));
  await insert("orders_history", world.orders.map(orderRow));
  const orders = world.orders.map((order) => ({ ...orderRow(order), revision: order.at }));
  await insert("orders_current", orders);
  await insert("carts_history", cartHistory(world));
  await insert("carts_current", currentCarts(world));
  const records = (world.records ?? []).map(recordRow);
  await insert("supplement_records_history", records);
  await insert("supplement_records_current", records);
  await insert(
    "activities",
    world.activities.map(activityRow).filter((_, index) => index % 2 === 0),
  );
  await insert("activities", world.activities.map(activityRow));
}

function contactRows(world: World): object[] {
  return world.contacts.map(({ number, cid, createdAt, modifiedAt, deleted }) => ({
    contact: number,
    cid,
    created_at: time(createdAt),
    modified_at: time(modifiedAt),
    merged_into: world.aliases.get(number) ?? 0,
    deleted: deleted || world.aliases.has(number) ? 1 : 0,
    revision: 1,
  }));
}

function fieldRow({ contact, field, value, at }: World["fields"][number]) {
  return { contact, field, ...storedValue(value), version: versionAt(at), at: time(at) };
}

function storedValue(value: Value): { kind: string; text: string; number: number | null } {
  if (value === null) return { kind: "removed", text: "", number: null };
  if (typeof value === "string") {
    return { kind: "string", text: value, number: toNumber(value) ?? null };
  }
  const kind = Array.isArray(value) ? "array" : typeof value;
  return { kind, text: JSON.stringify(value), number: typeof value === "number" ? value : null };
}

/** The survivor holds the latest of all its merged contacts' writes; what stood under a merged number is removed. */
function currentFields(world: World): object[] {
  const latest = new Map<string, World["fields"][number]>();
  for (const write of world.fields.toSorted((a, b) => a.at - b.at)) {
    latest.set(`${survivorOf(world, write.contact)} ${write.field}`, write);
  }
  const present = [...latest.values()].map((write) => ({
    ...fieldRow(write),
    contact: survivorOf(world, write.contact),
    revision: 2,
  }));
  const removed = world.fields
    .filter((write) => world.aliases.has(write.contact))
    .map((write) => ({ ...fieldRow({ ...write, value: null }), revision: 3 }));
  return [...present, ...removed, ...removedChannels(world)];
}

const CHANNEL_MEMBERS = ["address", "subscribeStatus", "subscribedAt", "unsubscribedAt", "valid"];

/** Removes all members of a merged contact's channels, those too that were never written. */
function removedChannels(world: World): object[] {
  const written = new Set(world.fields.map(({ contact, field }) => `${contact} ${field}`));
  return [...world.aliases.keys()].flatMap((contact) =>
    CHANNEL_MEMBERS.map((member) => `channels.email.${member}`)
      .filter((field) => !written.has(`${contact} ${field}`))
      .map((field) => ({ ...fieldRow({ contact, field, value: null, at: 1 }), revision: 3 })),
  );
}

function currentMemberships(world: World): object[] {
  const latest = new Map<string, World["memberships"][number]>();
  for (const write of world.memberships.toSorted((a, b) => a.at - b.at)) {
    latest.set(`${survivorOf(world, write.contact)} ${write.list}`, write);
  }
  const row = (write: World["memberships"][number], contact: number, present: boolean) => ({
    list: write.list,
    contact,
    present: present ? 1 : 0,
    joined_at: time(write.joinedAt),
    version: versionAt(write.at),
    revision: 1,
  });
  const gone = world.memberships.filter((write) => world.aliases.has(write.contact));
  return [
    ...[...latest.values()].map((write) => row(write, survivorOf(world, write.contact), write.present)),
    ...gone.map((write) => row(write, write.contact, false)),
  ];
}

function orderRow(order: World["orders"][number]) {
  return {
    order_id: order.orderId,
    contact: order.contact,
    purchased_at: time(order.purchasedAt),
    status: order.status,
    counts: NOT_COUNTING.includes(order.status.toLowerCase()) ? 0 : 1,
    currency: order.currency,
    total: formatTenThousandths(order.total),
    document: JSON.stringify(orderDocument(order)),
    deleted: order.deleted ? 1 : 0,
    version: versionAt(order.at),
    at: time(order.at),
  };
}

function activityRow(event: World["activities"][number]) {
  return {
    contact: event.contact,
    action: event.action,
    time: time(event.time),
    ingested: time(event.ingested),
    uid: event.uid,
    mc_id: event.mcId,
    properties: JSON.stringify(event.properties),
    geo_city: event.geo?.city ?? "",
    geo_country: event.geo?.country ?? "",
    geo_lat: event.geo?.geoLoc?.lat ?? null,
    geo_lon: event.geo?.geoLoc?.lon ?? null,
    device: event.device === undefined ? "" : JSON.stringify(event.device),
  };
}

function cartRow(cart: CartWrite, deleted: number) {
  return {
    contact: cart.contact,
    cart_id: cart.cartId,
    lines: cart.items.length,
    total: cart.total === null ? null : formatTenThousandths(cart.total),
    expires_at: cart.expiresAt === null ? null : time(cart.expiresAt),
    document: JSON.stringify(cartDocument(cart)),
    deleted,
    version: versionAt(cart.at),
    at: time(cart.at),
    revision: cart.at * 2 + deleted,
  };
}

/** The last cart of a contact that was merged is emitted once more, as gone. */
function cartHistory({ carts = [], aliases }: World): object[] {
  const last = lastOf(carts, ({ contact }) => contact).filter(({ contact }) => aliases.has(contact));
  return [...carts.map((cart) => cartRow(cart, 0)), ...last.map((cart) => cartRow(cart, 1))];
}

function currentCarts(world: World): object[] {
  const { carts = [], aliases } = world;
  const live = lastOf(carts, ({ contact }) => survivorOf(world, contact));
  const gone = carts.filter(({ contact }) => aliases.has(contact));
  return [
    ...live.map((cart) => cartRow({ ...cart, contact: survivorOf(world, cart.contact) }, 0)),
    ...gone.map((cart) => cartRow(cart, 1)),
  ];
}

function lastOf(carts: readonly CartWrite[], owner: (cart: CartWrite) => number): CartWrite[] {
  return [...new Map(carts.toSorted((a, b) => a.at - b.at).map((cart) => [owner(cart), cart])).values()];
}

function recordRow(record: RecordWrite) {
  return {
    supplement: record.table,
    id: record.id,
    contact: record.contact,
    created_at: time(record.at),
    modified_at: time(record.at),
    document: JSON.stringify(record.deleted ? { id: record.id } : recordDocument(record)),
    deleted: record.deleted ? 1 : 0,
    version: versionAt(record.at),
    at: time(record.at),
    revision: record.at,
  };
}
