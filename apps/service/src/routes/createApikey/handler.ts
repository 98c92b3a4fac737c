import { apiKeyLimits, coversScope, type NewApiKeyBody, parseTime } from "@headwater/contracts";
import { type Answer, type ApiKey, refusal } from "@headwater/http";
import { hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import { type IssuedApiKey, issueApiKey } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";
import { apiKeyRecord } from "../../views/apiKeyView.ts";

/** `hw_` and five characters: enough to tell keys apart, of 40 that are secret. */
const PREFIX_CHARACTERS = 8;

/**
 * Makes a key of the caller's account. Only its hash is stored, so its value can never be shown again.
 * Throws 403 `INSUFFICIENT_SCOPE` for scopes the caller does not have, 404 when the key to replace is not valid, 422.
 */
export async function createKey(
  body: NewApiKeyBody,
  caller: ApiKey,
  { postgres, keys, clock }: Pick<ServicePorts, "postgres" | "keys" | "clock">,
): Promise<Answer> {
  const { account, scopes: own } = caller;
  const expiresAt = readExpiry(body.expiresAt, account.settings.timezone, clock.nowMs());
  const key = newApiKey();
  const issued = await postgres.transaction((transaction) =>
    issueApiKey(transaction, {
      body,
      id: newAccountId(),
      account: account.number,
      hash: hashApiKey(key),
      prefix: key.slice(0, PREFIX_CHARACTERS),
      notTheirs: (scopes) => scopes.filter((scope) => !coversScope(own, scope)),
      ...(expiresAt !== undefined && { expiresAt }),
    }),
  );
  if (issued.kind !== "issued") throw refused(issued);
  if (issued.replacedHash !== undefined) keys.changed(issued.replacedHash);
  return { status: 201, body: { ...apiKeyRecord(issued.key), key }, headers: { "Cache-Control": "no-store" } };
}

export function readExpiry(text: string | undefined, timezone: string, nowMs: number): Date | undefined {
  if (text === undefined) return undefined;
  const at = parseTime(text, timezone);
  if (at === undefined) throw invalid("/expiresAt", "bad_value", "It is not a date or timestamp of ISO 8601.");
  if (at <= nowMs) throw invalid("/expiresAt", "out_of_range", "It is past.");
  return new Date(at);
}

function refused(issued: Exclude<IssuedApiKey, { kind: "issued" }>) {
  switch (issued.kind) {
    case "unknownKey":
      return refusal("RECORD_NOT_FOUND", "The key to replace is unknown, was revoked or has ended.");
    case "replacedAlready":
      return invalid("/rotates", "not_allowed", "It is being replaced by another key already: revoke that one first.");
    case "tooMany":
      return invalid("", "too_many", `An account has at most ${apiKeyLimits.keysOfAccount} keys: revoke some.`);
    case "notTheirs":
      return refusal("INSUFFICIENT_SCOPE", `The key cannot give what it does not have: ${issued.scopes.join(", ")}.`);
  }
}

function invalid(path: string, code: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code, message }] });
}
