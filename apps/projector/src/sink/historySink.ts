import { parseDecimal, timeOfVersion } from "@headwater/contracts";
import type {
  CartChangeRecord,
  ContactChangeRecord,
  MembershipChangeRecord,
  OrderChangeRecord,
  SupplementChangeRecord,
} from "@headwater/state";
import { createRowBinary, type RowBinary, type Session } from "@headwater/stores";
import type { Codec } from "@headwater/topics";
import { cartColumns, writeCartRow } from "./cartRow.ts";
import { writeField } from "./fieldRow.ts";
import type { Sink, SinkBlock } from "./sink.ts";
import { supplementColumns, writeSupplementRow } from "./supplementRow.ts";
import { type Change, readChanges, type Told, withoutErased } from "./toldChanges.ts";

export const HISTORY_GROUP = "history";
export const CHANGE_TOPICS = [
  "changes.contacts",
  "changes.memberships",
  "changes.orders",
  "changes.carts",
  "changes.supplements",
] as const;

/**
 * State and its history from the change topics. Rows are named by what they are about and their version or revision, so
 * that writing a range twice changes no answer: what was pending is written again, and nothing needs counting.
 */
export function createHistorySink({ codec, postgres }: HistorySinkOptions): Sink {
  return {
    group: HISTORY_GROUP,
    generation: 1,
    transform: 1,
    readable: async () => Number.MAX_SAFE_INTEGER,
    blocks: async (key, frames) => {
      const told: Told[] = [];
      for (const frame of frames) told.push(...(await readChanges(key.topic, frame, codec)));
      const tables = openTables();
      for (const { change, position } of await withoutErased(postgres, told)) writeChange(tables, change, position);
      return tables.blocks();
    },
    done: async () => undefined,
  };
}

export interface HistorySinkOptions {
  readonly codec: Pick<Codec, "decode">;
  readonly postgres: Session;
}

function writeChange(tables: Tables, { kind, value }: Change, position: number): void {
  if (kind === "contact") writeContact(tables, value, position);
  else if (kind === "membership") writeMembership(tables, value, position);
  else if (kind === "order") writeOrder(tables, value, position);
  else if (kind === "cart") writeCart(tables, value, position);
  else writeRecord(tables, value, position);
}

function writeContact(tables: Tables, change: ContactChangeRecord, revision: number): void {
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

function writeAlias(tables: Tables, { account, contact, survivor }: AliasRow, revision: number): void {
  const row = tables.row("contact_aliases");
  row.uint32(account);
  row.int64(contact);
  row.int64(survivor);
  row.int64(revision);
}

function writeMembership(tables: Tables, change: MembershipChangeRecord, revision: number): void {
  writeMember(tables.row("memberships_current"), change).int64(revision);
  if (change.merge !== true)
    writeMember(tables.row("memberships_history"), change).int64(timeOfVersion(change.version));
}

function writeMember(row: RowBinary, change: MembershipChangeRecord): RowBinary {
  row.uint32(change.account);
  row.uint32(change.list);
  row.int64(change.contact);
  row.uint8(change.present ? 1 : 0);
  row.int64(change.joinedAt);
  row.string(change.version);
  return row;
}

function writeOrder(tables: Tables, change: OrderChangeRecord, revision: number): void {
  orderRow(tables.row("orders_current"), change).int64(revision);
  orderRow(tables.row("orders_history"), change).int64(timeOfVersion(change.version));
}

function orderRow(row: RowBinary, change: OrderChangeRecord): RowBinary {
  row.uint32(change.account);
  row.string(change.orderId);
  row.int64(change.contact);
  row.int64(change.purchasedAt);
  row.string(change.status);
  row.uint8(change.counts ? 1 : 0);
  row.string(change.currency);
  row.nullableDecimal4(change.total === null ? null : (parseDecimal(change.total) ?? null));
  row.string(JSON.stringify(change.order));
  row.uint8(change.deleted === true ? 1 : 0);
  row.string(change.version);
  return row;
}

function writeCart(tables: Tables, change: CartChangeRecord, revision: number): void {
  writeCartRow(tables.row("carts_current"), change, revision);
  if (change.merge !== true) writeCartRow(tables.row("carts_history"), change, revision);
}

function writeRecord(tables: Tables, change: SupplementChangeRecord, revision: number): void {
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
const FIRST: readonly string[] = ["contact_aliases", "contacts_current"] satisfies Table[];

const columnsOf = {
  contact_aliases: ["account", "contact", "survivor", "revision"],
  contacts_current: [
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
  contact_fields_current: [...fieldColumns, "revision"],
  contact_fields_history: [...fieldColumns, "at"],
  memberships_current: [...memberColumns, "revision"],
  memberships_history: [...memberColumns, "at"],
  orders_current: [...orderColumns, "revision"],
  orders_history: [...orderColumns, "at"],
  carts_current: cartColumns,
  carts_history: cartColumns,
  supplement_records_current: supplementColumns,
  supplement_records_history: supplementColumns,
} as const;
type Table = keyof typeof columnsOf;

interface Tables {
  row(table: Table): RowBinary;
  blocks(): SinkBlock[];
}

function openTables(): Tables {
  const open = new Map<Table, { readonly writer: RowBinary; rows: number }>();
  return {
    row(table) {
      const known = open.get(table) ?? { writer: createRowBinary(16 * 1024), rows: 0 };
      open.set(table, known);
      known.rows++;
      return known.writer;
    },
    blocks() {
      const tables = Object.keys(columnsOf).filter(isTable);
      return tables.flatMap((table) => {
        const written = open.get(table);
        return written === undefined
          ? []
          : [{ table, columns: columnsOf[table], ...blockOf(written), isFirst: FIRST.includes(table) }];
      });
    },
  };
}

function blockOf({ writer, rows }: { readonly writer: RowBinary; readonly rows: number }) {
  return { body: writer.body(), rows };
}

function isTable(name: string): name is Table {
  return name in columnsOf;
}
