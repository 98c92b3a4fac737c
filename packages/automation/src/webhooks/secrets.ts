import { randomBytes } from "node:crypto";
import { webhookContext } from "@headwater/contracts";
import { HeadwaterError, type Sealer } from "@headwater/kernel";
import type { StoredWebhook } from "./postgres.ts";

const SECRET_BYTES = 32;

/** Returns a new secret, `whsec_` and base64, as Standard Webhooks have it. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export type SealedSecrets = Pick<StoredWebhook, "id" | "secret" | "formerSecret" | "formerUntil">;

/**
 * Opens the secrets that sign at an instant: the current one, and the former one for a time after a rotation. Undefined when no key of the
 * installation opens them.
 */
export function openSecrets(
  { id, secret, formerSecret, formerUntil }: SealedSecrets,
  { accountId, nowMs, sealer }: { readonly accountId: string; readonly nowMs: number; readonly sealer: Sealer },
): string[] | undefined {
  const signsAlong = formerSecret !== null && formerUntil !== null && nowMs < formerUntil;
  const sealed = [secret, ...(signsAlong ? [formerSecret] : [])];
  try {
    return sealed.map((text) => sealer.open(text, webhookContext(accountId, id)));
  } catch (error) {
    if (error instanceof HeadwaterError) return undefined;
    throw error;
  }
}
