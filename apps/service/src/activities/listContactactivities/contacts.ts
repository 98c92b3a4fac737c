import { GEO_PARTS } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import { type ContactView, viewRow } from "@headwater/projection";
import { readClearsOf } from "@headwater/stores/attributes";
import { loadContacts } from "@headwater/stores/contacts";
import { listsOfContacts } from "@headwater/stores/lists";
import type { Session } from "@headwater/stores/postgres";

/** A contact beside its activities. */
export interface LiveContact extends ContactView {
  /** Names of its lists, where they are asked for. */
  readonly lists?: readonly string[];
}

/** The live contact of each number that activities hold, with its lists where they are asked for. A number of an erased contact has none. */
export async function readLiveContacts(
  session: Session,
  account: Account,
  { numbers, withLists }: { readonly numbers: readonly number[]; readonly withLists: boolean },
): Promise<Map<number, LiveContact>> {
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
  const lists = withLists ? await readListNames(session, account, [...known.keys()]) : undefined;
  const views = new Map<number, LiveContact>();
  for (const { number, mergedInto } of found) {
    const live = known.get(mergedInto ?? number);
    if (live === undefined) continue;
    views.set(number, { ...viewRow(live, clears, account), ...(lists && { lists: lists.get(live.number) ?? [] }) });
  }
  return views;
}

async function readListNames(session: Session, account: Account, numbers: readonly number[]) {
  const rows = await listsOfContacts(session, account.number, numbers);
  const byContact = Map.groupBy(rows, ({ contact }) => contact);
  return new Map([...byContact].map(([contact, own]) => [contact, own.map(({ name }) => name).toSorted()] as const));
}

/**
 * A member of a contact by its path: `attributes.color`, `attributes.home.city`, `channels.email.address`, `identifiers.email`, `lists`, or
 * by the key of an attribute or the name of an identifier.
 */
export function memberOf(contact: LiveContact, path: string): unknown {
  const bare = attributeOf(contact, path) ?? own(contact.identifiers, path);
  if (bare !== undefined) return bare;
  const [group, ...rest] = path.split(".");
  switch (group) {
    case "attributes":
      return attributeOf(contact, rest.join("."));
    case "identifiers":
      return own(contact.identifiers, rest.join("."));
    case "channels":
      return own(own(contact.channels, rest.slice(0, -1).join(".")), rest.at(-1));
    case "cID":
    case "createdAt":
    case "lastModified":
    case "lists":
      return rest.length === 0 ? contact[group] : undefined;
    default:
      return undefined;
  }
}

/** An attribute, or a part of one that is a place. */
function attributeOf({ attributes }: ContactView, key: string): unknown {
  const whole = own(attributes, key);
  const part = GEO_PARTS.find((name) => key.endsWith(`.${name}`));
  return whole !== undefined || part === undefined ? whole : own(own(attributes, key.slice(0, -part.length - 1)), part);
}

/** Names are arbitrary (`constructor`, `__proto__`): only a record's own members count. */
function own(record: unknown, name: string | undefined): unknown {
  if (typeof record !== "object" || record === null || name === undefined) return undefined;
  return Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
}
