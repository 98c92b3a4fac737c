import type { Session } from "@headwater/postgres/connection/session";
import { accountsWithErasures, type ErasableKey, loadErasedKeys } from "@headwater/records/erasures/erasedKeys";

/** Something that a row would be about, with the version of what was written. */
export interface VersionedKey extends ErasableKey {
  readonly version: string;
}

export type IsErased = (key: VersionedKey) => boolean;

/**
 * Finds which of the things were erased, asked whenever rows are made: what is read again, late or once more from the beginning brings
 * nobody back. An account of which nobody was erased costs one read of an index.
 * @param things is run through only for accounts that had somebody erased.
 * @returns undefined when nothing of it was.
 */
export async function findErasedRows(
  session: Session,
  accounts: Iterable<number>,
  things: () => Iterable<ErasableKey>,
): Promise<IsErased | undefined> {
  const asked = [...new Set(accounts)];
  if (asked.length === 0) return undefined;
  const some = new Set(await accountsWithErasures(session, asked));
  if (some.size === 0) return undefined;
  const keys = new Map<string, ErasableKey>();
  for (const thing of things()) if (some.has(thing.account)) keys.set(nameOf(thing), thing);
  const cutOffs = new Map<string, string>();
  for (const erased of await loadErasedKeys(session, [...keys.values()])) cutOffs.set(nameOf(erased), erased.version);
  if (cutOffs.size === 0) return undefined;
  return (key) => {
    const cutOff = cutOffs.get(nameOf(key));
    return cutOff !== undefined && key.version <= cutOff;
  };
}

function nameOf({ account, kind, key }: ErasableKey): string {
  return `${account} ${kind} ${key}`;
}
