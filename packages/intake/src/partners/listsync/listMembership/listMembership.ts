import { createHmac } from "node:crypto";
import { defineEndpoint } from "../../endpoint.ts";
import { isSameDigest, type Signature, type Signed } from "../../signature.ts";
import { map } from "./map.ts";
import { body, sample } from "./schema.ts";

const AHEAD_MS_MAX = 60_000;

const HEADER_CHARACTERS_MAX = 512;

/**
 * `Sync-Hash: ts:<t>,hmac:<sig>`, its parts in any order; `t` in milliseconds (13 digits) or seconds (10);
 * `sig` = base64(HMAC-SHA256(secret, t followed by the body)).
 */
export const syncHash: Signature = {
  header: "sync-hash",
  headerSummary: "ts:<milliseconds since 1970>,hmac:<base64 of HMAC-SHA256(secret, ts followed by the body)>",
  secretsOf: ({ partners }) => partners.listsync.secrets ?? [],
  isRight(signed) {
    const { ts, hmac } = readHeader(signed.header);
    const input = Buffer.from(hmac);
    // Both are computed and compared whatever the first says: the time reveals nothing.
    const right = signed.secrets.map((secret) => isSameDigest(input, Buffer.from(digestOf(ts, signed.bytes, secret))));
    return right.includes(true) && isInTime(ts, signed);
  },
  sign: (bytes, secret, nowMs) => `ts:${nowMs},hmac:${digestOf(String(nowMs), bytes, secret)}`,
};

const NOTHING = { ts: "", hmac: "" };

export const listMembership = defineEndpoint({
  partner: "listsync",
  name: "listMembership",
  path: "/api/listsync/listMembership/{accountId}",
  summary: "Processes a page of a segment: contacts to add to and remove from its list. A drain empties the list.",
  auth: { kind: "signature", ...syncHash },
  statuses: { accepted: 200, badShape: 422, badJson: 422, wrongType: "NOT_ACCEPTABLE" },
  body,
  sample,
  map,
});

function digestOf(ts: string, bytes: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(ts).update(bytes).digest("base64");
}

function readHeader(header: string | undefined): typeof NOTHING {
  if (header === undefined || header.length > HEADER_CHARACTERS_MAX) return NOTHING;
  const parts = new Map<string, string>();
  for (const part of header.split(",")) {
    const colon = part.indexOf(":");
    const name = part.slice(0, Math.max(0, colon)).trim();
    if (parts.has(name)) return NOTHING;
    parts.set(name, part.slice(colon + 1).trim());
  }
  return { ts: parts.get("ts") ?? "", hmac: parts.get("hmac") ?? "" };
}

function isInTime(ts: string, { nowMs, settings }: Signed): boolean {
  if (!/^(\d{13}|\d{10})$/.test(ts)) return false;
  const ageMs = nowMs - Number(ts) * (ts.length === 10 ? 1_000 : 1);
  return ageMs >= -AHEAD_MS_MAX && ageMs <= settings.partners.listsync.ageSecondsMax * 1_000;
}
