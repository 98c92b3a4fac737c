import { type Account, type ExportedContactColumn, identifierOfChannel } from "@headwater/contracts";
import { dateSql, declaredValueSql, type FieldType } from "@headwater/criteria";
import type { Bindings } from "../bindings.ts";
import { stagedValue } from "../cells.ts";
import { fieldsOf } from "./changed.ts";
import type { KnownOfContacts } from "./known.ts";

/** Contacts whose values are read, and the moment. */
export interface ContactScope {
  readonly account: Account;
  /** Milliseconds since 1970, for values as they were; absent: as they are. */
  readonly asOf?: number | undefined;
  /** SQL of a condition on the number of a live contact, given the name of its column. */
  readonly which: (contact: string) => string;
}

/**
 * Compiles a SELECT of `contact`, the columns in their order as c0, c1, …: one row for each live contact of the scope. Values of the past
 * are the latest of all who were merged into it.
 */
export function contactRowsSql(
  columns: readonly ExportedContactColumn[],
  scope: ContactScope,
  { known, bindings }: { readonly known: KnownOfContacts; readonly bindings: Bindings },
): string {
  const account = bindings.bind("UInt64", scope.account.number);
  const fields = new Set(columns.flatMap(fieldsOf));
  const isJoined = scope.asOf === undefined && fields.size <= JOINED_FIELDS_MAX;
  const runs = isJoined ? [] : runsOf(columns);
  const parts = new ValueParts(scope, account, { known, bindings, isJoined, runs });
  const cells = columns.map((column, index) => `${parts.cell(column)} AS c${index}`);
  const live = `account = ${account} AND deleted = 0 AND merged_into = 0 AND ${scope.which("contact")}`;
  const created = scope.asOf === undefined ? "" : ` AND created_at <= ${bindings.moment(scope.asOf)}`;
  return `SELECT own.contact AS contact${cells.map((cell) => `, ${cell}`).join("")}
    FROM (SELECT contact, cid, created_at, modified_at FROM contacts_current FINAL WHERE ${live}${created}) AS own
    ${parts.joins().join("\n")} ORDER BY own.contact`;
}

/** Tables that have a present and a history: what has one value of each contact, and the columns of that value. */
const ROWS = {
  contact_fields: {
    key: "field",
    values: [
      ["kind", "last_kind"],
      ["text", "last_text"],
    ],
  },
  memberships: {
    key: "list",
    values: [
      ["present", "is_in"],
      ["joined_at", "joined"],
    ],
  },
} as const;

/** The first of the kinds, and so what a column of them holds where there is no row. */
const REMOVED = "'removed'";
const CHANNELS = "channels.";
/** Fields that are joined one by one; more would be too large a statement. */
const JOINED_FIELDS_MAX = 16;

interface PartsOptions {
  readonly known: KnownOfContacts;
  readonly bindings: Bindings;
  /** Each field is joined by itself. */
  readonly isJoined: boolean;
  readonly runs: readonly Run[];
}

/** Fields whose whole values are read as one declared type; their positions follow each other. */
interface Run {
  readonly declared: string;
  readonly fields: readonly string[];
  /** Position of the first. */
  readonly from: number;
}

/** Puts the fields of whole values into runs; a field that is read as two types is in one of them. */
function runsOf(columns: readonly ExportedContactColumn[]): Run[] {
  const declaredOf = new Map<string, string>();
  for (const { source } of columns) {
    const isWhole = source.kind === "value" && source.part === undefined;
    if (isWhole && !declaredOf.has(source.field)) declaredOf.set(source.field, source.declared);
  }
  let from = 0;
  return [...Map.groupBy(declaredOf, ([, declared]) => declared)].map(([declared, entries]) => {
    const run = { declared, fields: entries.map(([field]) => field), from };
    from += entries.length;
    return run;
  });
}

/** SQL of a field's value in the joined rows. */
interface FieldCell {
  /** `removed` when it was never written. */
  readonly kind: string;
  readonly text: string;
  /** 1 when it was written, or removed. */
  readonly rows: string;
}

