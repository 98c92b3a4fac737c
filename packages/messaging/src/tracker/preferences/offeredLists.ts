import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import { type Clock, createCache } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { listNameKey, listsOfContacts } from "@headwater/records/lists/lists";
import { findNamedLists } from "@headwater/records/lists/namedLists";
import { liveContact } from "../contacts/liveContact.ts";
import type { NamedToken } from "../events/messageEvent.ts";

/** A list that the page offers. */
export interface OfferedList {
  /** Name in `messaging.preferenceLists`. */
  readonly name: string;
  readonly displayName: string;
}

/** Lists with the names of those that the contact is on. */
export interface ListsView {
  readonly lists: readonly OfferedList[];
  readonly joined: ReadonlySet<string>;
}

/** Reads of what the page offers next to the channel of the message. Both reject while the store is away. */
export interface OfferedLists {
  /** Returns the lists that the account of a token offers. */
  readonly offered: (token: NamedToken) => Promise<readonly OfferedList[]>;
  /** Returns the names of offered lists that the contact is on. */
  readonly joined: (token: NamedToken, lists: readonly OfferedList[]) => Promise<ReadonlySet<string>>;
}

const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 1_000;

/** Reads the lists of accounts; a change of the settings holds within seconds. */
export function createOfferedLists(session: Session, clock: Pick<Clock, "monotonicMs">): OfferedLists {
  const cache = createCache<number, readonly OfferedList[]>({ ttlMs: FRESH_MS, entriesMax: ACCOUNTS_MAX, clock });
  return {
    async offered({ account: number }) {
      const known = cache.get(number);
      if (known !== undefined) return known;
      const account = await findAccountByNumber(session, number);
      const lists = account === undefined ? [] : await readLists(session, account);
      cache.set(number, lists);
      return lists;
    },
    joined: (token, lists) => readJoined(session, token, lists),
  };
}

/** A list that is not there yet is made by the first who joins it, unless the account is strict. */
async function readLists(session: Session, { number, settings }: Account): Promise<OfferedList[]> {
  const names = settings.messaging.preferenceLists;
  const found = await findNamedLists(session, { account: number, names, ids: [] });
  const byKey = new Map(found.map((list) => [listNameKey(list.name), list]));
  return names.flatMap((name) => {
    const list = byKey.get(listNameKey(name));
    if (list === undefined && settings.strictLists) return [];
    return [{ name, displayName: list?.displayName ?? name }];
  });
}

async function readJoined(session: Session, token: NamedToken, lists: readonly OfferedList[]): Promise<Set<string>> {
  const contact = lists.length === 0 ? undefined : await liveContact(session, token.account, token.contact);
  if (contact === undefined) return new Set();
  const rows = await listsOfContacts(session, token.account, [contact.number]);
  const keys = new Set(rows.map(({ name }) => listNameKey(name)));
  return new Set(lists.flatMap(({ name }) => (keys.has(listNameKey(name)) ? [name] : [])));
}
