import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { apiKeyLimits, type NewApiKeyBody, newApiKeyBody, parseTime } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import { z } from "zod";
import { type IssuedApiKey, issueKey } from "../../accounts/issueApiKey.ts";
import type { RoutePorts } from "../../ports.ts";
import { apiKeyExample, apiKeyRecord, apiKeyShape } from "../apiKeyView.ts";

const createdAnswer = apiKeyShape.extend({
  key: z
    .string()
    .optional()
    .meta({ description: "The value, returned once: a replay with the same Idempotency-Key omits it." }),
});

const createdExample = { ...apiKeyExample, key: "hw_Vb1pcX…" };

const requestExample = { name: "shop backend", scopes: ["intake"], allowIPs: ["203.0.113.0/24"] };

/** `hw_` and five characters: enough to distinguish keys, of 40 that are secret. */
const PREFIX_CHARACTERS = 8;
const NO_STORE = { "Cache-Control": "no-store" } as const;

/**
 * Makes a key of the caller's account. Only its hash is stored, so its value can never be shown again: a repeat under the same
 * Idempotency-Key gets the record without it.
 * It works from the addresses and until the end that the caller has, too.
 * Throws 403 `INSUFFICIENT_SCOPE` for scopes the caller does not have and for a key to replace with more rights, 404 when the key to replace is not valid, 422.
 */
async function createKey(
  call: OnceCall,
  body: NewApiKeyBody,
  { apiKeys, keys, clock }: Pick<RoutePorts, "apiKeys" | "keys" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const expiresAt = readExpiry(body.expiresAt, account.settings.timezone, clock.nowMs());
  const key = newApiKey();
  let replacedHash: string | undefined;
  const answer = await apiKeys.once(call, async (rows) => {
    const issued = await issueKey(rows, {
      body,
      id: newAccountId(),
      account: account.number,
      hash: hashApiKey(key),
      prefix: key.slice(0, PREFIX_CHARACTERS),
      maker: call.caller,
      ...(expiresAt !== undefined && { expiresAt }),
    });
    if (issued.kind !== "issued") throw refused(issued);
    replacedHash = issued.replacedHash;
    const record = apiKeyRecord(issued.key);
    return { answer: { status: 201, body: { ...record, key }, headers: NO_STORE }, kept: record };
  });
  if (replacedHash !== undefined) keys.changed(replacedHash);
  return answer;
}

export function readExpiry(text: string | undefined, timezone: string, nowMs: number): Date | undefined {
  if (text === undefined) return undefined;
  const at = parseTime(text, timezone);
  if (at === undefined) throw invalid("/expiresAt", "bad_value", "The value is not an ISO 8601 date or timestamp.");
  if (at <= nowMs) throw invalid("/expiresAt", "out_of_range", "The time is in the past.");
  return new Date(at);
}

function refused(issued: Exclude<IssuedApiKey, { kind: "issued" }>) {
  switch (issued.kind) {
    case "unknownKey":
      return refusal("RECORD_NOT_FOUND", "The key to replace does not exist, was revoked or has expired.");
    case "replacedAlready":
      return invalid("/rotates", "not_allowed", "It is being replaced by another key already: revoke that one first.");
    case "tooMany":
      return invalid(
        "",
        "too_many",
        `An account can have at most ${apiKeyLimits.keysOfAccount} keys. Revoke one first.`,
      );
    case "notTheirs":
      return refusal(
        "INSUFFICIENT_SCOPE",
        `The calling key cannot grant scopes it does not have: ${issued.scopes.join(", ")}.`,
      );
    case "widerKey":
      return refusal(
        "INSUFFICIENT_SCOPE",
        `The key to replace has scopes that the calling key does not have: ${issued.rights.join(", ")}.`,
      );
    case "otherAddresses":
      return invalid("/allowIPs", "not_allowed", "The calling key cannot be used from any of these addresses.");
  }
}

function invalid(path: string, code: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code, message }] });
}

export function createApikey(ports: Pick<RoutePorts, "apiKeys" | "clock" | "keys">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/apikeys",
    operationId: "createApikey",
    summary: "Creates a key, or rotates an existing one. The value is returned only in this response.",
    tags: ["apikeys"],
    answers: {
      201: { description: "The key with its value.", schema: createdAnswer, example: createdExample },
      404: { description: "RECORD_NOT_FOUND: the key to replace does not exist, was revoked or has expired." },
    },
    scope: "apikeys:write",
    dryRun: { class: "rolledBack", omits: ["key"] },
    category: "System",
    target: "id",
    body: newApiKeyBody,
    requestExample,
    handler: ({ body, once }) => createKey(once, body, ports),
  });
}
