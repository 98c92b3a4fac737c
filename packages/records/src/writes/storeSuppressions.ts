import { timeOfVersion } from "@headwater/contracts";
import { newJobId } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { liftAll, suppress } from "../suppressions/suppressions.ts";
import type { SuppressionChange } from "../unitOfWork/batchChanges.ts";

/** Suppresses and lifts the addresses of a batch: of the changes of one address for one reason the last counts. */
export async function storeSuppressions(
  transaction: Transaction,
  changes: readonly SuppressionChange[],
): Promise<void> {
  const last = lastChanges(changes);
  for (const [account, lifted] of Map.groupBy(last.lifted, (one) => one.account)) {
    await liftAll(transaction, account, { addresses: lifted, reasons: ["complaint", "erased-unsubscribed"] });
  }
  for (const { account, channel, address, because: reason, version } of last.suppressed) {
    if (reason === "resubscribed") continue;
    const target = { kind: "address", value: address } as const;
    const nowMs = timeOfVersion(version);
    await suppress(transaction, { account, channel, id: newJobId(), target, reason, nowMs });
  }
}

function lastChanges(changes: readonly SuppressionChange[]) {
  const lifted = new Map<string, SuppressionChange>();
  const suppressed = new Map<string, SuppressionChange>();
  for (const change of changes) {
    const { account, channel, address, because } = change;
    const key = JSON.stringify([account, channel, address]);
    if (because === "resubscribed") {
      lifted.set(key, change);
      suppressed.delete(`${key}complaint`);
    } else {
      suppressed.set(key + because, change);
    }
  }
  return { lifted: [...lifted.values()], suppressed: [...suppressed.values()] };
}
