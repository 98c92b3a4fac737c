import { type AccountSettings, canonicalName, identifierRules, identifiersInOrder } from "@headwater/contracts";
import { hasForbiddenText } from "@headwater/kernel";
import type { Members } from "./reading.ts";

export type Identifiers = Record<string, string | number>;

/** The account's first primary name but `cID`, which partners do not know. */
export function firstPrimaryName({ identifiers }: AccountSettings): string {
  return identifiers.find(({ name, kind }) => kind === "primary" && name !== "cID")?.name ?? "email";
}

/** @returns why these cannot be a contact's identifiers; undefined when they can. */
export function whyNoContact(settings: AccountSettings, identifiers: Identifiers): string | undefined {
  if (Object.keys(identifiers).length === 0) return "It names no contact.";
  if (hasForbiddenText(identifiers)) return "Text may hold neither NUL nor half of a surrogate pair.";
  const found = identifiersInOrder(settings, identifiers, undefined);
  return found.kind === "invalid" ? `The identifier ${found.name} has no canonical form.` : undefined;
}

/** Members of an object that are identifiers of the account. */
export function knownIdentifiers(settings: AccountSettings, members: Members): Identifiers {
  const { formats } = identifierRules(settings);
  const found = Object.entries(members).flatMap(([name, value]) =>
    formats.has(canonicalName(name)) && isIdentifierValue(value) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(found);
}

export function isIdentifierValue(value: unknown): value is string | number {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number";
}
