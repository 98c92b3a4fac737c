import type { FieldType } from "../criteria.ts";
import { createBinder } from "./binder.ts";
import { readableSql } from "./readable.ts";
import { declaredBooleanSql, type FieldRow } from "./values.ts";

/** SQL over rows of `contact_fields_current` that reads an attribute as it is declared. */
export interface AttributeValuesSql {
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
export function attributeText(declared: FieldType, row: FieldRow): string {
  switch (declared) {
    case "number":
      return `toString(${row.number})`;
    case "boolean":
      return `if(${declaredBooleanSql(row)} = 1, 'true', 'false')`;
    default:
      return row.text;
  }
}
