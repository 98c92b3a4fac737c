import { createPublicKey, type KeyObject } from "node:crypto";
import type { DkimKey } from "../../compose/dkim.ts";
import { failed, passed, type TransportCheck } from "../transportCheck.ts";
import { type TxtLookups, tagsOf } from "./txtLookups.ts";

/** DER of a public Ed25519 key before its 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

/** Compares a key that signs with the one that DNS gives to receivers (RFC 6376, 3.6). */
export async function dkimCheck({ domain, selector, privateKey }: DkimKey, dns: TxtLookups): Promise<TransportCheck> {
  const name = `${selector}._domainkey.${domain}`;
  const records = await dns.records(name);
  if (records === undefined) return failed("dkim", `DNS did not answer for ${name}.`);
  const keys = records.map(tagsOf).filter((tags) => tags.has("p") && (tags.get("v") ?? "DKIM1") === "DKIM1");
  const [tags] = keys;
  if (tags === undefined) return failed("dkim", `${name} has no DKIM key.`);
  if (keys.length > 1) return failed("dkim", `${name} has ${keys.length} DKIM keys; there must be one.`);
  const problem = problemOf(tags, createPublicKey(privateKey));
  return problem === undefined
    ? passed("dkim", `${name} has the key that signs.`)
    : failed("dkim", `${name} ${problem}`);
}

function problemOf(tags: ReadonlyMap<string, string>, own: KeyObject): string | undefined {
  const type = own.asymmetricKeyType ?? "";
  const publishedType = (tags.get("k") ?? "rsa").toLowerCase();
  const published = (tags.get("p") ?? "").replaceAll(/\s+/g, "");
  if (published === "") return "was revoked: its `p` is empty.";
  if (publishedType !== type) return `says \`k=${publishedType.slice(0, 20)}\`, and the key that signs is ${type}.`;
  const hashes = tags.get("h")?.toLowerCase().split(":");
  if (hashes?.every((hash) => hash.trim() !== "sha256")) return "does not allow sha256.";
  const key = type === "ed25519" ? ed25519(published) : rsa(published);
  if (key === undefined) return "holds no readable key.";
  return key.equals(own) ? undefined : "has another key than the one that signs.";
}

function ed25519(published: string): KeyObject | undefined {
  const bytes = Buffer.from(published, "base64");
  return bytes.length === KEY_BYTES ? readKey(Buffer.concat([ED25519_PREFIX, bytes]), "spki") : undefined;
}

/** Most publish SubjectPublicKeyInfo, as openssl writes it; some the RSA key alone. */
function rsa(published: string): KeyObject | undefined {
  const der = Buffer.from(published, "base64");
  return readKey(der, "spki") ?? readKey(der, "pkcs1");
}

function readKey(key: Buffer, type: "spki" | "pkcs1"): KeyObject | undefined {
  try {
    return createPublicKey({ key, format: "der", type });
  } catch {
    return undefined;
  }
}
