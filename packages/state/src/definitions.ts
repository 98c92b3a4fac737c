import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { builtInTables, type Lookups, listNameKey } from "@headwater/operations";
import { createSupplement, ensureAttributes, ensureLists, type Postgres } from "@headwater/stores";

const KNOWN_MAX = 100_000;
/** A list or attribute that was deleted is made again by a record that comes later than this. */
const KNOWN_FOR_MS = 5_000;

/** A record, or what stands for one, as far as it may bring up lists and attributes. */
export interface Defining {
  readonly account: Account;
  /** `addContactsToList` brings up lists; the others name them only. */
  readonly operation: { readonly name: string };
  readonly lookups: Pick<Lookups, "attributes" | "listName" | "supplement">;
}

export type Define = (records: readonly Defining[]) => Promise<void>;

/**
 * Makes lists and attributes that records bring up, in transactions of their own before the batch, so that batches stay
 * short and never wait for each other's definitions. What was made is remembered.
 */
export function createDefinitions(postgres: Postgres, clock: Clock): Define {
  const knownLists = new Set<string>();
  const knownAttributes = new AttributeNames();
  const makeTables = createBuiltInTables(postgres, clock);
  let knownSinceMs = clock.monotonicMs();
  return async (records) => {
    if (clock.monotonicMs() - knownSinceMs > KNOWN_FOR_MS) {
      knownLists.clear();
      knownAttributes.clear();
      knownSinceMs = clock.monotonicMs();
    }
    await makeTables(records);
    const lists = newLists(records, knownLists);
    const attributes = newAttributes(records, knownAttributes);
    const nowMs = clock.nowMs();
    if (lists.size > 0) await ensureLists(postgres, [...lists.values()], nowMs);
    await ensureAttributes(postgres, attributes, nowMs);
    if (knownLists.size > KNOWN_MAX) knownLists.clear();
    if (knownAttributes.size > KNOWN_MAX) knownAttributes.clear();
    for (const key of lists.keys()) knownLists.add(key);
    for (const { account, key } of attributes) knownAttributes.add(account, key);
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

/** Names of attributes that records write and that may be made on the spot, each once. */
function newAttributes(records: readonly Defining[], known: AttributeNames) {
  const found: { readonly account: number; readonly key: string }[] = [];
  const seen = new AttributeNames();
  for (const { account, lookups } of records) {
    if (lookups.attributes === undefined || account.settings.strictAttributes) continue;
    for (const key of Object.keys(lookups.attributes)) {
      if (known.has(account.number, key) || key === "channels" || seen.has(account.number, key)) continue;
      seen.add(account.number, key);
      found.push({ account: account.number, key });
    }
  }
  return found;
}

/** A set by account and name: nothing is put together to ask it, for every member of every record does. */
class AttributeNames {
  readonly #accounts = new Map<number, Set<string>>();
  size = 0;

  has(account: number, name: string): boolean {
    return this.#accounts.get(account)?.has(name) === true;
  }

  add(account: number, name: string): void {
    const names = this.#accounts.get(account) ?? new Set();
    this.#accounts.set(account, names.add(name));
    this.size++;
  }

  clear(): void {
    this.#accounts.clear();
    this.size = 0;
  }
}
