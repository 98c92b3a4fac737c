import type { List, Membership } from "@headwater/records/lists/list";
import { type LoadedRows, listIdKey, type StateRead } from "@headwater/records/unitOfWork/loadedRows";

interface StoredLists {
  readonly lists: ReadonlyMap<string, List>;
  readonly memberships: ReadonlyMap<string, Membership>;
}

type CountRead = Extract<StateRead, { kind: "greatestListId" | "listCount" }>;

/** Loads a count of lists once, whoever asks how often. */
export function loadListCount({ lists, memberships }: StoredLists, rows: LoadedRows, read: CountRead): void {
  if (read.kind === "greatestListId") {
    if (rows.greatestListIds.has(read.account)) return;
    const own = listIdKey(read.account, 0).slice(0, -1);
    let greatest = 0;
    for (const [key, { id }] of lists) if (key.startsWith(own)) greatest = Math.max(greatest, id);
    rows.greatestListIds.set(read.account, greatest);
    return;
  }
  if (rows.listCounts.has(read.contact)) return;
  let count = 0;
  for (const { list, contact, present, version } of memberships.values()) {
    const cleared = lists.get(listIdKey(read.account, list))?.clearedVersion ?? "";
    if (contact === read.contact && present && version > cleared) count++;
  }
  rows.listCounts.set(read.contact, count);
}
