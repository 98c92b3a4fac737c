import { identifierOfChannel } from "@headwater/contracts";
import { testSql } from "../../compile/conditionSql.ts";
import { resolvedRows, resolvedSet } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { columnValue } from "../../compile/values.ts";
import type { Test } from "../../criteria.ts";
import { textsSql } from "./attributeValues.ts";
import type { FieldLeaf, FieldTarget, ValueReading } from "./field.ts";
import { latestValues } from "./fieldRows.ts";
import { columnTrend } from "./trend.ts";
import { addressSet, statusSet, validSet, valueSet, writtenSet } from "./valueSets.ts";

export function selectContacts({ target, condition: { test, negated } }: FieldLeaf, scope: Scope): LeafSet {
  return { set: targetSet(target, test, scope), complement: negated };
}

function targetSet(target: FieldLeaf["target"], test: Test, scope: Scope): string {
  switch (target.kind) {
    case "value":
      return valueSet(target.name, test, scope, target);
    case "column":
      return columnSet(target.column, test, scope);
    case "address":
      return addressSet(target.channel, test, scope);
    case "status":
      return statusSet(target.channel, test, scope);
    case "valid":
      return validSet(target.channel, test, scope);
  }
}

function columnSet(column: "cid" | "created_at" | "modified_at", test: Test, scope: Scope): string {
  if (scope.points !== undefined) return columnTrend(column, test, scope, scope.points);
  if (column === "modified_at" && scope.historyAt !== undefined) return pastModifiedSet(test, scope.historyAt, scope);
  const value = columnValue(column, column === "cid" ? "string" : "date");
  if (column === "cid" && test.kind === "textIn" && scope.hasMerges)
    return namedSet(testSql(value, test, scope), scope);
  const live = `account = ${scope.account} AND deleted = 0 AND merged_into = 0`;
  return scope.addSet(
    `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE ${live} AND ${testSql(value, test, scope)}${scope.within}`,
  );
}

/** Contacts by a cID that names them: that of a contact that was merged names its survivor, wherever contacts are read by it. */
function namedSet(condition: string, scope: Scope): string {
  const where = `account = ${scope.account} AND ${condition}${scope.within}`;
  return resolvedSet(`SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE ${where}`, scope);
}

/** Compiles when a contact was last modified at a past moment: the latest write of a field that the history holds. */
function pastModifiedSet(test: Test, historyAt: string, scope: Scope): string {
  const where = `WHERE account = ${scope.account}`;
  const past = `${where} AND at <= ${historyAt}`;
  const rows = [
    `SELECT contact, created_at AS moment FROM contacts_current FINAL ${where}`,
    `SELECT contact, at AS moment FROM contact_fields_history ${past}`,
  ].join(" UNION ALL ");
  const { from, contact } = resolvedRows(`(${rows})`, scope);
  const modified = `SELECT ${contact} AS owner, max(moment) AS modified FROM ${from} GROUP BY owner`;
  const condition = testSql(columnValue("modified", "date"), test, scope);
  return scope.addSet(`SELECT groupBitmapState(owner) FROM (${modified}) WHERE ${condition}`);
}

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
