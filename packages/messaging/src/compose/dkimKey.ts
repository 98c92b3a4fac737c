import type { KeyObject } from "node:crypto";

const RSA_BITS_MIN = 1_024;
/** A signature takes eight times as long for each doubling: 5 ms of a core with so many bits. */
const RSA_BITS_MAX = 4_096;
/** Longer exponents are not used by anybody, and make a signature slower. */
const RSA_EXPONENT_MAX = 0xffff_ffffn;

/** Returns what keeps a private key from signing mails, in a sentence; undefined for one that may. */
export function problemOfDkimKey({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: Pick<KeyObject, "asymmetricKeyType" | "asymmetricKeyDetails">): string | undefined {
  if (asymmetricKeyType === "ed25519") return undefined;
  if (asymmetricKeyType !== "rsa") return "The key must be an RSA or an Ed25519 key.";
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS_MIN) return `An RSA key must have at least ${RSA_BITS_MIN} bits.`;
  if (modulusLength > RSA_BITS_MAX) return `An RSA key can have at most ${RSA_BITS_MAX} bits.`;
  return publicExponent > RSA_EXPONENT_MAX ? "The public exponent of an RSA key can have at most 32 bits." : undefined;
}
