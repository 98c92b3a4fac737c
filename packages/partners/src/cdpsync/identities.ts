import type { MapContext } from "../endpoint.ts";
import { type Identifiers, isIdentifierValue, whyNoContact } from "../identity.ts";
import { isMembers, textOf } from "../reading.ts";

/** Types of identity that have a name here; an account's setting adds to them and replaces them. */
const usual: Readonly<Record<string, string>> = {
  email: "email",
  mobile_number: "phone",
  customer: "customer_id",
};

const RAW = "raw";

/**
 * Identifiers of a profile. A hashed value stands under the name with its encoding, `email_sha256`, where an account keeps
 * hashes. Types that nobody mapped are left out.
 */
export function identifiersOf(identities: unknown, { settings }: MapContext): Identifiers {
  const identifiers = new Map<string, string | number>();
  for (const identity of Array.isArray(identities) ? identities : []) {
    if (!isMembers(identity) || !isIdentifierValue(identity.value)) continue;
    const name = nameOf(textOf(identity.type)?.toLowerCase(), settings.partners.cdpsync.identities);
    if (name === undefined) continue;
    const encoding = textOf(identity.encoding)?.toLowerCase() ?? RAW;
    const [stored, value] =
      encoding === RAW ? [name, identity.value] : [`${name}_${encoding}`, String(identity.value).trim().toLowerCase()];
    if (!identifiers.has(stored)) identifiers.set(stored, value);
  }
  return Object.fromEntries(identifiers);
}

function nameOf(type: string | undefined, mapped: Readonly<Record<string, string>>): string | undefined {
  if (type === undefined) return undefined;
  if (Object.hasOwn(mapped, type)) return mapped[type];
  return Object.hasOwn(usual, type) ? usual[type] : undefined;
}

/** @returns why the identities name no contact, undefined when they do. */
export function whyUnidentified(identifiers: Identifiers, { settings }: MapContext): string | undefined {
  return whyNoContact(settings, identifiers);
}

/** Attributes of a profile without those that stand for absent ones; undefined when none is left. */
export function attributesOf(...given: readonly unknown[]): Record<string, unknown> | undefined {
  const entries = given
    .filter(isMembers)
    .flatMap((members) => Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