/** Collects what has to be read of fields and lists while columns are compiled. */
class ValueParts {
  readonly #scope: ContactScope;
  readonly #account: string;
  readonly #known: KnownOfContacts;
  readonly #bindings: Bindings;
  readonly #isJoined: boolean;
  readonly #runs: ReadonlyMap<string, Run>;
  /** Positions by the name of a field. */
  readonly #fields = new Map<string, number>();
  readonly #lists = new Map<string, string>();
  #isModifiedRead = false;

  constructor(scope: ContactScope, account: string, { known, bindings, isJoined, runs }: PartsOptions) {
    this.#scope = scope;
    this.#account = account;
    this.#known = known;
    this.#bindings = bindings;
    this.#isJoined = isJoined;
    this.#runs = new Map(runs.map((run) => [run.declared, run]));
    for (const field of runs.flatMap(({ fields }) => fields)) this.#fields.set(field, this.#fields.size);
  }

  /** SQL of a column's staged value. */
  cell({ source }: ExportedContactColumn): string {
    switch (source.kind) {
      case "value":
        return this.#readInRun(source) ?? this.#valueCell(this.#field(source.field), source);
      case "column":
        return this.#columnCell(source.column);
      case "channel":
        return this.#channelCell(source.channel, source.member);
      case "lists":
        // A contact in no list has no row there.
        return `ifNull(nullIf(${this.#list("names", this.#listNames())}, ''), '[]')`;
      case "list":
        return `${this.#list(`present${source.list}`, `countIf(list = ${this.#number(source.list)}) > 0`)} = 1`;
      case "joined": {
        const joined = `anyOrNullIf(joined, list = ${this.#number(source.list)})`;
        return this.#list(`joined${source.list}`, joined);
      }
    }
  }

  /** SQL of a value that is read with those of its run; undefined for one that is in none. */
  #readInRun({ field, declared, part }: ValueSource): string | undefined {
    const run = this.#runs.get(declared);
    const position = this.#fields.get(field);
    if (run === undefined || position === undefined || part !== undefined) return undefined;
    const place = position - run.from;
    return place < 0 || place >= run.fields.length ? undefined : `vals0.${readNameOf(run)}[${place + 1}]`;
  }

  /** One that cannot be read as it is declared is missing. */
  #valueCell({ kind, text }: Pick<FieldCell, "kind" | "text">, { declared, part }: Omit<ValueSource, "field">): string {
    const row = { kind, text, number: `toFloat64OrNull(${text})` };
    const isMissing = `${row.kind} = ${REMOVED}`;
    const bind = (text: string) => this.#bindings.bind("String", text);
    if (declared === "moment") {
      const { timezone } = this.#scope.account.settings;
      return `if(${isMissing}, NULL, ${dateSql(row.text, timezone, { string: bind })})`;
    }
    const { readable, sql } = declaredValueSql(toFieldType(declared), row, bind);
    const whole = declared === "auto" ? stagedValue(row.kind, row.text) : sql;
    const staged = part === undefined ? whole : partOfPosition(row, bind(part));
    return `if(${isMissing} OR NOT ifNull(${readable}, 0), NULL, ${staged})`;
  }

  #columnCell(column: "cid" | "created_at" | "modified_at"): string {
    if (column !== "modified_at" || this.#scope.asOf === undefined) return `own.${column}`;
    this.#isModifiedRead = true;
    return "greatest(own.created_at, written.moment)";
  }

