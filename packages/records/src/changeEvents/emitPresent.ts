import type { Account } from "@headwater/contracts";
import type { LostChanges } from "@headwater/guard/consistency/lostChanges";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type PresentCursor, type PresentPage, readPresentKeys } from "../writing/presentKeys.ts";
import { reemitState } from "./reemitState.ts";

/** A revision below that of every change event, so that any event of the same thing wins. */
const LEAST_REVISION = 1;
const SOURCE_PARTITION = 0;
/** Contacts have up to 8 MiB; a page is one transaction in memory. */
const KEYS_AT_A_TIME = 200;

const nothing: LostChanges = {
  contacts: [],
  contactVersions: [],
  memberships: [],
  orders: [],
  carts: [],
  records: [],
};

/**
 * Emits the next page of everything that Postgres holds, for readers that have lost it. Nothing is locked, because whatever is written
 * meanwhile has a greater revision.
 * @returns the cursor behind the page; undefined when there is nothing left.
 */
export async function emitPresent(
  transaction: Transaction,
  cursor: PresentCursor | undefined,
  accounts: ReadonlyMap<number, Account>,
): Promise<{ readonly cursor: PresentCursor; readonly events: number } | undefined> {
  const page: PresentPage | undefined = await readPresentKeys(transaction, cursor, KEYS_AT_A_TIME);
  if (page === undefined) return undefined;
  const options = { accounts, sourcePartition: SOURCE_PARTITION, revision: LEAST_REVISION };
  const events = await reemitState(transaction, { ...nothing, ...page.keys }, options);
  return { cursor: page.cursor, events };
}
