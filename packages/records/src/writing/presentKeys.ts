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

/** A column of a key, the name that it has in a page, and the cast of its parameter. */
type KeyColumn = readonly [column: string, name: string, type: string];

/** Statements of the first page of a table's keys and of the next ones. */
function keyPages(table: string, columns: readonly KeyColumn[]) {
  const names = columns.map(([column]) => column).join(", ");
  const selected = columns.map(([column, name]) => `${column} AS "${name}"`).join(", ");
  const after = columns.map(([, , type], index) => `$${index + 2}::${type}`).join(", ");
  const from = `SELECT ${selected}, '' AS version FROM ${table}`;
  const order = `ORDER BY ${names} LIMIT $1::int`;
  return {
    first: { text: `${from} ${order}` },
    next: { text: `${from} WHERE (${names}) > (${after}) ${order}` },
    members: columns.map(([, name]) => name),
  };
}

const PAGES: Readonly<Record<Kind, ReturnType<typeof keyPages>>> = {
  contacts: keyPages("contacts", [
    ["account", "account", "int"],
    ["number", "number", "bigint"],
  ]),
  memberships: keyPages("memberships", [
    ["account", "account", "int"],
    ["list", "list", "int"],
    ["contact", "contact", "bigint"],
  ]),
  orders: keyPages("orders", [
    ["account", "account", "int"],
    ["order_id", "orderId", "text"],
  ]),
  carts: keyPages("carts", [
    ["account", "account", "int"],
    ["contact", "contact", "bigint"],
  ]),
  records: keyPages("supplement_records", [
    ["account", "account", "int"],
    ["supplement", "supplement", "int"],
    ["id", "id", "text"],
  ]),
};

/** Reads the next keys of everything that change events are about, kind by kind. @returns undefined behind the last. */
export async function readPresentKeys(
  session: Session,
  cursor: PresentCursor | undefined,
  keysMax: number,
): Promise<PresentPage | undefined> {
  let after = cursor?.after ?? null;
  for (const kind of KINDS.slice(KINDS.indexOf(cursor?.kind ?? "contacts"))) {
    const { first, next, members } = PAGES[kind];
    const statement = after === null ? first : next;
    const keys = await session.query<Record<string, number | string>>(statement, [keysMax, ...(after ?? [])]);
    const last = keys.at(-1);
    if (last !== undefined) {
      return { keys: { [kind]: keys }, cursor: { kind, after: members.map((name) => last[name] ?? null) } };
    }
    after = null;
  }
  return undefined;
}
