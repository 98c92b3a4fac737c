import { createHash } from "node:crypto";
import { type Identifier, identifierRules } from "./identifiers.ts";
import type { AccountSettings } from "./settings.ts";

export const hashEncodings = ["sha256", "sha1", "md5"] as const;
export type HashEncoding = (typeof hashEncodings)[number];

const hexCharacters: Readonly<Record<HashEncoding, number>> = { sha256: 64, sha1: 40, md5: 32 };

/** A hash in place of the address it was made of. */
export interface HashedName {
  readonly encoding: HashEncoding;
  /** Canonical name of the identifier whose value was hashed. */
  readonly name: string;
}

/**
 * Name under which a record carries a hash among its identifiers: `sha256(email)`. It only ever finds: no contact has an identifier
 * of such a name.
 */
export function hashedNameOf({ encoding, name }: HashedName): string {
  return `${encoding}(${name})`;
}

const CLOSING = ")".charCodeAt(0);

/** Distinguishes a hash from the identifiers a contact can have. Asked for every identifier of every record. */
export function isHashedName(name: string): boolean {
  return name.charCodeAt(name.length - 1) === CLOSING && readHashedName(name) !== undefined;
}

/** Distinguishes an identifier that a contact can have from one that only finds: the contact's id, or the hash of an address. */
export function isAttachable({ name }: Identifier): boolean {
  return name !== "cID" && !isHashedName(name);
}

/** @returns undefined for the name of a plain identifier. */
export function readHashedName(name: string): HashedName | undefined {
  const [, prefix, inner] = /^(sha256|sha1|md5)\((.+)\)$/.exec(name) ?? [];
  const encoding = hashEncodings.find((known) => known === prefix);
  return encoding === undefined || inner === undefined ? undefined : { encoding, name: inner };
}

/** Lower-case hex of a canonical value. */
export function hashAddress(encoding: HashEncoding, value: string): string {
  return createHash(encoding).update(value).digest("hex");
}

/** @returns the hash in lower-case hex; undefined for text that is no hash of this kind. */
export function canonicalHash(encoding: HashEncoding, input: string): string | undefined {
  const hash = input.trim().toLowerCase();
  return hash.length === hexCharacters[encoding] && /^[0-9a-f]+$/.test(hash) ? hash : undefined;
}

/** Names whose values are addresses: a hash may stand for one of them. */
export function addressNames({ identifiers }: AccountSettings): string[] {
  return identifiers.flatMap(({ name, format }) => (format === "string" ? [] : [name]));
}

/** Returns whether a hash may stand for a value of this name. */
export function isAddressName(settings: AccountSettings, name: string): boolean {
  const format = identifierRules(settings).formats.get(name);
  return format === "email" || format === "phone";
}

/** The hashes that stand for an identifier, as records carry them; none for one that is no address. */
export function hashedFormsOf(settings: AccountSettings, { name, value }: Identifier): Identifier[] {
  if (!isAddressName(settings, name)) return [];
  return hashEncodings.map((encoding) => {
    return { name: hashedNameOf({ encoding, name }), value: hashAddress(encoding, value) };
  });
}

/** Returns whether hashes find contacts of the account. */
export function findsByHash({ partners }: AccountSettings): boolean {
  return partners.cdpsync.hashedIdentities;
}
