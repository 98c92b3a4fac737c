import { dateSql, declaredValueSql, type FieldType } from "@headwater/audience";
import { type Account, type ExportedContactColumn, identifierOfChannel } from "@headwater/contracts";
import type { Bindings } from "../bindings.ts";
import { stagedValue } from "../cells.ts";
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
  const parts = new ValueParts(scope, account, known, bindings);
  const cells = columns.map((column, place) => `${parts.cell(column)} AS c${place}`);
  const live = `account = ${account} AND deleted = 0 AND merged_into = 0 AND ${scope.which("contact")}`;
  const created = scope.asOf === undefined ? "" : ` AND created_at <= ${bindings.moment(scope.asOf)}`;
  return `SELECT own.contact AS contact${cells.map((cell) => `, ${cell}`).join("")}
    FROM (SELECT contact, cid, created_at, modified_at FROM contacts_current FINAL WHERE ${live}${created}) AS own
    ${parts.joins().join("\n")} ORDER BY own.contact`;
}

/** The first of the kinds, and so what a column of them holds where there is no row. */
const REMOVED = "'removed'";
const CHANNELS = "channels.";
/** Fields that are joined one by one, at a fifth of what grouping their rows by contact costs; more would be too large a statement. */
const JOINED_FIELDS_MAX = 16;

/** Collects what has to be read of fields and lists while columns are compiled. */
class ValueParts {
  readonly #scope: ContactScope;
  readonly #account: string;
  readonly #known: KnownOfContacts;
  readonly #bindings: Bindings;
  readonly #fields = new Map<string, string>();
  readonly #lists = new Map<string, string>();
  #isModifiedRead = false;

  constructor(scope: ContactScope, account: string, known: KnownOfContacts, bindings: Bindings) {
    this.#scope = scope;
    this.#account = account;
    this.#known = known;
    this.#bindings = bindings;
  }

  /** SQL of a column's staged value. */
  cell({ source }: ExportedContactColumn): string {
    switch (source.kind) {
      case "value":
        return this.#valueCell(this.#field(source.field), source);
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

  /** One that cannot be read as it is declared is missing. */
  #valueCell(value: string, { declared, part }: ValueSource): string {
    const row = { kind: `${value}_kind`, text: `${value}_text`, number: `toFloat64OrNull(${value}_text)` };
    const isMissing = `${row.kind} = ${REMOVED}`;
    const bind = (text: string) => this.#bindings.bind("String", text);
    if (declared === "moment") {
      const { timezone } = this.#scope.account.settings;
      return `if(${isMissing}, NULL, ${dateSql(row.text, timezone, { string: bind })})`;
    }
    const { readable, sql } = declaredValueSql(toFieldType(declared), row, bind);
    const whole = declared === "auto" ? stagedValue(row.kind, row.text) : sql;
    const staged = part === undefined ? whole : partOfPlace(row, bind(part));
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
    const text = (value: string) => `if(${value}_kind = 'string', ${value}_text, NULL)`;
    const address = `if(${written}_rows > 0, ${text(written)}, ${text(attached)})`;
    if (member === "address") return address;
    const own = this.#field(`${CHANNELS}${channel}.${member === "status" ? "subscribeStatus" : "valid"}`);
    if (member === "status") return `coalesce(${text(own)}, if(isNull(${address}), NULL, 'none'))`;
    return `if(isNull(${address}), NULL, NOT (${own}_kind = 'boolean' AND ${own}_text = 'false'))`;
  }

  /** Begins the names of a field's columns in the joined rows: `_kind` (`removed` when it was never written), `_text`, of channels `_rows`. */
  #field(field: string): string {
    const name = `f${this.#fields.size}`;
    const known = this.#fields.get(field);
    if (known !== undefined) return known;
    this.#fields.set(field, name);
    return name;
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

  /** SELECTs that together have the columns of all fields. */
  #fieldRows(): string[] {
    const isJoined = this.#scope.asOf === undefined && this.#fields.size <= JOINED_FIELDS_MAX;
    if (isJoined) return [...this.#fields].map(([field, name]) => this.#presentOf(field, name));
    return this.#fields.size > 0 ? [this.#groupedFields()] : [];
  }

  /** A field's present values lie in order of their contacts, each once. */
  #presentOf(field: string, name: string): string {
    const where = `field = ${this.#bindings.bind("String", field)}${this.#since(field)}`;
    return `SELECT contact, kind AS ${name}_kind, text AS ${name}_text, 1 AS ${name}_rows
      FROM contact_fields_current FINAL WHERE account = ${this.#account} AND ${where} AND ${this.#scope.which("contact")}`;
  }

