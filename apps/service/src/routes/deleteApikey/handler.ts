import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { revokeApiKey } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";

/**
 * Here it is refused when this answers; the other processes are told, and those that do not hear it ask within a second.
 * Throws 404 `RECORD_NOT_FOUND` for an unknown key and for one that was revoked before.
 */
export async function revokeKey(
  id: string,
  account: Account,
  { postgres, keys }: Pick<ServicePorts, "postgres" | "keys">,
): Promise<Answer> {
  const hash = await revokeApiKey(postgres, account.number, id);
  if (hash === undefined) throw refusal("RECORD_NOT_FOUND", "There is no key with this id.");
  keys.changed(hash);
  return { status: 200, body: { success: true } };
}
