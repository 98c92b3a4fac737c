import { join } from "node:path";
import { protocol } from "@electric-sql/pglite";
import type { Statement } from "@headwater/postgres/connection/session";
import { valueTypes } from "@headwater/postgres/connection/types";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ROOT, shippedFiles } from "./repository.ts";
import { createProgram, type DeclaredRow, type DeclaredType, type FoundStatement, Statements } from "./statements.ts";
import { UNKNOWN, UNKNOWN_NUMBER } from "./statementTexts.ts";

/*
 * `query<Row>(statement)` casts what Postgres answers. Types generated from the tables would not check it: most columns of our rows are
 * renamed or computed by the statement's text, which the compiler does not read. So this reads the texts from the code, lets a migrated
 * Postgres prepare each of them, and compares the columns that it announces with the declared row, as our driver returns them.
 */

/** A text of each type, for our driver to read. */
const SAMPLES: Readonly<Record<string, string>> = {
  bool: "t",
  bytea: "\\x00",
  float8: "1",
  int2: "1",
  int4: "1",
  int8: "1",
  json: "{}",
  name: "a",
  numeric: "1",
  text: "a",
  timestamptz: "2026-01-01 00:00:00+00",
  uuid: "00000000-0000-0000-0000-000000000000",
  void: "",
  _int4: "{1}",
  _int8: "{1}",
  _text: "{a}",
};

/** Types of parameters that take a kind of value; texts are read by any. */
const TAKEN_BY: Readonly<Record<string, RegExp>> = {
  number: /^(int|float|numeric|oid|text|json)/,
  boolean: /^(bool|text|json)/,
  Date: /^(timestamp|date)/,
  Buffer: /^bytea$/,
};

/** Calls that pass on the statements of others, which are read where they are written; pg-boss has its own. */
const FORWARDERS: ReadonlySet<string> = new Set([
  "packages/guard/src/consistency/storeGuard.ts",
  "packages/intake/src/state/postgresStateStore.ts",
  "packages/jobs/src/queue/jobQueue.ts",
  "packages/postgres/src/connection/postgres.ts",
  "packages/postgres/src/connection/savepoint.ts",
]);
/** Its statements are read from each table that it creates. */
const RESOURCE_TABLES = "packages/postgres/src/connection/resourceTable.ts";

/** Columns that may be null in their table and are not in these rows, as a condition of the statement, or what it writes, says. */
const NEVER_NULL: ReadonlySet<string> = new Set([
  "packages/guard/src/clickHouseWitness/knownStore.ts identity",
  "packages/intake/src/triggers/storedTriggeredEvents.ts event",
  "packages/messaging/src/batchMessages/frozenMessages.ts frozen",
  "packages/messaging/src/batchMessages/startMessages.ts job",
  "packages/messaging/src/sends/sendReads.ts intendedAt",
  "packages/records/src/contacts/contacts.ts survivor",
]);

interface Column {
  readonly name: string;
  /** Name in pg_type. */
  readonly type: string;
  /** False as well for what is computed: Postgres does not know. */
  readonly mayBeNull: boolean;
}

interface Description {
  /** Names of their types. */
  readonly parameters: readonly string[];
  readonly columns: readonly Column[];
}

const messageSchema = z.union([
  z.object({
    name: z.literal("rowDescription"),
    fields: z.array(z.object({ name: z.string(), tableID: z.int(), columnID: z.int(), dataTypeID: z.int() })),
  }),
  z.object({ name: z.literal("parameterDescription"), dataTypeIDs: z.array(z.int()) }),
]);
const typeSchema = z.array(z.object({ oid: z.int(), typname: z.string() }));
const columnSchema = z.array(z.object({ key: z.string() }));

let memory: MemoryPostgres;
const typeNames = new Map<number, string>();
const oids = new Map<string, number>();
const nullable = new Set<string>();

beforeAll(async () => {
  memory = await startMemoryPostgres();
  await readCatalog();
});
afterAll(() => memory.stop());

async function readCatalog(): Promise<void> {
  const types = await memory.database.query("SELECT oid::int, typname FROM pg_type");
  for (const { oid, typname } of typeSchema.parse(types.rows)) {
    typeNames.set(oid, typname);
    oids.set(typname, oid);
  }
  const columns = await memory.database.query(
    "SELECT attrelid::int || '/' || attnum AS key FROM pg_attribute WHERE NOT attnotnull",
  );
  for (const { key } of columnSchema.parse(columns.rows)) nullable.add(key);
}

