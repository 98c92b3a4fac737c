import { identifierOfChannel } from "@headwater/contracts";
import type { FieldTarget, ValueReading } from "../leaves/field/field.ts";
import { attributeText } from "./attributeValues.ts";
import type { Binder } from "./binder.ts";
import { latestValues } from "./latestValues.ts";
import type { Scope } from "./scope.ts";
import { writtenSet } from "./valueSets.ts";
import type { FieldRow } from "./values.ts";

/** A query of `owner` and `text`: what the field says of each contact, of an array each element. Contacts without a value have no row. */
export function fieldTexts(target: FieldTarget, scope: Scope): string {
  switch (target.kind) {
    case "value":
      return valueTexts(target.name, scope, target);
    case "address":
      return addressTexts(target.channel, scope);
    default:
      return `SELECT contact AS owner, cid AS text FROM contacts_current FINAL WHERE account = ${scope.account} AND deleted = 0`;
  }
}

/** An address is the one that was written; else the identifier that is known under the channel's name. */
function addressTexts(channel: string, scope: Scope): string {
  const name = `channels.${channel}.address`;
  const attached = valueTexts(`identifiers.${identifierOfChannel(channel)}`, scope);
  const unwritten = `SELECT owner, text FROM (${attached}) WHERE NOT bitmapContains(${writtenSet(name, scope)}, owner)`;
  return `${valueTexts(name, scope)} UNION ALL ${unwritten}`;
}

function valueTexts(name: string, scope: Scope, options: ValueReading & { readonly part?: string } = {}): string {
  const { rows, row } = latestValues(name, scope, options);
  return `SELECT owner, arrayJoin(arrayDistinct(${textsSql(row, options, scope.bind)})) AS text FROM (${rows})`;
}

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
