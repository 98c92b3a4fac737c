import { successExample, successShape } from "@headwater/api/answers/success";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";

export const params = z.strictObject({ id: storableText(64) });

/**
 * Revokes a key. This process refuses it when the call answers; the other processes are notified, and one that misses the notification asks
 * within a second. Throws 404 `RECORD_NOT_FOUND` for an unknown key and for one that was revoked before.
 */
async function revokeKey(
  call: OnceCall,
  id: string,
  { apiKeys, keys }: Pick<RoutePorts, "apiKeys" | "keys">,
): Promise<Answer> {
  let hash: string | undefined;
  const answer = await apiKeys.once(call, async (rows) => {
    hash = await rows.revoke(call.caller.account.number, id);
    if (hash === undefined) throw refusal("RECORD_NOT_FOUND", "No key has this id.");
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
  if (hash !== undefined) keys.changed(hash);
  return answer;
}

export function deleteApikey(ports: Pick<RoutePorts, "apiKeys" | "keys">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/apikeys/{id}",
    operationId: "deleteApikey",
    summary: "Revokes a key at once.",
    tags: ["apikeys"],
    answers: { 200: { description: "The key is revoked.", schema: successShape, example: successExample } },
    scope: "apikeys:write",
    dryRun: "rolledBack",
    category: "System",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => revokeKey(once, id, ports),
  });
}
