import type {
  CartChangeEvent,
  ChangeEvent,
  ContactChangeEvent,
  MembershipChangeEvent,
  OrderChangeEvent,
  SupplementChangeEvent,
} from "@headwater/contracts";
import { parseDecimal, timeOfVersion } from "@headwater/contracts";
import { type RowBinary, toDocumentText } from "@headwater/stores/clickhouse";
import { cartColumns, writeCartRow } from "./cartRow.ts";
import { writeField } from "./fieldRow.ts";
import type { SinkTables } from "./sink.ts";
import { supplementColumns, writeSupplementRow } from "./supplementRow.ts";

/** Writes the rows of one change. @param position its place in the outbox: the revision of its rows. */
export function writeChange(tables: SinkTables<HistoryTable>, { kind, value }: ChangeEvent, position: number): void {
  if (kind === "contact") writeContact(tables, value, position);
  else if (kind === "membership") writeMembership(tables, value, position);
  else if (kind === "order") writeOrder(tables, value, position);
  else if (kind === "cart") writeCart(tables, value, position);
  else writeRecord(tables, value, position);
}

function writeContact(tables: SinkTables<HistoryTable>, change: ContactChangeEvent, revision: number): void {
  const { account, contact } = change;
  for (const alias of change.aliases ?? []) {
    writeAlias(tables, { account, contact: alias, survivor: contact }, revision);
  }
  if (change.ownAgain === true) writeAlias(tables, { account, contact, survivor: NOBODY }, revision);
  const row = tables.row("contacts_current");
  row.uint32(account);
  row.int64(contact);
  row.string(change.cid);
  row.int64(change.createdAt);
  row.int64(change.lastModified);
  row.string(change.version);
  row.int64(change.mergedInto ?? 0);
  row.uint8(change.mergedInto === undefined && change.erased !== true ? 0 : 1);
  row.int64(revision);
  for (const [path, value, own] of change.fields) {
    const field = [path, value, own ?? change.version] as const;
    writeField(tables.row("contact_fields_current"), { account, contact, field, tail: (r) => r.int64(revision) });
    if (change.mergedInto !== undefined) continue;
    const at = timeOfVersion(field[2]);
    writeField(tables.row("contact_fields_history"), { account, contact, field, tail: (r) => r.int64(at) });
  }
}

/** The survivor of a contact that lives again: its alias has ended. */
const NOBODY = 0;

interface AliasRow {
  readonly account: number;
  readonly contact: number;
  readonly survivor: number;
}

function writeAlias(
  tables: SinkTables<HistoryTable>,
  { account, contact, survivor }: AliasRow,
  revision: number,
): void {
  const row = tables.row("contact_aliases");
  row.uint32(account);
  row.int64(contact);
  row.int64(survivor);
  row.int64(revision);
}

function writeMembership(tables: SinkTables<HistoryTable>, change: MembershipChangeEvent, revision: number): void {
  writeMember(tables.row("memberships_current"), change).int64(revision);
  if (change.merge !== true)
    writeMember(tables.row("memberships_history"), change).int64(timeOfVersion(change.version));
}

function writeMember(row: RowBinary, change: MembershipChangeEvent): RowBinary {
  row.uint32(change.account);
  row.uint32(change.list);
  row.int64(change.contact);
  row.uint8(change.present ? 1 : 0);
  row.int64(change.joinedAt);
  row.string(change.version);
  return row;
}

function writeOrder(tables: SinkTables<HistoryTable>, change: OrderChangeEvent, revision: number): void {
  orderRow(tables.row("orders_current"), change).int64(revision);
  const past = orderRow(tables.row("orders_history"), change);
  past.int64(timeOfVersion(change.version));
  past.int64(revision);
}

function orderRow(row: RowBinary, change: OrderChangeEvent): RowBinary {
  row.uint32(change.account);
  row.string(change.orderId);
  row.int64(change.contact);
  row.int64(change.purchasedAt);
  row.string(change.status);
  row.uint8(change.counts ? 1 : 0);
  row.string(change.currency);
  row.nullableDecimal4(change.total === null ? null : (parseDecimal(change.total) ?? null));
  row.string(toDocumentText(change.order));
  row.uint8(change.deleted === true ? 1 : 0);
  row.string(change.version);
  return row;
}

function writeCart(tables: SinkTables<HistoryTable>, change: CartChangeEvent, revision: number): void {
  writeCartRow(tables.row("carts_current"), change, revision);
  if (change.merge !== true) writeCartRow(tables.row("carts_history"), change, revision);
}

function writeRecord(tables: SinkTables<HistoryTable>, change: SupplementChangeEvent, revision: number): void {
  writeSupplementRow(tables.row("supplement_records_current"), change, revision);
  writeSupplementRow(tables.row("supplement_records_history"), change, revision);
}

const fieldColumns = ["account", "field", "contact", "kind", "text", "number", "version"] as const;
const memberColumns = ["account", "list", "contact", "present", "joined_at", "version"] as const;
const orderColumns = [
  "account",
  "order_id",
  "contact",
  "purchased_at",
  "status",
  "counts",
  "currency",
  "total",
  "document",
  "deleted",
  "version",
] as const;

/** An alias is known before the rows it stands for, and a contact before its members: no count is ahead of another. */
const first = { isFirst: true } as const;

/** Tables in the order of their blocks. */
export const historyTables = {
  contact_aliases: { columns: ["account", "contact", "survivor", "revision"], ...first },
  contacts_current: {
    columns: [
      "account",
      "contact",
      "cid",
      "created_at",
      "modified_at",
      "version",
      "merged_into",
      "deleted",
      "revision",
    ],
    ...first,
  },
  contact_fields_current: { columns: [...fieldColumns, "revision"] },
  contact_fields_history: { columns: [...fieldColumns, "at"] },
  memberships_current: { columns: [...memberColumns, "revision"] },
  memberships_history: { columns: [...memberColumns, "at"] },
  orders_current: { columns: [...orderColumns, "revision"] },
  orders_history: { columns: [...orderColumns, "at", "revision"] },
  carts_current: { columns: cartColumns },
  carts_history: { columns: cartColumns },
  supplement_records_current: { columns: supplementColumns },
  supplement_records_history: { columns: supplementColumns },
} as const;
export type HistoryTable = keyof typeof historyTables;
