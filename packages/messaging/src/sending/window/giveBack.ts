import { releaseSends } from "../../sends/claimSends.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { SenderPorts } from "../ports.ts";

/** Makes sends of one account that nobody has begun due again at once. */
export async function giveBack(sends: readonly StoredSend[], { postgres, owner }: SenderPorts): Promise<void> {
  const [first] = sends;
  if (first !== undefined) await releaseSends(postgres, sends, { account: first.account, owner, dueAt: 0 });
}
