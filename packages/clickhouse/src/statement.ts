import type { ClickHouseSettings } from "@clickhouse/client";

type Params = Readonly<Record<string, unknown>>;

/** A statement as the client takes it. */
export interface SentStatement {
  readonly query: string;
  readonly query_params: Record<string, unknown>;
  /** Set for a statement that goes as the body of a request, and not as a field of a form. */
  readonly use_multipart_params_auto?: false;
}

/**
 * Servers refuse a request of more fields than `http_max_fields`, which is 1,000 in some versions, and fields longer than
 * `http_max_field_value_size`, 128 KiB. The statement is one of them, parameters and settings are others, and no request can raise either.
 */
export const FORM_LIMITS = { parameters: 400, characters: 65_536 } as const;

/** Parameters that stay: in the address, which has at most 1 MiB. */
const ADDRESS_CHARACTERS_MAX = 262_144;
/** Characters that a parameter must save to stay one. */
const SAVED_CHARACTERS_MIN = 16_384;

/** Statements have a part for each column or node of criteria: they are bounded where they are compiled, and never by the parser. */
export const parserSettings: ClickHouseSettings = {
  max_query_size: "268435456",
  max_ast_elements: "10000000",
  max_expanded_ast_elements: "50000000",
};

/**
 * Returns a statement that no limit of forms refuses, however many parameters it has and however long they are. One beyond these limits is
 * sent as a body, its parameters as the typed literals that the server itself would put in their stead. Long values that it names again and
 * again stay parameters.
 */
export function toSentStatement(sql: string, params: Params = {}): SentStatement {
  const values = Object.entries(params);
  const isForm = values.length <= FORM_LIMITS.parameters && !isLong(sql, values);
  if (isForm) return { query: sql, query_params: { ...params } };
  const literals = literalsOf(sql, params);
  const stored = storedParameters(literals);
  const query = sql.replaceAll(PLACEHOLDER, (placeholder, name: string, type: string) => {
    const literal = stored.has(name) ? undefined : literals.get(name);
    return literal === undefined ? placeholder : typedLiteral(literal.text, type);
  });
  const query_params = Object.fromEntries([...stored].map((name) => [name, params[name]]));
  return { query, query_params, use_multipart_params_auto: false };
}

/** Returns whether the statement or one of its values is too long for a field. */
function isLong(sql: string, values: readonly (readonly [string, unknown])[]): boolean {
  return [sql, ...values.map(([, value]) => value)].some((value) => lengthOf(value) > FORM_LIMITS.characters);
}

const NUMBER_CHARACTERS = 24;

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return Array.isArray(value) ? value.reduce((sum, one) => sum + lengthOf(one) + 3, 0) : NUMBER_CHARACTERS;
}

const PLACEHOLDER = /\{(\w{1,64}):([^{}]{1,256})\}/g;

interface Literal {
  readonly text: string;
  uses: number;
}

/** Returns the values that the statement names as texts. */
function literalsOf(sql: string, params: Params): Map<string, Literal> {
  const literals = new Map<string, Literal>();
  for (const [, name = ""] of sql.matchAll(PLACEHOLDER)) {
    if (!Object.hasOwn(params, name)) continue;
    const literal = literals.get(name) ?? { text: textOf(params[name]), uses: 0 };
    literal.uses += 1;
    literals.set(name, literal);
  }
  return literals;
}

/** Returns the names of the values that save most as parameters, as far as the address holds them. */
function storedParameters(literals: ReadonlyMap<string, Literal>): Set<string> {
  const saved = ({ text, uses }: Literal) => (uses - 1) * text.length;
  const costly = [...literals].filter(([, literal]) => saved(literal) >= SAVED_CHARACTERS_MIN);
  const existing = new Set<string>();
  let left = ADDRESS_CHARACTERS_MAX;
  for (const [name, { text }] of costly.toSorted(([, one], [, other]) => saved(other) - saved(one))) {
    const { length } = encodeURIComponent(text);
    if (text.length > FORM_LIMITS.characters || length > left) continue;
    left -= length;
    existing.add(name);
  }
  return existing;
}

function typedLiteral(text: string, type: string): string {
  return type.trim() === "String" ? quoted(text) : `CAST(${quoted(text)}, ${quoted(type.trim())})`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : elementText(value);
}

/** Returns a value as ClickHouse writes it inside of an array. */
function elementText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(elementText).join(",")}]`;
  throw new TypeError(`a parameter of ClickHouse may not be of type ${value === null ? "null" : typeof value}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\0", "\\0")}'`;
}
