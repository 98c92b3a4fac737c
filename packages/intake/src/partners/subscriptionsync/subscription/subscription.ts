import { createHash } from "node:crypto";
import { defineEndpoint } from "../../endpoint.ts";
import { isSameDigest, type Signature } from "../../signature.ts";
import { map } from "./map.ts";
import { body, sample, sentBody } from "./schema.ts";

/** `X-Subscription-Hmac-Sha256`: lower-case hex of SHA-256(client secret followed by the body); a plain hash, as its sender makes it. */
export const subscriptionHash: Signature = {
  header: "x-subscription-hmac-sha256",
  headerSummary: "lower-case hex of SHA-256(client secret followed by the body)",
  secretsOf: ({ partners }) => partners.subscriptionsync.secrets ?? [],
  isRight({ header = "", bytes, secrets }) {
    const input = Buffer.from(header.trim());
    const right = secrets.map((secret) => isSameDigest(input, Buffer.from(digestOf(bytes, secret))));
    return right.includes(true);
  },
  sign: (bytes, secret) => digestOf(bytes, secret),
};

export const subscription = defineEndpoint({
  partner: "subscriptionsync",
  name: "subscription",
  path: "/api/subscriptionsync/subscription/{accountId}",
  summary:
    "Receives the current state of a subscription: records an activity of its contact and a record in the table subscriptions.",
  auth: { kind: "signature", ...subscriptionHash },
  statuses: { accepted: 200, badShape: 422, badJson: 422, wrongType: "UNSUPPORTED_MEDIA_TYPE" },
  body,
  sentBody,
  sample,
  map,
});

function digestOf(bytes: Uint8Array, secret: string): string {
  return createHash("sha256").update(secret).update(bytes).digest("hex");
}
