import { identifierOfChannel } from "@headwater/contracts";
import type { Test } from "../criteria.ts";
import { testSql } from "./conditionSql.ts";
import type { Scope } from "./scope.ts";
import type { ValueOptions } from "./valueOptions.ts";
import { valueSet, writtenSet } from "./valueSets.ts";
import { columnValue } from "./values.ts";

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
