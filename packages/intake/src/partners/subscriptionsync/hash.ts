import { createHash } from "node:crypto";
import { isSameDigest, type Signature } from "../signature.ts";

/** `X-Subscription-Hmac-Sha256`: lower-case hex of SHA-256(client secret followed by the body); a plain hash, as its sender makes it. */
export const subscriptionHash: Signature = {
  header: "x-subscription-hmac-sha256",
  headerSummary: "lower-case hex of SHA-256(client secret followed by the body)",
  secretsOf: ({ partners }) => partners.subscriptionsync.secrets ?? [],
  isRight({ header = "", bytes, secrets }) {
    const given = Buffer.from(header.trim());
    const right = secrets.map((secret) => isSameDigest(given, Buffer.from(digestOf(bytes, secret))));
    return right.includes(true);
  },
  sign: (bytes, secret) => digestOf(bytes, secret),
};

function digestOf(bytes: Uint8Array, secret: string): string {
  return createHash("sha256").update(secret).update(bytes).digest("hex");
}
