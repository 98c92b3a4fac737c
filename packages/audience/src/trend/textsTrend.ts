import { identifierOfChannel } from "@headwater/contracts";
import { textsSql } from "../compile/fieldTexts.ts";
import { readableSql } from "../compile/readable.ts";
import type { Scope } from "../compile/scope.ts";
import type { FieldTarget, ValueReading } from "../leaves/field/field.ts";
import type { Points } from "./points.ts";
import { ALWAYS, rowCodes } from "./rowCodes.ts";
import { withoutSteps } from "./steps.ts";
import { VALUE_ROW, valueRows, writtenRows } from "./valueTrend.ts";

/** A query of `owner`, `text` and `codes`: what the field says of each contact at which points, of an array each element. */
export function textsTrend(target: FieldTarget, scope: Scope, points: Points): string {
  switch (target.kind) {
    case "value":
      return valueTexts(target.name, scope, points, target);
    case "address":
      return addressTexts(target.channel, scope, points);
    case "status":
      return statusTexts(target.channel, scope, points);
    default:
      return `SELECT contact AS owner, cid AS text, ${rowCodes(ALWAYS.points, points)} AS codes FROM contacts_current FINAL WHERE account = ${scope.account} AND deleted = 0${scope.within}`;
  }
}

/** Selects the statuses of a channel: `none` where there is an address without one. */
function statusTexts(channel: string, scope: Scope, points: Points): string {
  const statuses = valueTexts(`channels.${channel}.subscribeStatus`, scope, points);
  const addressed = `SELECT owner, codes FROM (${addressTexts(channel, scope, points)})`;
  const known = `SELECT owner, groupArrayArray(codes) AS codes FROM (${statuses}) GROUP BY owner`;
  const none = `SELECT t.owner AS owner, 'none' AS text, ${withoutSteps("t.codes", "s.codes")} AS codes`;
  return `${statuses} UNION ALL ${none} FROM (${addressed}) AS t LEFT JOIN (${known}) AS s ON t.owner = s.owner`;
}

/** An address is the one that was written; else the identifier that is known under the channel's name. */
function addressTexts(channel: string, scope: Scope, points: Points): string {
  const name = `channels.${channel}.address`;
  const attached = valueTexts(`identifiers.${identifierOfChannel(channel)}`, scope, points);
  return `${valueTexts(name, scope, points)} UNION ALL ${unwrittenTexts(attached, name, scope, points)}`;
}

/** Texts of contacts up to the point from which on the named field was written. */
function unwrittenTexts(texts: string, name: string, scope: Scope, points: Points): string {
  const written = `SELECT owner, min(seen) AS seen FROM (${writtenRows(name, scope, points)}) GROUP BY owner`;
  const gone = "if(w.owner = 0, emptyArrayInt32(), [toInt32(w.seen * 2)])";
  return `SELECT t.owner AS owner, t.text AS text, ${withoutSteps("t.codes", gone)} AS codes FROM (${texts}) AS t LEFT JOIN (${written}) AS w ON t.owner = w.owner`;
}

function valueTexts(
  name: string,
  scope: Scope,
  points: Points,
  options: ValueReading & { readonly part?: string } = {},
): string {
  const { declared = "auto", clears } = options;
  const { sql, points: own } = valueRows(name, scope, points, clears);
  const readable = readableSql(declared, VALUE_ROW, "exists", scope.bind) ?? "1";
  const texts = `arrayJoin(arrayDistinct(${textsSql(VALUE_ROW, options, scope.bind)}))`;
  // A condition beside the texts would look at them instead of the value: they have the name of its column.
  const rows = `SELECT * FROM (${sql}) WHERE kind != 'removed' AND ifNull(${readable}, 0)`;
  return `SELECT owner, ${texts} AS text, ${rowCodes(own, points)} AS codes FROM (${rows})`;
}
