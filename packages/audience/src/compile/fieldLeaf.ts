import type { Test } from "../criteria.ts";
import type { FieldLeaf } from "../leaves/field/field.ts";
import { columnTrend } from "../trend/contactTrend.ts";
import { addressSet, statusSet, validSet } from "./channelSets.ts";
import { testSql } from "./conditionSql.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";
import type { LeafSet } from "./selection.ts";
import { valueSet } from "./valueSets.ts";
import { columnValue } from "./values.ts";

export function fieldLeaf({ target, condition: { test, negated } }: FieldLeaf, scope: Scope): LeafSet {
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
