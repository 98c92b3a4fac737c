import type { List, Membership } from "@headwater/domain";
import { type LoadedRows, listIdKey, type StateRead } from "@headwater/projection";

interface StoredLists {
  readonly lists: ReadonlyMap<string, List>;
  readonly memberships: ReadonlyMap<string, Membership>;
}

type CountRead = Extract<StateRead, { kind: "greatestListId" | "listCount" }>;

/** Loads a count of lists once, whoever asks how often. */
export function loadListCount({ lists, memberships }: StoredLists, rows: LoadedRows, need: CountRead): void {
  if (need.kind === "greatestListId") {
    if (rows.greatestListIds.has(need.account)) return;
    const own = listIdKey(need.account, 0).slice(0, -1);
    let greatest = 0;
    for (const [key, { id }] of lists) if (key.startsWith(own)) greatest = Math.max(greatest, id);
    rows.greatestListIds.set(need.account, greatest);
    return;
  }
  if (rows.listCounts.has(need.contact)) return;
  let count = 0;
  for (const { list, contact, present, version } of memberships.values()) {
    const cleared = lists.get(listIdKey(need.account, list))?.clearedVersion ?? "";
    if (contact === need.contact && present && version > cleared) count++;
  }
  rows.listCounts.set(need.contact, count);
}
