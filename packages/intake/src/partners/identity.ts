import {
  type AccountSettings,
  canonicalName,
  identifierRules,
  identifiersInOrder,
  missingIdentifier,
} from "@headwater/contracts";
import { hasForbiddenText, pointerStep } from "@headwater/kernel";
import { type RefusedIdentity, readHashedMember } from "./hashedIdentity.ts";
import { type Part, refusedPart } from "./push.ts";
import type { Members } from "./reading.ts";

export type Identifiers = Record<string, string | number>;

/** Identities that a push gives of one contact. */
export interface Identities {
  readonly identifiers: Identifiers;
  /** Identities that cannot name a contact, each with its path in the part that says who the contact is: refused alone. */
  readonly refused: readonly (RefusedIdentity & { readonly path: string; readonly part: unknown })[];
}

export const noIdentities: Identities = { identifiers: {}, refused: [] };

/** Reads members as identifiers; the first of a name counts. */
export function readIdentities(
  settings: AccountSettings,
  members: Iterable<readonly [name: string, value: unknown, path: string]>,
): Identities {
  const identifiers = new Map<string, string | number>();
  const refused: Identities["refused"][number][] = [];
  for (const [name, value, path] of members) {
    const hashed = readHashedMember(settings, name, value);
    if (hashed?.kind === "refused") refused.push({ ...hashed, path, part: { [name]: value } });
    else if (hashed !== undefined) identifiers.getOrInsert(hashed.name, hashed.value);
    else if (isIdentifierValue(value)) identifiers.getOrInsert(name, value);
  }
  return { identifiers: Object.fromEntries(identifiers), refused };
}

/** Reason why a push names no contact: that of the first refused identity, where there is no other. */
export interface NoContact {
  readonly message: string;
  readonly code?: RefusedIdentity["code"];
}

export function whyUnidentified(
  settings: AccountSettings,
  { identifiers, refused }: Identities,
): NoContact | undefined {
  const [first] = refused;
  if (first !== undefined && Object.keys(identifiers).length === 0) return first;
  const message = whyNoContact(settings, identifiers);
  return message === undefined ? undefined : { message };
}

/** Each refused identity as a part of its own. @param at pointer to what says who the contact is. */
export function refusedIdentities(at: string, { refused }: Identities): Part[] {
  return refused.map(({ path, part, message, code }) => refusedPart(at + path, part, message, code));
}

/** The account's first primary name but `cID`, which partners do not know. */
export function firstPrimaryName({ identifiers }: AccountSettings): string {
  return identifiers.find(({ name, kind }) => kind === "primary" && name !== "cID")?.name ?? "email";
}

/** @returns why these cannot be a contact's identifiers; undefined when they can. */
export function whyNoContact(settings: AccountSettings, identifiers: Identifiers): string | undefined {
  if (Object.keys(identifiers).length === 0) return "No identifier of a contact was given.";
  if (hasForbiddenText(identifiers)) return "Text must not contain NUL or unpaired surrogates.";
  const found = identifiersInOrder(settings, identifiers, undefined);
  if (found.kind === "invalid") return `The identifier ${found.name} has no canonical form.`;
  const missing = missingIdentifier(found);
  return missing && `The contact has no identifier: ${missing.name} says that there is no value.`;
}

/** Members of an object that are identifiers of the account. */
export function knownIdentifiers(settings: AccountSettings, members: Members): Identities {
  const { formats } = identifierRules(settings);
  const known = Object.entries(members).filter(
    ([name, value]) => formats.has(canonicalName(name)) || readHashedMember(settings, name, value) !== undefined,
  );
  return readIdentities(settings, located(known));
}

/** Members with the pointers to them. */
export function located(members: readonly (readonly [string, unknown])[]) {
  return members.map(([name, value]) => [name, value, `/${pointerStep(name)}`] as const);
}

export function isIdentifierValue(value: unknown): value is string | number {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number";
}
