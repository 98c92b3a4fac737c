import { toDocumentText } from "@headwater/clickhouse/documentText";
import {
  cartsCurrent,
  cartsHistory,
  contactAliases,
  contactFieldsCurrent,
  contactFieldsHistory,
  contactsCurrent,
  membershipsCurrent,
  membershipsHistory,
  ordersCurrent,
  ordersHistory,
  type RowOf,
  supplementRecordsCurrent,
  supplementRecordsHistory,
} from "@headwater/clickhouse/tables/index";
import {
  type CartChangeEvent,
  type ChangeEvent,
  type ContactChangeEvent,
  type Json,
  type MembershipChangeEvent,
  type OrderChangeEvent,
  parseDecimal,
  type SupplementChangeEvent,
  timeOfVersion,
  toNumber,
} from "@headwater/contracts";
import type { SinkTables } from "./sink.ts";

/** An alias is known before the rows it stands for, and a contact before its members: no count is ahead of another. */
export const firstTables: readonly string[] = [contactAliases.name, contactsCurrent.name];

/** Writes the rows of one change. @param position its position in the outbox: the revision of its rows. */
export function writeChange(tables: SinkTables, { kind, value }: ChangeEvent, position: number): void {
  if (kind === "contact") writeContact(tables, value, position);
  else if (kind === "membership") writeMembership(tables, value, position);
  else if (kind === "order") writeOrder(tables, value, position);
  else if (kind === "cart") writeCart(tables, value, position);
  else writeRecord(tables, value, position);
}

function writeContact(tables: SinkTables, change: ContactChangeEvent, revision: number): void {
  const { account, contact } = change;
  for (const alias of change.aliases ?? []) {
    tables.add(contactAliases, { account, contact: alias, survivor: contact, revision });
  }
  if (change.ownAgain === true) tables.add(contactAliases, { account, contact, survivor: NOBODY, revision });
  tables.add(contactsCurrent, {
    account,
    contact,
    cid: change.cid,
    created_at: change.createdAt,
    modified_at: change.lastModified,
    version: change.version,
    merged_into: change.mergedInto ?? 0,
    deleted: change.mergedInto !== undefined || change.erased === true,
    revision,
  });
  for (const [path, value, own] of change.fields) {
    const row = toFieldRow({ account, contact, field: [path, value, own ?? change.version], revision });
    tables.add(contactFieldsCurrent, row);
    if (change.mergedInto === undefined) tables.add(contactFieldsHistory, row);
  }
}

/** The survivor of a contact that lives again: its alias has ended. */
const NOBODY = 0;

function writeMembership(tables: SinkTables, change: MembershipChangeEvent, revision: number): void {
  const row = {
    account: change.account,
    list: change.list,
    contact: change.contact,
    present: change.present,
    joined_at: change.joinedAt,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
  tables.add(membershipsCurrent, row);
  if (change.merge !== true) tables.add(membershipsHistory, row);
}

function writeOrder(tables: SinkTables, change: OrderChangeEvent, revision: number): void {
  const row = toOrderRow(change, revision);
  tables.add(ordersCurrent, row);
  tables.add(ordersHistory, row);
}

function writeCart(tables: SinkTables, change: CartChangeEvent, revision: number): void {
  const row = toCartRow(change, revision);
  tables.add(cartsCurrent, row);
  if (change.merge !== true) tables.add(cartsHistory, row);
}

function writeRecord(tables: SinkTables, change: SupplementChangeEvent, revision: number): void {
  const row = toSupplementRow(change, revision);
  tables.add(supplementRecordsCurrent, row);
  tables.add(supplementRecordsHistory, row);
}

/** Returns the row of a cart, for the present and for its history alike. */
function toCartRow(change: CartChangeEvent, revision: number): RowOf<typeof cartsCurrent> {
  return {
    account: change.account,
    contact: change.contact,
    cart_id: change.cartId,
    lines: change.lines,
    total: change.total === null ? null : (parseDecimal(change.total) ?? null),
    expires_at: change.expiresAt,
    document: toDocumentText(change.cart),
    deleted: change.merge === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}

/** Returns the row of a supplement record, for the present and for its history alike. */
function toSupplementRow(change: SupplementChangeEvent, revision: number): RowOf<typeof supplementRecordsCurrent> {
  return {
    account: change.account,
    supplement: change.supplement,
    id: change.id,
    contact: change.contact ?? 0,
    created_at: change.createdAt,
    modified_at: change.lastModified,
    document: toDocumentText(change.record),
    deleted: change.deleted === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}

/** Returns the row of an order, for the present and for its history alike. */
function toOrderRow(change: OrderChangeEvent, revision: number): RowOf<typeof ordersHistory> {
  return {
    account: change.account,
    order_id: change.orderId,
    contact: change.contact,
    purchased_at: change.purchasedAt,
    status: change.status,
    counts: change.counts,
    currency: change.currency,
    total: change.total === null ? null : (parseDecimal(change.total) ?? null),
    document: toDocumentText(change.order),
    deleted: change.deleted === true,
    version: change.version,
    at: timeOfVersion(change.version),
    revision,
  };
}

type FieldRow = RowOf<typeof contactFieldsCurrent> & RowOf<typeof contactFieldsHistory>;

interface ChangedField {
  readonly account: number;
  readonly contact: number;
  readonly field: readonly [path: string, value: Json, version: string];
  readonly revision: number;
}

/** Returns the row of a contact's field: strings as they are, all else as JSON text; numbers and numeric strings as numbers too. */
function toFieldRow({ account, contact, field, revision }: ChangedField): FieldRow {
  const [path, value, version] = field;
  return {
    account,
    field: path,
    contact,
    kind: kindOf(value),
    text: textOf(value),
    number: toNumber(value) ?? null,
    version,
    at: timeOfVersion(version),
    revision,
  };
}

/** Makes only documents readable for the parser: a number alone is compared as it is written. */
function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? toDocumentText(value) : JSON.stringify(value);
}

function kindOf(value: Json): FieldRow["kind"] {
  if (value === null) return "removed";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "object";
}
