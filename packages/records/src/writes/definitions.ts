import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { StateReads } from "../fold/stateReads.ts";
import { builtInTables } from "../supplements/builtInTables.ts";
import { createSupplement } from "../supplements/supplements.ts";

const KNOWN_MAX = 100_000;

/** A record as far as it may need a table that every account has. */
export interface Defining {
  readonly account: Account;
  readonly reads: Pick<StateReads, "supplement">;
}

export type Define = (records: readonly Defining[]) => Promise<void>;

/**
 * Tables that every account has are made when the first record of one comes, in transactions of their own: they are there for good. Lists
 * and attributes are made with what is written (`ensureLists`, `defineWritten`).
 */
export function createDefinitions(postgres: Postgres, clock: Clock): Define {
  const known = new Set<string>();
  return async (records) => {
    for (const { account, reads } of records) {
      const table = reads.supplement && builtInTables.get(reads.supplement.key);
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
