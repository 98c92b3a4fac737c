import { identifierOfChannel } from "@headwater/contracts";
import type { CartLeaf } from "../leaves/cart/cart.ts";
import type { FieldLeaf, FieldTarget } from "../leaves/field/field.ts";
import type { SampleLeaf } from "../leaves/sample/sample.ts";
import { latestValues } from "./latestValues.ts";
import { resolvedRows } from "./merges.ts";
import { samplePlace } from "./sampleLeaf.ts";
import type { Scope } from "./scope.ts";

/** Compiles the value that a contact has in the field. */
export function sawOfField({ target }: FieldLeaf, scope: Scope, contact: string): string {
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

/** Compiles how many lines the cart of a contact has. */
export function sawOfCart(_: CartLeaf, scope: Scope, contact: string): string {
  const { account, historyAt } = scope;
  const isPast = historyAt !== undefined;
  const current = `(SELECT * FROM carts_current FINAL WHERE account = ${account} AND deleted = 0)`;
  const { from, contact: owner } = resolvedRows(isPast ? "carts_history" : current, scope);
  const until = isPast ? ` AND at <= ${historyAt}` : "";
  const lines = isPast ? "argMax(lines, (version, revision))" : "max(lines)";
  return `(SELECT if(count() = 0, '', toString(${lines})) FROM ${from} WHERE account = ${account}${until} AND ${owner} = ${contact})`;
}

/** Compiles the place of a contact in the sample, in percent. */
export function sawOfSample(leaf: SampleLeaf, scope: Scope, contact: string): string {
  const place = samplePlace(leaf, scope);
  return `(SELECT any(toString(${place} / 1000000)) FROM contacts_current FINAL WHERE account = ${scope.account} AND contact = ${contact})`;
}
