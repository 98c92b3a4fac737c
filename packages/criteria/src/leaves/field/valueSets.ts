import { identifierOfChannel } from "@headwater/contracts";
import { testSql } from "../../compile/conditionSql.ts";
import { mergedNumbers, resolvedSet } from "../../compile/merges.ts";
import { pastSet } from "../../compile/pastSet.ts";
import type { Scope } from "../../compile/scope.ts";
import { columnValue, type FieldRow } from "../../compile/values.ts";
import type { Test } from "../../criteria.ts";
import { partOf, rowsOfField, type ValueOptions } from "./fieldRows.ts";
import { readableSql } from "./readable.ts";
import { valueTrend, writtenTrend } from "./trend.ts";

/** Contacts with a value of the named field that passes the test. */
export function valueSet(name: string, test: Test, scope: Scope, options: ValueOptions = {}): string {
  if (scope.points !== undefined) return valueTrend(name, test, scope, scope.points, options);
  const where = rowsOfField(name, scope, options.clears);
  const condition = conditionOf({ kind: "kind", text: "text", number: "number" }, test, scope, options);
  if (scope.historyAt === undefined) {
    return resolvedSet(
      `SELECT groupBitmapState(contact) FROM contact_fields_current FINAL WHERE ${where} AND ${condition}${scope.within}`,
      scope,
    );
  }
  return pastSet({ table: "contact_fields_history", where, condition }, scope);
}

function conditionOf(row: FieldRow, test: Test, scope: Scope, { part, also, declared = "auto" }: ValueOptions): string {
  const tested = testSql(partOf(row, { ...(part && { part }), declared }, scope), test, scope);
  const readable = readableSql(declared, row, test.kind, scope.bind);
  const conditions = [tested, readable, also].filter((condition) => condition !== undefined);
  return conditions.length === 1 ? tested : conditions.map((condition) => `(${condition})`).join(" AND ");
}

/** Contacts for which the named field was ever written, a removal included. What a merge removed of a merged contact is none. */
export function writtenSet(name: string, scope: Scope): string {
  if (scope.points !== undefined) return writtenTrend(name, scope, scope.points);
  const where = rowsOfField(name, scope);
  const written = `SELECT groupBitmapState(contact) FROM`;
  if (scope.historyAt !== undefined) return resolvedSet(`${written} contact_fields_history WHERE ${where}`, scope);
  const rows = `${where}${scope.within}`;
  if (!scope.hasMerges) return scope.addSet(`${written} contact_fields_current WHERE ${rows}`);
  const isOwn = `(kind != 'removed' OR NOT bitmapContains(${mergedNumbers(scope)}, contact))`;
  return resolvedSet(`${written} contact_fields_current FINAL WHERE ${rows} AND ${isOwn}`, scope);
}

const EXISTS = { kind: "exists" } as const;

/** Contacts by their address in a channel: the one that was written, else the identifier under the channel's name. */
export function addressSet(channel: string, test: Test, scope: Scope, options: ValueOptions = {}): string {
  const name = `channels.${channel}.address`;
  const written = valueSet(name, test, scope, options);
  const attached = valueSet(`identifiers.${identifierOfChannel(channel)}`, test, scope, options);
  return scope.sets.or(written, scope.sets.without(attached, writtenSet(name, scope)));
}

/** Contacts by their status in a channel. Where there is none it is `none` if the channel has an address, and missing otherwise. */
export function statusSet(channel: string, test: Test, scope: Scope): string {
  const name = `channels.${channel}.subscribeStatus`;
  const written = valueSet(name, test, scope);
  if (test.kind === "textIn" && !test.values.includes("none")) return written;
  const passesAsNone = `ifNull(${testSql(columnValue("'none'", "string"), test, scope)}, 0)`;
  const addressed = addressSet(channel, EXISTS, scope, { also: passesAsNone });
  return scope.sets.or(written, scope.sets.without(addressed, valueSet(name, EXISTS, scope)));
}

/** Contacts by the validity of a channel: it is valid unless marked as invalid; without an address the value is missing. */
export function validSet(channel: string, test: Test, scope: Scope): string {
  const address = addressSet(channel, EXISTS, scope);
  if (test.kind !== "boolean") return address;
  const invalid = valueSet(`channels.${channel}.valid`, { kind: "boolean", value: false }, scope);
  return test.value ? scope.sets.without(address, invalid) : scope.sets.and(address, invalid);
}

/** Contacts that may be mailed: a valid address in the channel and, for promotional messages, a subscription. */
export function eligibleSet(
  { channel, classification }: { readonly channel: string; readonly classification: "promotional" | "transactional" },
  scope: Scope,
): string {
  const valid = validSet(channel, { kind: "boolean", value: true }, scope);
  if (classification === "transactional") return valid;
  const subscribed = { kind: "textIn", values: ["subscribed"], ignoreCase: false } as const;
  return scope.sets.and(valid, statusSet(channel, subscribed, scope));
}
