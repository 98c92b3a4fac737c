import type { Account, Json } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { ensureAttributes } from "../attributes/postgres.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import { allOf } from "./allOf.ts";
import { expectAttributeCapacity } from "./attributeRoom.ts";

const PREFIX = "attributes.";

/**
 * Defines as `auto` the attributes of which a write or a batch stores a value and that have no definition: so what is refused or
 * rolled back defines nothing, and a value never stands without a definition. The last of a transaction that takes locks: whoever
 * waits here for another one's definition waits for a transaction that only has to end.
 * @param accounts whose bound of definitions is checked when new ones come up; of the others it was checked before.
 * @param nowMs milliseconds since 1970.
 */
export async function defineWritten(
  transaction: Transaction,
  { contacts }: Pick<BatchChanges, "contacts">,
  { accounts, nowMs }: { readonly accounts: ReadonlyMap<number, Account>; readonly nowMs: number },
): Promise<void> {
  const written = new Map<number, Set<string>>();
  for (const { contact, fields } of contacts.values()) {
    const names = written.get(contact.account) ?? new Set();
    written.set(contact.account, names);
    fields.forEach((path: string, value: Json) => {
      if (value !== null && path.startsWith(PREFIX)) names.add(path);
    });
  }
  const keys = [...written].flatMap(([account, paths]) =>
    [...paths].map((path) => ({ account, key: path.slice(PREFIX.length) })),
  );
  const created = await ensureAttributes(transaction, keys, nowMs);
  if (created === 0) return;
  const grown = [...written.keys()].map((account) => accounts.get(account)).filter((account) => account !== undefined);
  await expectAttributeCapacity(transaction, grown);
}

/**
 * Waits for writes that were sent together, and defines what they store: along with rows that go out in one round trip, where definitions that are sent
 * behind them are the last all the same; else when the rows are there.
 * @throws the first error, when all have ended.
 */
export async function writeAndDefine(
  changes: BatchChanges,
  writes: readonly Promise<unknown>[],
  define: () => Promise<void>,
): Promise<void> {
  if (isWrittenAtOnce(changes)) return allOf([...writes, define()]);
  await allOf(writes);
  await define();
}

/** Returns whether the rows of the changes go out together, in one round trip. */
function isWrittenAtOnce({ merges, splits, clears, suppressions, erasures }: BatchChanges): boolean {
  return [merges, splits, clears, suppressions, erasures].every((changed) => changed.length === 0);
}
