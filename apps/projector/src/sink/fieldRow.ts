import { type Json, toNumber } from "@headwater/contracts";
import { type RowBinary, toDocumentText } from "@headwater/stores/clickhouse";

/** Kinds of a stored value, as ClickHouse's Enum8 numbers them. */
const kinds = { removed: 0, string: 1, number: 2, boolean: 3, array: 4, object: 5 } as const;

export interface FieldRow {
  readonly account: number;
  readonly contact: number;
  readonly field: readonly [path: string, value: Json, version: string];
  /** Writes the last column. */
  readonly tail: (row: RowBinary) => void;
}

/** One member of a contact: strings as they are, all else as JSON text; numbers and numeric strings as numbers too. */
export function writeField(row: RowBinary, { account, contact, field, tail }: FieldRow): void {
  const [path, value, version] = field;
  row.uint32(account);
  row.string(path);
  row.int64(contact);
  row.uint8(kinds[kindOf(value)]);
  row.string(textOf(value));
  row.nullableFloat64(toNumber(value) ?? null);
  row.string(version);
  tail(row);
}

/** Makes only documents readable for the parser: a number alone is compared as it is written. */
function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? toDocumentText(value) : JSON.stringify(value);
}

function kindOf(value: Json): keyof typeof kinds {
  if (value === null) return "removed";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "object";
}
