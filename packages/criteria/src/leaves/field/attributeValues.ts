import { type Binder, createBinder } from "../../compile/binder.ts";
import { declaredBooleanSql, type FieldRow } from "../../compile/values.ts";
import type { FieldType } from "../../criteria.ts";
import type { ValueReading } from "./field.ts";
import { readableSql } from "./readable.ts";

/** An array of what a value says: a scalar, each element of an array, or the named member of an object. */
export function textsSql(
  row: FieldRow,
  { part, declared = "auto" }: ValueReading & { readonly part?: string },
  bind: Binder,
): string {
  const notNull = (texts: string) =>
    `arrayMap(one -> assumeNotNull(one), arrayFilter(one -> one IS NOT NULL, ${texts}))`;
  if (part !== undefined) {
    return notNull(
      `[if(${row.kind} = 'object', JSONExtract(${row.text}, ${bind.string(part)}, 'Nullable(String)'), NULL)]`,
    );
  }
  const elements = notNull(`JSONExtract(${row.text}, 'Array(Nullable(String))')`);
  const scalar = `[assumeNotNull(${attributeText(declared, row)})]`;
  return `multiIf(${row.kind} = 'array', ${elements}, ${row.kind} IN ('string', 'number', 'boolean'), ${scalar}, emptyArrayString())`;
}

/** SQL over rows of `contact_fields_current` that reads an attribute as it is declared. */
interface AttributeValuesSql {
  /** 1 where the contact has a value that can be read so, else 0. */
  readonly readable: string;
  /** Equal for equal values: the kind and the text of a stored value. */
  readonly kind: string;
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const row = { kind: "kind", text: "text", number: "number" };

export function attributeValuesSql(declared: FieldType): AttributeValuesSql {
  const bind = createBinder();
  const readable = readableSql(declared, row, "exists", bind) ?? "1";
  return { ...valueSql(declared), readable: `(kind != 'removed' AND ifNull(${readable}, 0))`, params: bind.params };
}

/**
 * SQL that reads one stored value as its attribute is declared, for exports.
 * @param bind the placeholder of a text.
 * @returns `readable`: whether it can be read so; `sql`: a text, for numbers a Float64 and for booleans 1 or 0.
 */
export function declaredValueSql(
  declared: FieldType,
  row: FieldRow,
  bind: (text: string) => string,
): { readonly readable: string; readonly sql: string } {
  const readable = readableSql(declared, row, "exists", { string: bind }) ?? "1";
  const read: Partial<Record<FieldType, string>> = { number: row.number, boolean: declaredBooleanSql(row) };
  return { readable, sql: read[declared] ?? row.text };
}

function valueSql(declared: FieldType): { readonly kind: string; readonly text: string } {
  const kind = declared === "number" || declared === "boolean" ? `'${declared}'` : "toString(kind)";
  return { kind, text: attributeText(declared, row) };
}

/** The text of a stored value, read as it is declared. */
function attributeText(declared: FieldType, row: FieldRow): string {
  switch (declared) {
    case "number":
      return `toString(${row.number})`;
    case "boolean":
      return `if(${declaredBooleanSql(row)} = 1, 'true', 'false')`;
    default:
      return row.text;
  }
}
