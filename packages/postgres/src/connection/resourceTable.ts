import { textArray } from "./arrays.ts";
import { type Conditions, createConditions } from "./conditions.ts";
import type { BoundedRows } from "./documentBound.ts";
import { keysetOrder } from "./keyset.ts";
import type { Session, Transaction, Value } from "./session.ts";

interface ColumnTypes {
  readonly text: string;
  readonly "text | null": string | null;
  readonly "text[] | null": readonly string[] | null;
  readonly integer: number;
  readonly "integer | null": number | null;
  readonly boolean: boolean;
}

/** Type of a column, or the texts that one admits. */
type Column = keyof ColumnTypes | readonly string[];
type Columns = Readonly<Record<string, Column>>;

type ValueOf<Own extends Column> = Own extends keyof ColumnTypes
  ? ColumnTypes[Own]
  : Own extends readonly string[]
    ? Own[number]
    : never;

/** Members that a row of such columns stores. */
type MembersOf<Own extends Columns> = { readonly [Member in keyof Own]: ValueOf<Own[Member]> };

/** A stored row: the columns of every resource, and its own. */
type ResourceRow<Members> = Members & {
  readonly account: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** Row of a resource table. */
export type RowOf<Table> = Table extends ResourceTable<infer Row, infer _Members> ? Row : never;

export interface RowName {
  readonly account: number;
  /** Value of the table's key; where a row is read, also that of its alias. */
  readonly key: string;
}

export interface RowFilters {
  readonly account: number;
  /** Values that members must have, or one of several; a member that is a list has one of them. */
  readonly equal: Readonly<Record<string, string | readonly string[]>>;
  /** Ranges that members must be in. */
  readonly ranges?: readonly MemberRange[];
}

/** Values of a member that is a number: `from` included, `to` excluded. */
export interface MemberRange {
  readonly member: string;
  readonly from?: number;
  readonly to?: number;
}

export interface RowsPage extends RowFilters {
  /** Members that order the rows; no two rows have all of them in common. */
  readonly order: readonly string[];
  readonly direction: "asc" | "desc";
  /** Their values in the last row of the page before. */
  readonly last?: readonly (string | number)[] | undefined;
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the large texts of a page together; the first row's is read in any case. 0 reads none: they are empty. */
  readonly largeBytesMax: number;
}

/** Statements of a resource. */
export interface ResourceTable<Row, Members> {
  /** Member that names a row within its account. */
  readonly key: string;
  /** Member that names a row as well. */
  readonly alias?: string | undefined;
  /** Members that are lists. */
  readonly lists?: ReadonlySet<string>;
  /** Member whose texts may be large. */
  readonly large: string | undefined;
  /** @returns the row; undefined when the key is taken: of two that come at once one gets it. */
  insert(transaction: Transaction, name: RowName, members: Members, nowMs: number): Promise<Row | undefined>;
  read(session: Session, name: RowName): Promise<Row | undefined>;
  /** Reads a row that nobody else changes until the transaction ends. */
  lock(transaction: Transaction, name: RowName): Promise<Row | undefined>;
  update(transaction: Transaction, name: RowName, members: Members, nowMs: number): Promise<void>;
  delete(transaction: Transaction, name: RowName, nowMs: number): Promise<void>;
  /** Returns the rows of a page, up to the first whose large text exceeds the limit. */
  page(session: Session, page: RowsPage): Promise<BoundedRows<Row>>;
  count(session: Session, filters: RowFilters): Promise<number>;
}

export interface ResourceTableOptions<Key extends string, Own extends Columns, Derived extends Columns> {
  /** Name of a table with `account`, the key, the members, `created_at` and `updated_at`; its primary key is `(account, key)`. */
  readonly name: string;
  /** Member that names a row within its account; its column is of type text unless `derived` says otherwise. */
  readonly key: Key;
  /** Types of the other columns, by the members that they store: `isDefault` is `is_default`. */
  readonly members: Own;
  /** Member that is unique in its account, and names a row wherever one is read by its key. */
  readonly alias?: { [Member in keyof Own & string]: Own[Member] extends "text" ? Member : never }[keyof Own & string];
  /** Types of members that rows have and no write gives. */
  readonly derived?: Derived;
  /** Columns or expressions of members whose column has another name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Condition of the rows that exist, where a deleted one leaves its row. */
  readonly where?: string;
  /** Member whose texts may be large: those of rows beyond a page's limit stay where they are stored. */
  readonly large?: { [Member in keyof Own & string]: Own[Member] extends "text" ? Member : never }[keyof Own & string];
}

/** Creates the statements of a table that holds a resource of accounts, each planned once per connection but the pages. */
export function createResourceTable<
  const Key extends string,
  const Own extends Columns,
  const Derived extends Columns = Readonly<Record<never, never>>,
>(
  options: ResourceTableOptions<Key, Own, Derived>,
): ResourceTable<
  ResourceRow<MembersOf<Own> & Readonly<Record<Exclude<Key, keyof Derived>, string>> & MembersOf<Derived>>,
  MembersOf<Own>
> {
  type Row = ResourceRow<MembersOf<Own> & Readonly<Record<Exclude<Key, keyof Derived>, string>> & MembersOf<Derived>>;
  const { key, alias, large } = options;
  const names = Object.keys(options.members);
  const texts = textsOf({ ...options, names });
  const { statements, from, lists, columnOf, selectedBut, existing, isUpdatedAt } = texts;

  const valuesOf = ({ account, key: value }: RowName, members: MembersOf<Own>): Value[] => [
    account,
    value,
    ...names.map((name) => toValue(Reflect.get(members, name))),
  ];

  return {
    ...{ key, alias, lists, large },
    async insert(transaction, name, members, nowMs) {
      const [row] = await transaction.query<Row>(statements.insert, [...valuesOf(name, members), nowMs]);
      return row && { ...row, ...members };
    },
    read: async (session, row) => (await session.query<Row>(statements.read, [row.account, row.key]))[0],
    lock: async (transaction, row) => (await transaction.query<Row>(statements.lock, [row.account, row.key]))[0],
    async update(transaction, row, members, nowMs) {
      await transaction.execute(statements.update, [...valuesOf(row, members), ...(isUpdatedAt ? [nowMs] : [])]);
    },
    async delete(transaction, row) {
      await transaction.execute(statements.remove, [row.account, row.key]);
    },
    async page(session, { order, direction, last, skip, rowsMax, largeBytesMax, ...filters }) {
      const where = conditionsOf(filters, texts);
      const sorted = keysetOrder(where, { columns: order.map(columnOf), direction, last });
      const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
      const rows = `SELECT * FROM ${from} WHERE ${where.text()}${existing} ORDER BY ${sorted} ${limits}`;
      const bounded = large &&
        largeBytesMax > 0 && { large: columnOf(large), sorted, bytes: where.bind(largeBytesMax) };
      const text = bounded
        ? `SELECT ${selectedBut(large, largeOf(bounded))} FROM (${measured(rows, bounded)}) AS measured ORDER BY place`
        : `SELECT ${selectedBut(large, "''")} FROM (${rows}) AS page ORDER BY ${sorted}`;
      const found = await session.query<Row>({ text }, where.values);
      const cutAt = large === undefined ? -1 : found.findIndex((row) => Reflect.get(row, large) === null);
      return cutAt === -1 ? { rows: found, isCut: false } : { rows: found.slice(0, cutAt), isCut: true };
    },
    async count(session, filters) {
      const where = conditionsOf(filters, texts);
      const text = `SELECT count(*) AS count FROM ${from} WHERE ${where.text()}${existing}`;
      const [row] = await session.query<{ count: number }>({ text }, where.values);
      return row?.count ?? 0;
    },
  };
}

interface Texts extends Omit<ResourceTableOptions<string, Columns, Columns>, "alias" | "large"> {
  readonly alias?: string | undefined;
  readonly large?: string | undefined;
  /** Members that are written. */
  readonly names: readonly string[];
}

/** Returns the statements of a table, and parts of those that have conditions. */
function textsOf({ name: table, names, key, members: own, derived, columns: renamed = {}, ...options }: Texts) {
  const { alias, where, large } = options;
  const columnOf = (member: string) =>
    renamed[member] ?? member.replace(/[A-Z]/g, (deadLetter) => `_${deadLetter.toLowerCase()}`);
  const columns = names.map(columnOf);
  /** A row that was never updated may have no time of it. */
  const readOf = (member: string) =>
    member === "updatedAt" ? `COALESCE(${columnOf(member)}, ${columnOf("createdAt")})` : columnOf(member);
  /** Columns of a row, with another expression in the place of one of them. */
  const selectedBut = (member: string | undefined, expression: string) =>
    [...new Set(["account", key, ...names, ...Object.keys(derived ?? {}), "createdAt", "updatedAt"])]
      .map((name) => `${name === member ? expression : readOf(name)} AS "${name}"`)
      .join(", ");
  const existing = where === undefined ? "" : ` AND ${where}`;
  const byKey = `WHERE account = $1 AND ${columnOf(key)} = $2${existing}`;
  const either = [key, ...(alias === undefined ? [] : [alias])].map((name) => `${columnOf(name)} = $2`);
  const byName = `WHERE account = $1 AND (${either.join(" OR ")})${existing}`;
  const lists = new Set(names.filter((name) => own[name] === "text[] | null"));
  // The first two parameters are the name, the last is the time.
  const parameters = names.map((name, index) => `$${index + 3}${lists.has(name) ? "::text[]" : ""}`);
  const now = `$${names.length + 3}`;
  // A table without a time of the last update has one column for both.
  const times = new Set([columnOf("createdAt"), columnOf("updatedAt")]);
  const [, updatedAt] = times;
  const sets = [...columns, ...(updatedAt === undefined ? [] : [updatedAt])].map(
    (column, index) => `${column} = ${parameters[index] ?? now}`,
  );
  const inserted = ["account", columnOf(key), ...columns, ...times];
  const values = ["$1", "$2", ...parameters, ...[...times].map(() => now)];
  const statement = (name: string, text: string) => ({ name: `resource_${table}_${name}`, text });
  const read = `SELECT ${selectedBut(undefined, "")} FROM ${table} ${byName}`;
  return {
    ...{ from: table, lists, columnOf, readOf, selectedBut, existing, isUpdatedAt: updatedAt !== undefined },
    statements: {
      insert: statement(
        "insert",
        `INSERT INTO ${table} (${inserted.join(", ")}) VALUES (${values.join(", ")})
          ON CONFLICT (account, ${columnOf(key)}) DO NOTHING RETURNING ${selectedBut(large, "''")}`,
      ),
      read: statement("read", read),
      lock: statement("lock", `${read} FOR UPDATE`),
      update: statement("update", `UPDATE ${table} SET ${sets.join(", ")} ${byKey}`),
      remove: statement("delete", `DELETE FROM ${table} ${byKey}`),
    },
  };
}

function conditionsOf(
  { account, equal, ranges = [] }: RowFilters,
  { columnOf, readOf, lists }: ReturnType<typeof textsOf>,
): Conditions {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  for (const { member, from, to } of ranges) {
    if (from !== undefined) where.add(`${readOf(member)} >= ${where.bind(from)}`);
    if (to !== undefined) where.add(`${readOf(member)} < ${where.bind(to)}`);
  }
  for (const [member, value] of Object.entries(equal)) {
    const values = () => `${where.bind(textArray([value].flat(), String))}::text[]`;
    const column = columnOf(member);
    if (lists.has(member)) where.add(`${column} && ${values()}`);
    else where.add(`${column} = ${typeof value === "string" ? where.bind(value) : `ANY (${values()})`}`);
  }
  return where;
}

interface Bounded {
  readonly large: string;
  readonly sorted: string;
  /** Parameter of the limit. */
  readonly bytes: string;
}

/** Counts the bytes of the large texts up to each row; the lengths of stored texts are known without reading them. */
function measured(rows: string, { large, sorted }: Bounded): string {
  return `SELECT *, sum(octet_length(${large})) OVER sorted AS bytes, row_number() OVER sorted AS place
    FROM (${rows}) AS page WINDOW sorted AS (ORDER BY ${sorted})`;
}

function largeOf({ large, bytes }: Bounded): string {
  return `CASE WHEN bytes <= ${bytes} OR place = 1 THEN ${large} END`;
}

function toValue(member: unknown): Value {
  if (Array.isArray(member)) return textArray(member, String);
  if (typeof member === "string" || typeof member === "number" || typeof member === "boolean" || member === null)
    return member;
  throw new Error(`no column stores a ${typeof member}`);
}
