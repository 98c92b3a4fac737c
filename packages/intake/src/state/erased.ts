import type { Identifier } from "@headwater/contracts";
import { erasedHashOf, formerHashOf } from "@headwater/kernel";
import type { PlacedRecord } from "./placedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

/**
 * Records of before an erasure that name an identifier of who was erased, by index: they come late, or again. Nearly always there
 * is no erasure above the oldest record of a batch, and this is one look at an index.
 */
export async function findErased(
  transaction: Pick<StateTransaction, "erasedFrom" | "erasureSecret">,
  records: readonly PlacedRecord[],
): Promise<ReadonlySet<number>> {
  const oldest = oldestOf(records);
  const found = new Set<number>();
  if (oldest === undefined) return found;
  const cutOffs = new Map<string, string>();
  for (const { account, hash, version } of await transaction.erasedFrom(oldest)) {
    cutOffs.set(`${account} ${hash}`, version);
  }
  if (cutOffs.size === 0) return found;
  const secret = await transaction.erasureSecret();
  for (const [index, { account, reads, version }] of records.entries()) {
    const isBelow = (hash: string) => version <= (cutOffs.get(`${account.number} ${hash}`) ?? "");
    const isTheirs = (one: Identifier) => isBelow(erasedHashOf(secret, account.id, one));
    const wasTheirs = (one: Identifier) => isTheirs(one) || isBelow(formerHashOf(secret, account.id, one));
    const { identifiers } = reads;
    // An identifier that they had before may be another's: the record is about them when it names nobody else.
    if (identifiers.some(isTheirs) || (identifiers.length > 0 && identifiers.every(wasTheirs))) found.add(index);
  }
  return found;
}

function oldestOf(records: readonly PlacedRecord[]): string | undefined {
  let oldest: string | undefined;
  for (const { version } of records) if (oldest === undefined || version < oldest) oldest = version;
  return oldest;
}
