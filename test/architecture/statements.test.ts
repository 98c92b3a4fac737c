import { join } from "node:path";
import type { Statement } from "@headwater/postgres/connection/session";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Column, PreparedStatements } from "./preparedStatements.ts";
import { ROOT, shippedFiles } from "./repository.ts";
import { createProgram, type DeclaredRow, type DeclaredType, type FoundStatement, Statements } from "./statements.ts";
import { UNKNOWN, UNKNOWN_NUMBER } from "./statementTexts.ts";

/*
 * `query<Row>(statement)` casts what Postgres answers. Types generated from the tables would not check it: most columns of our rows are
 * renamed or computed by the statement's text, which the compiler does not read. So this reads the texts from the code, lets a migrated
 * Postgres prepare each of them, and compares the columns that it announces with the declared row, as our driver returns them.
 */

/** Types of parameters that take a kind of value; texts are read by any. */
const TAKEN_BY: Readonly<Record<string, RegExp>> = {
  number: /^(int|float|numeric|oid|text|json)/,
  boolean: /^(bool|text|json)/,
  Date: /^(timestamp|date)/,
  Buffer: /^bytea$/,
};

/** Calls that pass on the statements of others, which are read where they are written; pg-boss has its own. */
const FORWARDERS: ReadonlySet<string> = new Set([
  "packages/api/src/dryRun/dryRuns.ts",
  "packages/guard/src/consistency/storeGuard.ts",
  "packages/intake/src/state/postgresStateStore.ts",
  "packages/jobs/src/queue/jobQueue.ts",
  "packages/postgres/src/connection/postgres.ts",
  "packages/postgres/src/connection/savepoint.ts",
]);
/** Its statements are read from each table that it creates. */
const RESOURCE_TABLES = "packages/postgres/src/connection/resourceTable.ts";

/** Columns that are never null, or never some of the values of their table, in these rows: a condition of the statement, or what it writes, says so. */
const NARROWED: ReadonlySet<string> = new Set([
  "packages/automation/src/orchestrations/postgres.ts deletedAt",
  "packages/automation/src/orchestrations/postgres.ts enabledAt",
  "packages/automation/src/orchestrations/postgres.ts version",
  "packages/guard/src/clickHouseWitness/knownStore.ts identity",
  "packages/intake/src/triggers/storedTriggeredEvents.ts event",
  "packages/messaging/src/batchMessages/frozenMessages.ts frozen",
  "packages/messaging/src/batchMessages/startMessages.ts job",
  "packages/messaging/src/sends/sendReads.ts intendedAt",
  "packages/records/src/contacts/contacts.ts survivor",
  "packages/records/src/supplements/supplementIndexes.ts state",
]);

let postgres: PreparedStatements;
beforeAll(async () => {
  postgres = await PreparedStatements.start();
});
afterAll(() => postgres.memory.stop());

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
  const description = await postgres.describe(text);
  if (typeof description === "string") return [description];
  const columns = description.columns.map((column) => {
    const isLimited = column.mayBeNull || column.values !== undefined;
    return isLimited && isException(NARROWED, `${path} ${column.name}`)
      ? { ...column, mayBeNull: false, values: undefined }
      : column;
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
function oneOf({ kinds, ...others }: DeclaredType, { type }: Column): DeclaredType {
  const own = kinds.filter((kind) => kind === postgres.driverKind(type));
  return { ...others, kinds: own.length === 0 ? kinds : own };
}

function columnProblems({ name, type, mayBeNull, values = [] }: Column, declared: DeclaredType): string[] {
  const { literals } = declared;
  const others = literals === undefined ? [] : values.filter((value) => !literals.includes(value));
  const isRead = declared.kinds.every((kind) => kind === "unknown" || isReadAs(type, kind));
  const read = type === "jsonb" ? "an object" : (postgres.driverKind(type) ?? "without a sample here");
  return [
    ...(isRead ? [] : [`${name} is declared as ${declared.kinds.join(" | ")} and is ${type}, ${read}`]),
    ...(mayBeNull && !declared.mayBeNull ? [`${name} may be null`] : []),
    ...others.map((value) => `${name} may be ${value}`),
  ];
}

/** The driver parses jsonb: the shape of the object is stated, or checked, by who reads it. */
function isReadAs(type: string, kind: string): boolean {
  return type === "jsonb" ? kind === "object" || kind.endsWith("[]") : kind === postgres.driverKind(type);
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
  expect([...FORWARDERS, ...NARROWED].filter((exception) => !usedExceptions.has(exception))).toEqual([]);
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
  await postgres.memory.database.exec("ALTER TABLE intake.accounts RENAME COLUMN name TO title");
  expect(await allProblems(ofKeys)).toContainEqual(expect.stringContaining('column "name" does not exist'));
  await postgres.memory.database.exec("ALTER TABLE intake.accounts RENAME COLUMN title TO name");
  await postgres.memory.database.exec("ALTER TABLE intake.api_keys ADD COLUMN age bigint");
  await postgres.memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN created_at TO former");
  await postgres.memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN age TO created_at");
  await postgres.readCatalog();
  const retyped = await allProblems(ofKeys);
  expect(retyped).toContainEqual(expect.stringContaining("createdAt is declared as Date and is int8, number"));
  expect(retyped).toContainEqual(expect.stringContaining("createdAt may be null"));
  await postgres.memory.database.exec("ALTER TABLE intake.api_keys DROP COLUMN created_at");
  expect(await allProblems(ofKeys)).toContainEqual(expect.stringContaining("created_at does not exist"));
  await postgres.memory.database.exec("ALTER TABLE intake.api_keys RENAME COLUMN former TO created_at");
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
  ["SELECT kind FROM v2_writes WHERE version = $1", '{ kind: "v2" | "merge" | "split" }', []],
  ["SELECT kind FROM v2_writes WHERE version = $1", '{ kind: "v2" | "merge" }', ["kind may be split"]],
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
