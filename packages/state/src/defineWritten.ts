import type { BatchChanges } from "@headwater/operations";
import { ensureAttributes, type Transaction } from "@headwater/stores";

const PREFIX = "attributes.";

/**
 * Defines as `auto` the attributes of which a write or a batch stores a value and that have no definition: so what is refused or
 * rolled back defines nothing, and a value never stands without a definition. The last of a transaction that takes locks: whoever
 * waits here for another one's definition waits for a transaction that only has to end.
 * @param nowMs milliseconds since 1970.
 */
export async function defineWritten(
  transaction: Transaction,
  { contacts }: Pick<BatchChanges, "contacts">,
  nowMs: number,
): Promise<void> {
  const written = new Map<number, Set<string>>();
  for (const { contact, fields } of contacts.values()) {
    const names = written.get(contact.account) ?? new Set();
    written.set(contact.account, names);
    fields.forEach((path, value) => {
      if (value !== null && path.startsWith(PREFIX)) names.add(path);
    });
  }
  const keys = [...written].flatMap(([account, paths]) =>
    [...paths].map((path) => ({ account, key: path.slice(PREFIX.length) })),
  );
  await ensureAttributes(transaction, keys, nowMs);
}
