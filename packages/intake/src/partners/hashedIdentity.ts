import {
  type AccountSettings,
  canonicalHash,
  canonicalName,
  findsByHash,
  type HashEncoding,
  hashEncodings,
  hashedNameOf,
  identifierRules,
  isAddressName,
  type RejectionCode,
  readHashedName,
} from "@headwater/contracts";
import { isMembers, textOf } from "./reading.ts";

/** An identity that cannot name a contact, and why. */
export interface RefusedIdentity {
  readonly kind: "refused";
  readonly code: RejectionCode;
  readonly message: string;
}

/** One identity of a push under the name it has in a record. */
export interface NamedIdentity {
  readonly kind: "identifier";
  readonly name: string;
  readonly value: string | number;
}

/**
 * Reads a member that may be a hash and says so: by its value, `{"email": {"encoding": "sha256", "value": "…"}}`, or by its name,
 * `{"email_sha256": "…"}`, unless the account has an identifier of that very name.
 * @returns undefined for one that is no hash.
 */
export function readHashedMember(
  settings: AccountSettings,
  name: string,
  value: unknown,
): NamedIdentity | RefusedIdentity | undefined {
  if (isMembers(value)) {
    const encoding = textOf(value.encoding)?.trim().toLowerCase();
    if (encoding === undefined) return undefined;
    if (encoding !== "raw") return readHashedIdentity(settings, { name, encoding, value: value.value });
    const plain = value.value;
    return typeof plain === "string" || typeof plain === "number"
      ? { kind: "identifier", name, value: plain }
      : undefined;
  }
  if (identifierRules(settings).formats.has(canonicalName(name))) return undefined;
  const hashed = hashSaidBy(name);
  return hashed === undefined || !isAddressName(settings, canonicalName(hashed.name))
    ? undefined
    : readHashedIdentity(settings, { ...hashed, value });
}

function hashSaidBy(name: string): { readonly name: string; readonly encoding: HashEncoding } | undefined {
  const known = readHashedName(name);
  if (known !== undefined) return known;
  for (const encoding of hashEncodings) {
    if (name.toLowerCase().endsWith(`_${encoding}`)) return { encoding, name: name.slice(0, -encoding.length - 1) };
  }
  return undefined;
}

interface HashedIdentity {
  /** Name of the identifier whose value was hashed. */
  readonly name: string;
  /** Name of the hash, in lower case. */
  readonly encoding: string;
  readonly value: unknown;
}

/** A hash that finds the contact that has the address; refused where the account has not asked for it, or where it is none. */
export function readHashedIdentity(
  settings: AccountSettings,
  { name, encoding: input, value }: HashedIdentity,
): NamedIdentity | RefusedIdentity {
  const encoding = hashEncodings.find((known) => known === input);
  if (encoding === undefined) return refused(`The encoding ${JSON.stringify(input.slice(0, 64))} is not known.`);
  if (!findsByHash(settings)) {
    return refused("The account does not find contacts by hashes (partners.cdpsync.hashedIdentities).", OFF);
  }
  const canonical = canonicalName(name);
  if (!isAddressName(settings, canonical))
    return refused("Only the hash of an email or a phone number finds a contact.");
  const hash = canonicalHash(encoding, textOf(value) ?? "");
  if (hash === undefined) return refused(`The value is not a hash of ${encoding} in hex.`);
  return { kind: "identifier", name: hashedNameOf({ encoding, name: canonical }), value: hash };
}

const OFF = "HASHED_IDENTITIES_OFF";

function refused(message: string, code: RejectionCode = "VALIDATION_ERROR"): RefusedIdentity {
  return { kind: "refused", code, message };
}