  /** Reads a channel as answers show it: an identifier of its name is its address when none was written. */
  #channelCell(channel: string, member: "address" | "status" | "valid"): string {
    const written = this.#field(`${CHANNELS}${channel}.address`);
    const attached = this.#field(`identifiers.${identifierOfChannel(channel)}`);
    const text = (value: FieldCell) => `if(${value.kind} = 'string', ${value.text}, NULL)`;
    const address = `if(${written.rows} > 0, ${text(written)}, ${text(attached)})`;
    if (member === "address") return address;
    const own = this.#field(`${CHANNELS}${channel}.${member === "status" ? "subscribeStatus" : "valid"}`);
    if (member === "status") return `coalesce(${text(own)}, if(isNull(${address}), NULL, 'none'))`;
    return `if(isNull(${address}), NULL, NOT (${own.kind} = 'boolean' AND ${own.text} = 'false'))`;
  }

  #field(field: string): FieldCell {
    const position = this.#fields.get(field) ?? this.#fields.size;
    this.#fields.set(field, position);
    if (this.#isJoined) {
      const name = nameOf(position);
      return { kind: `${name}_kind`, text: `${name}_text`, rows: `${name}_rows` };
    }
    // Arrays count from 1, and have a default value behind their end.
    const of = (array: string) => `vals0.${array}[${position + 1}]`;
    return { kind: of("kinds"), text: of("texts"), rows: of("rows") };
  }

  #list(key: string, sql: string): string {
    const name = `l_${key}`;
    this.#lists.set(name, sql);
    return `mine.${name}`;
  }

  #listNames(): string {
    const { lists } = this.#known;
    const ids = this.#bindings.bind(
      "Array(UInt32)",
      lists.map(({ id }) => id),
    );
    const names = this.#bindings.bind(
      "Array(String)",
      lists.map(({ name }) => name),
    );
    return `toJSONString(arraySort(groupArrayIf(transform(list, ${ids}, ${names}, ''), has(${ids}, list))))`;
  }

  #number(value: number): string {
    return this.#bindings.bind("UInt64", value);
  }

  /** Joins of what the columns read. */
  joins(): string[] {
    const joins: string[] = [];
    for (const [place, rows] of this.#fieldRows().entries())
      joins.push(`LEFT ANY JOIN (${rows}) AS vals${place} ON vals${place}.contact = own.contact`);
    if (this.#lists.size > 0) joins.push(`LEFT ANY JOIN (${this.#listRows()}) AS mine ON mine.contact = own.contact`);
    if (this.#isModifiedRead)
      joins.push(`LEFT ANY JOIN (${this.#writtenRows()}) AS written ON written.contact = own.contact`);
    return joins;
  }

  /** SELECTs that together have the values of all fields. */
  #fieldRows(): string[] {
    if (this.#isJoined) return [...this.#fields].map(([field, position]) => this.#presentOf(field, nameOf(position)));
    return this.#fields.size > 0 ? [this.#groupedFields()] : [];
  }

  /** A field's present values lie in order of their contacts, each once. */
  #presentOf(field: string, name: string): string {
    const where = `field = ${this.#bindings.bind("String", field)}${this.#since(field)}`;
    return `SELECT contact, kind AS ${name}_kind, text AS ${name}_text, 1 AS ${name}_rows
      FROM contact_fields_current FINAL WHERE account = ${this.#account} AND ${where} AND ${this.#scope.which("contact")}`;
  }

  /**
   * The values of a contact as arrays, in which each field has its position. A column for each field would be an aggregate with a condition
   * for each, which every stored value of the contacts is tested for, and names that the analyzer of ClickHouse resolves one among all.
   */
  #groupedFields(): string {
    const names = [...this.#fields.keys()];
    const fields = this.#bindings.bind("Array(String)", names);
    const positions = this.#bindings.bind(
      "Array(UInt32)",
      names.map((_, position) => position),
    );
    const rows = this.#rowsOf("contact_fields", `field IN ${fields}${this.#sinceOfAll()}`);
    const grouped = `SELECT contact, groupArrayInsertAt(last_kind, position) AS kinds, groupArrayInsertAt(last_text, position) AS texts,
        groupArrayInsertAt(toUInt8(1), position) AS rows
      FROM (SELECT contact, last_kind, last_text, transform(field, ${fields}, ${positions}, toUInt32(0)) AS position FROM (${rows}))
      GROUP BY contact`;
    const read = [...this.#runs.values()].map((run) => `, ${this.#readRun(run)} AS ${readNameOf(run)}`);
    return `SELECT contact, kinds, texts, rows${read.join("")} FROM (${grouped})`;
  }

  /** SQL of an array of the values of a run: one expression for all of them. */
  #readRun({ declared, fields, from }: Run): string {
    const value = this.#valueCell({ kind: "one_kind", text: "one_text" }, { kind: "value", declared });
    const of = (array: string) => `arraySlice(${array}, ${from + 1}, ${fields.length})`;
    return `arrayMap((one_kind, one_text) -> ${value}, ${of("kinds")}, ${of("texts")})`;
  }

  /** The same for all fields. */
  #sinceOfAll(): string {
    const cleared = [...this.#known.clears].filter(([field]) => this.#fields.has(field));
    if (cleared.length === 0) return "";
    const fields = this.#bindings.bind(
      "Array(String)",
      cleared.map(([field]) => field),
    );
    const versions = this.#bindings.bind(
      "Array(String)",
      cleared.map(([, version]) => version),
    );
    return ` AND version > transform(field, ${fields}, ${versions}, '')`;
  }

  /** Values at or below the last deletion of their attribute are gone. */
  #since(field: string): string {
    const cleared = this.#known.clears.get(field);
    return cleared === undefined ? "" : ` AND version > ${this.#bindings.bind("String", cleared)}`;
  }

  #listRows(): string {
    const cleared = this.#known.lists.filter(({ cleared: version }) => version !== undefined);
    const ids = this.#bindings.bind(
      "Array(UInt32)",
      cleared.map(({ id }) => id),
    );
    const versions = this.#bindings.bind(
      "Array(String)",
      cleared.map(({ cleared: version }) => version),
    );
    const stored = `version > transform(list, ${ids}, ${versions}, '')`;
    const values = [...this.#lists].map(([name, sql]) => `${sql} AS ${name}`);
    const latest = this.#rowsOf("memberships", stored);
    return `SELECT contact, ${values.join(", ")} FROM (${latest}) WHERE is_in = 1 GROUP BY contact`;
  }

  /** Rows of one of the tables that have a present and a history, by the live contact. */
  #rowsOf(table: keyof typeof ROWS, where: string): string {
    const { which, asOf } = this.#scope;
    const of = `account = ${this.#account} AND ${where}`;
    const { key, values } = ROWS[table];
    if (asOf === undefined) {
      const columns = values.map(([column, name]) => `${column} AS ${name}`).join(", ");
      return `SELECT contact, ${key}, ${columns} FROM ${table}_current FINAL WHERE ${of} AND ${which("contact")}`;
    }
    const rows = `SELECT *, if(a.survivor > 0, a.survivor, h.contact) AS owner FROM (
        SELECT * FROM ${table}_history WHERE ${of} AND at <= ${this.#bindings.moment(asOf)} AND ${this.#ofFamily()}) AS h
      LEFT ANY JOIN ${this.#aliases()} AS a ON a.merged = h.contact`;
    const columns = values.map(([column, name]) => `argMax(${column}, version) AS ${name}`).join(", ");
    return `SELECT owner AS contact, ${key}, ${columns} FROM (${rows}) WHERE ${which("owner")} GROUP BY owner, ${key}`;
  }

  #aliases(): string {
    return `(SELECT contact AS merged, survivor FROM contact_aliases FINAL WHERE account = ${this.#account})`;
  }

  /** Contacts in the scope and those that were merged into one of them. */
  #ofFamily(): string {
    const { which } = this.#scope;
    const survivors = which("survivor");
    return `(${which("contact")} OR contact IN (SELECT contact FROM contact_aliases FINAL WHERE account = ${this.#account} AND survivor > 0 AND ${survivors}))`;
  }

  #writtenRows(): string {
    const past = `account = ${this.#account} AND at <= ${this.#bindings.moment(this.#scope.asOf ?? 0)} AND ${this.#ofFamily()}`;
    return `SELECT if(a.survivor > 0, a.survivor, h.contact) AS contact, max(h.at) AS moment
      FROM (SELECT contact, at FROM contact_fields_history WHERE ${past}) AS h LEFT ANY JOIN ${this.#aliases()} AS a ON a.merged = h.contact GROUP BY contact`;
  }
}

function readNameOf({ declared }: Run): string {
  return `read_${declared}`;
}

/** Begins the names of a joined field's columns. */
function nameOf(position: number): string {
  return `f${position}`;
}

type ValueSource = Extract<ExportedContactColumn["source"], { kind: "value" }>;

/** Reads the part as criteria do: of an object alone, and no array or object. */
function partOfPosition({ kind, text }: { readonly kind: string; readonly text: string }, part: string): string {
  const isThere = `${kind} = 'object' AND JSONType(${text}, ${part}) NOT IN ('Array', 'Object', 'Null')`;
  return `if(${isThere}, JSONExtract(${text}, ${part}, 'Nullable(String)'), NULL)`;
}

const FIELD_TYPES: readonly FieldType[] = ["auto", "string", "number", "date", "array", "boolean", "geo"];

function toFieldType(declared: string): FieldType {
  return FIELD_TYPES.find((type) => type === declared) ?? "auto";
}
