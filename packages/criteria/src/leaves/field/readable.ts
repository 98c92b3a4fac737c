import type { Binder } from "../../compile/binder.ts";
import { ISO_DAY, ISO_TIMESTAMP } from "../../compile/textDates.ts";
import { declaredBooleanSql, type FieldRow } from "../../compile/values.ts";
import type { FieldType, Test } from "../../criteria.ts";

/**
 * SQL that is true where the stored value can be read as the declared type: a value of before that cannot is missing, as it is where
 * the contact is shown (`castAttribute`). Undefined where the test reads nothing else anyway.
 */
export function readableSql(
  declared: FieldType,
  row: FieldRow,
  test: Test["kind"],
  bind: Pick<Binder, "string">,
): string | undefined {
  switch (declared) {
    case "auto":
      return undefined;
    case "string":
      return `${row.kind} = 'string'`;
    case "geo":
      return geoSql(row);
    default:
      return test === "exists" ? existsSql(declared, row, bind) : undefined;
  }
}

function existsSql(
  declared: "number" | "date" | "array" | "boolean",
  row: FieldRow,
  bind: Pick<Binder, "string">,
): string {
  const { kind, text, number } = row;
  switch (declared) {
    case "number":
      return `${number} IS NOT NULL`;
    case "array":
      return `${kind} = 'array'`;
    case "boolean":
      return `${declaredBooleanSql(row)} IS NOT NULL`;
    case "date": {
      const isDate = `match(${text}, ${bind.string(ISO_DAY)}) OR match(${text}, ${bind.string(ISO_TIMESTAMP)})`;
      return `${kind} = 'string' AND (${isDate})`;
    }
  }
}

const NAMES = "['street_address', 'street_address2', 'city', 'state', 'postal_code', 'country', 'countryISO', 'tz']";
const NUMBERS = "('Int64', 'UInt64', 'Double')";

/** An object of the members that a geo value has, each of its type, and one of them at least there. */
function geoSql({ kind, text }: FieldRow): string {
  const degrees = (name: string, most: number) =>
    `JSONType(${text}, 'loc', '${name}') IN ${NUMBERS} AND abs(JSONExtractFloat(${text}, 'loc', '${name}')) <= ${most}`;
  const loc = `JSONType(${text}, 'loc') = 'Null' OR (${degrees("lat", 90)} AND ${degrees("lon", 180)})`;
  const named = `has(${NAMES}, name) AND JSONType(${text}, name) IN ('String', 'Null')`;
  const names = `JSONExtractKeys(${text})`;
  const isThere = `arrayExists(name -> JSONType(${text}, name) != 'Null', ${names})`;
  return `(${kind} = 'object' AND ${isThere} AND arrayAll(name -> if(name = 'loc', ${loc}, ${named}), ${names}))`;
}
