import { FORMULA, PLAIN_SIGNED, SIGNED } from "@headwater/jobs/files/formulaMark";
import type { ColumnType } from "./exportKind.ts";

/** Types of the staging tables' columns. */
const stagedTypes: Readonly<Record<ColumnType, string>> = {
  id: "String",
  text: "Nullable(String)",
  number: "Nullable(Float64)",
  money: "Nullable(Decimal(18, 4))",
  boolean: "Nullable(Bool)",
  moment: "Nullable(DateTime64(3, 'UTC'))",
  date: "Nullable(String)",
  auto: "Nullable(String)",
  array: "Nullable(String)",
  object: "Nullable(String)",
  membership: "Bool",
};

export function stagedType(type: ColumnType): string {
  return stagedTypes[type];
}

/**
 * SQL of an `auto` value as it is staged: its text behind `s` for a string, `n` for a number or boolean, `j` for all else.
 * @param kind SQL of the stored kind. @param text SQL of the stored text: a string as it is, all else as JSON.
 */
export function stagedValue(kind: string, text: string): string {
  return `multiIf(${kind} = 'string', concat('s', ${text}), ${kind} IN ('number', 'boolean'), concat('n', ${text}), concat('j', ${text}))`;
}

/** SQL of a text that no spreadsheet takes for a formula. */
function safeText(text: string, isFormulaSafe: boolean): string {
  if (!isFormulaSafe) return text;
  const isFormula = `match(${text}, ${quoted(FORMULA)}) OR (match(${text}, ${quoted(SIGNED)}) AND NOT match(${text}, ${quoted(PLAIN_SIGNED)}))`;
  return `if(${isFormula}, concat('\\'', ${text}), ${text})`;
}

/** Minus zero is written `0`. */
const plainNumber = (column: string) => `if(${column} = 0, 0, ${column})`;
const instantText = (column: string) => `concat(replaceOne(toString(${column}), ' ', 'T'), 'Z')`;
const autoText = (column: string) => `substring(${column}, 2)`;

/** Characters that stand in cells without quotes. */
const BARE = /[0-9A-Za-z.:+-]/;

/** SQL of a cell that has quotes only where it holds the delimiter. */
function bareCell(text: string, delimiter: string): string {
  if (!BARE.test(delimiter)) return text;
  return `if(position(${text}, ${quoted(delimiter)}) = 0, ${text}, concat('"', ${text}, '"'))`;
}

export interface DelimitedForm {
  readonly isFormulaSafe: boolean;
  readonly delimiter: string;
}

/** SQL of a column's cell in csv and txt; a missing value is nothing. */
export function delimitedCell(column: string, type: ColumnType, { isFormulaSafe, delimiter }: DelimitedForm): string {
  const known = `assumeNotNull(${column})`;
  const inQuotes = (text: string) => `concat('"', replaceAll(${safeText(text, isFormulaSafe)}, '"', '""'), '"')`;
  const orNothing = (sql: string) => `if(isNull(${column}), '', ${sql})`;
  const bare = (text: string) => bareCell(text, delimiter);
  switch (type) {
    case "id":
      return inQuotes(column);
    case "text":
    case "date":
    case "array":
    case "object":
      return orNothing(inQuotes(known));
    case "auto":
      return orNothing(`if(startsWith(${known}, 'n'), ${bare(autoText(known))}, ${inQuotes(autoText(known))})`);
    case "number":
      return orNothing(bare(`toString(${plainNumber(known)})`));
    case "money":
      return orNothing(bare(`toString(${known})`));
    case "boolean":
      return orNothing(bare(`if(${known}, 'true', 'false')`));
    case "moment":
      return orNothing(bare(instantText(known)));
    case "membership":
      return bare(`if(${column}, '1', '0')`);
  }
}

/** SQL of a column's value in JSON. */
export function jsonCell(column: string, type: ColumnType): string {
  const known = `assumeNotNull(${column})`;
  const orNull = (sql: string) => `if(isNull(${column}), 'null', ${sql})`;
  switch (type) {
    case "id":
      return `toJSONString(${column})`;
    case "text":
    case "date":
      return orNull(`toJSONString(${known})`);
    case "array":
    case "object":
      return orNull(known);
    case "auto":
      return orNull(`if(startsWith(${known}, 's'), toJSONString(${autoText(known)}), ${autoText(known)})`);
    case "number":
      return orNull(`toString(${plainNumber(known)})`);
    case "money":
      return orNull(`toString(${known})`);
    case "boolean":
      return orNull(`if(${known}, 'true', 'false')`);
    case "moment":
      return orNull(`concat('"', ${instantText(known)}, '"')`);
    case "membership":
      return `if(${column}, 'true', 'false')`;
  }
}

/**
 * SQL of a column's value in Parquet, of the type it has there. A list is written as `withNullLists` reads it: a missing one without an
 * element, an empty one with one that is null.
 */
export function parquetCell(column: string, type: ColumnType): string {
  switch (type) {
    case "number":
      return plainNumber(column);
    case "auto":
      return autoText(column);
    case "array":
      return nullableList(`JSONExtract(ifNull(${column}, '[]'), 'Array(String)')`, column);
    case "membership":
      // Only ids are never null: readers may unite files of columns that others leave empty.
      return `toNullable(${column})`;
    default:
      return column;
  }
}

function nullableList(list: string, column: string): string {
  const type = "'Array(Nullable(String))'";
  return `multiIf(isNull(${column}), CAST([], ${type}), empty(${list}), CAST([NULL], ${type}), CAST(${list}, ${type}))`;
}

/** A string literal of ClickHouse. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A quoted identifier of ClickHouse. */
export function identifier(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}
