import { protocol } from "@electric-sql/pglite";
import { valueTypes } from "@headwater/postgres/connection/types";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { z } from "zod";
import { UNKNOWN, UNKNOWN_NUMBER } from "./statementTexts.ts";

export interface Column {
  readonly name: string;
  /** Name in pg_type. */
  readonly type: string;
  /** Values that a CHECK of the table admits; undefined for any. */
  readonly values: readonly string[] | undefined;
  /** False as well for what is computed: Postgres does not know. */
  readonly mayBeNull: boolean;
}

export interface Description {
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
const columnSchema = z.array(z.object({ key: z.string(), is_nullable: z.boolean(), condition: z.string().nullable() }));
const COLUMNS = `SELECT a.attrelid::int || '/' || a.attnum AS key, NOT a.attnotnull AS is_nullable,
    (SELECT string_agg(pg_get_constraintdef(c.oid), '') FROM pg_constraint c
      WHERE c.conrelid = a.attrelid AND c.contype = 'c' AND c.conkey = ARRAY[a.attnum]) AS condition
  FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid WHERE t.relkind IN ('r', 'p')`;

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

/** A migrated Postgres that prepares statements without running them. */
export class PreparedStatements {
  readonly memory: MemoryPostgres;
  readonly #typeNames = new Map<number, string>();
  readonly #oids = new Map<string, number>();
  readonly #columns = new Map<string, Pick<Column, "mayBeNull" | "values">>();

  constructor(memory: MemoryPostgres) {
    this.memory = memory;
  }

  static async start(): Promise<PreparedStatements> {
    const started = new PreparedStatements(await startMemoryPostgres());
    await started.readCatalog();
    return started;
  }

  async readCatalog(): Promise<void> {
    const { database } = this.memory;
    const types = await database.query("SELECT oid::int, typname FROM pg_type");
    for (const { oid, typname } of typeSchema.parse(types.rows)) {
      this.#typeNames.set(oid, typname);
      this.#oids.set(typname, oid);
    }
    const columns = await database.query(COLUMNS);
    for (const { key, is_nullable, condition } of columnSchema.parse(columns.rows))
      this.#columns.set(key, { mayBeNull: is_nullable, values: valuesOf(condition ?? "") });
  }

  /** Lets Postgres prepare a text and announce its parameters and columns. @returns the reason why it refuses the text. */
  async describe(text: string): Promise<Description | string> {
    const { database } = this.memory;
    const { parse, describe, sync } = protocol.serialize;
    let found: readonly unknown[];
    try {
      const request = [parse({ text: prepared(text) }), describe({ type: "S" }), sync()];
      ({ messages: found } = await database.execProtocol(Buffer.concat(request)));
    } catch (error) {
      await database.execProtocol(sync());
      return `${error} in ${prepared(text).replaceAll(/\s+/g, " ")}`;
    }
    const messages = found.flatMap((message) => messageSchema.safeParse(message).data ?? []);
    const fields = messages.flatMap((message) => (message.name === "rowDescription" ? message.fields : []));
    const parameters = messages.flatMap((message) =>
      message.name === "parameterDescription" ? message.dataTypeIDs : [],
    );
    const columns = fields.map(({ name, tableID, columnID, dataTypeID }) => {
      const stored = this.#columns.get(`${tableID}/${columnID}`) ?? { mayBeNull: false, values: undefined };
      return { name, type: this.#typeName(dataTypeID), ...stored };
    });
    return { parameters: parameters.map((oid) => this.#typeName(oid)), columns };
  }

  /** Returns the kind of value that our driver returns for a type; undefined for one without a sample. */
  driverKind(type: string): string | undefined {
    const sample = SAMPLES[type];
    const oid = this.#oids.get(type);
    return sample === undefined || oid === undefined
      ? undefined
      : kindOf(valueTypes.getTypeParser(oid, "text")(sample));
  }

  #typeName(oid: number): string {
    return this.#typeNames.get(oid) ?? String(oid);
  }
}

/** Returns a text that can be prepared: what is known only when it runs is a condition, a sort or a value. */
function prepared(text: string): string {
  const conditions = text.replaceAll(new RegExp(`(WHERE|AND|OR|NOT)(\\s*\\(*)${UNKNOWN}`, "gi"), "$1$2TRUE");
  const sorts = conditions.replaceAll(new RegExp(`(BY\\s+)${UNKNOWN}`, "gi"), "$11");
  return sorts
    .replaceAll(new RegExp(`\\$[${UNKNOWN}${UNKNOWN_NUMBER}]|${UNKNOWN}`, "g"), "NULL")
    .replaceAll(UNKNOWN_NUMBER, "1");
}

/** Returns the texts that a condition like `CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))` admits. */
function valuesOf(condition: string): string[] | undefined {
  const isList = condition.includes(" = ANY (ARRAY['") && !/ AND | OR /.test(condition);
  if (!isList) return undefined;
  return [...condition.matchAll(/'([^']*)'::text/g)].map(([, value = ""]) => value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `${kindOf(value[0])}[]`;
  if (value instanceof Date) return "Date";
  return Buffer.isBuffer(value) ? "Buffer" : typeof value;
}