  #groupedFields(): string {
    const { asOf } = this.#scope;
    // A tuple of kind and text would be one aggregate instead of two, and several times as slow.
    const values = [...this.#fields].flatMap(([field, name]) => {
      const is = `field = ${this.#bindings.bind("String", field)}${this.#since(field)}`;
      const last = (column: string) =>
        asOf === undefined ? `anyIf(${column}, ${is})` : `argMaxIf(${column}, version, ${is})`;
      const rows = field.startsWith(CHANNELS) ? [`countIf(${is}) AS ${name}_rows`] : [];
      return [`${last("kind")} AS ${name}_kind`, `${last("text")} AS ${name}_text`, ...rows];
    });
    const fields = this.#bindings.bind("Array(String)", [...this.#fields.keys()]);
    return this.#rowsOf("contact_fields", `field IN ${fields}`, values);
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
    const kept = `version > transform(list, ${ids}, ${versions}, '')`;
    const values = [...this.#lists].map(([name, sql]) => `${sql} AS ${name}`);
    const latest = this.#rowsOf("memberships", kept, [], ["list"]);
    return `SELECT contact, ${values.join(", ")} FROM (${latest}) WHERE is_in = 1 GROUP BY contact`;
  }

  /** Rows of one of the tables that have a present and a history, by the live contact. */
  #rowsOf(
    table: "contact_fields" | "memberships",
    where: string,
    values: readonly string[],
    more: readonly string[] = [],
  ): string {
    const { which, asOf } = this.#scope;
    const of = `account = ${this.#account} AND ${where}`;
    const columns = values.map((value) => `, ${value}`).join("");
    if (asOf === undefined) {
      const from = `FROM ${table}_current FINAL WHERE ${of} AND ${which("contact")}`;
      if (table === "contact_fields") return `SELECT contact${columns} ${from} GROUP BY contact`;
      return `SELECT contact, list, present AS is_in, joined_at AS joined ${from}`;
    }
    const rows = `SELECT *, if(a.survivor > 0, a.survivor, h.contact) AS owner FROM (
        SELECT * FROM ${table}_history WHERE ${of} AND at <= ${this.#bindings.moment(asOf)} AND ${this.#ofFamily()}) AS h
      LEFT ANY JOIN ${this.#aliases()} AS a ON a.merged = h.contact`;
    const inScope = which("owner");
    if (table === "contact_fields")
      return `SELECT owner AS contact${columns} FROM (${rows}) WHERE ${inScope} GROUP BY owner`;
    const group = ["owner", ...more].join(", ");
    return `SELECT owner AS contact, list, argMax(present, version) AS is_in, argMax(joined_at, version) AS joined
      FROM (${rows}) WHERE ${inScope} GROUP BY ${group}`;
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

type ValueSource = Extract<ExportedContactColumn["source"], { kind: "value" }>;

/** Reads the part as criteria do: of an object alone, and no array or object. */
function partOfPlace({ kind, text }: { readonly kind: string; readonly text: string }, part: string): string {
  const isThere = `${kind} = 'object' AND JSONType(${text}, ${part}) NOT IN ('Array', 'Object', 'Null')`;
  return `if(${isThere}, JSONExtract(${text}, ${part}, 'Nullable(String)'), NULL)`;
}

const FIELD_TYPES: readonly FieldType[] = ["auto", "string", "number", "date", "array", "boolean", "geo"];

function toFieldType(declared: string): FieldType {
  return FIELD_TYPES.find((type) => type === declared) ?? "auto";
}
