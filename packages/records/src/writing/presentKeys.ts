import type { Session, Value } from "@headwater/postgres/connection/session";

const KINDS = ["contacts", "memberships", "orders", "carts", "records"] as const;
type Kind = (typeof KINDS)[number];

/** Position in all that Postgres holds: the kind, and the last key of it; null before the first. */
export interface PresentCursor {
  readonly kind: Kind;
  readonly after: readonly Value[] | null;
}

interface Key {
  readonly account: number;
  readonly version: string;
}

/** Keys of things of one kind, named as lost change events are. */
export interface PresentKeys {
  readonly contacts?: readonly { readonly account: number; readonly number: number }[];
  readonly memberships?: readonly (Key & { readonly list: number; readonly contact: number })[];
  readonly orders?: readonly (Key & { readonly orderId: string })[];
  readonly carts?: readonly (Key & { readonly contact: number })[];
  readonly records?: readonly (Key & { readonly supplement: number; readonly id: string })[];
}

export interface PresentPage {
  readonly keys: PresentKeys;
  readonly cursor: PresentCursor;
}

/** Tables with their keys by column, each with the name that it has in a page, and the cast of its parameter. */
const TABLES: Readonly<
  Record<Kind, { readonly table: string; readonly columns: readonly (readonly [string, string, string])[] }>
> = {
  contacts: {
    table: "contacts",
    columns: [
      ["account", "account", "int"],
      ["number", "number", "bigint"],
    ],
  },
  memberships: {
    table: "memberships",
    columns: [
      ["account", "account", "int"],
      ["list", "list", "int"],
      ["contact", "contact", "bigint"],
    ],
  },
  orders: {
    table: "orders",
    columns: [
      ["account", "account", "int"],
      ["order_id", "orderId", "text"],
    ],
  },
  carts: {
    table: "carts",
    columns: [
      ["account", "account", "int"],
      ["contact", "contact", "bigint"],
    ],
  },
  records: {
    table: "supplement_records",
    columns: [
      ["account", "account", "int"],
      ["supplement", "supplement", "int"],
      ["id", "id", "text"],
    ],
  },
};

/** Reads the next keys of everything that change events are about, kind by kind. @returns undefined behind the last. */
export async function readPresentKeys(
  session: Session,
  cursor: PresentCursor | undefined,
  keysMax: number,
): Promise<PresentPage | undefined> {
  let after = cursor?.after ?? null;
  for (const kind of KINDS.slice(KINDS.indexOf(cursor?.kind ?? "contacts"))) {
    const { table, columns } = TABLES[kind];
    const names = columns.map(([column]) => column).join(", ");
    const shown = columns.map(([column, name]) => `${column} AS "${name}"`).join(", ");
    const given = columns.map(([, , type], index) => `$${index + 2}::${type}`).join(", ");
    const where = after === null ? "" : `WHERE (${names}) > (${given})`;
    const text = `SELECT ${shown}, '' AS version FROM ${table} ${where} ORDER BY ${names} LIMIT $1::int`;
    const keys = await session.query<Record<string, Value>>({ text }, [keysMax, ...(after ?? [])]);
    const last = keys.at(-1);
    if (last !== undefined) {
      return { keys: { [kind]: keys }, cursor: { kind, after: columns.map(([, name]) => last[name] ?? null) } };
    }
    after = null;
  }
  return undefined;
}