/** Lets Postgres prepare a text and announce its parameters and columns. @returns the reason why it refuses the text. */
async function describe(text: string): Promise<Description | string> {
  const { parse, describe, sync } = protocol.serialize;
  let found: readonly unknown[];
  try {
    const request = [parse({ text }), describe({ type: "S" }), sync()];
    ({ messages: found } = await memory.database.execProtocol(Buffer.concat(request)));
  } catch (error) {
    await memory.database.execProtocol(sync());
    return String(error);
  }
  const messages = found.flatMap((message) => messageSchema.safeParse(message).data ?? []);
  const fields = messages.flatMap((message) => (message.name === "rowDescription" ? message.fields : []));
  const parameters = messages.flatMap((message) =>
    message.name === "parameterDescription" ? message.dataTypeIDs : [],
  );
  const columns = fields.map(({ name, tableID, columnID, dataTypeID }) => ({
    name,
    type: typeName(dataTypeID),
    mayBeNull: nullable.has(`${tableID}/${columnID}`),
  }));
  return { parameters: parameters.map(typeName), columns };
}

/** Returns a text that can be prepared: what is known only when it runs is a condition, a sort or a value. */
function prepared(text: string): string {
  const conditions = text.replaceAll(new RegExp(`(WHERE|AND|OR|NOT)(\\s*\\(*)${UNKNOWN}`, "gi"), "$1$2TRUE");
  const sorts = conditions.replaceAll(new RegExp(`(BY\\s+)${UNKNOWN}`, "gi"), "$11");
  return sorts
    .replaceAll(new RegExp(`\\$[${UNKNOWN}${UNKNOWN_NUMBER}]|${UNKNOWN}`, "g"), "NULL")
    .replaceAll(UNKNOWN_NUMBER, "1");
}

function typeName(oid: number): string {
  return typeNames.get(oid) ?? String(oid);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `${kindOf(value[0])}[]`;
  if (value instanceof Date) return "Date";
  return Buffer.isBuffer(value) ? "Buffer" : typeof value;
}

/** Returns the kind of value that our driver returns for a type; undefined for one without a sample. */
function driverKind(type: string): string | undefined {
  const sample = SAMPLES[type];
  const oid = oids.get(type);
  return sample === undefined || oid === undefined ? undefined : kindOf(valueTypes.getTypeParser(oid, "text")(sample));
}

async function allProblems(statements: readonly FoundStatement[]): Promise<string[]> {
  const problems: string[] = [];
  for (const statement of statements) problems.push(...(await problemsOf(statement)));
  return problems;
}

async function problemsOf(statement: FoundStatement): Promise<string[]> {
  const problems = new Set<string>();
  // One after the other: the database has one connection, and what it answers does not say to which request.
  for (const text of statement.texts) for (const problem of await textProblems(text, statement)) problems.add(problem);
  return [...problems].map((problem) => `${statement.at}: ${problem}`);
}

async function textProblems(text: string, { values, row, at }: FoundStatement): Promise<string[]> {
  const path = at.replace(/:.*/, "");
  if (text === UNKNOWN) return isException(FORWARDERS, path) ? [] : ["its text is not known"];
  const description = await describe(prepared(text));
  if (typeof description === "string") return [`${description} in ${prepared(text).replaceAll(/\s+/g, " ")}`];
  const columns = description.columns.map((column) => {
    const isStated = column.mayBeNull && row?.members.get(column.name)?.mayBeNull === false;
    return isStated && isException(NEVER_NULL, `${path} ${column.name}`) ? { ...column, mayBeNull: false } : column;
  });
  const areNumbered = !text.includes(`$${UNKNOWN_NUMBER}`);
  return [
    ...(areNumbered && values !== undefined ? valueProblems(values, description.parameters) : []),
    ...(row === undefined ? [] : rowProblems(row, columns)),
  ];
}

const usedExceptions = new Set<string>();

function isException(exceptions: ReadonlySet<string>, name: string): boolean {
  if (exceptions.has(name)) usedExceptions.add(name);
  return exceptions.has(name);
}

function valueProblems(values: readonly DeclaredType[], parameters: readonly string[]): string[] {
  if (values.length !== parameters.length)
    return [`has ${parameters.length} parameters and is given ${values.length} values`];
  return parameters.flatMap((type, index) => {
    const kinds = values[index]?.kinds ?? [];
    const isTaken = kinds.every((kind) => TAKEN_BY[kind]?.test(type) ?? true);
    return isTaken ? [] : [`parameter ${index + 1} is ${type} and is given ${kinds.join(" | ")}`];
  });
}

function rowProblems({ members, others }: DeclaredRow, columns: readonly Column[]): string[] {
  const names = new Set(columns.map(({ name }) => name));
  const missing = [...members.keys()].filter((name) => !names.has(name));
  return [
    ...missing.map((name) => `${name} is declared and not selected`),
    ...columns.flatMap((column) => {
      const declared = members.get(column.name) ?? (others && oneOf(others, column));
      return declared === undefined
        ? [`${column.name} is selected and not declared`]
        : columnProblems(column, declared);
    }),
  ];
}

