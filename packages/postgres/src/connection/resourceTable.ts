import { textArray } from "./arrays.ts";
import { createConditions } from "./conditions.ts";
import { keysetOrder } from "./keyset.ts";
import type { Session, Transaction, Value } from "./session.ts";

interface ColumnTypes {
  readonly text: string;
  readonly "text | null": string | null;
  readonly "text[] | null": readonly string[] | null;
  readonly boolean: boolean;
}

type Columns = Readonly<Record<string, keyof ColumnTypes>>;

/** Members that a row of such columns stores. */
type MembersOf<Own extends Columns> = { readonly [Member in keyof Own]: ColumnTypes[Own[Member]] };

/** A stored row: the columns of every resource, and its own. */
export type ResourceRow<Key extends string, Members> = Members &
  Readonly<Record<Key, string>> & {
    readonly account: number;
    /** Milliseconds since 1970. */
    readonly createdAt: number;
    readonly updatedAt: number;
  };

/** Row of a resource table. */
export type RowOf<Table> = Table extends ResourceTable<infer Key, infer Members> ? ResourceRow<Key, Members> : never;

export interface RowName {
  readonly account: number;
  /** Value of the table's key. */
  readonly key: string;
}

export interface RowsPage {
  readonly account: number;
  /** Members that order the rows; no two rows have all of them in common. */
  readonly order: readonly string[];
  readonly direction: "asc" | "desc";
  /** Their values in the last row of the page before. */
  readonly last?: readonly (string | number)[] | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** Statements of a resource. */
export interface ResourceTable<Key extends string, Members> {
  readonly key: Key;
  /** @returns false when the key is taken; of two that come at once one gets false. */
  insert(transaction: Transaction, name: RowName, members: Members, nowMs: number): Promise<boolean>;
  read(session: Session, name: RowName): Promise<ResourceRow<Key, Members> | undefined>;
  /** Reads a row that nobody else changes until the transaction ends. */
  lock(transaction: Transaction, name: RowName): Promise<ResourceRow<Key, Members> | undefined>;
  update(transaction: Transaction, name: RowName, members: Members, nowMs: number): Promise<void>;
  delete(transaction: Transaction, name: RowName): Promise<void>;
  page(session: Session, page: RowsPage): Promise<ResourceRow<Key, Members>[]>;
  count(session: Session, account: number): Promise<number>;
}

export interface ResourceTableOptions<Key extends string, Own extends Columns> {
  /** Name of a table with `account`, the key, the members, `created_at` and `updated_at`; its primary key is `(account, key)`. */
  readonly name: string;
  /** Column that names a row within its account. */
  readonly key: Key;
  /** Types of the other columns, by the members that they store: `isDefault` is `is_default`. */
  readonly members: Own;
}

/** Creates the statements of a table that holds a resource of accounts, each planned once per connection but the pages. */
export function createResourceTable<const Key extends string, const Own extends Columns>({
  name: table,
  key,
  members: own,
}: ResourceTableOptions<Key, Own>): ResourceTable<Key, MembersOf<Own>> {
  type Row = ResourceRow<Key, MembersOf<Own>>;
  const names = Object.keys(own);
  const columns = names.map(columnOf);
  const selected = ["account", key, ...names, "createdAt", "updatedAt"].map((name) => `${columnOf(name)} AS "${name}"`);
  const from = `SELECT ${selected.join(", ")} FROM ${table}`;
  const byName = `WHERE account = $1 AND ${key} = $2`;
  // The first two parameters are the name, the last is the time.
  const parameters = names.map((name, index) => `$${index + 3}${own[name] === "text[] | null" ? "::text[]" : ""}`);
  const now = `$${names.length + 3}`;
  const sets = columns.map((column, index) => `${column} = ${parameters[index]}`);

  const statement = (name: string, text: string) => ({ name: `${table}_${name}`, text });
  const insert = statement(
    "insert",
    `INSERT INTO ${table} (${["account", key, ...columns, "created_at", "updated_at"].join(", ")})
      VALUES (${["$1", "$2", ...parameters, now, now].join(", ")}) ON CONFLICT (account, ${key}) DO NOTHING`,
  );
  const read = statement("read", `${from} ${byName}`);
  const lock = statement("lock", `${read.text} FOR UPDATE`);
  const update = statement("update", `UPDATE ${table} SET ${[...sets, `updated_at = ${now}`].join(", ")} ${byName}`);
  const remove = statement("delete", `DELETE FROM ${table} ${byName}`);
  const count = statement("count", `SELECT count(*) AS count FROM ${table} WHERE account = $1`);

  const valuesOf = ({ account, key: value }: RowName, members: MembersOf<Own>, nowMs: number): Value[] => [
    account,
    value,
    ...names.map((name) => toValue(Reflect.get(members, name))),
    nowMs,
  ];

  return {
    key,
    insert: async (transaction, row, members, nowMs) =>
      (await transaction.execute(insert, valuesOf(row, members, nowMs))) === 1,
    read: async (session, row) => (await session.query<Row>(read, [row.account, row.key]))[0],
    lock: async (transaction, row) => (await transaction.query<Row>(lock, [row.account, row.key]))[0],
    async update(transaction, row, members, nowMs) {
      await transaction.execute(update, valuesOf(row, members, nowMs));
    },
    async delete(transaction, row) {
      await transaction.execute(remove, [row.account, row.key]);
    },
    page(session, { account, order, direction, last, skip, rowsMax }) {
      const where = createConditions();
      where.add(`account = ${where.bind(account)}`);
      const sorted = keysetOrder(where, { columns: order.map(columnOf), direction, last });
      const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
      const text = `${from} WHERE ${where.text()} ORDER BY ${sorted} ${limits}`;
      return session.query<Row>({ text }, where.values);
    },
    async count(session, account) {
      const [row] = await session.query<{ count: number }>(count, [account]);
      return row?.count ?? 0;
    },
  };
}

/** `isDefault` -> `is_default` */
function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toValue(member: unknown): Value {
  if (Array.isArray(member)) return textArray(member, String);
  if (typeof member === "string" || typeof member === "boolean" || member === null) return member;
  throw new Error(`no column stores a ${typeof member}`);
}
