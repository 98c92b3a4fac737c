import type { Account } from "@headwater/contracts";
import { GEO_PARTS } from "@headwater/criteria";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { readClearsOf } from "@headwater/records/attributes/attributeClears";
import { type FoundContact, liveContactParts } from "@headwater/records/contacts/liveContacts";
import { listsOfContacts } from "@headwater/records/lists/lists";
import { type ContactView, viewRow } from "@headwater/records/views/contactView";

/** A live contact as its activities are shown with it. */
export interface LiveContact {
  readonly cID: string;
  readonly email: string | undefined;
  /** Members that were asked for and that it has, by their paths. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Bytes of the fields as JSON. */
  readonly fieldBytes: number;
}

/** A contact with the names of its lists, where they are asked for. */
interface WholeContact extends ContactView {
  readonly lists?: readonly string[] | undefined;
}

export interface ContactsAsked {
  /** Numbers that activities hold, in the order of their page. */
  readonly numbers: readonly number[];
  /** Members that are shown. */
  readonly paths: readonly string[];
  /** Limit of all fields, after which no more contacts are read. */
  readonly bytesMax: number;
}

export interface LiveContacts {
  readonly byNumber: ReadonlyMap<number, LiveContact>;
  /** Numbers that were not read, because the fields of those before them reached the limit. */
  readonly unread: ReadonlySet<number>;
}

/** Contacts whose lists are read at a time. */
const LISTED_AT_ONCE = 100;

/** Reads the live contact of each number that activities hold. A number of an erased contact has none. */
export async function readLiveContacts(
  session: Session,
  account: Account,
  { numbers, paths, bytesMax }: ContactsAsked,
): Promise<LiveContacts> {
  const clears = await readClearsOf(session, account.number);
  const byNumber = new Map<number, LiveContact>();
  const unread = new Set(numbers);
  let bytes = 0;
  for await (const part of liveContactParts(session, account.number, numbers)) {
    for (const rows of inGroups(part)) {
      const lists = paths.includes("lists") ? await readListNames(session, account, rows) : undefined;
      const show = (row: FoundContact) =>
        toLiveContact(
          { ...viewRow(row, clears, account), ...(lists && { lists: lists.get(row.number) ?? [] }) },
          paths,
        );
      const view = await runInSlices(mapInSteps(rows, show));
      for (const [index, contact] of view.entries()) {
        byNumber.set(rows[index]?.asked ?? 0, contact);
        bytes += contact.fieldBytes;
      }
    }
    const last = part.at(-1)?.asked;
    for (const number of numbers.slice(0, last === undefined ? 0 : numbers.indexOf(last) + 1)) unread.delete(number);
    if (bytes > bytesMax) return { byNumber, unread };
  }
  return { byNumber, unread: new Set() };
}

function inGroups(rows: readonly FoundContact[]): (readonly FoundContact[])[] {
  const count = Math.ceil(rows.length / LISTED_AT_ONCE);
  return Array.from({ length: count }, (_, group) => rows.slice(group * LISTED_AT_ONCE, (group + 1) * LISTED_AT_ONCE));
}

function toLiveContact(contact: WholeContact, paths: readonly string[]): LiveContact {
  const members = paths.map((path) => [path, memberOf(contact, path)] as const);
  const fields = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  return {
    cID: contact.cID,
    email: contact.identifiers.email ?? contact.channels.email?.address,
    fields,
    fieldBytes: paths.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(fields)),
  };
}

async function readListNames(session: Session, account: Account, contacts: readonly FoundContact[]) {
  const numbers = contacts.map(({ number }) => number);
  const rows = await listsOfContacts(session, account.number, numbers);
  const byContact = Map.groupBy(rows, ({ contact }) => contact);
  return new Map([...byContact].map(([contact, own]) => [contact, own.map(({ name }) => name).toSorted()] as const));
}

/**
 * A member of a contact by its path: `attributes.color`, `attributes.home.city`, `channels.email.address`, `identifiers.email`, `lists`, or
 * by the key of an attribute or the name of an identifier.
 */
export function memberOf(contact: WholeContact, path: string): unknown {
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

/** An attribute, or a part of one that is a location. */
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
