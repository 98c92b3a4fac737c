import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { MemoryState } from "@headwater/testing";

/** All rows of the state as texts, in order. Contacts stand as their cIDs, for numbers are given as they come. */
export type StoredRows = Readonly<Record<(typeof tables)[number], readonly string[]>>;

const tables = ["contacts", "owners", "formers", "memberships", "orders", "carts", "merges"] as const;

const cid = (number: string) => `(SELECT c.cid FROM contacts c WHERE c.account = t.account AND c.number = t.${number})`;
const version = (column: string) => `replace(t.${column}::text, '-', '')`;
const columns: Readonly<Record<keyof StoredRows, string>> = {
  contacts: `cid, created_at, modified_at, ${version("version")}, ${cid("merged_into")}, doc) FROM contacts`,
  owners: `name, value, ${cid("contact")}) FROM contact_identifiers`,
  formers: `name, value, ${version("until")}, ${cid("contact")}) FROM former_identifiers`,
  memberships: `list, ${cid("contact")}, present, joined_at, ${version("version")}) FROM memberships`,
  orders: `order_id, ${cid("contact")}, ${cid("merged_from")}, doc) FROM orders`,
  carts: `${cid("contact")}, ${version("version")}, doc) FROM carts`,
  merges: `${cid("survivor")}, ${cid("merged")}, ${version("version")}, by_record, ${version("undone_version")}) FROM merges`,
};

export async function postgresRows(postgres: Postgres, account: number): Promise<StoredRows> {
  const read = async (table: keyof StoredRows) => {
    const text = `SELECT json_build_array(${columns[table]} t WHERE account = $1`;
    const rows = await postgres.query<{ json_build_array: string }>({ text }, [account]);
    return [table, texts(rows.map((row) => JSON.parse(row.json_build_array)))] as const;
  };
  return toRows(await Promise.all(tables.map(read)));
}

/** Returns the rows of the one account that it holds. */
export function memoryRows(memory: MemoryState): StoredRows {
  const cidOf = (number: number | undefined) =>
    number === undefined ? null : (memory.contacts.get(number)?.cid ?? null);
  const list = memory.contacts.values().map(({ number, cid: own, createdAt, modifiedAt, version: last, doc }) => {
    return [own, createdAt, modifiedAt, last, cidOf(memory.aliases.get(number)), doc];
  });
  const rows: Record<keyof StoredRows, Iterable<unknown>> = {
    contacts: list,
    owners: [...memory.owners].map(([key, number]) => [...key.split("\n").slice(1), cidOf(number)]),
    formers: memory.formers.all.map(({ name, value, until, contact }) => [name, value, until, cidOf(contact)]),
    memberships: memory.memberships.values().map((one) => {
      return [one.list, cidOf(one.contact), one.present, one.joinedAt, one.version];
    }),
    orders: [...memory.orders].map(([key, { contact, mergedFrom, doc }]) => {
      return [key.split("\n")[1], cidOf(contact), cidOf(mergedFrom), doc];
    }),
    carts: [...memory.carts].map(([contact, { version: last, doc }]) => [cidOf(contact), last, doc]),
    merges: memory.merges.map(({ survivor, merged, version: at, byRecord, undoneVersion }) => {
      return [cidOf(survivor), cidOf(merged), at, byRecord, undoneVersion];
    }),
  };
  return toRows(tables.map((table) => [table, texts(rows[table])] as const));
}

/** Rows that only one of both has. */
export function difference(memory: StoredRows, postgres: StoredRows): string[] {
  return tables.flatMap((table) => {
    const [own, theirs] = [new Set(memory[table]), new Set(postgres[table])];
    const lines = (side: string, rows: Set<string>) => [...rows].map((row) => `${table} in ${side} alone: ${row}`);
    return [...lines("memory", own.difference(theirs)), ...lines("postgres", theirs.difference(own))];
  });
}

function texts(rows: Iterable<unknown>): string[] {
  return [...rows].map((row) => JSON.stringify(row)).sort();
}

function toRows(entries: readonly (readonly [keyof StoredRows, readonly string[]])[]): StoredRows {
  const none = { contacts: [], owners: [], formers: [], memberships: [], orders: [], carts: [], merges: [] };
  return { ...none, ...Object.fromEntries(entries) };
}
