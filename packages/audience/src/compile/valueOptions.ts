import type { GeoPart, ValueReading } from "../leaves/field/field.ts";
import type { Scope } from "./scope.ts";
import { type FieldRow, fieldValue, jsonValue, type ValueSql } from "./values.ts";

/** Options that narrow a set of values: `part` names a member of a geo value, `also` is a condition that reads no column. */
export interface ValueOptions extends ValueReading {
  readonly part?: GeoPart;
  readonly also?: string;
}

/** Reads the value of a row, or the named part of it. */
export function partOf(row: FieldRow, { part, declared }: ValueOptions, { bind }: Scope): ValueSql {
  if (part === undefined) return fieldValue(row, declared);
  return jsonValue(`if(${row.kind} = 'object', ${row.text}, '')`, [part], bind);
}
