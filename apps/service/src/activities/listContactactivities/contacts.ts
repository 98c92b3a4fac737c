import type { Account } from "@headwater/contracts";
import { type ContactView, viewRow } from "@headwater/projection";
import { readClearsOf } from "@headwater/stores/attributes";
import { loadContacts } from "@headwater/stores/contacts";
import type { Session } from "@headwater/stores/postgres";

/** The live contact of each number that activities hold. A number of an erased contact has none. */
export async function readLiveContacts(
  session: Session,
  account: Account,
  numbers: readonly number[],
): Promise<Map<number, ContactView>> {
  const load = (wanted: readonly number[]) =>
    loadContacts(
      session,
      wanted.map((number) => ({ account: account.number, number })),
    );
  const found = await load([...new Set(numbers)]);
  const known = new Map(found.map((row) => [row.number, row]));
  const missing = found.flatMap(({ mergedInto }) => (mergedInto === null || known.has(mergedInto) ? [] : [mergedInto]));
  for (const row of await load([...new Set(missing)])) known.set(row.number, row);
  const clears = await readClearsOf(session, account.number);
  const views = new Map<number, ContactView>();
  for (const { number, mergedInto } of found) {
    const live = known.get(mergedInto ?? number);
    if (live !== undefined) views.set(number, viewRow(live, clears, account));
  }
  return views;
}

/** A member of a contact by its path: `attributes.color`, `channels.email.address`, `identifiers.email`, or an attribute's key. */
export function memberOf(contact: ContactView, path: string): unknown {
  const bare = own(contact.attributes, path);
  if (bare !== undefined) return bare;
  const [group, ...rest] = path.split(".");
  switch (group) {
    case "attributes":
      return own(contact.attributes, rest.join("."));
    case "identifiers":
      return own(contact.identifiers, rest.join("."));
    case "channels":
      return own(own(contact.channels, rest.slice(0, -1).join(".")), rest.at(-1));
    case "cID":
    case "createdAt":
    case "lastModified":
      return contact[group];
    default:
      return undefined;
  }
}

/** Names are arbitrary (`constructor`, `__proto__`): only a record's own members count. */
function own(record: unknown, name: string | undefined): unknown {
  if (typeof record !== "object" || record === null || name === undefined) return undefined;
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
}