/** Returns the type of a record's values for one of its columns, which need not be of all their kinds. */
function oneOf({ kinds, mayBeNull }: DeclaredType, { type }: Column): DeclaredType {
  const own = kinds.filter((kind) => kind === driverKind(type));
  return { kinds: own.length === 0 ? kinds : own, mayBeNull };
}

function columnProblems({ name, type, mayBeNull }: Column, declared: DeclaredType): string[] {
  const isRead = declared.kinds.every((kind) => kind === "unknown" || isReadAs(type, kind));
  const read = type === "jsonb" ? "an object" : (driverKind(type) ?? "without a sample here");
  return [
    ...(isRead ? [] : [`${name} is declared as ${declared.kinds.join(" | ")} and is ${type}, ${read}`]),
    ...(mayBeNull && !declared.mayBeNull ? [`${name} may be null`] : []),
  ];
}

/** The driver parses jsonb: the shape of the object is stated, or checked, by who reads it. */
function isReadAs(type: string, kind: string): boolean {
  return type === "jsonb" ? kind === "object" || kind.endsWith("[]") : kind === driverKind(type);
}

type Rows = (session: object, ...more: readonly unknown[]) => Promise<unknown>;
const rows = z.custom<Rows>((value) => typeof value === "function");
const tableSchema = z.object({
  insert: rows,
  read: rows,
  lock: rows,
  update: rows,
  delete: rows,
  page: rows,
  count: rows,
});

/** Returns the texts that a resource table sends. */
async function textsOf(table: z.output<typeof tableSchema>): Promise<string[]> {
  const texts: string[] = [];
  const session = {
    async query({ text }: Statement) {
      texts.push(text);
      return [];
    },
    async execute({ text }: Statement) {
      texts.push(text);
      return 0;
    },
  };
  const name = { account: 1, key: "a" };
  const members = new Proxy({}, { get: () => null });
  const page = { account: 1, equal: {}, order: ["createdAt"], direction: "asc", last: [1], skip: 0, rowsMax: 1 };
  await table.insert(session, name, members, 1);
  await table.read(session, name);
  await table.lock(session, name);
  await table.update(session, name, members, 1);
  await table.delete(session, name);
  await table.page(session, { ...page, largeBytesMax: 0 });
  await table.page(session, { ...page, largeBytesMax: 1 });
  await table.count(session, { account: 1, equal: {} });
  return texts;
}

const paths = shippedFiles().flatMap(({ path }) => (/^(packages|apps)\/.*\.ts$/.test(path) ? [path] : []));
const statements = new Statements(createProgram(paths), paths);
const found = statements.find().filter(({ at }) => !at.startsWith(RESOURCE_TABLES));

test("every statement can be prepared on the migrated schema, and its columns are those of the declared row", async () => {
  expect(found.length).toBeGreaterThan(600);
  expect(await allProblems(found)).toEqual([]);
  expect([...FORWARDERS, ...NEVER_NULL].filter((exception) => !usedExceptions.has(exception))).toEqual([]);
});

test("the columns of every resource table are those of its members", async () => {
  const tables = statements.resourceTables();
  expect(tables.length).toBeGreaterThan(1);
  for (const { path, name, row } of tables) {
    const module: Record<string, unknown> = await import(join(ROOT, path));
    const texts = await textsOf(tableSchema.parse(module[name]));
    expect(texts.length).toBeGreaterThan(6);
    for (const text of texts) {
      const isRead = text.startsWith("SELECT") && !text.startsWith("SELECT count");
      const at = `${path} ${name}`;
      expect(await problemsOf({ at, texts: [text], values: undefined, row: isRead ? row : undefined })).toEqual([]);
    }
  }
});

test("a column that a migration renames, drops or retypes is a problem of each statement that reads it", async () => {
  const ofKeys = found.filter(({ at }) => at.startsWith("packages/accounts/src/"));
  expect(await allProblems(ofKeys)).toEqual([]);
  await memory.database.exec("ALTER TABLE intake.accounts RENAME COLUMN name TO title");
  expect(await allProblems(ofKeys)).toContainEqual(expect.stringContaining('column "name" does not exist'));
  await memory.database.exec("ALTER TABLE intake.accounts RENAME COLUMN title TO name");
  await memory.database.exec("ALTER TABLE intake.api_keys ADD COLUMN age bigint");
  await memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN created_at TO former");
  await memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN age TO created_at");
  await readCatalog();
  const retyped = await allProblems(ofKeys);
  expect(retyped).toContainEqual(expect.stringContaining("createdAt is declared as Date and is int8, number"));
  expect(retyped).toContainEqual(expect.stringContaining("createdAt may be null"));
  await memory.database.exec("ALTER TABLE intake.api_keys DROP COLUMN created_at");
  expect(await allProblems(ofKeys)).toContainEqual(expect.stringContaining("created_at does not exist"));
  await memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN former TO created_at");
  expect(await allProblems(ofKeys)).toEqual([]);
});

