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
  supplementRecordsCurrent,
  supplementRecordsHistory,
} from "@headwater/clickhouse/tables/index";
import {
  type CartChangeEvent,
  type ChangeEvent,
  type ContactChangeEvent,
  type MembershipChangeEvent,
  type OrderChangeEvent,
  type SupplementChangeEvent,
  timeOfVersion,
} from "@headwater/contracts";
import { toCartRow } from "./cartRow.ts";
import { toFieldRow } from "./fieldRow.ts";
import { toOrderRow } from "./orderRow.ts";
import type { SinkTables } from "./sink.ts";
import { toSupplementRow } from "./supplementRow.ts";

/** An alias is known before the rows it stands for, and a contact before its members: no count is ahead of another. */
export const firstTables: readonly string[] = [contactAliases.name, contactsCurrent.name];

/** Writes the rows of one change. @param position its place in the outbox: the revision of its rows. */
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
