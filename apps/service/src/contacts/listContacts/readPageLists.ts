import type { Account } from "@headwater/contracts";
import type { Beside } from "@headwater/projection";
import { readClearsOf } from "@headwater/stores/attributes";
import type { ShownContact } from "@headwater/stores/contacts";
import { pageListsOfContacts } from "@headwater/stores/lists";
import type { BoundedRows, Session } from "@headwater/stores/postgres";

/** Limit of the lists of all contacts of a page; all those of its first contact are read in any case. */
const LISTS_PER_PAGE_MAX = 20_000;

export interface PageOfContacts {
  readonly account: Account;
  readonly session: Session;
  readonly direction: "asc" | "desc";
}

export interface PageWithLists {
  readonly bounded: BoundedRows<ShownContact>;
  readonly beside: Beside;
}

/** Reads the lists of a page's contacts; the page ends before the first contact whose lists would pass the limit. */
export async function readPageLists(
  read: BoundedRows<ShownContact>,
  { account, session, direction }: PageOfContacts,
): Promise<PageWithLists> {
  const numbers = read.rows.map(({ number }) => number);
  const [{ lists, cutAt }, clears] = await Promise.all([
    pageListsOfContacts(session, account.number, numbers, { direction, membershipsMax: LISTS_PER_PAGE_MAX }),
    readClearsOf(session, account.number),
  ]);
  const beside = { lists: Map.groupBy(lists, ({ contact }) => contact), clears };
  if (cutAt === undefined) return { bounded: read, beside };
  return { bounded: { rows: read.rows.slice(0, numbers.indexOf(cutAt)), isCut: true }, beside };
}
