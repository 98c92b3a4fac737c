import { toDocumentText } from "@headwater/clickhouse/documentText";
import type { contactFieldsCurrent, contactFieldsHistory, RowOf } from "@headwater/clickhouse/tables/index";
import { type Json, timeOfVersion, toNumber } from "@headwater/contracts";

type FieldRow = RowOf<typeof contactFieldsCurrent> & RowOf<typeof contactFieldsHistory>;

interface ChangedField {
  readonly account: number;
  readonly contact: number;
  readonly field: readonly [path: string, value: Json, version: string];
  readonly revision: number;
}

/** Returns the row of a contact's field: strings as they are, all else as JSON text; numbers and numeric strings as numbers too. */
export function toFieldRow({ account, contact, field, revision }: ChangedField): FieldRow {
  const [path, value, version] = field;
  return {
    account,
    field: path,
    contact,
    kind: kindOf(value),
    text: textOf(value),
    number: toNumber(value) ?? null,
    version,
    at: timeOfVersion(version),
    revision,
  };
}

/** Makes only documents readable for the parser: a number alone is compared as it is written. */
function textOf(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? toDocumentText(value) : JSON.stringify(value);
}

function kindOf(value: Json): FieldRow["kind"] {
  if (value === null) return "removed";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  return typeof value === "boolean" ? "boolean" : "object";
}
