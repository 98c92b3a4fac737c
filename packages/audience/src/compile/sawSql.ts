import { identifierOfChannel } from "@headwater/contracts";
import type { FieldLeaf, FieldTarget } from "../criteria.ts";
import type { CartLeaf, SampleLeaf } from "../leaves.ts";
import type { CriteriaLeaf } from "../nodes.ts";
import { sawOfEvents } from "./eventLeaf.ts";
import { latestValues } from "./latestValues.ts";
import { resolvedRows } from "./merges.ts";
import { sawOfOrders } from "./orderLeaf.ts";
import { samplePlace } from "./sampleLeaf.ts";
import type { Scope } from "./scope.ts";
import { sawOfRecords } from "./supplementLeaf.ts";

/**
 * Compiles what a leaf looks at of one contact, as a scalar query of JSON in a text: the value of a field, the count or sum of what matches,
 * the lines of the cart, the place in the sample in percent. Undefined for a list, of which the contact is a member or not.
 * @param contact the contact's number, bound.
 */
export function sawSql(leaf: CriteriaLeaf, scope: Scope, contact: string): string | undefined {
  switch (leaf.kind) {
    case "field":
      return fieldSql(leaf, scope, contact);
    case "event":
      return sawOfEvents(leaf, scope, contact);
    case "order":
      return sawOfOrders(leaf, scope, contact);
    case "cart":
      return cartSql(leaf, scope, contact);
    case "supplement":
      return sawOfRecords(leaf, scope, contact);
    case "sample":
      return sampleSql(leaf, scope, contact);
    case "list":
    case "audience":
      return undefined;
  }
}

function fieldSql({ target }: FieldLeaf, scope: Scope, contact: string): string {
  switch (target.kind) {
    case "value":
      return valueSql(target, scope, contact);
    case "column":
      return columnSql(target.column, scope, contact);
    case "address":
      return addressSql(target.channel, scope, contact);
    case "status": {
      const written = valueSql({ name: `channels.${target.channel}.subscribeStatus` }, scope, contact);
      return firstOf([written, `if(${addressSql(target.channel, scope, contact)} = '', '', '"none"')`]);
    }
    case "valid": {
      const invalid = `${valueSql({ name: `channels.${target.channel}.valid` }, scope, contact)} = 'false'`;
      return `if(${addressSql(target.channel, scope, contact)} = '', '', if(${invalid}, 'false', 'true'))`;
    }
  }
}

type Value = Pick<Extract<FieldTarget, { kind: "value" }>, "name" | "declared" | "clears">;

/** A text that is empty where the contact has no value, or none that can be read as it is declared. */
function valueSql({ name, declared, clears }: Value, scope: Scope, contact: string): string {
  const { rows, row } = latestValues(name, scope, { ...(declared && { declared }), ...(clears && { clears }) });
  const text = `if(${row.kind} = 'string', toJSONString(${row.text}), ${row.text})`;
  return `(SELECT any(${text}) FROM (${rows}) WHERE owner = ${contact})`;
}

/** The address that was written; else the identifier under the channel's name. */
function addressSql(channel: string, scope: Scope, contact: string): string {
  const written = valueSql({ name: `channels.${channel}.address` }, scope, contact);
  return firstOf([written, valueSql({ name: `identifiers.${identifierOfChannel(channel)}` }, scope, contact)]);
}

function firstOf([first = "''", second = "''"]: readonly string[]): string {
  return `if(${first} != '', ${first}, ${second})`;
}

function columnSql(column: "cid" | "created_at" | "modified_at", scope: Scope, contact: string): string {
  const { account, historyAt } = scope;
  const own = `contacts_current FINAL WHERE account = ${account} AND contact = ${contact}`;
  if (column !== "modified_at" || historyAt === undefined) return `(SELECT any(toJSONString(${column})) FROM ${own})`;
  const { from, contact: owner } = resolvedRows("contact_fields_history", scope);
  const written = `SELECT at AS moment FROM ${from} WHERE account = ${account} AND at <= ${historyAt} AND ${owner} = ${contact}`;
  return `(SELECT toJSONString(max(moment)) FROM (SELECT created_at AS moment FROM ${own} UNION ALL ${written}))`;
}

function cartSql(_: CartLeaf, scope: Scope, contact: string): string {
  const { account, historyAt } = scope;
  const isPast = historyAt !== undefined;
  const current = `(SELECT * FROM carts_current FINAL WHERE account = ${account} AND deleted = 0)`;
  const { from, contact: owner } = resolvedRows(isPast ? "carts_history" : current, scope);
  const until = isPast ? ` AND at <= ${historyAt}` : "";
  const lines = isPast ? "argMax(lines, (version, revision))" : "max(lines)";
  return `(SELECT if(count() = 0, '', toString(${lines})) FROM ${from} WHERE account = ${account}${until} AND ${owner} = ${contact})`;
}

function sampleSql(leaf: SampleLeaf, scope: Scope, contact: string): string {
  const place = samplePlace(leaf, scope);
  return `(SELECT any(toString(${place} / 1000000)) FROM contacts_current FINAL WHERE account = ${scope.account} AND contact = ${contact})`;
}
