import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { builtInTables, type Lookups, listNameKey } from "@headwater/operations";
import { createSupplement, ensureLists, type Postgres } from "@headwater/stores";

const KNOWN_MAX = 100_000;
/** A list that was deleted is made again by a record that comes later than this. */
const KNOWN_FOR_MS = 5_000;

/** A record as far as it may bring up lists. */
export interface Defining {
  readonly account: Account;
  /** `addContactsToList` brings up lists; the others name them only. */
  readonly operation: { readonly name: string };
  readonly lookups: Pick<Lookups, "listName" | "supplement">;
}

export type Define = (records: readonly Defining[]) => Promise<void>;

/**
 * Makes lists that records bring up, in transactions of their own before the batch: their ids are counted, and batches would wait
 * for each other's to the end. What was made is remembered. Attributes are defined with their values (`defineWritten`).
 */
export function createDefinitions(postgres: Postgres, clock: Clock): Define {
  const knownLists = new Set<string>();
  const makeTables = createBuiltInTables(postgres, clock);
  let knownSinceMs = clock.monotonicMs();
  return async (records) => {
    if (clock.monotonicMs() - knownSinceMs > KNOWN_FOR_MS) {
      knownLists.clear();
      knownSinceMs = clock.monotonicMs();
    }
    await makeTables(records);
    const lists = newLists(records, knownLists);
    if (lists.size > 0) await ensureLists(postgres, [...lists.values()], clock.nowMs());
    if (knownLists.size > KNOWN_MAX) knownLists.clear();
    for (const key of lists.keys()) knownLists.add(key);
  };
}

/** Tables that every account has are made when the first record of one comes. */
function createBuiltInTables(postgres: Postgres, clock: Clock) {
  const known = new Set<string>();
  return async (records: readonly Defining[]): Promise<void> => {
    for (const { account, lookups } of records) {
      const table = lookups.supplement && builtInTables.get(lookups.supplement.key);
      if (table === undefined) continue;
      const { key, name } = table;
      const knownKey = `${account.number} ${key}`;
      if (known.has(knownKey)) continue;
      const rules = { indexes: [], contactObject: true, autogenerateIDs: false, createdAt: clock.nowMs() };
      await createSupplement(postgres, { account: account.number, key, name, ...rules });
      if (known.size > KNOWN_MAX) known.clear();
      known.add(knownKey);
    }
  };
}

/** Names of lists that records bring up and that may be made on the spot, by `listNameKey`. */
function newLists(records: readonly Defining[], known: ReadonlySet<string>) {
  const lists = new Map<string, { readonly account: number; readonly name: string }>();
  for (const { account, operation, lookups } of records) {
    const { listName: name } = lookups;
    if (name === undefined || operation.name !== "addContactsToList" || account.settings.strictLists) continue;
    const key = listNameKey(account.number, name);
    if (!known.has(key)) lists.set(key, { account: account.number, name });
  }
  return lists;
}
