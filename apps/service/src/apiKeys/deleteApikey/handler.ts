import { type Answer, refusal } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";

/**
 * Revokes a key. This process refuses it when the call answers; the other processes are notified, and one that misses the notification asks
 * within a second. Throws 404 `RECORD_NOT_FOUND` for an unknown key and for one that was revoked before.
 */
export async function revokeKey(
  call: OnceCall,
  id: string,
  { apiKeys, keys }: Pick<ServicePorts, "apiKeys" | "keys">,
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
