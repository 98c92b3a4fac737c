import { identifierOfChannel } from "@headwater/contracts";
import type { FieldTarget, ValueReading } from "../criteria.ts";
import { attributeText } from "./attributeValues.ts";
import { latestValues } from "./latestValues.ts";
import type { Scope } from "./scope.ts";
import { writtenSet } from "./valueSets.ts";

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
  const part = options.part === undefined ? undefined : scope.bind.string(options.part);
  if (part !== undefined) {
    const member = `if(${row.kind} = 'object', JSONExtract(${row.text}, ${part}, 'Nullable(String)'), NULL)`;
    return `SELECT owner, assumeNotNull(member) AS text FROM (SELECT owner, ${member} AS member FROM (${rows})) WHERE member IS NOT NULL`;
  }
  const elements = `JSONExtract(${row.text}, 'Array(Nullable(String))')`;
  const scalar = `[assumeNotNull(${attributeText(options.declared ?? "auto", row)})]`;
  const texts = `multiIf(${row.kind} = 'array', arrayMap(one -> assumeNotNull(one), arrayFilter(one -> one IS NOT NULL, ${elements})), ${row.kind} IN ('string', 'number', 'boolean'), ${scalar}, emptyArrayString())`;
  return `SELECT owner, arrayJoin(arrayDistinct(${texts})) AS text FROM (${rows})`;
}
