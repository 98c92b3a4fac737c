import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Session } from "@headwater/postgres/connection/session";
import type { WitnessStores } from "./clickHouseWitness.ts";
import { isReplicaBehind, readHeldStore, writeIdentity, writeMarks } from "./heldStore.ts";
import { beginIdentity, noteEstablished, readKnownStore, tablesToNote } from "./knownStore.ts";

/** Reads and writes both sides of a witness. */
export function createWitnessStores(session: Session, clickhouse: ClickHouse): WitnessStores {
  return {
    known: () => readKnownStore(session),
    held: (identity) => readHeldStore(clickhouse, identity),
    isBehind: () => isReplicaBehind(clickhouse),
    mark: (marks) => writeMarks(clickhouse, marks),
    establish: (identity) => establishIdentity(session, clickhouse, identity),
  };
}

/**
 * Gives ClickHouse the identity that Postgres stores, or the proposed one where it stores none, and notes the tables. Each step may run
 * twice, and in two processes at once.
 */
export async function establishIdentity(session: Session, clickhouse: ClickHouse, proposed: string): Promise<void> {
  const identity = await beginIdentity(session, proposed);
  await writeIdentity(clickhouse, identity);
  const held = await readHeldStore(clickhouse, identity);
  if (held === undefined) throw new Error("the table of marks was written a moment ago and does not exist");
  await noteEstablished(session, { identity, migrations: held.migrations, tables: tablesToNote(held.tables) });
}
