import type { Clock } from "@headwater/kernel";
import { builtInTables } from "@headwater/operations";
import { createSupplement, ensureAttributes, ensureLists, type Postgres } from "@headwater/stores";
import { definitionsOf } from "./loadRows.ts";
import type { PlacedRecord } from "./placedRecord.ts";

const KNOWN_MAX = 100_000;

/**
 * Makes lists and attributes that records bring up, in transactions of their own before the batch, so that batches stay
 * short and never wait for each other's definitions. What was made is remembered.
 */
export function createDefinitions(postgres: Postgres, clock: Clock) {
  const known = new Set<string>();

  /** Tables every account has, when a record of one comes. */
  async function makeTables(records: readonly PlacedRecord[]): Promise<void> {
    for (const { account, lookups } of records) {
      const table = lookups.supplement && builtInTables.get(lookups.supplement.key);
      if (table === undefined || known.has(`table ${account.number} ${table.key}`)) continue;
      const { key, name } = table;
      const rules = { indexes: [], contactObject: true, autogenerateIDs: false, createdAt: clock.nowMs() };
      await createSupplement(postgres, { account: account.number, key, name, ...rules });
      known.add(`table ${account.number} ${key}`);
    }
  }

  return async (records: readonly PlacedRecord[]): Promise<void> => {
    await makeTables(records);
    const { lists, attributes } = definitionsOf(records);
    const newLists = [...lists].filter(([key]) => !known.has(`list ${key}`));
    const newAttributes = [...attributes].filter(
      ([key, { account }]) => !known.has(`attribute ${key}`) && !account.settings.strictAttributes,
    );
    const nowMs = clock.nowMs();
    if (newLists.length > 0) {
      await ensureLists(
        postgres,
        newLists.map(([, { account, name }]) => ({ account: account.number, name })),
        nowMs,
      );
    }
    const keys = newAttributes.map(([, { account, key }]) => ({ account: account.number, key }));
    await ensureAttributes(postgres, keys, nowMs);
    if (known.size > KNOWN_MAX) known.clear();
    for (const [key] of newLists) known.add(`list ${key}`);
    for (const [key] of newAttributes) known.add(`attribute ${key}`);
  };
}
