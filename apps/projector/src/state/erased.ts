import { erasedHashOf } from "@headwater/kernel";
import { loadErasedFrom, readErasureSecret, type Transaction } from "@headwater/stores";
import type { PlacedRecord } from "./placedRecord.ts";

/**
 * Records of before an erasure that name an identifier of who was erased, by index: they come late, or again. Nearly always there
 * is no erasure above the oldest record of a batch, and this is one look at an index.
 */
export async function findErased(
  transaction: Transaction,
  records: readonly PlacedRecord[],
): Promise<ReadonlySet<number>> {
  const oldest = oldestOf(records);
  const found = new Set<number>();
  if (oldest === undefined) return found;
  const cutOffs = new Map<string, string>();
  for (const { account, hash, version } of await loadErasedFrom(transaction, oldest)) {
    cutOffs.set(`${account} ${hash}`, version);
  }
  if (cutOffs.size === 0) return found;
  const secret = await readErasureSecret(transaction);
  for (const [index, { account, lookups, version }] of records.entries()) {
    const isErased = lookups.identifiers.some((identifier) => {
      const cutOff = cutOffs.get(`${account.number} ${erasedHashOf(secret, account.id, identifier)}`);
      return cutOff !== undefined && version <= cutOff;
    });
    if (isErased) found.add(index);
  }
  return found;
}

function oldestOf(records: readonly PlacedRecord[]): string | undefined {
  let oldest: string | undefined;
  for (const { version } of records) if (oldest === undefined || version < oldest) oldest = version;
  return oldest;
}