const PLANTED = "packages/accounts/src/planted.ts";
const ACCOUNT = "FROM intake.accounts WHERE id = $1";
/** Texts, the rows that they are read as, and what the comparison finds. */
const MISTAKES = [
  [`SELECT number, id ${ACCOUNT}`, "{ number: number; id: string }", []],
  [`SELECT numbr ${ACCOUNT}`, "{ numbr: number }", ['column "numbr" does not exist']],
  [`SELECT number ${ACCOUNT}`, "{ number: number; id?: string }", ["id is declared and not selected"]],
  [`SELECT number, id ${ACCOUNT}`, "{ id: string }", ["number is selected and not declared"]],
  [`SELECT number AS id ${ACCOUNT}`, "{ id: string }", ["id is declared as string and is int4, number"]],
  [`SELECT created_at AS at ${ACCOUNT}`, "{ at: number }", ["at is declared as number and is timestamptz, Date"]],
  [`SELECT settings ${ACCOUNT}`, "{ settings: string }", ["settings is declared as string and is jsonb, an object"]],
  [`SELECT sum(number) AS sum ${ACCOUNT}`, "{ sum: string }", ["sum is declared as string and is int8, number"]],
  [`SELECT avg(number) AS mean ${ACCOUNT}`, "{ mean: number }", ["mean is declared as number and is numeric, string"]],
  ["SELECT merged_into AS into FROM contacts WHERE cid = $1", "{ into: number }", ["into may be null"]],
  [`SELECT id ${ACCOUNT} AND number = $2`, "{ id: string }", ["has 2 parameters and is given 1 values"]],
  [
    "SELECT id FROM intake.accounts WHERE created_at < $1",
    "{ id: string }",
    ["parameter 1 is timestamptz and is given number"],
  ],
] as const;

test("the comparison finds each planted mistake and leaves right statements alone", async () => {
  const lines = MISTAKES.map(([text, row]) => {
    const value = text.includes("created_at <") ? "1" : '"a"';
    return `export const read = (session: Session) => session.query<${row}>({ text: "${text}" }, [${value}]);`;
  });
  const code = [`import type { Session } from "@headwater/postgres/connection/session";`, ...lines].join("\n");
  const expected = MISTAKES.flatMap(([, , problems], index) =>
    problems.map((problem) => `${PLANTED}:${index + 2}: ${problem}`),
  );
  expect(await planted(code)).toEqual(expected);
});

test("texts are followed through templates, choices, callers and conditions, and one that is not known is a problem", async () => {
  const code = `import { createConditions } from "@headwater/postgres/connection/conditions";
import type { Session, Statement } from "@headwater/postgres/connection/session";
const COLUMNS = ["number", "id"].join(", ");
const page = (direction: "asc" | "desc") => ({ text: \`SELECT \${COLUMNS} FROM intake.accounts ORDER BY id \${direction}\` });
export const first = (session: Session, direction: "asc" | "desc") => session.query<{ id: string }>(page(direction));
function one<Row extends object>(session: Session, statement: Statement) {
  return session.query<Row>(statement);
}
export const second = (session: Session) => one<{ id: number }>(session, { text: "SELECT id FROM intake.accounts" });
export function third(session: Session, id: string) {
  const where = createConditions();
  where.add(\`gone = \${where.bind(id)}\`);
  return session.query({ text: \`SELECT id FROM intake.accounts WHERE \${where.text()}\` }, where.values);
}
export const fourth = (session: Session, statement: Statement) => session.query(statement);
`;
  expect(await planted(code)).toEqual([
    `${PLANTED}:5: number is selected and not declared`,
    `${PLANTED}:7 for ${PLANTED}:9: id is declared as number and is text, string`,
    `${PLANTED}:13: column "gone" does not exist`,
    `${PLANTED}:15: its text is not known`,
  ]);
});

async function planted(code: string): Promise<string[]> {
  const program = createProgram([PLANTED], new Map([[PLANTED, code]]));
  const problems = await allProblems(new Statements(program, [PLANTED]).find());
  return problems.map((problem) => problem.replace(/error: (.*) in SELECT.*/, "$1"));
}
